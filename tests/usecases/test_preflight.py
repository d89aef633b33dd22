"""Checking a judge: what is kept with it, when that is out of date, and what never breaks it."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from gamut_desktop.cli.preflight_card import facts, figures
from gamut_desktop.cli.show import print_table
from gamut_desktop.settings import JudgeSettings, Places, Settings
from gamut_desktop.usecases.preflight import check_judge, last_preflight, why_stale
from gamut_desktop.wiring import UnknownName, Wiring
from judge_local.port import Answer, Asking, Judge, JudgeError
from judge_local.preflight.run import PreflightStopped
from judge_local.shelf.registry import Registry, setup_digest
from models.rubric.checklist import CheckText
from models.textfile import FileProblem
from models.verdicts import Outcome, Verdict
from tests.scripted import ScriptedJudge, said


@dataclass(frozen=True)
class Scripted(Wiring):
    """A wiring in which every judge but the baseline answers from a script."""

    script: ScriptedJudge = field(default_factory=ScriptedJudge)
    seeds: list[int | None] = field(default_factory=list)

    @contextmanager
    def judge(self, judge_id: str, seed: int | None = None) -> Iterator[Judge]:
        self.seeds.append(seed)
        yield self.script


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def wiring(tmp_path: Path, told: list[str]) -> Wiring:
    places = Places(tmp_path / "data", tmp_path / "cache", tmp_path / "config", tmp_path / "logs")
    return Wiring(places, Settings(author="t"), told.append)


def scripted(wiring: Wiring, script: ScriptedJudge) -> Scripted:
    return Scripted(wiring.places, wiring.settings, wiring.say, script)


def dies_late(asking: Asking, check: CheckText) -> Answer | Exception:
    return JudgeError("It died.", "Try again.") if "Fidelio" in check.text else said(Verdict.MEETS)


def test_a_result_is_kept_with_its_judge(wiring: Wiring):
    assert last_preflight(wiring, "keyword") is None
    found = check_judge(wiring, "keyword")
    assert last_preflight(wiring, "keyword") == found
    assert why_stale(wiring, found) is None
    mark = wiring.judges()[0].preflight
    assert (mark.accuracy, mark.worse_than_keyword, mark.stale) == (found.accuracy, False, False)
    assert wiring.judges()[1].preflight is None


def test_the_folder_is_the_persons_alone(wiring: Wiring):
    check_judge(wiring, "keyword")
    folder = wiring.places.data / "judges"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in folder.iterdir()] == ["keyword-d6d198dd68bbff3e.json"]


def test_an_unknown_judge_is_not_checked(wiring: Wiring):
    with pytest.raises(UnknownName, match=r"There is no judge 'oracle'\."):
        check_judge(wiring, "oracle")
    assert not (wiring.places.data / "judges").exists()


def test_two_option_orders_are_asked_from_the_settings_seed_on(wiring: Wiring):
    for seed, both in ((0, [0, 1]), (7, [7, 8]), (2**63 - 1, [2**63 - 1, 0])):
        chosen = replace(scripted(wiring, ScriptedJudge()), settings=Settings(judge=JudgeSettings(seed=seed)), seeds=[])
        assert check_judge(chosen, "smollm2").seeds == tuple(both)
        assert chosen.seeds == both


@pytest.mark.parametrize("judge_id", ["smollm2", "file:/a/b c.gguf+/d/e.gguf", "file:~/ü.gguf", "file:" + "x/" * 300])
def test_judges_are_kept_apart_by_their_whole_id(wiring: Wiring, judge_id: str):
    found = check_judge(scripted(wiring, ScriptedJudge(id=judge_id)), judge_id)
    assert last_preflight(wiring, judge_id) == found
    for other in ("keyword", judge_id.upper(), judge_id + "x", judge_id.replace("/", "-")):
        assert other == judge_id or last_preflight(wiring, other) is None
    name = Registry(wiring.places.data / "judges").path(judge_id).name
    assert len(name) < 70
    assert name.isascii()


def test_an_id_that_is_not_utf8_is_checked_all_the_same(wiring: Wiring):
    judge_id = "file:/x/\udcff.gguf"
    assert check_judge(scripted(wiring, ScriptedJudge()), judge_id).accuracy is not None
    last_preflight(wiring, judge_id)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"gamut_judge": 1, "judge": "keyword", "preflight": {}}',
        b'{"gamut_judge": 2, "judge": "keyword"}',
        b'{"gamut_judge": 1, "judge": "other", "preflight": null}',
    ],
    ids=lambda b: b[:24].decode("latin-1"),
)
def test_a_damaged_file_leaves_the_judge_unmarked(wiring: Wiring, damage: bytes):
    check_judge(wiring, "keyword")
    path = wiring.registry.path("keyword")
    path.write_bytes(damage)
    assert last_preflight(wiring, "keyword") is None
    assert wiring.judges()[0].preflight is None
    check_judge(wiring, "keyword")
    assert last_preflight(wiring, "keyword") is not None


def test_a_half_of_a_file_or_a_wrong_figure_leaves_it_unmarked(wiring: Wiring):
    check_judge(wiring, "keyword")
    path = wiring.registry.path("keyword")
    whole = path.read_text()
    path.write_text(whole[: len(whole) // 2])
    assert last_preflight(wiring, "keyword") is None
    kept = json.loads(whole)
    kept["preflight"]["rows"][0]["verdict"] = "perhaps"
    path.write_text(json.dumps(kept))
    assert last_preflight(wiring, "keyword") is None
    kept["preflight"]["rows"][0]["verdict"] = "meets"
    kept["preflight"]["judge"] = "other"
    path.write_text(json.dumps(kept))
    assert last_preflight(wiring, "keyword") is None


def test_a_folder_in_the_files_place_leaves_it_unmarked(wiring: Wiring):
    wiring.registry.path("keyword").mkdir(parents=True)
    assert last_preflight(wiring, "keyword") is None


def test_a_result_that_cannot_be_written_is_given_and_said(wiring: Wiring, told: list[str]):
    wiring.places.data.write_text("a file where the folder should be")
    assert check_judge(wiring, "keyword").accuracy is not None
    (sentence,) = told
    assert sentence.startswith("The result is not kept: The folder ")
    with pytest.raises(FileProblem):
        wiring.registry.keep(check_judge(wiring, "keyword"))


def test_an_error_on_the_way_keeps_nothing_half_and_the_last_result(wiring: Wiring):
    with pytest.raises(JudgeError, match="It died"):
        check_judge(scripted(wiring, ScriptedJudge(dies_late)), "smollm2")
    assert last_preflight(wiring, "smollm2") is None
    found = check_judge(scripted(wiring, ScriptedJudge()), "smollm2")
    with pytest.raises(JudgeError):
        check_judge(scripted(wiring, ScriptedJudge(dies_late)), "smollm2")
    assert last_preflight(wiring, "smollm2") == found


def test_stopping_keeps_the_last_result(wiring: Wiring):
    found = check_judge(wiring, "keyword")
    with pytest.raises(PreflightStopped):
        check_judge(wiring, "keyword", stop=lambda: True)
    assert last_preflight(wiring, "keyword") == found


def test_other_items_make_a_result_stale(wiring: Wiring):
    found = replace(check_judge(wiring, "keyword"), items="0" * 16)
    wiring.registry.keep(found)
    assert why_stale(wiring, found) == "The check has other items now."
    assert wiring.judges()[0].preflight.stale


def test_another_file_or_setting_makes_a_result_stale(wiring: Wiring, tmp_path: Path):
    pytest.importorskip("llama_cpp")
    model = tmp_path / "a+b.gguf"
    model.write_bytes(b"weights")
    judge_id = f"file:{model}"
    there = scripted(wiring, ScriptedJudge(id=judge_id))
    found = check_judge(there, judge_id)
    assert found.setup is not None
    assert why_stale(there, found) is None
    changed = "The judge's files or settings have changed since."
    assert why_stale(replace(there, settings=Settings(judge=JudgeSettings(seed=5))), found) == changed
    model.write_bytes(b"other weights")
    assert why_stale(there, found) == changed
    assert there.mark(judge_id).stale
    model.unlink()
    assert why_stale(there, found) == "The judge's files cannot be compared with those of the check."
    assert there.mark(judge_id).stale


def test_a_started_judge_is_compared_by_its_ruler(wiring: Wiring):
    found = check_judge(wiring, "keyword")
    assert why_stale(wiring, found, found.ruler) is None
    assert why_stale(wiring, found, "0" * 64) == "The judge's weights or settings have changed since."


def test_a_set_up_is_told_apart_by_path_size_time_and_facts(tmp_path: Path):
    one = tmp_path / "a"
    one.write_bytes(b"12")
    os.utime(one, ns=(0, 10**18))
    first = setup_digest([one], prompt="p")
    assert setup_digest([one], prompt="p") == first
    assert setup_digest([one], prompt="q") != first
    os.utime(one, ns=(0, 10**18 + 1))
    assert setup_digest([one], prompt="p") != first
    assert setup_digest([tmp_path / "gone"], prompt="p") is None
    assert setup_digest([tmp_path / "nul\0"], prompt="p") is None


def test_a_bad_judge_is_marked_worse_than_keyword(wiring: Wiring):
    check_judge(scripted(wiring, ScriptedJudge()), "smollm2")
    mark = wiring.mark("smollm2")
    assert mark.worse_than_keyword
    assert mark.as_json() == {
        "accuracy": mark.accuracy,
        "worse_than_keyword": True,
        "date": mark.date,
        "stale": mark.stale,
    }


def test_the_card_of_a_judge_that_sees_tells_everything_that_is_known(wiring: Wiring, capsys):
    def unsure(asking: Asking, check: CheckText) -> Answer:
        return Answer(Outcome.TOO_LONG) if "Fidelio" in check.text else said(Verdict.MEETS)

    judge = ScriptedJudge(unsure, sees_images=True, facts={"prompt": "judge-9"})
    found = replace(check_judge(scripted(wiring, judge), "smollm2"), deviation=0.043)
    print_table(figures(found))
    print_table(facts(replace(found, tokens_per_second=330.4)))
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for told in (
        "right and wrong picture 4 8 50 %",
        "baseline keyword 49 % on the same texts; worse than keyword",
        "no verdict too long 1 %",
        "picture not used",
        "330 tokens a second",
        "sharing moves probabilities by 0.043 at most",
        f"ruler {judge.ruler().digest[:12]}, prompt judge-9",
    ):
        assert told in lines
