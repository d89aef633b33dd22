"""How a model is to be loaded; imports no llama.cpp."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load; what None means is said at LocalSettings. packs: leaves of a packed pass, 0: never packed. memory:
    free bytes that the cells may take, a context that needs more is halved until it fits; None: not looked at.
    threads_chosen: the number of threads is the app's choice and not a person's.
    """

    path: Path
    threads: int
    context: int | None = None
    batch: int = 512
    gpu_layers: int | None = None
    flash_attention: bool | None = None
    projector: Path | None = None
    sequences: int | None = None
    packs: int = 0
    memory: int | None = None
    threads_chosen: bool = False
