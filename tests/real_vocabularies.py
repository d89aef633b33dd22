"""Real tokenizers for tests: the vocabulary-only model files in the source archive of llama-cpp-python.

They are no part of this tree; `python -m tests.fetch_vocabularies` fetches them once a machine. Tests find them here.
"""

import ctypes
import os
from pathlib import Path

import pytest

from judge_local.llama.words import Words
from tests.models_on_disk import Q8_CACHE

FOLDER = Q8_CACHE.with_name("vocabularies")
VERSION = "0.3.36"  # of llama-cpp-python, as pyproject.toml pins it
SHA256 = {
    "command-r": "a2f8cfea952ef7c391a6d92a1c309d0bd32e36384d9b9230569a7425732f27d9",
    "deepseek-coder": "91cb1379f2e33af1c4866b194622b7a0e12e8f0c9dba7ba2f10d55978730bec1",
    "deepseek-llm": "867f77537b54565f0d81d508c04edc41aa1d4ffc1a92745f225b4c1b02755f76",
    "falcon": "9f0bf8b0733680398b72e652e90f260f43782f326e75545fc0e49611a5ba35ad",
    "gemma-4": "58b1ba0b57f3b4d7c468ba4ffd91ad85190346a3d7ad7e71d1cabaae8a14bb65",
    "llama-bpe": "97272e430d53bc7688f52d5e0ad8ea8f163ede9f1bbd1694feaa504797d5d96e",
    "llama-spm": "16c3724582d59aa8bf84711894e833f916ee46a31d80e21312759c48bf8d0e69",
    "phi-3": "967d7190d11c4842eab697079d98d56c2116e10eb617be355a2733bfc132e326",
    "qwen2": "44c2f46b715f585c6ab513970e8a006bfa5badd6108560054921cf598d154d8c",
    "qwen35": "63ed952ff338996cf0bdf24a7b10015124273f75c6dc9bb427356aa3f67ec62c",
}


def file_name(name: str) -> str:
    """As llama.cpp names the file of that vocabulary."""
    return f"ggml-vocab-{name}.gguf"


def vocabulary_path(name: str) -> Path:
    """The file of that vocabulary; skips the test where it is missing, fails it on a build server."""
    path = FOLDER / file_name(name)
    if not path.is_file():
        told = f"The vocabulary {name} is not on this machine; python -m tests.fetch_vocabularies fetches it."
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    return path


class RealVocabulary:
    """A vocabulary without a model; words go to tokens by the same call as in judge_local.llama.binding."""

    def __init__(self, path: Path) -> None:
        from judge_local.llama.worker import wait_passively

        wait_passively()
        from judge_local.llama import binding  # not before; its log callback keeps llama.cpp from printing

        self._low = binding.low
        params = self._low.llama_model_default_params()
        params.vocab_only = True
        self._low.llama_backend_init()
        self._model = self._low.llama_model_load_from_file(str(path).encode(), params)
        assert self._model, path
        self._vocab = self._low.llama_model_get_vocab(self._model)
        self.size: int = self._low.llama_vocab_n_tokens(self._vocab)
        self.words = Words(lambda text: self.tokenize(text, False), self.attributes_of, self.text_of)

    def tokenize(self, text: str, special: bool) -> tuple[int, ...]:
        raw = text.encode("utf-8", "replace")
        room = len(raw) + 8
        tokens = (self._low.llama_token * room)()
        count = self._low.llama_tokenize(self._vocab, raw, len(raw), tokens, room, False, special)
        assert count >= 0
        return tuple(tokens[:count])

    def text(self, tokens: tuple[int, ...]) -> str:
        """The tokens' text, control tokens by their names."""
        given = (self._low.llama_token * len(tokens))(*tokens)
        room = 64 + 64 * len(tokens)
        buffer = ctypes.create_string_buffer(room)
        length = self._low.llama_detokenize(self._vocab, given, len(tokens), buffer, room, False, True)
        assert length >= 0
        return buffer.raw[:length].decode("utf-8", "replace")

    def attributes_of(self, token: int) -> int:
        return int(self._low.llama_vocab_get_attr(self._vocab, token))

    def text_of(self, token: int) -> str:
        return str(self._low.llama_vocab_get_text(self._vocab, token).decode("utf-8", "replace"))

    @property
    def chat_template(self) -> str | None:
        template = self._low.llama_model_chat_template(self._model, None)
        return template.decode() if template else None

    @property
    def wants_bos(self) -> bool:
        return bool(self._low.llama_vocab_get_add_bos(self._vocab))

    def special_text(self, which: str) -> str:
        token = (self._low.llama_vocab_bos if which == "bos" else self._low.llama_vocab_eos)(self._vocab)
        return self.text_of(token) if token >= 0 else ""

    def close(self) -> None:
        self._low.llama_model_free(self._model)
