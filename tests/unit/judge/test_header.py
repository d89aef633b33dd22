"""GGUF headers: what the gguf package wrote is read back, and a header that lies costs nothing."""

import struct
import tracemalloc
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_local.llama.modelfile import ModelFileError
from judge_local.shelf.header import read_header


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("header") / "whole.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(4096)
    writer.add_bool("a.flag", True)
    writer.add_float32("a.float", 0.5)
    writer.add_string("a.text", "Käse")
    writer.add_token_list(["a", "bc", "déf"] * 100)
    writer.add_array("a.numbers", [1, 2, 3])
    writer.add_tensor("token_embd.weight", np.zeros((5, 3), np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_what_the_gguf_package_wrote_is_read_back(whole: Path) -> None:
    header = read_header(whole)
    assert header.architecture == "llama"
    assert header.number("llama.context_length") == 4096
    assert header.values["a.flag"] is True
    assert header.values["a.float"] == 0.5
    assert header.values["a.text"] == "Käse"
    assert header.number("a.text") is None
    assert header.tensors == {"token_embd.weight": (3, 5)}
    assert not {"a.numbers", "tokenizer.ggml.tokens"} & header.values.keys()


@given(st.integers(24, 2000))
def test_cut_off_anywhere_it_is_refused_in_a_sentence(whole: Path, length: int) -> None:
    cut = whole.with_name("cut.gguf")
    data = whole.read_bytes()
    cut.write_bytes(data[: min(length, len(data) - 200)])
    try:
        read_header(cut)
    except ModelFileError as error:
        assert error.sentence == "cut.gguf is damaged: it ends within its header."
        assert error.next_step == "Fetch the model file again."


@given(st.integers(8, 300), st.integers(0, 255))
def test_one_wrong_byte_is_read_or_refused_and_never_more(whole: Path, at: int, byte: int) -> None:
    wrong = whole.with_name("wrong.gguf")
    data = bytearray(whole.read_bytes())
    data[at] = byte
    wrong.write_bytes(data)
    try:
        read_header(wrong)
    except ModelFileError as error:
        assert error.sentence.startswith("wrong.gguf is damaged: ")


@pytest.mark.parametrize("kind", [8, 9])
def test_a_lying_length_takes_no_memory(tmp_path: Path, kind: int) -> None:
    path = tmp_path / "liar.gguf"
    lie = struct.pack("<Q", 1 << 40) if kind == 8 else struct.pack("<IQ", 4, 1 << 40)
    path.write_bytes(
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"k" + struct.pack("<I", kind) + lie
    )
    tracemalloc.start()
    with pytest.raises(ModelFileError):
        read_header(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_counts_beyond_reason_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "many.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 1 << 50, 1 << 50))
    with pytest.raises(ModelFileError, match="it claims 1,125,899,906,842,624 keys"):
        read_header(path)
