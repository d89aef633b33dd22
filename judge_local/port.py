"""The port: what every judge promises (keyword, local model, API, panel, the tests' scripted judge), and its messages.

A judge is asked about one response at a time with all checks that are wanted of it, and answers check by check, so that
each answer can be stored the moment it is there. Messages are frozen and picklable: they cross a process boundary as
they are.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from models.errors import GamutError
from models.provenance import Ruler
from models.rubric.checklist import CheckText
from models.verdicts import Outcome, Variant, Verdict


class JudgeError(GamutError):
    """The judge cannot work, or cannot go on; what it has answered so far stands."""


class JudgeUnavailable(JudgeError):
    """The judge cannot be had on this machine as things are (a file or a package is missing)."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as the judge gets it: upright RGB bytes from the image gate (`rgb`: height*width*3), and its hash."""

    sha256: str
    width: int
    height: int
    rgb: bytes


@dataclass(frozen=True, slots=True)
class Asking:
    """One response to be judged: everything above the checks, and the checks wanted, in checklist order."""

    question: str
    response: str
    checks: tuple[CheckText, ...]
    variant: Variant = Variant.IMAGE
    pictures: tuple[Picture, ...] = ()
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one check.

    outcome: only VERDICT carries a `verdict`. log_probabilities: natural logs of the five labels meets,
    partially_meets, missing, contradicts, cannot tell (in this order, normalised over the five, prior subtracted where
    the ruler says so); None where the judge has none. label_mass: the share of probability
    that fell on the five labels at all, 0..1.
    rationale, evidence: the judge's own words and the span it quotes. note: one sentence about anything unusual.
    """

    outcome: Outcome
    verdict: Verdict | None = None
    log_probabilities: tuple[float, float, float, float, float] | None = None
    label_mass: float | None = None
    rationale: str | None = None
    evidence: str | None = None
    note: str | None = None


class Judge(Protocol):
    """What grading needs of a judge. `close` frees everything it holds (a child process ends)."""

    @property
    def id(self) -> str:
        """The judge's id as DESIGN section 4 names it: keyword, smollm2, file:..., api:..., panel:..."""

    @property
    def sees_images(self) -> bool:
        """Whether pictures are part of what this judge looks at."""

    def ruler(self) -> Ruler:
        """The ruler its next answers are given by. May start the judge; raises JudgeError."""

    def judge(self, asking: Asking, stop: Callable[[], bool]) -> Iterator[tuple[int, Answer]]:
        """Yield (index of the check in `asking.checks`, answer) as each is decided; ends early once `stop()` is true.

        Raises JudgeError when it cannot go on; answers already yielded stand.
        """

    def close(self) -> None:
        """Free everything."""
