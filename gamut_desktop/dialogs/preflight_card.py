"""What a check of a judge found, so that a person knows in ten seconds how far to trust it.

The verdict first and large, then the judge beside the keyword baseline, then how it errs, then where. Every figure is
the preflight's own; nothing is decided here.
"""

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QRectF, Qt, QTime
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gamut_desktop.theme import ThemeController
from gamut_desktop.usecases.preflight import keyword_by_category
from gamut_desktop.widgets.icons import paint_icon
from gamut_desktop.widgets.labels import Label
from gamut_desktop.widgets.share_bar import ShareBar
from gamut_desktop.widgets.words import number, outcome_name, plain_tooltip
from gamut_desktop.wiring import KEYWORD, judge_name
from judge_local.preflight.items import Category
from judge_local.preflight.result import Preflight, Tally, percent

_USABLE, _CARE = "Usable", "Use it with care"  # as a preflight's sentence begins; anything else advises against it


def tr(text: str) -> str:
    """Translate in the context "PreflightCard"."""
    return QCoreApplication.translate("PreflightCard", text)


def category_name(category: Category) -> str:
    """What the texts of a category try a judge on."""
    return {
        Category.PRESENCE: tr("Something is there"),
        Category.ABSENCE: tr("Something is missing"),
        Category.CONTRADICTION: tr("The opposite is said"),
        Category.NEGATION: tr("Negation"),
        Category.NUMBERS: tr("Numbers and units"),
        Category.ORDER: tr("Steps in order"),
        Category.THRESHOLDS: tr("Enough of a list"),
        Category.PARAPHRASE: tr("Other words for it"),
        Category.LANGUAGES: tr("Other languages"),
        Category.PICTURE: tr("Right and wrong picture"),
        Category.BLANK: tr("Says nothing"),
        Category.INJECTION: tr("Gives orders to the judge"),
    }[category]


def advice_words(advice: str) -> str:
    """The beginning of a preflight's sentence in the person's language."""
    return {
        _USABLE: tr("Usable"),
        _CARE: tr("Use it with care"),
        "Do not rely on it": tr("Do not rely on it"),
    }.get(advice, advice)


class _Sign(QWidget):
    """A tick or a warning, in the colour of what is advised."""

    def __init__(self, themes: ThemeController, advice: str) -> None:
        super().__init__()
        self._themes, self._advice = themes, advice
        side = round(QFontMetricsF(QApplication.font()).height() * 1.6)
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        theme = self._themes.active
        ink = {_USABLE: theme.meets, _CARE: theme.partially_meets}.get(self._advice, theme.contradicts)
        name = "check" if self._advice == _USABLE else "warning"
        paint_icon(QPainter(self), QRectF(self.rect()), name, ink)


