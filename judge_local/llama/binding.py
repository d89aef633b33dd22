"""A thin class over llama.cpp's low-level API: one model, one context, one sequence, few operations.

It knows nothing of prompts, checks or verdicts, keeps no record of what it evaluated (the engine does), and says what
failed as an exception with a sentence. The high-level `Llama` is not used: it redirects file descriptors, clears its
cache on its own terms and parses special tokens in user text.
"""

import ctypes
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import llama_cpp
import numpy as np
from llama_cpp import llama_cpp as low
from numpy.typing import NDArray

from judge_local.engine import Aborted, EngineFailure
from judge_local.llama.modelfile import ModelFileError, check_model_file

_SEQUENCE = 0
_LOG_LINES_KEPT = 2000
_DEBUG = 1
_MOST_CONTEXT = 8192


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load; what None means is said at LocalSettings."""

    path: Path
    threads: int
    context: int | None = None
    batch: int = 512
    gpu_layers: int | None = None
    flash_attention: bool | None = None


class _Log:
    """llama.cpp's log of this process, kept in memory: errors become sentences, the rest is never printed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._callback = low.llama_log_callback(self._receive)
        low.llama_log_set(self._callback, ctypes.c_void_p(0))

    def _receive(self, level: int, text: bytes, _user_data: int | None) -> None:
        if level == _DEBUG:
            return
        self.lines.append(text.decode(errors="replace").rstrip("\n"))
        del self.lines[:-_LOG_LINES_KEPT]

    def start_over(self) -> None:
        self.lines.clear()

    def reason(self) -> str:
        """The most telling line about a failed load, without the names of llama.cpp's functions."""
        told = [line for line in self.lines if "error loading model" in line] or [
            line for line in self.lines if "failed" in line or "error" in line
        ]
        if not told:
            return "llama.cpp gave no reason"
        return re.sub(r"^(\w+: )+", "", told[0]).removeprefix("error loading model: ").rstrip(".")


_LOG = _Log()  # llama.cpp keeps a pointer to its callback for as long as the process lives


