"""What a model is given of this machine, what gives way when it does not fit, and that it all says so."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from judge_local.llama.binding import Binding, LoadOptions
from judge_local.llama.machine import MOST_THREADS, default_threads, threads_remark
from judge_local.llama.messages import LocalSettings
from judge_local.llama.modelfile import ModelFileError
from judge_local.local import LocalJudge
from models.verdicts import Outcome
from tests.judge.askings import CHECKS, asking
from tests.judge.random_models import write_pair

CELL = 30 * 3 * 64 * 2 * 2  # SmolLM2-135M: layers, key-value heads, head size, keys and values, bytes of f16


def test_threads_are_chosen_with_a_reason() -> None:
    assert 1 <= default_threads() <= MOST_THREADS
    assert threads_remark(2, True).sentence == "2 threads: as many as this process has cores."
    assert threads_remark(8, True).sentence == "8 threads: more would wait for memory."
    assert threads_remark(1, False).sentence == "1 thread, as set."
    assert not threads_remark(1, True).lasting


def test_a_judge_says_how_it_runs_and_the_ruler_has_it(model_path: Path) -> None:
    judge = LocalJudge("smollm2", LocalSettings(model_path, context=1024))
    assert judge.remarks() == ()
    facts = dict(judge.ruler().facts)
    told = [remark.sentence for remark in judge.remarks()]
    assert told[0].startswith(f"{default_threads()} thread")
    assert told[1].startswith("On the processor")
    assert not any(remark.lasting for remark in judge.remarks())
    assert (facts["threads"], facts["devices"], facts["gpu_layers"]) == (default_threads(), ("cpu",), 0)
    judge.close()


def test_a_context_that_does_not_fit_free_memory_gives_way_and_says_so(model_path: Path) -> None:
    binding = Binding(LoadOptions(model_path, threads=1, context=8192, memory=3000 * CELL))
    assert binding.context == 2048
    (lasting,) = [remark for remark in binding.remarks if remark.lasting]
    assert lasting.sentence == (
        "A context of 8,192 tokens (0.2 GB) does not fit this computer's free memory: it holds 2,048."
        " A response longer than that is left out and named."
    )
    binding.close()


IN_LITTLE_MEMORY = """
import resource, sys
from judge_local.llama.worker import wait_passively
wait_passively()
from pathlib import Path
from judge_local.llama.binding import Binding, LoadOptions
import psutil
resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + 900_000_000, -1))
binding = Binding(LoadOptions(Path(sys.argv[1]), threads=1, context=65536, sequences=1))
print(binding.context, [r.sentence for r in binding.remarks if r.lasting])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is Linux's")
def test_memory_that_is_refused_by_the_system_gives_way_too(model_path: Path) -> None:
    """llama.cpp itself fails to allocate here: 65,536 tokens take 1.5 GB, and 0.9 are to be had."""
    done = subprocess.run(
        [sys.executable, "-c", IN_LITTLE_MEMORY, str(model_path)], capture_output=True, text=True, timeout=120
    )
    context, told = done.stdout.split(" ", 1)
    assert 2048 <= int(context) < 65536
    assert "A context of 65,536 tokens (1.5 GB) does not fit this computer's free memory" in told


def test_a_context_that_cannot_be_had_at_all_is_a_sentence(model_path: Path) -> None:
    settings = LocalSettings(model_path, gpu_layers=4)
    judge = LocalJudge("smollm2", settings)
    with pytest.raises(ModelFileError, match="has no support for one") as caught:
        Binding(LoadOptions(model_path, threads=1, gpu_layers=4))
    assert caught.value.next_step.startswith("Set the layers to 0")
    judge.close()


def test_unloading_frees_everything(model_path: Path, tmp_path: Path) -> None:
    judge = LocalJudge("smollm2", LocalSettings(model_path, context=1024, sequences=1, spill=tmp_path / "spill"))
    list(judge.judge(asking(), lambda: False))
    list(judge.judge(asking("Another answer."), lambda: False))
    assert judge.worker_pid is not None
    child = psutil.Process(judge.worker_pid)
    assert list((tmp_path / "spill").iterdir()), "the first response's branch is kept, and waits on disk"
    judge.close()
    assert not child.is_running()
    assert list((tmp_path / "spill").iterdir()) == [], "what was spilled held somebody's text"


def test_the_same_seed_gives_the_same_bits_in_three_processes(model_path: Path) -> None:
    told = []
    for _ in range(3):
        judge = LocalJudge("smollm2", LocalSettings(model_path, context=1024, seed=5, prior=True))
        told.append((judge.ruler(), dict(judge.judge(asking(checks=CHECKS[:3]), lambda: False))))
        judge.close()
    assert told[0] == told[1] == told[2]


def test_the_same_pair_and_picture_give_the_same_bits_in_three_processes(tmp_path: Path) -> None:
    from tests.judge.test_vision_binding import A
    from tests.judge.test_vision_binding import asking as shown

    model, projector = write_pair(tmp_path)
    told = []
    for _ in range(3):
        judge = LocalJudge("file:x", LocalSettings(model, projector, context=8192))
        assert judge.sees_images
        told.append((judge.ruler(), dict(judge.judge(shown(A), lambda: False))))
        judge.close()
    assert told[0] == told[1] == told[2]
    facts = dict(told[0][0].facts)
    assert facts["sight"] == "picture"
    assert len(facts["projector_sha256"]) == 64


def test_how_far_sharing_moves_answers_is_measured_in_the_judge_process(model_path: Path) -> None:
    """Q8_0 weights on a processor: not at all. The judge goes on as before."""
    judge = LocalJudge("smollm2", LocalSettings(model_path, context=1024))
    before = dict(judge.judge(asking(checks=CHECKS[:2]), lambda: False))
    assert judge.deviation(asking(checks=CHECKS[:2])) == 0.0
    assert dict(judge.judge(asking(checks=CHECKS[:2]), lambda: False)) == before
    assert judge.evaluated > 0
    judge.close()


def test_sight_is_a_setting_and_part_of_the_ruler(tmp_path: Path) -> None:
    model, projector = write_pair(tmp_path)
    seeing = LocalJudge("file:x", LocalSettings(model, projector, context=1024))
    blind = LocalJudge("file:x", LocalSettings(model, projector, context=1024, sight=False))
    assert (seeing.sees_images, blind.sees_images) == (True, False)
    assert seeing.ruler().differences(blind.ruler()) == ["image_preprocessing", "projector_sha256", "sight"]
    seeing.close()
    blind.close()


def test_a_response_that_is_too_long_is_named_with_numbers_and_choices(model_path: Path) -> None:
    judge = LocalJudge("smollm2", LocalSettings(model_path, context=1024))
    got = dict(judge.judge(asking("milk " * 3000), lambda: False))
    judge.close()
    assert {answer.outcome for answer in got.values()} == {Outcome.TOO_LONG}
    note = got[0].note or ""
    assert note.startswith(
        "This response is 3,001 tokens; the judge's context holds 1,024. The whole prompt would be 3,"
    )
    assert note.endswith(" or more, or another judge.")
    assert "Nothing was cut off; set a context of 3," in note


def test_no_context_of_this_model_would_do_either(model_path: Path) -> None:
    judge = LocalJudge("smollm2", LocalSettings(model_path, context=1024))
    got = dict(judge.judge(asking("milk " * 9000), lambda: False))
    judge.close()
    assert (got[0].note or "").endswith(
        "this model reads 8,192 at most: take one with a longer context, or another judge."
    )
