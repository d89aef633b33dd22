"""A thin class over llama.cpp's low-level API: one model, perhaps a projector, one context, few operations.

It knows nothing of prompts, checks or verdicts, keeps no record of what it evaluated (the engine does), and says what
failed as an exception with a sentence. The high-level `Llama` is not used: it redirects file descriptors, clears its
cache on its own terms and parses special tokens in user text.
"""

import ctypes
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import llama_cpp
import numpy as np
from llama_cpp import llama_cpp as low
from numpy.typing import NDArray

from judge_local.llama.loading import LOG, load
from judge_local.llama.modelfile import ModelFileError
from judge_local.llama.options import LoadOptions
from judge_local.llama.pair import check_pair
from judge_local.llama.vision import Vision
from judge_local.llama.words import Words
from judge_local.llama.writer import GrammarWriter
from judge_local.port import Picture
from judge_local.tree import Aborted, EngineFailure, Piece, Pieces, Seen, Tokens

__all__ = ["Binding", "LoadOptions", "build_facts"]


class Binding:
    """A loaded model with empty sequences. `aborted` is polled while it computes; True ends the computation.

    context: positions of one sequence. batch: the most tokens of one evaluation. Raises ModelFileError with a sentence
    where a file cannot be loaded.
    """

    def __init__(self, options: LoadOptions, aborted: Callable[[], bool] = lambda: False) -> None:
        check_pair(options.path, options.projector)
        self._aborted = aborted
        self._threads = options.threads
        self._loaded = load(options, aborted)
        self._model, self._context = self._loaded.model, self._loaded.context
        self._vocab = low.llama_model_get_vocab(self._model)
        self._words = Words(lambda text: self._tokens_of(text, False), self._attributes_of, self._text_of)
        self._memory = low.llama_get_memory(self._context)
        self.context: int = low.llama_n_ctx_seq(self._context)
        self.context_limit: int = low.llama_model_n_ctx_train(self._model)
        self.batch: int = low.llama_n_batch(self._context)
        self.sequences = self._loaded.sequences
        self.pack = options.packs
        self.remarks = self._loaded.remarks
        self._vocabulary_size: int = low.llama_vocab_n_tokens(self._vocab)
        self._batch = low.llama_batch_init(self.batch, 0, 1)
        self._vision: Vision | None = None
        try:
            self.cuts = self._probe_memory()
            if options.projector is not None:
                on_gpu = self._loaded.gpu_layers > 0
                self._vision = Vision(options.projector, self._model, options.threads, on_gpu, LOG.reason)
                self._probe_vision(options.projector)
        except BaseException:
            self.close()
            raise

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
            "devices": self._loaded.devices,
            "gpu_layers": self._loaded.gpu_layers,
            "threads": self._threads,
            "context": self.context,
            "batch": self.batch,
            "flash_attention": self._loaded.flash_attention,
            "kv_type": "f16",
        }

    # Words to tokens ------------------------------------------------------------------------------------------------

    def tokenize(self, text: str, special: bool) -> tuple[int, ...]:
        """Tokens of that text. special: `<|im_end|>` and its like become control tokens; False: they stay words."""
        return self._tokens_of(text, True) if special else self._words.tokens(text)

    def _attributes_of(self, token: int) -> int:
        return int(low.llama_vocab_get_attr(self._vocab, token))

    def _text_of(self, token: int) -> str:
        return str(low.llama_vocab_get_text(self._vocab, token).decode("utf-8", "replace"))

    def _tokens_of(self, text: str, special: bool) -> tuple[int, ...]:
        raw = text.encode("utf-8", "replace")
        room = len(raw) + 8
        tokens = (low.llama_token * room)()
        count = low.llama_tokenize(self._vocab, raw, len(raw), tokens, room, False, special)
        if count < 0:
            raise EngineFailure(f"llama.cpp could not tokenize a text of {len(raw):,} bytes.")
        return tuple(tokens[:count])

    def pieces(self, parts: Sequence[tuple[str, bool] | Picture]) -> Pieces:
        """Parts with pictures among them as pieces of a path. Raises EngineFailure."""
        if self._vision is None:
            raise EngineFailure("This judge has no projector, so it cannot be shown a picture.")
        return self._vision.pieces(parts)

    def writer(self, grammar: str) -> GrammarWriter:
        """A writer at the start of that grammar (GBNF)."""
        return GrammarWriter(self._vocab, grammar)

    # The sequences --------------------------------------------------------------------------------------------------

    def evaluate(self, chunk: Piece, start: int, want_logits: bool, sequence: int = 0) -> None:
        """Append one chunk (at most `batch` tokens, or a picture) at `start`. Raises Aborted or EngineFailure."""
        if self._aborted():  # llama.cpp polls on a processor only, and while it computes
            raise Aborted
        if isinstance(chunk, Seen):
            if self._vision is None or want_logits:
                raise EngineFailure("A picture stands where words must follow.")
            self._vision.decode(chunk, self._context, start, sequence, self.batch)
            return
        self._batch.n_tokens = 0
        self._add(chunk, start, sequence, want_logits)
        self._decode(start)

    def evaluate_pack(self, leaves: Sequence[Tokens], start: int) -> list[NDArray[np.float32]]:
        """Logits after each of these leaves, all below sequence 0 as it stands, in one pass; it is left as it was."""
        if self._aborted():
            raise Aborted
        self._batch.n_tokens = 0
        ends = []
        for number, leaf in enumerate(leaves, self.sequences):
            self.copy(0, number)
            self._add(leaf, start, number, True)
            ends.append(self._batch.n_tokens - 1)
        try:
            self._decode(start)
            return [self._logits_at(end) for end in ends]
        finally:
            for number in range(self.sequences, self.sequences + len(leaves)):
                self.clear(number)

    def _add(self, tokens: Tokens, start: int, sequence: int, want_logits: bool) -> None:
        batch = self._batch
        for place, token in enumerate(tokens):
            i = batch.n_tokens
            batch.token[i] = token
            batch.pos[i] = start + place
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = sequence
            batch.logits[i] = 0
            batch.n_tokens += 1
        batch.logits[batch.n_tokens - 1] = 1 if want_logits else 0

    def _decode(self, start: int) -> None:
        code = low.llama_decode(self._context, self._batch)
        if code == 2:
            raise Aborted
        if code != 0:
            count = self._batch.n_tokens
            raise EngineFailure(f"llama.cpp could not evaluate {count} tokens at {start:,} (code {code}).")

    def logits(self) -> NDArray[np.float32]:
        """Logits over the vocabulary after the last token of the last chunk, which must have been asked for them."""
        return self._logits_at(-1)

    def _logits_at(self, place: int) -> NDArray[np.float32]:
        pointer = low.llama_get_logits_ith(self._context, place)
        if not pointer:
            raise EngineFailure("llama.cpp gave no logits.")
        return np.ctypeslib.as_array(pointer, shape=(self._vocabulary_size,)).copy()

    def cut(self, length: int, sequence: int = 0) -> bool:
        """Forget everything from position `length` on. False: this memory cannot, and must be cleared."""
        if not low.llama_memory_seq_rm(self._memory, sequence, length, -1):
            return False
        kept = low.llama_memory_seq_pos_max(self._memory, sequence) + 1
        return kept == length and (length == 0 or low.llama_memory_seq_pos_min(self._memory, sequence) == 0)

    def copy(self, source: int, target: int) -> None:
        """Have the target hold what the source holds; it must be empty."""
        low.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def clear(self, sequence: int | None = None) -> None:
        """Forget what that sequence holds; None: what all hold."""
        if sequence is None:
            low.llama_memory_clear(self._memory, True)
        else:
            low.llama_memory_seq_rm(self._memory, sequence, -1, -1)

    def save(self, sequence: int = 0) -> bytes:
        """The sequence as it stands, to be come back to."""
        size = low.llama_state_seq_get_size(self._context, sequence)
        buffer = (ctypes.c_uint8 * size)()
        written = low.llama_state_seq_get_data(self._context, buffer, size, sequence)
        return bytes(memoryview(buffer)[:written])

    def restore(self, state: bytes, sequence: int = 0) -> bool:
        """Put a saved sequence in place of the present one. False: it did not fit, and memory must be cleared."""
        self.clear(sequence)
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        return bool(low.llama_state_seq_set_data(self._context, buffer, len(state), sequence))

    # Probes ---------------------------------------------------------------------------------------------------------

    def _probe_memory(self) -> bool:
        """Whether this model's memory can be cut back: tried, since it depends on architecture and library."""
        self.evaluate((0, 1, 2, 3), 0, False)
        cuts = self.cut(2)
        self.clear()
        return cuts

    def _probe_vision(self, projector: Path) -> None:
        """One small picture through the whole way: a projector that does not fit fails here, not at the first question.

        Raises ModelFileError.
        """
        grey = Picture("probe", 32, 32, bytes([127]) * (32 * 32 * 3))
        try:
            at = 0
            for piece in self.pieces([grey]):
                self.evaluate(piece, at, False)
                at += piece.positions if isinstance(piece, Seen) else len(piece)
        except EngineFailure as failure:
            raise ModelFileError(
                f"A first picture could not be shown to this model through {projector.name}: {failure}",
                "Take the projector (mmproj) that was made for this very model.",
            ) from failure
        finally:
            self.clear()

    def close(self) -> None:
        """Free the model and all it holds. The binding is of no use afterwards."""
        if self._vision is not None:
            self._vision.close()
        low.llama_batch_free(self._batch)
        self._loaded.close()


def build_facts() -> dict[str, str]:
    """Which llama.cpp this is: its versions, and the processor features its kernels were chosen by."""
    info = low.llama_print_system_info().decode()
    return {
        "llama_cpp_python": llama_cpp.__version__,
        "llama_cpp": low.llama_version().decode(),
        "cpu_features": " ".join(re.findall(r"(\w+) = 1", info)),
    }
