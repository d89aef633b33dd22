"""The responses to one question: whose they are, and their scores by the chosen judge and by the keyword judge."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, Qt

from gamut_desktop.qmodels.flat_list import FlatListModel, Index
from gamut_desktop.qmodels.roles import Roles
from gamut_desktop.widgets.words import points
from models.verdicts import Variant


def tr(text: str) -> str:
    """Translate in the context "responses"."""
    return QCoreApplication.translate("responses", text)


@dataclass(frozen=True, slots=True)
class ResponseEntry:
    """Scores in [-1, 1], None where undefined. `judge`: the id of the chosen judge."""

    id: int
    model: str
    variant: Variant = Variant.IMAGE
    sample: int = 0
    judge: str | None = None
    score: float | None = None
    keyword_score: float | None = None


class ResponseListModel(FlatListModel[ResponseEntry]):
    """One row a response."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(lambda entry: entry.id, parent)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self.entry_at(index)
        if entry is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return entry.model
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join([entry.model, _kind(entry), *_scores(entry)])
            case Roles.ID:
                return entry.id
            case Roles.NOTE:
                return _kind(entry)
            case Roles.SCORE:
                return entry.score
            case Roles.SECOND_SCORE:
                return entry.keyword_score
        return None


def _kind(entry: ResponseEntry) -> str:
    variant = tr("with picture") if entry.variant is Variant.IMAGE else tr("text only")
    return variant if entry.sample == 0 else tr("{variant}, sample {n}").format(variant=variant, n=entry.sample)


def _scores(entry: ResponseEntry) -> list[str]:
    told = []
    if entry.judge not in (None, "keyword"):
        told.append(_score(str(entry.judge), entry.score))
        told.append(_score("keyword", entry.keyword_score))
    else:
        told.append(_score("keyword", entry.score if entry.judge else entry.keyword_score))
    return told


def _score(judge: str, score: float | None) -> str:
    if score is None:
        return tr("no score by {judge}").format(judge=judge)
    return tr("{points} by {judge}").format(points=points(score), judge=judge)
