"""Do a model and a projector belong together? As far as their headers tell, before llama.cpp is let near them.

llama.cpp crashes on a projector that lacks some tensors and ignores others that are missing, so the list of the plain
kind (`mlp`, as LLaVA has it) is checked here; whether other kinds are whole, only a first picture shows.
"""

from pathlib import Path

from judge_local.llama.modelfile import ModelFileError
from judge_local.shelf.header import Header, read_header

_NEXT = "Take the projector (mmproj) that was made for this very model."
_BLOCK = ("ln1", "ln2", "attn_q", "attn_k", "attn_v", "attn_out", "ffn_up", "ffn_down")
_NEEDED = ("v.patch_embd.weight", "v.position_embd.weight", "mm.0.weight", "mm.0.bias", "mm.2.weight", "mm.2.bias")


def check_pair(model: Path, projector: Path | None) -> None:
    """Raise ModelFileError where the two cannot work together, or the model is none."""
    text = read_header(model)
    if text.architecture == "clip":
        raise ModelFileError(
            f"{model.name} is a projector, which shows pictures to a model, and not a model itself.",
            f"Name the model first: MODEL.gguf+{model.name}",
        )
    if projector is None:
        return
    seen = read_header(projector)
    if seen.architecture != "clip":
        raise ModelFileError(
            f"{projector.name} is no projector: it is a model of the kind '{seen.architecture or 'unknown'}'.", _NEXT
        )
    if seen.values.get("clip.has_vision_encoder") is not True:
        raise ModelFileError(f"{projector.name} is not for pictures.", _NEXT)
    if seen.values.get("clip.projector_type") == "mlp":
        _check_plain(projector.name, seen, model.name, text)


def _check_plain(name: str, seen: Header, model_name: str, text: Header) -> None:
    blocks = seen.number("clip.vision.block_count") or 0
    needed = [*_NEEDED]
    needed += [
        f"v.blk.{number}.{part}.{kind}" for number in range(blocks) for part in _BLOCK for kind in ("weight", "bias")
    ]
    if missing := [each for each in needed if each not in seen.tensors]:
        raise ModelFileError(
            f"{name} is incomplete: {len(missing):,} of its tensors are missing, {missing[0]} for one.",
            "Fetch the projector again.",
        )
    gives, takes = seen.tensors["mm.2.bias"][0], text.number(f"{text.architecture}.embedding_length")
    if takes is not None and gives != takes:
        raise ModelFileError(
            f"{name} does not belong to {model_name}: it makes vectors of {gives:,} numbers, and the model reads"
            f" {takes:,}.",
            _NEXT,
        )
