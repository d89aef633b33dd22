"""A judge that really sees, through real llama.cpp: the tiny pair in tests/vision_pair (its card says how good it is).

What the tests ask of it, it gives right more than 95 times in 100; these are the app's own prompts and engine.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from judge_local.llama.messages import LocalSettings
from judge_local.local import LocalJudge
from judge_local.port import Answer, Asking, Picture
from models.verdicts import Outcome, Verdict
from tools.vision_pair.items import ASKED, PICTURE_CHECKS, Item, items
from tools.vision_pair.pictures import COLOURS, SIDE, Scene, as_picture, draw, grey_picture, picture

FOLDER = Path(__file__).parents[1] / "vision_pair"
MODEL, PROJECTOR = FOLDER / "tiny-vision.f16.gguf", FOLDER / "mmproj-tiny-vision.f16.gguf"
SEED = 515_151  # of the items: none that training drew
Shown = Callable[[Item], tuple[Picture, ...]]
OWN: Shown = lambda item: item.asking().pictures  # noqa: E731
EACH = 40


@pytest.fixture(scope="module")
def judge() -> Iterator[LocalJudge]:
    made = LocalJudge("file:tiny", LocalSettings(MODEL, PROJECTOR, threads=2, context=2048, seed=11))
    yield made
    made.close()


def one(judge: LocalJudge, asked: Asking) -> Answer:
    return dict(judge.judge(asked, lambda: False))[0]


def share_right(judge: LocalJudge, drawn: Sequence[Item], shown: Shown = OWN) -> float:
    """How many of 100 answers are right, of these items with the pictures that `shown` gives them."""
    answers = [one(judge, replace(item.asking(), pictures=shown(item))) for item in drawn]
    assert all(answer.outcome in (Outcome.VERDICT, Outcome.ABSTAINED) for answer in answers)
    return float(np.mean([answer.verdict is item.verdict for answer, item in zip(answers, drawn, strict=True)]))


def needing(abouts: Sequence[str], each: int = EACH) -> list[Item]:
    """Items whose verdict only the picture decides: meets or contradicts."""
    drawn = [item for about in abouts for item in items(SEED, 3 * each, about)]
    return [item for item in drawn if item.verdict is not Verdict.MISSING][: each * len(abouts)]


@pytest.mark.parametrize("about", ASKED)
def test_held_out_items_of_each_kind_are_right(judge: LocalJudge, about: str) -> None:
    assert share_right(judge, list(items(SEED, 2 * EACH, about))) > 0.95


def test_the_verdict_flips_when_the_picture_changes(judge: LocalJudge) -> None:
    from models.rubric.checklist import CheckText, Kind

    check = CheckText(Kind.PRESENCE, PICTURE_CHECKS["colour"])
    right = wrong = 0
    for claimed in COLOURS:
        for shown in COLOURS:
            seen = picture(Scene(shown, "square", 1, "left", seed=9))
            got = one(
                judge, Asking("What does the picture show?", f"The colour is {claimed}.", (check,), pictures=(seen,))
            )
            expected = Verdict.MEETS if claimed == shown else Verdict.CONTRADICTS
            right += got.verdict is expected
            wrong += got.verdict is not expected
    assert right / (right + wrong) > 0.95


def test_without_the_picture_it_falls_to_what_words_alone_tell(judge: LocalJudge) -> None:
    """Blind control: on checks that need the picture, none or a grey one leaves a coin's toss."""
    drawn = needing([about for about in ASKED if about in PICTURE_CHECKS], 15)
    assert share_right(judge, drawn) > 0.95
    for shown in (lambda item: (), lambda item: tuple(grey_picture() for _ in item.scenes)):
        assert 0.25 < share_right(judge, drawn, shown) < 0.7


def test_a_wrong_channel_order_is_caught(judge: LocalJudge) -> None:
    def red_for_blue(item: Item) -> tuple[Picture, ...]:
        return tuple(as_picture(draw(scene)[..., ::-1]) for scene in item.scenes)

    drawn = needing(("colour", "first picture", "second picture"))
    assert share_right(judge, drawn) > 0.95
    assert share_right(judge, drawn, red_for_blue) < 0.85


def test_a_wrong_normalisation_is_caught(judge: LocalJudge, tmp_path: Path) -> None:
    """The same weights with another mean and deviation in the projector's header."""
    import gguf

    wrong = tmp_path / "wrong.gguf"
    wrong.write_bytes(PROJECTOR.read_bytes())
    reader = gguf.GGUFReader(wrong, "r+")
    for key, values in (("clip.vision.image_mean", (0.0, 0.0, 0.0)), ("clip.vision.image_std", (1.0, 1.0, 1.0))):
        field = reader.fields[key]
        for place, value in zip(field.data, values, strict=True):
            field.parts[place][0] = value
    reader.data.flush()
    other = LocalJudge("file:wrong", LocalSettings(MODEL, wrong, threads=2, context=2048, seed=11))
    drawn = needing(("colour", "shape"))
    assert share_right(judge, drawn) > 0.95
    assert share_right(other, drawn) < 0.85
    other.close()


def test_a_wrong_order_of_patches_is_caught(judge: LocalJudge) -> None:
    """The picture's patches in another order: colours stay, places do not."""

    def columns_for_rows(item: Item) -> tuple[Picture, ...]:
        return tuple(as_picture(draw(scene).transpose(1, 0, 2)) for scene in item.scenes)

    drawn = needing(("position",))
    assert share_right(judge, drawn) > 0.95
    assert share_right(judge, drawn, columns_for_rows) < 0.7


def test_two_pictures_are_told_apart_by_their_order(judge: LocalJudge) -> None:
    drawn = [item for item in needing(("first picture", "second picture")) if _colours_differ(item)]
    assert share_right(judge, drawn) > 0.95
    assert share_right(judge, drawn, lambda item: tuple(reversed(OWN(item)))) < 0.7


def _colours_differ(item: Item) -> bool:
    return len({scene.colour for scene in item.scenes}) == 2


def test_pictures_of_another_size_are_fitted_and_seen(judge: LocalJudge) -> None:
    drawn = needing(("colour",))
    for side in (2 * SIDE, 5 * SIDE + 3):
        assert share_right(judge, drawn, lambda item, side=side: item.asking(side).pictures) > 0.9


def test_colours_and_shapes_were_learnt_apart(judge: LocalJudge) -> None:
    """Combinations that training never showed."""
    drawn = [item for about in ("colour", "position") for item in items(SEED, EACH, about, held_out=True)]
    assert all(scene.held_out for item in drawn for scene in item.scenes)
    assert share_right(judge, drawn) > 0.95


def test_a_question_costs_its_picture_once_for_all_its_responses(judge: LocalJudge) -> None:
    """Tokens evaluated: the second response costs itself and its checks alone."""
    first, second = (replace(item.asking(), question="What is in the picture?") for item in items(SEED, 2, "colour"))
    checks = first.checks
    shown = picture(Scene("blue", "circle", 1, "top", seed=123))
    before = judge.evaluated
    dict(judge.judge(replace(first, pictures=(shown,), checks=checks), lambda: False))
    whole = judge.evaluated - before
    dict(judge.judge(replace(second, pictures=(shown,), checks=checks), lambda: False))
    more = judge.evaluated - before - whole
    assert more < whole - 64
