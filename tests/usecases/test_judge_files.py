"""Judges from a person's own files: checked before anything is stored, remembered, listed, taken off and put back."""

import json
from pathlib import Path

import pytest

from gamut_desktop.settings import JudgeSettings, Places, Settings
from gamut_desktop.usecases.judge_files import (
    add_file_judge,
    likely_projector,
    remove_file_judge,
    restore_file_judge,
    sorted_out,
)
from gamut_desktop.wiring import Wiring, file_judge, judge_name
from judge_local.llama.modelfile import ModelFileError
from models.textfile import FileProblem

HEADER = b"GGUF" + bytes(20)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "data", tmp_path / "cache", tmp_path / "config", tmp_path / "logs")


def gguf(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(HEADER)
    return path


def wiring(places: Places) -> Wiring:
    return Wiring(places, Settings.load(places), lambda _: None)


def test_a_judge_is_remembered_once_and_listed_after_the_built_in_ones(places: Places, tmp_path: Path):
    model = gguf(tmp_path / "m" / "qwen.gguf")
    judge, settings = add_file_judge(places, model)
    assert judge == f"file:{model}"
    add_file_judge(places, model)
    assert Settings.load(places) == settings
    infos = wiring(places).judges()
    assert [info.id for info in infos] == ["keyword", "smollm2", judge]
    assert (infos[2].kind, infos[2].ready, infos[2].sees_images) == ("file", True, False)
    assert judge_name(judge) == "qwen"


def test_a_projector_makes_it_see_and_the_setting_decides_whether_it_looks(places: Places, tmp_path: Path):
    judge, _ = add_file_judge(places, gguf(tmp_path / "a+b" / "m+1.gguf"), gguf(tmp_path / "a+b" / "mmproj+1.gguf"))
    made = wiring(places)
    assert made.judges()[2].sees_images
    assert made.sees(judge)
    assert not made.sees(judge, text_only=True)
    with made.judge(judge) as one:
        assert one.sees_images
    blind = made.with_settings(Settings(judge=JudgeSettings(look_at_pictures=False)))
    assert blind.can_see(judge)
    assert not blind.sees(judge)
    with blind.judge(judge) as one:
        assert not one.sees_images


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "There is no file"),
        (b"", "m.gguf is empty. Fetch the model file again."),
        (b"PK\x03\x04 a zip file, not a model", "m.gguf is not a GGUF model file."),
        (b"GGUF\x03", "m.gguf ends within its header. The file is incomplete; fetch it again."),
    ],
)
def test_a_bad_file_is_a_sentence_and_nothing_is_stored(places: Places, tmp_path: Path, content, told: str):
    bad = tmp_path / "m.gguf"
    if content is not None:
        bad.write_bytes(content)
    good = gguf(tmp_path / "good.gguf")
    for model, projector in ((bad, None), (good, bad)):
        with pytest.raises(ModelFileError) as raised:
            add_file_judge(places, model, projector)
        assert told in str(raised.value)
    assert not places.config.exists()


def test_one_file_is_not_both(tmp_path: Path):
    model = gguf(tmp_path / "m.gguf")
    (tmp_path / "link.gguf").symlink_to(model)
    for same in (model, tmp_path / "link.gguf"):
        with pytest.raises(ModelFileError, match=r"m\.gguf is given twice\."):
            file_judge(model, same)


def test_a_judge_that_is_taken_off_can_be_put_back_in_its_place(places: Places, tmp_path: Path):
    ids = [add_file_judge(places, gguf(tmp_path / f"{name}.gguf"))[0] for name in "abc"]
    assert remove_file_judge(places, ids[1]).judges == (ids[0], ids[2])
    assert (tmp_path / "b.gguf").exists()
    assert restore_file_judge(places, ids[1], 1).judges == tuple(ids)
    assert Settings.load(places).judges == tuple(ids)


def test_a_judge_whose_file_is_gone_is_listed_with_the_reason(places: Places, tmp_path: Path):
    model = gguf(tmp_path / "m.gguf")
    add_file_judge(places, model)
    model.unlink()
    info = wiring(places).judges()[2]
    assert not info.ready
    assert info.why_not is not None
    assert info.why_not.startswith("There is no file")
    json.dumps(info.as_json())


def test_files_that_come_together_are_told_apart_by_their_names(tmp_path: Path):
    model, projector = tmp_path / "m.gguf", tmp_path / "mmproj-m.gguf"
    assert sorted_out([projector, model]) == (model, projector)
    assert sorted_out([model]) == (model, None)
    assert sorted_out([projector]) == (None, projector)
    assert likely_projector(gguf(model)) is None
    gguf(projector)
    assert likely_projector(model) == projector
    assert likely_projector(projector) is None
    gguf(tmp_path / "mmproj-other.gguf")
    assert likely_projector(model) is None


def test_settings_that_cannot_be_written_are_a_sentence(places: Places):
    places.config.parent.mkdir(parents=True, exist_ok=True)
    places.config.write_text("a file where the folder should be")
    with pytest.raises(FileProblem, match=r"The folder .* cannot be made"):
        Settings(author="a").save(places)


def test_what_another_window_changed_meanwhile_is_kept(places: Places):
    Settings(author="a").save(places)
    Settings.change(places, judges=("file:/m.gguf",))
    assert Settings.change(places, judge=JudgeSettings(seed=7)).judges == ("file:/m.gguf",)
