"""The engine over a binding of ours, whose logits are a hash of everything in its memory: what it forgets shows."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_local.engine import Aborted, Engine, EngineFailure
from judge_local.manner import Manner
from judge_local.parking import Parking
from judge_local.port import Asking, JudgeUnavailable, Picture
from judge_local.prompt import Node, PromptBuilder
from judge_local.prompts.templates import KNOWN
from judge_local.tree import Piece, Pieces, Tokens, tokens_in
from models.rubric.checklist import CheckText, Kind
from models.verdicts import Outcome, Variant
from tests.unit.judge.word_binding import WordBinding

BUILDER = PromptBuilder(KNOWN["ChatML"][1], 0)
CHECKS = tuple(CheckText(Kind.PRESENCE, f"States: fact {i}") for i in range(6))


def asking(response: str = "It is a flat white.", checks: tuple[CheckText, ...] = CHECKS) -> Asking:
    return Asking("What is it?", response, checks)


PARKING = Parking()


@pytest.fixture(autouse=True, scope="module")
def parking():
    yield PARKING
    PARKING.close()


def engine(binding: WordBinding, **how) -> Engine:
    return Engine(binding, BUILDER, Manner(**{"prior": True, **how}), PARKING)


SEEN = tuple(Picture(name * 64, 1, 1, b"123") for name in "ab")
ASKINGS = (
    asking("one response"),
    asking("another response"),
    Asking("Which is it?", "one response", CHECKS),
    Asking("What is it?", "one response", CHECKS, Variant.IMAGE, SEEN[:1]),
    Asking("What is it?", "another response", CHECKS, Variant.IMAGE, SEEN[:1]),
    Asking("What is it?", "one response", CHECKS, Variant.IMAGE, SEEN),
    Asking("What is it?", "one response", CHECKS, Variant.IMAGE, SEEN[::-1]),
)


def pieces_of(binding: WordBinding, node: Node) -> Pieces:
    """A node's words in one piece, but around a picture."""
    if any(isinstance(part, Picture) for part in node.parts):
        return binding.pieces([part if isinstance(part, Picture) else (part.text, True) for part in node.parts])
    return (binding.tokenize(node.text, True),)


def tree_size(work: list[tuple[int, list[int]]], prior: bool, orders: int) -> int:
    """Tokens of all different nodes on the paths of that work."""
    binding = WordBinding()
    tree: dict[tuple[Piece, ...], int] = {}
    for number, wanted in work:
        stems = [BUILDER.stem(ASKINGS[number])] + [BUILDER.prior_stem(ASKINGS[number])] * prior
        for stem in stems:
            for index in wanted:
                for turn in range(orders):
                    path = [*stem, BUILDER.check(CHECKS[index], turn)]
                    pieces = [piece for node in path for piece in pieces_of(binding, node)]
                    for depth, piece in enumerate(pieces, 1):
                        tree[tuple(pieces[:depth])] = tokens_in([piece])
    return sum(tree.values())


