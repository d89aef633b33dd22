"""What signs and numbers say in words, for tooltips, screen readers and item models' accessible text.

One place for the terms, so that a verdict is called the same wherever it is shown. Every function translates when it is
called, so the language may change while the app runs.
"""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QCoreApplication, QLocale

from models.rubric.metarubric import Tier
from models.verdicts import Outcome, Verdict

STATES = ("graded", "partly", "ungraded", "draft", "problem", "dropped")  # the values of the STATE role
LABELS: tuple[Verdict | None, ...] = (*Verdict, None)  # the five labels of a judge; None: cannot tell


def tr(text: str, disambiguation: str | None = None, n: int = -1) -> str:
    """Translate in the context "words"."""
    return QCoreApplication.translate("words", text, disambiguation, n)


def tier_name(tier: Tier) -> str:
    """The tier in words."""
    return {
        Tier.ANSWER_CRITICAL: tr("Answer-Critical"),
        Tier.VALUABLE: tr("Valuable"),
        Tier.CONTEXT: tr("Context"),
    }[tier]


def tier_letters(tier: Tier) -> str:
    """What the tier's chip shows."""
    return {Tier.ANSWER_CRITICAL: tr("AC"), Tier.VALUABLE: tr("V"), Tier.CONTEXT: tr("C")}[tier]


def verdict_name(verdict: Verdict | None) -> str:
    """The verdict in words."""
    if verdict is None:
        return tr("no verdict")
    return {
        Verdict.MEETS: tr("meets"),
        Verdict.PARTIALLY_MEETS: tr("partially meets"),
        Verdict.MISSING: tr("missing"),
        Verdict.CONTRADICTS: tr("contradicts"),
    }[verdict]


def outcome_name(outcome: Outcome) -> str:
    """What came of asking, in words."""
    return {
        Outcome.VERDICT: tr("verdict"),
        Outcome.ABSTAINED: tr("abstained"),
        Outcome.REFUSED: tr("refused"),
        Outcome.UNPARSABLE: tr("unparsable"),
        Outcome.TOO_LONG: tr("too long"),
        Outcome.FAILED: tr("failed"),
        Outcome.NOT_RUN: tr("not run"),
    }[outcome]


def finding(verdict: Verdict | None, outcome: Outcome | None = None) -> str:
    """The verdict, or why there is none: "no verdict: refused"."""
    if verdict is None and outcome is not None and outcome is not Outcome.VERDICT:
        return tr("no verdict: {reason}").format(reason=outcome_name(outcome))
    return verdict_name(verdict)


def sentence(words: str) -> str:
    """The words as a sentence of their own: a capital first, a full stop."""
    return f"{words[:1].upper()}{words[1:]}."


def label_name(verdict: Verdict | None) -> str:
    """One of a judge's five labels; None is "cannot tell"."""
    return tr("cannot tell") if verdict is None else verdict_name(verdict)


def number(value: float, decimals: int) -> str:
    """A number as the person's language writes it, without grouping."""
    locale = QLocale()
    locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    return locale.toString(value, "f", decimals).replace("-", "\N{MINUS SIGN}", 1)


def points(score: float | None) -> str:
    """A score in [-1, 1] as -100.0..100.0 with one decimal; a dash for None."""
    if score is None:
        return "\N{EN DASH}"
    return number(round(score * 100, 1) + 0.0, 1)


def probability(value: float) -> str:
    """A probability with two decimals."""
    return number(value, 2)


def probabilities(values: Sequence[float]) -> str:
    """The five probabilities in one sentence, the likeliest first."""
    ranked = sorted(zip(LABELS, values, strict=True), key=lambda pair: -pair[1])
    return ", ".join(f"{label_name(label)} {probability(value)}" for label, value in ranked)


def state_name(state: str) -> str:
    """The word for a question's STATE role."""
    return {
        "graded": tr("graded"),
        "partly": tr("partly graded"),
        "ungraded": tr("not graded"),
        "draft": tr("draft"),
        "problem": tr("problem"),
        "dropped": tr("dropped"),
    }[state]


def plain_tooltip(*parts: str) -> str:
    """Several paragraphs as a tooltip that wraps; markup in them is shown, never obeyed."""
    rows = "".join(f"<p style='margin:0 0 4px 0'>{escape(part)}</p>" for part in parts if part)
    return f"<qt>{rows}</qt>" if rows else ""