class Binding:
    """A loaded model with an empty sequence. `aborted` is polled while it computes; True ends the computation.

    Raises ModelFileError with a sentence where the file cannot be loaded.
    """

    def __init__(self, options: LoadOptions, aborted: Callable[[], bool] = lambda: False) -> None:
        check_model_file(options.path)
        self._aborted = aborted
        self._threads = options.threads
        _LOG.start_over()
        low.llama_backend_init()
        self._gpu_layers = _gpu_layers(options.gpu_layers)
        on_gpu = self._gpu_layers > 0
        self._flash_attention = on_gpu if options.flash_attention is None else options.flash_attention
        self._model = self._load(options.path)
        self._vocab = low.llama_model_get_vocab(self._model)
        self._context = self._open(options)
        self._memory = low.llama_get_memory(self._context)
        self.context: int = low.llama_n_ctx_seq(self._context)
        self.batch: int = low.llama_n_batch(self._context)
        self._vocabulary_size: int = low.llama_vocab_n_tokens(self._vocab)
        self._batch = low.llama_batch_init(self.batch, 0, 1)

    def _load(self, path: Path) -> low.llama_model_p:
        params = low.llama_model_default_params()
        params.n_gpu_layers = self._gpu_layers
        model = low.llama_model_load_from_file(str(path).encode(), params)
        if not model:
            raise ModelFileError(
                f"{path.name} could not be loaded: {_LOG.reason()}.",
                "The file is damaged, incomplete or of a kind that this llama.cpp does not know; fetch it again.",
            )
        return model

    def _open(self, options: LoadOptions) -> low.llama_context_p:
        context = options.context or min(low.llama_model_n_ctx_train(self._model), _MOST_CONTEXT)
        params = low.llama_context_default_params()
        params.n_ctx = context
        # One physical batch per logical batch: llama.cpp must not cut chunks again at places of its own.
        params.n_batch = params.n_ubatch = min(options.batch, context)
        # One row of logits per chunk at most: the output buffers shrink from batch x vocabulary to a single row.
        params.n_outputs_max = params.n_outputs_max_per_seq = 1
        params.n_threads = params.n_threads_batch = options.threads
        params.flash_attn_type = int(self._flash_attention)  # never "auto": the ruler says which
        params.swa_full = True  # a sliding-window cache that forgets cannot be cut back
        self._abort_callback = low.ggml_abort_callback(lambda _data: self._aborted())
        params.abort_callback = self._abort_callback
        opened = low.llama_init_from_model(self._model, params)
        if not opened:
            low.llama_model_free(self._model)
            raise ModelFileError(
                f"No context of {context:,} tokens could be opened for {options.path.name}: {_LOG.reason()}.",
                "Ask for a smaller context, or close programs that hold memory.",
            )
        return opened

    # What it is ----------------------------------------------------------------------------------------------------

    @property
    def chat_template(self) -> str | None:
        """The chat template in the file: untrusted code."""
        template = low.llama_model_chat_template(self._model, None)
        return template.decode(errors="replace") if template else None

    @property
    def wants_bos(self) -> bool:
        """Whether every sequence of this model must open with its bos token."""
        return bool(low.llama_vocab_get_add_bos(self._vocab))

    def special_text(self, which: Literal["bos", "eos"]) -> str:
        """The text of that token, as chat templates want it; "" if there is none."""
        token = low.llama_vocab_bos(self._vocab) if which == "bos" else low.llama_vocab_eos(self._vocab)
        text = low.llama_vocab_get_text(self._vocab, token) if token >= 0 else None
        return text.decode(errors="replace") if text else ""

    def facts(self) -> dict[str, str | int | bool | tuple[str, ...]]:
        """What the ruler says of the model and of how it runs, as it really runs."""
        name = low.llama_ftype_name(low.llama_model_ftype(self._model))
        return {
            "quantization": name.decode() if name else "unknown",
            "devices": self._devices(),
            "gpu_layers": self._gpu_layers,
            "threads": self._threads,
            "context": self.context,
            "batch": self.batch,
            "flash_attention": self._flash_attention,
            "kv_type": "f16",
        }

    def _devices(self) -> tuple[str, ...]:
        """cpu, or the devices that llama.cpp's load log names."""
        found = (re.search(r"using device (\S+ \(.*?\))", line) for line in _LOG.lines)
        named = tuple(match[1] for match in found if match)
        return named if named and self._gpu_layers else ("cpu",)

    # Words to tokens ------------------------------------------------------------------------------------------------

    def tokenize(self, text: str, special: bool) -> tuple[int, ...]:
        """Tokens of that text. special: `<|im_end|>` and its like become control tokens; False: they stay words."""
        raw = text.encode("utf-8", "replace")
        room = len(raw) + 8
        tokens = (low.llama_token * room)()
        count = low.llama_tokenize(self._vocab, raw, len(raw), tokens, room, False, special)
        if count < 0:
            raise EngineFailure(f"llama.cpp could not tokenize a text of {len(raw):,} bytes.")
        return tuple(tokens[:count])

    # The sequence ---------------------------------------------------------------------------------------------------

    def evaluate(self, tokens: Sequence[int], start: int, want_logits: bool) -> None:
        """Append one chunk (at most `batch` tokens) at position `start`. Raises Aborted or EngineFailure."""
        if self._aborted():  # llama.cpp polls on a processor only, and while it computes
            raise Aborted
        batch = self._batch
        batch.n_tokens = len(tokens)
        for i, token in enumerate(tokens):
            batch.token[i] = token
            batch.pos[i] = start + i
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = _SEQUENCE
            batch.logits[i] = 0
        batch.logits[len(tokens) - 1] = 1 if want_logits else 0
        code = low.llama_decode(self._context, batch)
        if code == 2:
            raise Aborted
        if code != 0:
            raise EngineFailure(f"llama.cpp could not evaluate {len(tokens)} tokens at {start:,} (code {code}).")

    def logits(self) -> NDArray[np.float32]:
        """Logits over the vocabulary after the last token of the last chunk, which must have been asked for them."""
        pointer = low.llama_get_logits_ith(self._context, -1)
        if not pointer:
            raise EngineFailure("llama.cpp gave no logits.")
        return np.ctypeslib.as_array(pointer, shape=(self._vocabulary_size,)).copy()

    def cut(self, length: int) -> bool:
        """Forget everything from position `length` on. False: this memory cannot, and must be cleared."""
        if not low.llama_memory_seq_rm(self._memory, _SEQUENCE, length, -1):
            return False
        kept = low.llama_memory_seq_pos_max(self._memory, _SEQUENCE) + 1
        return kept == length and (length == 0 or low.llama_memory_seq_pos_min(self._memory, _SEQUENCE) == 0)

    def clear(self) -> None:
        """Forget everything."""
        low.llama_memory_clear(self._memory, True)

    def save(self) -> bytes:
        """The sequence as it stands, to come back to where memory cannot be cut."""
        size = low.llama_state_seq_get_size(self._context, _SEQUENCE)
        buffer = (ctypes.c_uint8 * size)()
        written = low.llama_state_seq_get_data(self._context, buffer, size, _SEQUENCE)
        return bytes(memoryview(buffer)[:written])

    def restore(self, state: bytes) -> bool:
        """Put a saved sequence in place of the present one. False: it did not fit, and memory must be cleared."""
        self.clear()
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        return bool(low.llama_state_seq_set_data(self._context, buffer, len(state), _SEQUENCE))

    def close(self) -> None:
        """Free the model and all it holds. The binding is of no use afterwards."""
        low.llama_batch_free(self._batch)
        low.llama_free(self._context)
        low.llama_model_free(self._model)


def build_facts() -> dict[str, str]:
    """Which llama.cpp this is: its versions, and the processor features its kernels were chosen by."""
    info = low.llama_print_system_info().decode()
    return {
        "llama_cpp_python": llama_cpp.__version__,
        "llama_cpp": low.llama_version().decode(),
        "cpu_features": " ".join(re.findall(r"(\w+) = 1", info)),
    }


def _gpu_layers(asked: int | None) -> int:
    can = bool(low.llama_supports_gpu_offload())
    if asked and not can:
        raise ModelFileError(
            f"{asked} layers were to run on a graphics processor, but this build of llama.cpp has no support for one.",
            "Set the layers to 0, or install a build of llama-cpp-python for your graphics processor.",
        )
    return asked if asked is not None else (999 if can else 0)