work = st.lists(
    st.tuples(
        st.integers(0, len(ASKINGS) - 1),
        st.lists(st.integers(0, 5), min_size=1, max_size=6, unique=True),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda each: each[0],
)


@settings(max_examples=12, deadline=None)
@given(work, st.booleans(), st.integers(1, 3), st.integers(1, 3), st.booleans())
def test_tokens_evaluated_equal_the_size_of_the_tree_in_any_order(work, prior, orders, sequences, cuts) -> None:
    judge = engine(WordBinding(batch=10_000, sequences=sequences, cuts=cuts), prior=prior, orders=orders)
    for number, wanted in work:
        assert [index for index, _ in judge.judge(ASKINGS[number], wanted)] == wanted
    assert judge.evaluated == tree_size(work, prior, orders)


@settings(max_examples=12, deadline=None)
@given(st.permutations([(number, index) for number in range(len(ASKINGS)) for index in (0, 3)]), st.booleans())
def test_checks_asked_one_by_one_in_any_order_cost_the_tree_and_answer_the_same(order, cuts) -> None:
    judge = engine(WordBinding(batch=10_000, sequences=1, cuts=cuts))
    for number, index in order:
        got = dict(judge.judge(ASKINGS[number], [index]))
        assert got == dict(engine(WordBinding(batch=10_000)).judge(ASKINGS[number], [index]))
    assert judge.evaluated == tree_size([(number, [0, 3]) for number in range(len(ASKINGS))], True, 1)


def test_a_run_in_the_plans_order_spills_nothing(parking: Parking) -> None:
    """Each asking says what the next shares, so that nothing is kept for nobody."""
    judge = engine(WordBinding(batch=10_000, sequences=1), prior=True)
    before = parking.size
    for number, later in ((0, 1), (1, 0), (2, 0), (3, 2), (4, 1), (5, 0), (6, 0)):
        list(judge.judge(replace(ASKINGS[number], later=later), range(6)))
        assert parking.size == before
    assert judge.evaluated == tree_size([(number, list(range(6))) for number in range(len(ASKINGS))], True, 1)


def test_priors_are_asked_once_per_question() -> None:
    binding = WordBinding(batch=10_000)
    judge = engine(binding)
    list(judge.judge(asking("one"), range(6)))
    before = binding.evaluations
    list(judge.judge(asking("another one"), range(6)))
    assert binding.evaluations - before == 1 + 6, "the response, and each check under it; no prior again"


def test_memory_that_cannot_be_cut_costs_time_and_changes_nothing() -> None:
    plain = dict(engine(WordBinding()).judge(asking(), range(6)))
    for restores in (True, False):
        uncut = engine(WordBinding(cuts=False, restores=restores))
        assert dict(uncut.judge(asking(), range(6))) == plain
    saving = engine(WordBinding(cuts=False))
    list(saving.judge(asking(), range(6)))
    starting_over = engine(WordBinding(cuts=False, restores=False))
    list(starting_over.judge(asking(), range(6)))
    assert saving.evaluated < starting_over.evaluated / 2


def test_a_prompt_that_does_not_fit_is_too_long_with_its_numbers_and_never_cut() -> None:
    binding = WordBinding(context=4000)
    got = dict(engine(binding).judge(asking("x" * 281_033), [0, 1]))
    assert {a.outcome for a in got.values()} == {Outcome.TOO_LONG}
    note = got[0].note or ""
    assert note.startswith(
        "This response is 281,033 tokens; the judge's context holds 4,000. The whole prompt would be"
    )
    assert binding.evaluations == 0


def test_a_check_too_long_leaves_the_others_alone() -> None:
    checks = (CHECKS[0], CheckText(Kind.PRESENCE, "y" * 5000), CHECKS[1])
    got = dict(engine(WordBinding(context=4000)).judge(asking(checks=checks), range(3)))
    assert [got[i].outcome is Outcome.TOO_LONG for i in range(3)] == [False, True, False]
    assert (got[1].note or "").startswith("This check is 5,000 tokens")


def test_a_failed_evaluation_is_a_failed_check_and_the_next_are_right() -> None:
    plain = dict(engine(WordBinding()).judge(asking(), range(6)))
    count = WordBinding()
    list(engine(count).judge(asking(), range(6)))
    for at in range(1, count.evaluations + 1):
        binding = WordBinding()
        binding.fail_at[at] = EngineFailure("llama.cpp could not evaluate 7 tokens at 9 (code 1).")
        got = dict(engine(binding).judge(asking(), range(6)))
        failed = [i for i, a in got.items() if a.outcome is Outcome.FAILED]
        assert len(failed) == 1
        assert got[failed[0]].note == "llama.cpp could not evaluate 7 tokens at 9 (code 1)."
        assert {i: a for i, a in got.items() if i not in failed} == {i: a for i, a in plain.items() if i not in failed}


def test_after_an_abort_the_engine_reads_as_if_new() -> None:
    binding = WordBinding()
    judge = engine(binding)
    binding.fail_at[9] = Aborted()
    with pytest.raises(Aborted):
        list(judge.judge(asking(), range(6)))
    assert dict(judge.judge(asking(), range(6))) == dict(engine(WordBinding()).judge(asking(), range(6)))


def test_started_names_the_check_before_its_tokens_are_evaluated() -> None:
    binding = WordBinding()
    heard: list[tuple[int, int]] = []
    list(engine(binding).judge(asking(), [4, 2], lambda index: heard.append((index, binding.evaluations))))
    assert [index for index, _ in heard] == [4, 2, 4, 2], "priors first, then the checks"
    assert heard[0][1] == 0


def test_letters_that_are_not_single_tokens_are_said_at_once() -> None:
    class TwoTokenLetters(WordBinding):
        def tokenize(self, text: str, special: bool) -> Tokens:
            return tuple(text.encode("utf-8", "replace"))

    with pytest.raises(JudgeUnavailable, match="no single token for the answer 'A'"):
        engine(TwoTokenLetters())
