"""A judge's own words: at each step the likeliest token that a grammar allows."""

import ctypes
import weakref
from typing import Any

import numpy as np
from llama_cpp import llama_cpp as low
from numpy.typing import NDArray

from judge_local.tree import EngineFailure, Tokens

_ROOM = 256


class GrammarWriter:
    """One text being written. The likeliest token of all is tried first, since the whole vocabulary takes long."""

    def __init__(self, vocab: Any, grammar: str) -> None:
        self._vocab = vocab
        self._sampler = low.llama_sampler_init_grammar(vocab, grammar.encode(), b"root")
        if not self._sampler:
            raise EngineFailure("llama.cpp could not read the grammar of the judge's answer.")
        weakref.finalize(self, low.llama_sampler_free, self._sampler)

    def pick(self, logits: NDArray[np.float32]) -> int | None:
        """The next token, which the grammar has taken; None once it is at its end."""
        best = int(logits.argmax())
        token = best if self._allowed(np.array([best]), logits)[0] else self._best_of_all(logits)
        if token is None or low.llama_vocab_is_eog(self._vocab, token):
            return None
        low.llama_sampler_accept(self._sampler, token)
        return token

    def _best_of_all(self, logits: NDArray[np.float32]) -> int | None:
        everything = np.arange(len(logits))
        left = np.where(self._allowed(everything, logits), logits, -np.inf)
        best = int(left.argmax())
        return best if np.isfinite(left[best]) else None

    def _allowed(self, tokens: NDArray[np.int64], logits: NDArray[np.float32]) -> NDArray[np.bool_]:
        entries = (low.llama_token_data * len(tokens))()
        view = np.ctypeslib.as_array(entries)
        view["id"], view["logit"], view["p"] = tokens, 0.0, 0.0
        candidates = low.llama_token_data_array(data=entries, size=len(tokens), selected=-1, sorted=False)
        low.llama_sampler_apply(self._sampler, ctypes.byref(candidates))
        allowed: NDArray[np.bool_] = np.isfinite(view["logit"])
        return allowed

    def text(self, tokens: Tokens) -> str:
        """Those tokens as text; bytes that are no text show as U+FFFD."""
        pieces = []
        buffer = ctypes.create_string_buffer(_ROOM)
        for token in tokens:
            size = low.llama_token_to_piece(self._vocab, token, buffer, _ROOM, 0, False)
            pieces.append(buffer.raw[:size] if size > 0 else b"")
        return b"".join(pieces).decode("utf-8", "replace")
