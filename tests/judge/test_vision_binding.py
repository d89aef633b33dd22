"""Pictures through real llama.cpp: a random pair shows how it works, whatever it says."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from judge_local.engine import Engine
from judge_local.llama.binding import Binding, LoadOptions
from judge_local.llama.modelfile import ModelFileError
from judge_local.manner import Manner
from judge_local.parking import Parking
from judge_local.port import Asking, Picture
from judge_local.prompt import PromptBuilder
from judge_local.prompts.templates import KNOWN
from judge_local.tree import EngineFailure, Seen, chunks_of, tokens_in
from models.verdicts import Outcome, Variant
from tests.judge.askings import CHECKS
from tests.judge.random_models import EYE, random_tensors, write_mamba, write_pair
from tools.vision_pair.gguf_writer import VisionConfig, projector_shapes, write_projector

BUILDER = PromptBuilder(KNOWN["ChatML"][1], seed=3)
SOME = CHECKS[:3]


def picture(name: str, side: int = 32) -> Picture:
    rng = np.random.default_rng(ord(name))
    return Picture(name * 64, side, side, rng.integers(0, 256, side * side * 3, dtype=np.uint8).tobytes())


A, B = picture("a"), picture("b", 80)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write_pair(tmp_path_factory.mktemp("pair"))


@pytest.fixture(scope="module", params=[1, 2])
def seeing(request: pytest.FixtureRequest, pair: tuple[Path, Path]) -> Iterator[Binding]:
    made = Binding(LoadOptions(pair[0], threads=2, context=8192, projector=pair[1], sequences=request.param))
    yield made
    made.close()


def asking(*pictures: Picture, response: str = "Coffee.", question: str = "What is it?") -> Asking:
    return Asking(question, response, SOME, Variant.IMAGE, pictures)


def engine(binding: Binding, **how) -> Engine:
    binding.clear()
    return Engine(binding, BUILDER, Manner(**how), Parking())


def alone(binding: Binding, asked: Asking, index: int) -> tuple[float, ...]:
    """Logits of the same path on empty memory, chunk by chunk, without the engine or its tree."""
    judge = engine(binding)
    path = [judge._pieces(node) for node in (*BUILDER.stem(asked), BUILDER.check(asked.checks[index]))]
    binding.clear()
    at = 0
    chunks = chunks_of(path, binding.batch)
    for chunk in chunks:
        binding.evaluate(chunk, at, want_logits=chunk is chunks[-1])
        at += chunk.positions if isinstance(chunk, Seen) else len(chunk)
    judge.close()
    return tuple(binding.logits())


def test_a_picture_becomes_its_tokens_between_our_words(seeing: Binding) -> None:
    before, shown, after = seeing.pieces([("Picture 1:\n", True), A, ("\n\n", True)])
    assert before == seeing.tokenize("Picture 1:\n", True)
    assert after == seeing.tokenize("\n\n", True)
    assert isinstance(shown, Seen)
    assert shown.tokens == shown.positions == EYE.tokens


def test_words_around_a_picture_are_never_looked_through_for_a_marker(seeing: Binding) -> None:
    pieces = seeing.pieces([("<__media__>", False), A, ("<__media__>", True)])
    assert sum(isinstance(piece, Seen) for piece in pieces) == 1


def test_pictures_and_questions_are_computed_once_for_all_responses(seeing: Binding) -> None:
    """Every node of the tree once: the picture encoded once, the question and each response evaluated once."""
    judge = engine(seeing)
    vision = seeing._vision
    assert vision is not None
    encoded = vision.encoded
    askings = [asking(A, response=text) for text in ("one", "two", "three")]
    askings += [asking(A, B), asking(A, B, response="two"), asking(B, A)]
    for asked in askings:
        list(judge.judge(asked, range(len(SOME))))
    tree = {}
    for asked in askings:
        for check in SOME:
            path = [judge._pieces(node) for node in (*BUILDER.stem(asked), BUILDER.check(check))]
            chunks = chunks_of(path, seeing.batch)
            tree.update({tuple(chunks[: depth + 1]): tokens_in([chunk]) for depth, chunk in enumerate(chunks)})
    assert judge.evaluated == sum(tree.values())
    assert vision.encoded - encoded <= 2
    judge.close()


def test_a_picture_is_encoded_once_per_question_and_shared_by_questions(pair: tuple[Path, Path]) -> None:
    fresh = Binding(LoadOptions(pair[0], threads=2, context=8192, projector=pair[1]))
    judge = engine(fresh)
    vision = fresh._vision
    assert vision is not None
    probe = vision.encoded
    for question in ("What is it?", "How is it made?"):
        for response in ("one", "two"):
            list(judge.judge(asking(A, question=question, response=response), range(3)))
    assert vision.encoded - probe == 1
    judge.close()
    fresh.close()


def test_any_order_gives_the_bits_of_the_path_alone(seeing: Binding) -> None:
    """f16 weights: the same chunks on shared and on empty memory, branches copied or spilled, pictures among them."""
    askings = [asking(A), asking(A, B), asking(B, A), asking(A, response="Tea."), asking()]
    expected = [alone(seeing, asked, 1) for asked in askings]
    judge = engine(seeing)
    for _ in range(2):
        for number in (0, 1, 2, 3, 4, 1, 0):
            asked = askings[number]
            stem = [judge._pieces(node) for node in BUILDER.stem(asked)]
            got = judge._memory.logits_after(stem, judge._pieces(BUILDER.check(asked.checks[1])))
            assert tuple(got) == expected[number]
    judge.close()


def test_what_is_seen_and_in_which_order_moves_the_numbers(seeing: Binding) -> None:
    readings = {alone(seeing, asked, 0) for asked in (asking(A), asking(B), asking(A, B), asking(B, A), asking())}
    assert len(readings) == 5


def test_many_pictures_in_a_small_store_are_encoded_again_and_nothing_fails(seeing: Binding, monkeypatch) -> None:
    from judge_local.llama import vision

    monkeypatch.setattr(vision, "_KEPT_BYTES", 1)
    judge = engine(seeing)
    first = dict(judge.judge(asking(A, B), [0, 1]))
    for _ in range(2):
        assert dict(judge.judge(asking(B, A), [0]))[0].outcome is not Outcome.FAILED
        assert dict(judge.judge(asking(A, B), [0, 1])) == first
    judge.close()


# What does not fit together ------------------------------------------------------------------------------------------


def refusal(model: Path, projector: Path) -> str:
    with pytest.raises(ModelFileError) as caught:
        Binding(LoadOptions(model, threads=1, context=512, projector=projector))
    assert caught.value.next_step
    return caught.value.sentence


def test_a_model_without_projector_says_so_when_shown_a_picture(pair: tuple[Path, Path]) -> None:
    blind = Binding(LoadOptions(pair[0], threads=1, context=512))
    with pytest.raises(EngineFailure, match="no projector, so it cannot be shown a picture"):
        blind.pieces([A])
    blind.close()


def test_a_projector_of_another_model_is_named_with_both_numbers(pair: tuple[Path, Path], tmp_path: Path) -> None:
    other = VisionConfig("other", 32, 2, 2, 64, 32, 8, text_width=96, mean=EYE.mean, std=EYE.std)
    _, projector = write_pair(tmp_path, other)
    assert refusal(pair[0], projector) == (
        "mmproj-random.gguf does not belong to random.gguf: it makes vectors of 96 numbers, and the model reads 64."
    )


def test_a_projector_that_lacks_tensors_never_reaches_llama_cpp(pair: tuple[Path, Path], tmp_path: Path) -> None:
    """llama.cpp would crash on it, or ignore that a bias is missing."""
    import gguf

    tensors = random_tensors(projector_shapes(EYE), 1)
    for missing in ("v.position_embd.weight", "mm.2.weight", "v.blk.1.ln2.bias"):
        path = tmp_path / "lacking.gguf"
        write_projector(tmp_path / "whole.gguf", EYE, tensors)
        whole = gguf.GGUFReader(tmp_path / "whole.gguf")
        writer = gguf.GGUFWriter(path, "clip")
        for field in whole.fields.values():
            if field.name.startswith("clip.") and field.types[0] is not gguf.GGUFValueType.ARRAY:
                writer.add_key_value(field.name, field.contents(), field.types[0])
        for tensor in whole.tensors:
            if tensor.name != missing:
                writer.add_tensor(tensor.name, np.array(tensor.data))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        assert refusal(pair[0], path) == f"lacking.gguf is incomplete: 1 of its tensors are missing, {missing} for one."


def test_files_given_the_wrong_way_round_are_told_apart(pair: tuple[Path, Path]) -> None:
    model, projector = pair
    assert refusal(model, model) == "random.gguf is no projector: it is a model of the kind 'llama'."
    assert refusal(projector, model) == (
        "mmproj-random.gguf is a projector, which shows pictures to a model, and not a model itself."
    )


def test_a_projector_that_is_cut_off_is_refused(pair: tuple[Path, Path], tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(pair[1].read_bytes()[:900])
    assert refusal(pair[0], cut) == "cut.gguf is damaged: it ends within its header."
    short = tmp_path / "short.gguf"
    short.write_bytes(pair[1].read_bytes()[:-5000])
    assert refusal(pair[0], short).startswith("The projector short.gguf could not be loaded beside this model: ")


# Memory that cannot be cut -------------------------------------------------------------------------------------------


def test_a_recurrent_model_shares_through_saved_states(tmp_path: Path) -> None:
    """Which way a model takes is found out after loading; the bits and the count of tokens are the same either way."""
    binding = Binding(LoadOptions(write_mamba(tmp_path / "mamba.gguf"), threads=2, context=8192))
    assert not binding.cuts
    askings = [Asking(f"What is it? {n % 3}", text, SOME, Variant.TEXT) for n, text in enumerate(("one", "two") * 2)]
    expected = []
    for asked in askings:
        fresh = engine(binding, prior=True)
        expected.append(dict(fresh.judge(asked, range(3))))
        fresh.close()
    judge = engine(binding, prior=True)
    tree = {}
    for asked, answers in zip(askings, expected, strict=True):
        assert dict(judge.judge(asked, range(3))) == answers
        for stem in (BUILDER.stem(asked), BUILDER.prior_stem(asked)):
            for check in SOME:
                path = [judge._pieces(node) for node in (*stem, BUILDER.check(check))]
                chunks = chunks_of(path, binding.batch)
                tree.update({tuple(chunks[: depth + 1]): tokens_in([chunk]) for depth, chunk in enumerate(chunks)})
    assert judge.evaluated == sum(tree.values())
    judge.close()
    binding.close()