class PreflightCard(QWidget):
    """Empty until `show_preflight`."""

    def __init__(self, themes: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self.verdict, self.because, self.stale = Label("", "title"), Label(""), Label("")
        self._shown: QWidget | None = None

    def show_preflight(self, found: Preflight, stale: str | None) -> None:
        """Show what was found. stale: why it no longer speaks of the judge as it is."""
        if self._shown is not None:
            self._shown.hide()
            self._shown.deleteLater()
        self._shown = page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addLayout(self._head(found, stale))
        column.addLayout(self._compared(found))
        column.addLayout(_facts(found))
        column.addLayout(self._categories(found))
        column.addWidget(_wrapped(_origin(found), muted=True))
        column.addStretch(1)
        self._column.addWidget(page)
        page.show()  # a layout shows what it is given only later
        self.setAccessibleName(tr("What the check found"))
        self.setAccessibleDescription(f"{found.sentence} {stale or ''}".strip())

    def _head(self, found: Preflight, stale: str | None) -> QVBoxLayout:
        advice, _, because = found.sentence.partition(": ")
        self.verdict, self.because = Label(advice_words(advice), "headline"), Label(_sentence(because))
        for label in (self.verdict, self.because):
            label.setWordWrap(True)
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(_Sign(self._themes, advice))
        line.addWidget(self.verdict, 1)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addLayout(line)
        column.addWidget(self.because)
        self.stale = Label(tr("Check it again: {why}").format(why=stale) if stale else "", "strong")
        self.stale.setWordWrap(True)
        self.stale.setVisible(bool(stale))
        column.addWidget(self.stale)
        return column

    def _compared(self, found: Preflight) -> QGridLayout:
        """The judge and the baseline on the same texts, one bar under the other."""
        grid = _grid()
        lines = [(judge_name(found.judge), found.overall, found.interval, False)]
        if found.judge != KEYWORD:
            lines.append((KEYWORD, found.keyword_overall, None, True))
        for row, (name, tally, interval, quiet) in enumerate(lines):
            bar = ShareBar(self._themes, quiet=quiet)
            bar.show_share(tally.accuracy, interval)
            grid.addWidget(Label(name, "body" if quiet else "strong", muted=quiet), row, 0)
            grid.addWidget(bar, row, 1)
            grid.addWidget(_figure(percent(tally.accuracy)), row, 2)
            between = ""
            if interval is not None:
                between = tr("{low} to {high}").format(low=percent(interval[0]), high=percent(interval[1]))
            span = Label(between, "small", muted=True)
            span.setToolTip(plain_tooltip(tr("With so few texts, the true share lies in here 95 times of 100.")))
            grid.addWidget(span, row, 3)
        return grid

    def _categories(self, found: Preflight) -> QVBoxLayout:
        """Each kind of text: the judge's share as a bar, the baseline's as a mark on it."""
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(Label(tr("By what the texts try"), "title"))
        grid, bar_of = _grid(), keyword_by_category(found)
        for row, (category, tally) in enumerate(found.by_category.items()):
            keyword = bar_of[category].accuracy if found.judge != KEYWORD else None
            bar = ShareBar(self._themes)
            bar.show_share(tally.accuracy, None, keyword)
            bar.setToolTip(plain_tooltip(_compared_words(tally, keyword)))
            grid.addWidget(Label(category_name(category)), row, 0)
            grid.addWidget(bar, row, 1)
            grid.addWidget(_figure(_of(tally)), row, 2)
        column.addLayout(grid)
        if found.judge != KEYWORD:
            column.addWidget(_wrapped(tr("The mark on a bar is keyword on the same texts."), muted=True))
        return column


def _facts(found: Preflight) -> QGridLayout:
    """How it errs: leniency, order of the options, no verdict, pictures, speed."""
    grid = _grid()
    grid.setColumnStretch(1, 1)
    for row, (name, told) in enumerate(_told(found)):
        value = Label(told)
        value.setWordWrap(True)
        grid.addWidget(Label(name, muted=True), row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(value, row, 1)
    return grid


def _told(found: Preflight) -> list[tuple[str, str]]:
    told: list[tuple[str, str]] = []
    if (mean := found.leniency) is not None and found.leniency_words is not None:
        told.append((tr("Leniency"), f"{_sentence(found.leniency_words)} ({'+' * (mean > 0)}{number(mean, 2)})"))
    if (flips := found.flip_rate) is not None:
        flip = tr("{share} of its verdicts change when the options are listed in another order")
        told.append((tr("Option order"), flip.format(share=percent(flips))))
    if found.without_verdict:
        each = (f"{outcome_name(outcome)} {percent(share)}" for outcome, share in found.without_verdict.items())
        told.append((tr("No verdict"), ", ".join(each)))
    seen = {True: tr("It uses the picture"), False: tr("It does not use the picture"), None: tr("No verdict on any")}
    told.append((tr("Pictures"), tr("It reads text only") if found.not_asked else seen[found.uses_picture]))
    if (speed := found.checks_per_second) is not None:
        said = tr("{n} checks a second").format(n=number(speed, 1 if speed < 100 else 0))
        if (tokens := found.tokens_per_second) is not None:
            said = tr("{checks}, {n} tokens a second").format(checks=said, n=number(tokens, 0))
        told.append((tr("Speed"), said))
    if found.deviation is not None:
        moved = tr("Shared evaluation moves a probability by {most} at most").format(most=f"{found.deviation:.2g}")
        told.append((tr("Steadiness"), moved))
    return told


def _origin(found: Preflight) -> str:
    """When, and with which set-up."""
    when = datetime.fromisoformat(found.date)
    moment = QDateTime(QDate(when.year, when.month, when.day), QTime(when.hour, when.minute))
    date = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
    told = [tr("Checked {date}").format(date=date)]
    if found.prompt_version:
        told.append(tr("prompt {version}").format(version=found.prompt_version))
    told.append(tr("seeds {list}").format(list=", ".join(map(str, found.seeds))))
    told.append(tr("ruler {digest}").format(digest=found.ruler[:12]))
    return " \N{MIDDLE DOT} ".join(told)


def _of(tally: Tally) -> str:
    if not tally.asked:
        return tr("not asked")
    return tr("{right} of {all}").format(right=tally.right, all=tally.n)


def _compared_words(tally: Tally, keyword: float | None) -> str:
    mine = tr("Right: {share}.").format(share=percent(tally.accuracy))
    return mine if keyword is None else mine + " " + tr("keyword: {share}.").format(share=percent(keyword))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(4)
    return grid


def _figure(text: str) -> Label:
    label = Label(text, "number")
    label.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
    return label


def _wrapped(text: str, *, muted: bool = False) -> Label:
    label = Label(text, "small", muted=muted)
    label.setWordWrap(True)
    return label
