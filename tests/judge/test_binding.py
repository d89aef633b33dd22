"""llama.cpp itself, with the real model: words that stay words, files that are refused with a sentence, an abort."""

from pathlib import Path

import numpy as np
import pytest

from judge_local.engine import Aborted
from judge_local.llama.binding import Binding, LoadOptions
from judge_local.llama.modelfile import ModelFileError


def test_special_tokens_in_untrusted_text_stay_words(binding: Binding) -> None:
    for mark in ("<|im_end|>", "<|im_start|>", "<|endoftext|>"):
        (control,) = binding.tokenize(mark, special=True)
        words = binding.tokenize(f"a {mark} b", special=False)
        assert control not in words
        assert len(words) > 4


@pytest.mark.parametrize("text", ["", "\0", "a\0b", "\ud800", "é" * 500, "👩‍👩‍👧‍👧", "a" * 200_000])
def test_any_text_can_be_tokenized(binding: Binding, text: str) -> None:
    assert bool(binding.tokenize(text, special=False)) is bool(text)


def test_logits_come_only_where_they_were_asked_for(binding: Binding) -> None:
    tokens = binding.tokenize("one two three four five six", special=False)
    binding.clear()
    binding.evaluate(tokens[:3], 0, want_logits=False)
    binding.evaluate(tokens[3:], 3, want_logits=True)
    first = binding.logits()
    assert binding.cut(3)
    binding.evaluate(tokens[3:], 3, want_logits=True)
    assert np.array_equal(binding.logits(), first)


def test_a_saved_sequence_comes_back_as_it_was(binding: Binding) -> None:
    tokens = binding.tokenize("one two three four five six", special=False)
    binding.clear()
    binding.evaluate(tokens[:3], 0, want_logits=False)
    state = binding.save()
    binding.evaluate(tokens[3:], 3, want_logits=True)
    first = binding.logits()
    assert binding.restore(state)
    binding.evaluate(tokens[3:], 3, want_logits=True)
    assert np.array_equal(binding.logits(), first)


def test_a_long_computation_can_be_aborted(model_path: Path) -> None:
    polls = -1_000_000  # while it loads, nobody wants it to end

    def aborted() -> bool:
        nonlocal polls
        polls += 1
        return polls > 50

    loaded = Binding(LoadOptions(model_path, threads=2, context=512), aborted)
    polls = 0
    with pytest.raises(Aborted):
        loaded.evaluate(loaded.tokenize("word " * 400, special=False), 0, want_logits=True)
    loaded.close()


def refusal(path: Path) -> str:
    with pytest.raises(ModelFileError) as caught:
        Binding(LoadOptions(path, threads=1))
    assert caught.value.next_step
    return caught.value.sentence


def test_files_that_are_no_models_are_refused_with_a_sentence(tmp_path: Path) -> None:
    def written(name: str, content: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    assert refusal(tmp_path / "gone.gguf") == f"There is no file {tmp_path / 'gone.gguf'}."
    assert refusal(tmp_path) == f"{tmp_path} is a folder, not a model file."
    assert refusal(written("empty.gguf", b"")) == "empty.gguf is empty."
    assert refusal(written("page.gguf", b"<html>404</html>" * 99)) == "page.gguf is not a GGUF model file."
    assert refusal(written("short.gguf", b"GGUF\x03\0\0\0")) == "short.gguf ends within its header."
    assert refusal(written("noise.gguf", b"GGUF" + bytes(range(256)) * 9)) == (
        "noise.gguf is damaged: its format version is 50462976, and 2 and 3 are known."
    )


def test_a_cut_off_model_is_refused_with_llama_cpps_reason(model_path: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    with model_path.open("rb") as whole:
        cut.write_bytes(whole.read(5_000_000))
    sentence = refusal(cut)
    assert sentence.startswith("cut.gguf could not be loaded: tensor '")
    assert sentence.endswith("data is not within the file bounds, model is corrupted or incomplete.")


def test_layers_on_a_graphics_processor_are_never_dropped_in_silence(model_path: Path) -> None:
    with pytest.raises(ModelFileError, match="12 layers were to run on a graphics processor"):
        Binding(LoadOptions(model_path, threads=1, gpu_layers=12))
