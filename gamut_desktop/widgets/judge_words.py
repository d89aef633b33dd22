"""What is said of a judge wherever one is offered: its short name, what its last check found, what it looks at."""

from PySide6.QtCore import QCoreApplication

from gamut_desktop.wiring import KEYWORD, JudgeInfo, judge_name
from judge_local.port import Remark
from judge_local.preflight.result import percent


def tr(text: str) -> str:
    """Translate in the context "judges"."""
    return QCoreApplication.translate("judges", text)


def alarming(info: JudgeInfo) -> bool:
    """Whether the last check speaks against using this judge at all."""
    return info.preflight is not None and (info.preflight.worse_than_keyword or info.preflight.accuracy is None)


def mark(info: JudgeInfo) -> str:
    """What the last check found, in a few words; nothing for the baseline, which is the bar itself."""
    last = info.preflight
    if last is None:
        return "" if info.id == KEYWORD else tr("not checked")
    if last.accuracy is None:
        return tr("gave no verdict")
    if last.worse_than_keyword:
        return tr("worse than keyword")
    if last.stale:
        return tr("check out of date")
    return tr("{share} right").format(share=percent(last.accuracy))


def mark_sentence(info: JudgeInfo) -> str:
    """The same as a sentence."""
    last, name = info.preflight, judge_name(info.id)
    if last is None:
        if info.id == KEYWORD:
            return tr("The baseline: word overlap, which every other judge has to beat.")
        return tr("{judge} has not been checked: nobody knows yet how far to trust it.").format(judge=name)
    if last.accuracy is None:
        said = tr("{judge} gave no verdict at all when it was checked.")
    elif last.worse_than_keyword:
        said = tr("When it was checked, {judge} was right less often than plain word overlap: {share}.")
    else:
        said = tr("When it was checked, {judge} was right on {share} of the texts.")
    told = said.format(judge=name, share=percent(last.accuracy))
    return f"{told} {tr('Its files or settings have changed since.')}" if last.stale else told


def sight(info: JudgeInfo, *, looks: bool) -> str:
    """Whether the judge sees pictures, as it is set."""
    if not info.sees_images:
        return tr("text only")
    return tr("sees pictures") if looks else tr("could see, is set not to")


def kind_name(info: JudgeInfo) -> str:
    """What kind of judge it is."""
    kinds = {"baseline": tr("word overlap"), "bundled": tr("comes with the app"), "file": tr("from a file")}
    return kinds.get(info.kind, info.kind)


def grade_tooltip(info: JudgeInfo) -> str:
    """What the button that grades says about who grades."""
    return tr("By {judge}. {mark}").format(judge=judge_name(info.id), mark=mark_sentence(info))


def lasting(remarks: tuple[Remark, ...]) -> list[str]:
    """The sentences that a person must be able to see for as long as the judge runs so."""
    return [remark.sentence for remark in remarks if remark.lasting]
