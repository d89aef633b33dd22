"""Tiny models of random weights, written for a test and run by real llama.cpp: what they say is noise, how is real."""

from pathlib import Path

import gguf
import numpy as np

from tools.vision_pair.gguf_writer import (
    CHATML,
    TextConfig,
    VisionConfig,
    projector_shapes,
    text_shapes,
    write_projector,
    write_text_model,
)

TEXT = TextConfig("random", width=64, layers=2, heads=4, kv_heads=2, feed_forward=128, context=8192)
EYE = VisionConfig(
    "random",
    width=32,
    layers=2,
    heads=2,
    feed_forward=64,
    image_size=32,
    patch_size=8,
    text_width=64,
    mean=(0.4, 0.5, 0.6),
    std=(0.2, 0.3, 0.25),
)


def byte_tokens() -> tuple[list[str], list[str]]:
    """Tokens and merges of a byte-level BPE in GPT-2's spelling, in which " A" to " E" are single tokens."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    spelled = [chr(byte) for byte in shown] + [chr(256 + n) for n in range(256 - len(shown))]
    merges = [f"Ġ {letter}" for letter in "ABCDE"]
    return [*spelled, *(merge.replace(" ", "") for merge in merges), "<|im_start|>", "<|im_end|>"], merges


def random_tensors(shapes: dict[str, tuple[int, ...]], seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    made = {}
    for name, shape in shapes.items():
        norm = "norm" in name or "ln" in name
        fill = float(norm and name.endswith("weight"))
        made[name] = np.full(shape, fill, np.float32) if norm else rng.normal(0, 0.3, shape).astype(np.float32)
    return made


def write_pair(folder: Path, eye: VisionConfig = EYE, seed: int = 1) -> tuple[Path, Path]:
    """A text model and its projector."""
    tokens, merges = byte_tokens()
    model, projector = folder / "random.gguf", folder / "mmproj-random.gguf"
    write_text_model(model, TEXT, random_tensors(text_shapes(TEXT, len(tokens)), seed), tokens, merges)
    write_projector(projector, eye, random_tensors(projector_shapes(eye), seed + 1))
    return model, projector


def write_mamba(path: Path, seed: int = 1) -> Path:
    """A recurrent model (Mamba 1): its memory is one state, which cannot be cut back."""
    width, inner, state, rank, layers = 32, 64, 16, 2, 2
    tokens, merges = byte_tokens()
    writer = gguf.GGUFWriter(path, "mamba")
    writer.add_context_length(4096)
    writer.add_embedding_length(width)
    writer.add_feed_forward_length(0)
    writer.add_head_count(0)
    writer.add_block_count(layers)
    writer.add_ssm_conv_kernel(4)
    writer.add_ssm_inner_size(inner)
    writer.add_ssm_state_size(state)
    writer.add_ssm_time_step_rank(rank)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    control = gguf.TokenType.CONTROL
    writer.add_token_types([control if token.startswith("<|") else gguf.TokenType.NORMAL for token in tokens])
    writer.add_token_merges(merges)
    writer.add_eos_token_id(len(tokens) - 1)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHATML)
    rng = np.random.default_rng(seed)

    def add(name: str, *shape: int, fill: float | None = None) -> None:
        values = rng.normal(0, 0.3, shape) if fill is None else np.full(shape, fill)
        writer.add_tensor(name, values.astype(np.float32))

    add("token_embd.weight", len(tokens), width)
    add("output_norm.weight", width, fill=1.0)
    for number in range(layers):
        block = f"blk.{number}"
        add(f"{block}.attn_norm.weight", width, fill=1.0)
        add(f"{block}.ssm_in.weight", 2 * inner, width)
        add(f"{block}.ssm_conv1d.weight", inner, 4)
        add(f"{block}.ssm_conv1d.bias", inner)
        add(f"{block}.ssm_x.weight", rank + 2 * state, inner)
        add(f"{block}.ssm_dt.weight", inner, rank)
        add(f"{block}.ssm_dt.bias", inner)
        add(f"{block}.ssm_a", inner, state, fill=-1.0)
        add(f"{block}.ssm_d", inner)
        add(f"{block}.ssm_out.weight", width, inner)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
