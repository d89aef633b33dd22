"""What the store hands out and takes in: frozen values, each a copy of rows at the time of reading.

Ids that are integers (`response_id`, `ruler_id`, `run_id`) are the file's own and are never used twice; everything else
is found by the names people and files use. Times are ISO-8601 UTC text with milliseconds.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from models.rubric.checklist import CheckText, Kind
from models.verdicts import Outcome, Variant, Verdict

LogProbabilities = tuple[float, float, float, float, float]
Trash = Literal["live", "trashed", "all"]
UNSUPPORTED = "unsupported."
"""How the note ends of a verdict whose quote is not in the response (see `judge_local.reasoning`)."""


class RunStatus(StrEnum):
    """How a grading run stands. `CRASHED`: its process is gone and never said how it ended."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class ProjectInfo:
    """The project's own row, and the number of the schema it is stored in."""

    name: str
    created_at: str
    schema: int


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question without its document. `key`: the rubric's id. `version`, `sha256`: of its current version."""

    key: str
    position: int
    version: int
    sha256: str
    created_at: str
    trashed_at: str | None
    has_draft: bool
    draft_differs: bool


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One saved state of a question's document. `images`: sha256 of the originals it shows, in order."""

    question: str
    number: int
    doc: str
    sha256: str
    author: str
    note: str | None
    created_at: str
    images: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftRow:
    """What is being edited. `base_version`: the version it started from."""

    question: str
    doc: str
    sha256: str
    base_version: int
    author: str
    updated_at: str
    images: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImageRow:
    """An image without its bytes. `sha256` is of the original bytes; width and height are upright, in pixels."""

    sha256: str
    mime: str
    width: int
    height: int
    size_bytes: int
    pixel_hash: str | None


@dataclass(frozen=True, slots=True)
class ResponseRow:
    """One model's answer to one question. `sha256` is of its UTF-8 text; `source` says where it came from."""

    id: int
    question: str
    model: str
    variant: Variant
    sample: int
    text: str
    sha256: str
    source: str | None
    created_at: str
    trashed_at: str | None


@dataclass(frozen=True, slots=True)
class RulerRow:
    """A ruler as stored; `manifest` is canonical JSON, `digest` its sha256 (see `models.provenance.Ruler`)."""

    id: int
    judge: str
    digest: str
    manifest: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """One grading run: who judged, by which ruler (None until the judge was up), and how it ended."""

    id: int
    judge: str
    ruler_id: int | None
    status: RunStatus
    started_at: str
    finished_at: str | None
    pid: int
    host: str
    manifest: str


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """What came of asking a judge once about one check of one response. `verdict` only where the outcome is VERDICT.

    log_probabilities: natural logs of meets, partially_meets, missing, contradicts, cannot tell. label_mass: 0..1.
    rationale: the judge's own words; where it was asked for them later, the newest, and `explained_at` says when.
    evidence: the response's words that the judge quotes.
    """

    id: int
    response_id: int
    check: CheckText
    judge: str
    ruler_id: int
    input_key: str
    outcome: Outcome
    verdict: Verdict | None
    log_probabilities: LogProbabilities | None
    label_mass: float | None
    rationale: str | None
    evidence: str | None
    note: str | None
    run_id: int | None
    created_at: str
    explained_at: str | None = None

    @property
    def unsupported(self) -> bool:
        """Whether the judge was to quote the response for this verdict and quotes nothing that is there."""
        return self.verdict is not None and self.evidence is None and (self.note or "").endswith(UNSUPPORTED)


@dataclass(frozen=True, slots=True)
class OverrideRow:
    """A person's word against a judge's. `verdict` None: the override is withdrawn. The newest of a check counts."""

    id: int
    response_id: int
    check: CheckText
    judge: str
    verdict: Verdict | None
    author: str
    note: str | None
    created_at: str


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A person's own verdict. `verdict` None: the label is withdrawn. The newest of a check and annotator counts."""

    id: int
    response_id: int
    check: CheckText
    annotator: str
    verdict: Verdict | None
    note: str | None
    created_at: str


@dataclass(frozen=True, slots=True)
class LeaseRow:
    """Who holds a piece of work, e.g. "grade". `process_created`: seconds since the epoch, tells a reused pid apart."""

    name: str
    holder: str
    pid: int
    process_created: float
    host: str
    since: str


@dataclass(frozen=True, slots=True)
class JudgedCount:
    """How far a judge has got with a model's responses to one question.

    `responses` counts those with any outcome; the two counts of checks are summed over them, each check once.
    """

    question: str
    model: str
    variant: Variant
    judge: str
    responses: int
    checks_with_outcome: int
    checks_with_verdict: int


@dataclass(frozen=True, slots=True)
class TrashedQuestion:
    """A question in the trash, with how many responses go with it."""

    key: str
    trashed_at: str
    responses: int


@dataclass(frozen=True, slots=True)
class TrashedResponse:
    """A response in the trash, with how many verdicts, overrides and labels go with it."""

    id: int
    question: str
    model: str
    variant: Variant
    sample: int
    trashed_at: str
    judgements: int


@dataclass(frozen=True, slots=True)
class TrashContents:
    """Everything that emptying the trash would remove. Responses of a trashed question are counted with it."""

    questions: tuple[TrashedQuestion, ...]
    responses: tuple[TrashedResponse, ...]


# What goes in, and what the writer says about it.


@dataclass(frozen=True, slots=True)
class NewResponse:
    """A response to add."""

    question: str
    model: str
    text: str
    variant: Variant = Variant.IMAGE
    sample: int = 0
    source: str | None = None


@dataclass(frozen=True, slots=True)
class NewVerdict:
    """An answer of a judge to store; the judge is the ruler's."""

    response_id: int
    kind: Kind
    text: str
    ruler_id: int
    input_key: str
    outcome: Outcome
    verdict: Verdict | None = None
    log_probabilities: LogProbabilities | None = None
    label_mass: float | None = None
    rationale: str | None = None
    evidence: str | None = None
    note: str | None = None
    run_id: int | None = None


@dataclass(frozen=True, slots=True)
class NewLabel:
    """A person's verdict to store; None withdraws an earlier one."""

    response_id: int
    kind: Kind
    text: str
    annotator: str
    verdict: Verdict | None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class PutQuestion:
    """What became of a question's document. `restored`: it was in the trash and is back."""

    key: str
    version: int
    state: Literal["added", "replaced", "unchanged"]
    restored: bool = False


@dataclass(frozen=True, slots=True)
class CommittedDraft:
    """A draft that is the current version now. `created` False: it was equal to it already.

    `overtook`: versions that others saved after the draft was begun; they stay in the history.
    """

    version: int
    created: bool
    overtook: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AddedResponse:
    """What became of a response. "different_text": refused, because `id` stands under the same key with other text.

    "identical": it was there already. "restored": the same response was in the trash and is back.
    """

    id: int
    state: Literal["added", "identical", "restored", "different_text"]


@dataclass(frozen=True, slots=True)
class AddedVerdicts:
    """How many answers were stored, and how many were left out because that very question already has its verdict."""

    added: int
    ignored: int


@dataclass(frozen=True, slots=True)
class Emptied:
    """What emptying the trash removed for good."""

    questions: int
    responses: int
    verdicts: int
    overrides: int
    labels: int


@dataclass(frozen=True, slots=True)
class Compacted:
    """The size of the file before and after, and how many images nothing referred to."""

    bytes_before: int
    bytes_after: int
    images_removed: int
