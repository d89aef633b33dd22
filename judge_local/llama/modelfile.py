"""Is this a model file at all? The question before llama.cpp is let near it, answered by the file's first bytes.

Whether a GGUF file is whole and of a known architecture is llama.cpp's to find; reading headers is the shelf's.
"""

from pathlib import Path

from judge_local.port import JudgeError

MAGIC = b"GGUF"
_SMALLEST_HEADER = 24  # magic, version, number of tensors, number of keys


class ModelFileError(JudgeError):
    """The model file cannot be used, for the reason in the sentence."""


def check_model_file(path: Path) -> None:
    """Raise ModelFileError unless the file is there, readable and starts like a GGUF file."""
    try:
        if path.is_dir():
            raise ModelFileError(f"{path} is a folder, not a model file.", "Give the path of a .gguf file.")
        with path.open("rb") as file:
            start = file.read(_SMALLEST_HEADER)
    except FileNotFoundError:
        raise ModelFileError(f"There is no file {path}.", "Give the path of a .gguf file.") from None
    except OSError as error:
        raise ModelFileError(
            f"{path} cannot be read: {error.strerror or error}.", "Check its permissions, or copy it elsewhere."
        ) from error
    if not start:
        raise ModelFileError(f"{path.name} is empty.", "Fetch the model file again.")
    if not start.startswith(MAGIC):
        raise ModelFileError(
            f"{path.name} is not a GGUF model file.", "llama.cpp runs GGUF files; look for one that ends in .gguf."
        )
    if len(start) < _SMALLEST_HEADER:
        raise ModelFileError(f"{path.name} ends within its header.", "The file is incomplete; fetch it again.")
