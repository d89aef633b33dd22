"""Runs node paths through real llama.cpp and mtmd: the yardstick that the exported pair is held against.

One sequence, cleared for every path; a shared trunk is kept only between paths that follow each other. No torch.
"""

import ctypes
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import llama_cpp
import numpy as np
from llama_cpp import llama_cpp as low
from llama_cpp import mtmd_cpp as mtmd
from numpy.typing import NDArray

from judge_local.port import Picture
from judge_local.prompt import Node, Part, Trusted

Stretch = tuple[int, ...] | Picture


class Tokenizer:
    """A vocabulary alone, loaded from a GGUF file with or without weights."""

    def __init__(self, path: Path) -> None:
        low.llama_backend_init()
        params = low.llama_model_default_params()
        params.vocab_only = True
        self._model = low.llama_model_load_from_file(str(path).encode(), params)
        if not self._model:
            raise ValueError(f"{path} could not be loaded")
        self._vocab = low.llama_model_get_vocab(self._model)
        self._known: dict[tuple[str, bool], tuple[int, ...]] = {}
        self._words: dict[int, str] = {}
        self.size: int = low.llama_vocab_n_tokens(self._vocab)

    def tokens(self, text: str, special: bool) -> tuple[int, ...]:
        """Tokens of that text by itself, remembered for a while."""
        key = (text, special)
        if key not in self._known:
            if len(self._known) > 50_000:
                self._known.clear()
            self._known[key] = _tokenize(self._vocab, text, special)
        return self._known[key]

    def word(self, token: int) -> str:
        """The text of one token."""
        if token not in self._words:
            text = low.llama_vocab_get_text(self._vocab, token) or b""
            self._words[token] = text.decode().replace("\u0120", " ")
        return self._words[token]

    def stretches(self, parts: Sequence[Part]) -> list[Stretch]:
        """Parts as tokens and pictures, in order; neighbouring texts become one stretch."""
        return _stretches(parts, self.tokens)


