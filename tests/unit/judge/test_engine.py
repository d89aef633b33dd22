"""The engine over a binding of ours, whose logits are a hash of everything in its memory: what it forgets shows."""

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_local.engine import Aborted, Engine, EngineFailure, PathMemory, Tokens, chunks_of
from judge_local.port import Asking, JudgeUnavailable
from judge_local.prompt import PromptBuilder
from judge_local.prompts.templates import KNOWN
from models.rubric.checklist import CheckText, Kind
from models.verdicts import Outcome

VOCABULARY = 300


class WordBinding:
    """One token per byte. `cuts` False: memory like a recurrent model's, that cannot be cut."""

    def __init__(self, context: int = 100_000, batch: int = 64, cuts: bool = True, restores: bool = True) -> None:
        self.context, self.batch = context, batch
        self.cuts, self.restores = cuts, restores
        self.chunks: list[Tokens] = []
        self.evaluations = 0
        self.fail_at: dict[int, Exception] = {}

    def tokenize(self, text: str, special: bool) -> Tokens:
        return tuple(text.replace("Answer: ", "Answer:").encode("utf-8", "replace"))

    def evaluate(self, tokens: Sequence[int], start: int, want_logits: bool) -> None:
        self.evaluations += 1
        assert 0 < len(tokens) <= self.batch
        assert start == sum(map(len, self.chunks)), "a gap or an overlap in memory"
        if failure := self.fail_at.pop(self.evaluations, None):
            raise failure
        self.chunks.append(tuple(tokens))
        self.wanted = want_logits

    def logits(self) -> np.ndarray:
        assert self.wanted
        seed = hashlib.sha256(repr(self.chunks).encode()).digest()
        return np.random.default_rng(list(seed)).normal(size=VOCABULARY).astype(np.float32)

    def cut(self, length: int) -> bool:
        if not self.cuts:
            return False
        while sum(map(len, self.chunks)) > length:
            self.chunks.pop()
        return sum(map(len, self.chunks)) == length

    def clear(self) -> None:
        self.chunks.clear()

    def save(self) -> bytes:
        return repr(self.chunks).encode()

    def restore(self, state: bytes) -> bool:
        self.chunks = list(eval(state)) if self.restores else []  # our own repr, back
        return self.restores


BUILDER = PromptBuilder(KNOWN["ChatML"][1], 0)
CHECKS = tuple(CheckText(Kind.PRESENCE, f"States: fact {i}") for i in range(6))


def asking(response: str = "It is a flat white.", checks: tuple[CheckText, ...] = CHECKS) -> Asking:
    return Asking("What is it?", response, checks)


def engine(binding: WordBinding, **how: bool | int) -> Engine:
    return Engine(binding, BUILDER, **how)  # type: ignore[arg-type]


nodes = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=30).map(tuple), min_size=1, max_size=5)


@given(nodes, st.integers(3, 12))
def test_chunks_hold_all_tokens_in_order_and_none_alone(path: list[Tokens], batch: int) -> None:
    chunks = chunks_of(path, batch)
    assert [t for chunk in chunks for t in chunk] == [t for node in path for t in node]
    assert all(len(chunk) <= batch for chunk in chunks)
    alone = [i for i, chunk in enumerate(chunks) if len(chunk) == 1]
    assert alone in ([], [len(chunks) - 1])
    assert not alone or len(path[-1]) == 1


@given(nodes, nodes, st.integers(3, 12))
def test_chunks_above_a_node_do_not_depend_on_it(above: list[Tokens], below: list[Tokens], batch: int) -> None:
    long_enough = [*above, (1, 2)]
    shared = chunks_of(long_enough, batch)
    assert chunks_of([*long_enough, *below], batch)[: len(shared)] == shared


def test_a_node_of_one_token_joins_its_child() -> None:
    assert chunks_of([(1, 2), (3,), (4, 5)], 8) == [(1, 2), (3, 4, 5)]


@pytest.mark.parametrize("cuts", [True, False])
@pytest.mark.parametrize("restores", [True, False])
@given(st.lists(nodes, min_size=1, max_size=6))
def test_whatever_was_held_before_a_path_reads_as_on_empty_memory(
    cuts: bool, restores: bool, paths: list[list[Tokens]]
) -> None:
    memory = PathMemory(WordBinding(batch=8, cuts=cuts, restores=restores))
    for path in paths:
        fresh = PathMemory(WordBinding(batch=8)).logits_after(path)
        assert np.array_equal(memory.logits_after(path), fresh)


@pytest.mark.parametrize("orders", [1, 3])
@pytest.mark.parametrize("prior", [True, False])
def test_tokens_evaluated_equal_the_size_of_the_tree(prior: bool, orders: int) -> None:
    binding = WordBinding(batch=10_000)
    judge = engine(binding, prior=prior, orders=orders)
    askings = [asking("one response"), asking("another response"), asking("one response")]
    for each in askings:
        assert [index for index, _ in judge.judge(each, range(6))] == list(range(6))
    tree: dict[tuple[str, ...], int] = {}
    stems = [BUILDER.stem(askings[0]), BUILDER.stem(askings[1])] + ([BUILDER.prior_stem(askings[0])] if prior else [])
    for number, stem in enumerate([*stems, BUILDER.stem(askings[2])]):
        third = number == len(stems)  # the same response again, after another: its own branch is walked again
        for check in CHECKS:
            for turn in range(orders):
                path = [node.text for node in (*stem, BUILDER.check(check, turn))]
                for depth in range(1, 5):
                    again = "again" if third and depth > 2 else ""
                    tree[(again, *path[:depth])] = len(binding.tokenize(path[depth - 1], True))
    assert judge.evaluated == sum(tree.values())


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
