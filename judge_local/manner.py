"""How a local judge asks: the settings of a verdict's reading, as the ruler names them."""

from dataclasses import dataclass
from typing import Literal

Style = Literal["direct", "reasoned", "adaptive"]
Rationale = Literal["always", "demand", "never"]
SMALL_MARGIN = 0.2


@dataclass(frozen=True, slots=True)
class Manner:
    """How checks are asked. prior: subtract what the same check gets under a content-free response (direct style).
    orders: option orders averaged, 1 to 4. margin: adaptive style asks again, with a reason, below this difference of
    the two highest verdict probabilities. packed: all checks of a response in one batch; moves probabilities a little.
    """

    style: Style = "direct"
    prior: bool = False
    orders: int = 1
    rationale: Rationale = "demand"
    margin: float = SMALL_MARGIN
    packed: bool = False