class LlamaPair:
    """The pair as tests meet it. `logits(nodes)`: float32 (vocabulary,) after the last token of that path."""

    def __init__(self, model: Path, projector: Path, context: int = 2048, threads: int = 1) -> None:
        low.llama_backend_init()
        params = low.llama_model_default_params()
        params.n_gpu_layers = 0
        self._model = low.llama_model_load_from_file(str(model).encode(), params)
        self._vocab = low.llama_model_get_vocab(self._model)
        self.size: int = low.llama_vocab_n_tokens(self._vocab)
        options = low.llama_context_default_params()
        options.n_ctx = context
        options.n_batch = options.n_ubatch = context  # a stretch is never cut
        options.n_threads = options.n_threads_batch = threads
        options.flash_attn_type = 0
        self._context = low.llama_init_from_model(self._model, options)
        self._memory = low.llama_get_memory(self._context)
        sight = mtmd.mtmd_context_params_default()
        sight.use_gpu = False
        sight.print_timings = False
        sight.warmup = False
        sight.n_threads = threads
        sight.flash_attn_type = 0
        self._sight = mtmd.mtmd_init_from_file(str(projector).encode(), self._model, sight)
        if not self._sight:
            raise ValueError(f"{projector} could not be loaded")
        self._width = int(low.llama_model_n_embd(self._model))
        self._seen: dict[str, NDArray[np.float32]] = {}
        self._held: list[Node] = []
        self._ends: list[int] = []

    def tokens(self, text: str, special: bool) -> tuple[int, ...]:
        return _tokenize(self._vocab, text, special)

    def logits(self, nodes: Sequence[Node]) -> NDArray[np.float32]:
        shared = 0
        while shared < min(len(self._held), len(nodes) - 1) and self._held[shared] == nodes[shared]:
            shared += 1
        del self._held[shared:], self._ends[shared:]
        at = self._ends[-1] if self._ends else 0
        low.llama_memory_seq_rm(self._memory, 0, at, -1)
        for node in nodes[shared:]:
            for stretch in _stretches(node.parts, self.tokens):
                at = self._append(stretch, at)
            self._held.append(node)
            self._ends.append(at)
        return np.ctypeslib.as_array(low.llama_get_logits_ith(self._context, -1), shape=(self.size,)).copy()

    def picture_tokens(self, picture: Picture) -> NDArray[np.float32]:
        """What mtmd makes of that picture: float32 (tokens, text width)."""
        if picture.sha256 not in self._seen:
            self._seen[picture.sha256] = self._encode(picture)
        return self._seen[picture.sha256]

    def _append(self, stretch: Stretch, at: int) -> int:
        rows = len(stretch) if isinstance(stretch, tuple) else len(self.picture_tokens(stretch))
        seen = isinstance(stretch, Picture)
        batch = low.llama_batch_init(rows, self._width if seen else 0, 1)
        batch.n_tokens = rows
        if isinstance(stretch, Picture):
            embedded = np.ascontiguousarray(self.picture_tokens(stretch))
            ctypes.memmove(batch.embd, embedded.ctypes.data, embedded.nbytes)
        else:
            for i, token in enumerate(stretch):
                batch.token[i] = token
        for i in range(rows):
            batch.pos[i] = at + i
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = 0
            batch.logits[i] = i == rows - 1
        code = low.llama_decode(self._context, batch)
        low.llama_batch_free(batch)
        if code != 0:
            raise RuntimeError(f"llama_decode: {code}")
        return at + rows

    def _encode(self, picture: Picture) -> NDArray[np.float32]:
        data = (ctypes.c_uint8 * len(picture.rgb)).from_buffer_copy(picture.rgb)
        bitmap = mtmd.mtmd_bitmap_init(picture.width, picture.height, data)
        part = mtmd.mtmd_input_part(text=None, bitmap=bitmap)
        chunks = mtmd.mtmd_input_chunks_init()
        parts = (ctypes.POINTER(mtmd.mtmd_input_part) * 1)(ctypes.pointer(part))
        if mtmd.mtmd_tokenize_from_parts(self._sight, chunks, parts, 1, False) != 0:
            raise RuntimeError("mtmd could not tokenize a picture")
        if mtmd.mtmd_input_chunks_size(chunks) != 1:
            raise RuntimeError("a picture became more than one chunk")
        chunk = mtmd.mtmd_input_chunks_get(chunks, 0)
        count = int(mtmd.mtmd_input_chunk_get_n_tokens(chunk))
        if mtmd.mtmd_encode_chunk(self._sight, chunk) != 0:
            raise RuntimeError("mtmd could not encode a picture")
        output = mtmd.mtmd_get_output_embd(self._sight)
        embedded = np.ctypeslib.as_array(output, shape=(count, self._width)).copy()
        mtmd.mtmd_input_chunks_free(chunks)
        mtmd.mtmd_bitmap_free(bitmap)
        return embedded

    def close(self) -> None:
        mtmd.mtmd_free(self._sight)
        low.llama_free(self._context)
        low.llama_model_free(self._model)


@dataclass
class Quiet:
    """Keeps llama.cpp's and mtmd's logs from the terminal for as long as it lives."""

    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        def receive(_level: int, text: bytes, _data: int | None) -> None:
            self.lines.append(text.decode(errors="replace"))

        self._callback = low.llama_log_callback(receive)
        low.llama_log_set(self._callback, ctypes.c_void_p(0))
        mtmd.mtmd_log_set(self._callback, ctypes.c_void_p(0))
        mtmd.mtmd_helper_log_set(self._callback, ctypes.c_void_p(0))


def versions() -> dict[str, str]:
    """Which llama.cpp this is."""
    return {"llama_cpp_python": llama_cpp.__version__, "llama_cpp": low.llama_version().decode()}


def _stretches(parts: Sequence[Part], tokens: Callable[[str, bool], tuple[int, ...]]) -> list[Stretch]:
    found: list[Stretch] = []
    for part in parts:
        if isinstance(part, Picture):
            found.append(part)
            continue
        more = tokens(part.text, isinstance(part, Trusted))
        if found and isinstance(found[-1], tuple):
            found[-1] = found[-1] + more
        elif more:
            found.append(more)
    return found


def _tokenize(vocab: low.llama_vocab_p, text: str, special: bool) -> tuple[int, ...]:
    raw = text.encode("utf-8", "replace")
    tokens = (low.llama_token * (len(raw) + 8))()
    count = low.llama_tokenize(vocab, raw, len(raw), tokens, len(tokens), False, special)
    if count < 0:
        raise ValueError(f"a text of {len(raw)} bytes could not be tokenized")
    return tuple(tokens[:count])
