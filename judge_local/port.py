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
    """One response to be judged: everything above the checks, and the checks wanted, in checklist order.

    unseen: the question shows pictures that this judge is not given. checklist: all checks of the response, the wanted
    ones among them, for a judge that packs them; (): the wanted ones are all. later: how many of the pictures and the
    question (in this order) the askings to come share with this one; None: not known. It moves no verdict. explain: the
    verdict that stands already: the answers carry a rationale for it, and nothing is judged.
    """

    question: str
    response: str
    checks: tuple[CheckText, ...]
    variant: Variant = Variant.IMAGE
    pictures: tuple[Picture, ...] = ()
    reference: str | None = None
    unseen: bool = False
    checklist: tuple[CheckText, ...] = ()
    later: int | None = None
    explain: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one check.

    outcome: only VERDICT carries a `verdict`. log_probabilities: natural logs of the five labels meets,
    partially_meets, missing, contradicts, cannot tell (in this order, normalised over the five, prior subtracted where
    the ruler says so); None where the judge has none. label_mass: the share of probability
    that fell on the five labels at all, 0..1.
    rationale: the judge's own words. evidence: the response's words that it quotes, found there by code; None where it
    quotes none that are there, which `note` then says. note: one sentence about anything unusual.
    """

    outcome: Outcome
    verdict: Verdict | None = None
    log_probabilities: tuple[float, float, float, float, float] | None = None
    label_mass: float | None = None
    rationale: str | None = None
    evidence: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence about how a judge runs: what was chosen and why. lasting: something is otherwise than was asked for
    (it did not fit, say), and a person must be able to see that for as long as the judge runs so.
    """

    sentence: str
    lasting: bool = False


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

    def remarks(self) -> tuple[Remark, ...]:
        """How it runs, in sentences; () before it has started."""

    def close(self) -> None:
        """Free everything."""
