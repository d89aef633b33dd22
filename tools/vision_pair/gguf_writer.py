"""Writes a llava-type pair as llama.cpp reads it: a text model (`llama`) and a projector (`clip`, type `mlp`).

Tensors come as numpy arrays under llama.cpp's own names and in torch's order (out, in); which ones a file needs is
checked here, because llama.cpp crashes on some that are missing and ignores others. No torch, no training.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Tensors = Mapping[str, Array]

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}{{ '\n' }}{{ message['content'] }}<|im_end|>"
    "{{ '\n' }}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant{{ '\n' }}{% endif %}"
)


@dataclass(frozen=True, slots=True)
class TextConfig:
    """The shape of a llama: `width` = heads * head size; rope is interleaved; the output may be tied to the input."""

    name: str
    width: int
    layers: int
    heads: int
    kv_heads: int
    feed_forward: int
    context: int
    rope_base: float = 10_000.0
    eps: float = 1e-5


@dataclass(frozen=True, slots=True)
class VisionConfig:
    """The shape of a ViT without class token, pixels = (x/255 - mean) / std, and of its two-layer projector.

    image_size, patch_size: pixels a side. text_width: what a picture token is projected to.
    """

    name: str
    width: int
    layers: int
    heads: int
    feed_forward: int
    image_size: int
    patch_size: int
    text_width: int
    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    eps: float = 1e-5

    @property
    def tokens(self) -> int:
        """Tokens that one picture becomes."""
        side = self.image_size // self.patch_size
        return side * side


def text_shapes(config: TextConfig, vocabulary: int) -> dict[str, tuple[int, ...]]:
    """Every tensor a text model must have, with its shape; `output.weight` may be added where it is not tied."""
    d, f = config.width, config.feed_forward
    kv = d // config.heads * config.kv_heads
    shapes: dict[str, tuple[int, ...]] = {"token_embd.weight": (vocabulary, d), "output_norm.weight": (d,)}
    for layer in range(config.layers):
        block = {
            "attn_norm": (d,),
            "attn_q": (d, d),
            "attn_k": (kv, d),
            "attn_v": (kv, d),
            "attn_output": (d, d),
            "ffn_norm": (d,),
            "ffn_gate": (f, d),
            "ffn_up": (f, d),
            "ffn_down": (d, f),
        }
        shapes |= {f"blk.{layer}.{name}.weight": shape for name, shape in block.items()}
    return shapes


def projector_shapes(config: VisionConfig) -> dict[str, tuple[int, ...]]:
    """Every tensor a projector must have, with its shape; `v.pre_ln.*` may be added."""
    d, f, patch, out = config.width, config.feed_forward, config.patch_size, config.text_width
    shapes: dict[str, tuple[int, ...]] = {
        "v.patch_embd.weight": (d, 3, patch, patch),
        "v.patch_embd.bias": (d,),
        "v.position_embd.weight": (config.tokens, d),
        "v.post_ln.weight": (d,),
        "v.post_ln.bias": (d,),
        "mm.0.weight": (out, d),
        "mm.0.bias": (out,),
        "mm.2.weight": (out, out),
        "mm.2.bias": (out,),
    }
    for layer in range(config.layers):
        block = {
            "ln1": (d,),
            "attn_q": (d, d),
            "attn_k": (d, d),
            "attn_v": (d, d),
            "attn_out": (d, d),
            "ln2": (d,),
            "ffn_up": (f, d),
            "ffn_down": (d, f),
        }
        for name, shape in block.items():
            shapes[f"v.blk.{layer}.{name}.weight"] = shape
            shapes[f"v.blk.{layer}.{name}.bias"] = shape[:1]
    return shapes


def write_vocabulary(path: Path, config: TextConfig, tokens: Sequence[str], merges: Sequence[str]) -> None:
    """A file with a tokenizer and no weights, to be loaded with `vocab_only`."""
    writer = _text_header(path, config, tokens, merges, None)
    _finish(writer, {})


def write_text_model(
    path: Path,
    config: TextConfig,
    tensors: Tensors,
    tokens: Sequence[str],
    merges: Sequence[str],
    chat_template: str | None = CHATML,
) -> None:
    """Write the text model in f16 (norms f32). tokens: byte-level BPE, in GPT-2's spelling of bytes; `<|...|>` control.

    `<|im_end|>` is the end of a turn, and no token is put in front of a sequence. Raises ValueError naming a tensor
    that is missing, unknown or of the wrong shape.
    """
    _check(tensors, text_shapes(config, len(tokens)), {"output.weight": (len(tokens), config.width)})
    _finish(_text_header(path, config, tokens, merges, chat_template), tensors)


def write_projector(path: Path, config: VisionConfig, tensors: Tensors) -> None:
    """Write the projector in f16 (norms and biases f32). Raises ValueError as `write_text_model` does."""
    d = (config.width,)
    _check(tensors, projector_shapes(config), {"v.pre_ln.weight": d, "v.pre_ln.bias": d})
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_name(config.name)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_string("clip.projector_type", "mlp")
    writer.add_bool("clip.use_gelu", True)  # the tanh form; without the key it would be the quick form
    writer.add_uint32("clip.vision.image_size", config.image_size)
    writer.add_uint32("clip.vision.patch_size", config.patch_size)
    writer.add_uint32("clip.vision.embedding_length", config.width)
    writer.add_uint32("clip.vision.feed_forward_length", config.feed_forward)
    writer.add_uint32("clip.vision.projection_dim", config.text_width)
    writer.add_uint32("clip.vision.attention.head_count", config.heads)
    writer.add_float32("clip.vision.attention.layer_norm_epsilon", config.eps)
    writer.add_uint32("clip.vision.block_count", config.layers)
    writer.add_array("clip.vision.feature_layer", [config.layers])  # without it the last layer is skipped
    writer.add_array("clip.vision.image_mean", list(config.mean))
    writer.add_array("clip.vision.image_std", list(config.std))
    _finish(writer, tensors)


def _text_header(
    path: Path, config: TextConfig, tokens: Sequence[str], merges: Sequence[str], chat_template: str | None
) -> gguf.GGUFWriter:
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(config.name)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_context_length(config.context)
    writer.add_embedding_length(config.width)
    writer.add_block_count(config.layers)
    writer.add_feed_forward_length(config.feed_forward)
    writer.add_head_count(config.heads)
    writer.add_head_count_kv(config.kv_heads)
    writer.add_layer_norm_rms_eps(config.eps)
    writer.add_rope_dimension_count(config.width // config.heads)
    writer.add_rope_freq_base(config.rope_base)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(list(tokens))
    writer.add_token_types([_kind_of(token) for token in tokens])
    writer.add_token_merges(list(merges))
    end = tokens.index("<|im_end|>")
    writer.add_bos_token_id(tokens.index("<|im_start|>"))
    writer.add_eos_token_id(end)
    writer.add_pad_token_id(end)
    writer.add_add_bos_token(False)
    if chat_template is not None:
        writer.add_chat_template(chat_template)
    return writer


def _kind_of(token: str) -> gguf.TokenType:
    """Control marks; fixed phrases, which hold a space or a line's end as it is and are matched before all else."""
    if any(character.isspace() for character in token):
        return gguf.TokenType.USER_DEFINED
    return gguf.TokenType.CONTROL if token.startswith("<|") and token.endswith("|>") else gguf.TokenType.NORMAL


def _finish(writer: gguf.GGUFWriter, tensors: Tensors) -> None:
    for name, tensor in tensors.items():
        kept = tensor.astype(np.float16 if tensor.ndim > 1 else np.float32)
        writer.add_tensor(name, np.ascontiguousarray(kept))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _check(tensors: Tensors, needed: Mapping[str, tuple[int, ...]], allowed: Mapping[str, tuple[int, ...]]) -> None:
    if missing := sorted(needed.keys() - tensors.keys()):
        raise ValueError(f"missing tensors: {', '.join(missing)}")
    known = {**allowed, **needed}
    for name, tensor in tensors.items():
        if name not in known:
            raise ValueError(f"unknown tensor: {name}")
        if tensor.shape != known[name]:
            raise ValueError(f"{name} has shape {tensor.shape}, not {known[name]}")
