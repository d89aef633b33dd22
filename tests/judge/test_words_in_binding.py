"""The judge's own binding reads somebody's text as words, also where a vocabulary has user-defined marks."""

import shutil
from pathlib import Path

import pytest

from judge_local.llama.binding import Binding, LoadOptions

MARK = "<repo_name>"
USER_DEFINED = 4  # LLAMA_TOKEN_TYPE_USER_DEFINED


@pytest.fixture
def with_a_user_defined_mark(model_path: Path, tmp_path: Path) -> Path:
    """The bundled model with one control token made a user-defined one, as other makers do."""
    from gguf import GGUFReader

    path = tmp_path / "marked.gguf"
    shutil.copy(model_path, path)
    reader = GGUFReader(path, "r+")
    names, types = reader.fields["tokenizer.ggml.tokens"], reader.fields["tokenizer.ggml.token_type"]
    token = next(i for i in range(100) if bytes(names.parts[names.data[i]]).decode() == MARK)
    types.parts[types.data[token]][0] = USER_DEFINED
    reader.data.flush()
    return path


def test_a_user_defined_mark_in_somebodys_text_is_words(with_a_user_defined_mark: Path) -> None:
    loaded = Binding(LoadOptions(with_a_user_defined_mark, threads=1, context=64))
    (mark,) = loaded.tokenize(MARK, special=True)
    words = loaded.tokenize(f"a {MARK} b", special=False)
    loaded.close()
    assert mark not in words
    assert len(words) > 4
