"""What passes between the supervisor and the judge process: frozen dataclasses over a pipe, and nothing else.

Both ends import this module; it imports neither llama_cpp nor Qt.
"""

from dataclasses import dataclass
from pathlib import Path

from judge_local.manner import SMALL_MARGIN, Rationale, Style
from judge_local.port import Answer, Asking, JudgeError, Remark
from judge_local.prompt import MOST_ORDERS


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """How a local judge runs; every field that could move a verdict is in the ruler.

    projector: the file that lets this model see. sight: whether it is used. context None: the model's own, at most
    8,192 tokens. sequences None: as many branches in memory as are cheap; the others are spilled below `spill`.
    gpu_layers None: all that fit a graphics processor if this llama.cpp can use one, else none. flash_attention None:
    on a graphics processor only (on a processor short suffixes run at half the speed with it). style, prior, orders,
    rationale, margin, packed: see engine.Manner. Raises JudgeError for a number outside its limits.
    """

    model_path: Path
    projector: Path | None = None
    sight: bool = True
    threads: int | None = None
    context: int | None = None
    batch: int = 512
    gpu_layers: int | None = None
    flash_attention: bool | None = None
    seed: int = 0
    orders: int = 1
    prior: bool = False
    style: Style = "direct"
    rationale: Rationale = "demand"
    margin: float = SMALL_MARGIN
    packed: bool = False
    sequences: int | None = None
    spill: Path | None = None

    def __post_init__(self) -> None:
        limits = {
            "threads": (1, 512),
            "context": (256, 1 << 20),
            "batch": (32, 4096),
            "orders": (1, MOST_ORDERS),
            "margin": (0, 1),
            "sequences": (1, 16),
        }
        for name, (least, most) in limits.items():
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise JudgeError(
                    f"The setting {name} is {value}, but must be from {least:,} to {most:,}.",
                    "Correct it in the judge's settings.",
                )


# To the judge process -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ask:
    """Judge these checks (indices) of that asking. Numbers grow."""

    number: int
    asking: Asking
    wanted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """Say how far answers under shared memory are from those on an empty one, for these checks of that asking."""

    number: int
    asking: Asking
    wanted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop working on that ask, and on any before it, as soon as possible."""

    number: int


# From the judge process ---------------------------------------------------------------------------------------------

Fact = str | int | float | bool | None | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """The model is loaded; `facts` are the ruler's, as the loaded model has them, `remarks` for the person."""

    facts: tuple[tuple[str, Fact], ...]
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class NotReady:
    """The model cannot be loaded, now or later: trying again is of no use."""

    sentence: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Started:
    """This check is being worked on: if the process dies now, it died of that."""

    number: int
    index: int


@dataclass(frozen=True, slots=True)
class Answered:
    """One check is decided."""

    number: int
    index: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing more comes of that ask. evaluated: tokens computed for it. deviation: of a Measure, 0..1."""

    number: int
    evaluated: int
    deviation: float | None = None


FromJudge = Ready | NotReady | Started | Answered | Done
