"""A verdict is a function of its own path only: the real model, bit for bit, whatever was judged before it."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from judge_local.engine import Engine, chunks_of
from judge_local.llama.binding import Binding
from judge_local.port import Asking
from judge_local.prompt import PromptBuilder, Trusted, option_order
from judge_local.prompts.judge_1 import LABELS
from judge_local.prompts.templates import KNOWN
from judge_local.reading import Reading, answer, read
from tests.judge.askings import RESPONSES, asking

BUILDER = PromptBuilder(KNOWN["ChatML"][1], seed=3)
SOME = 3  # checks


def alone(binding: Binding, asked: Asking, index: int, prior: bool = False) -> Reading:
    """The same path on empty memory, chunk by chunk, without the engine."""
    stem = BUILDER.prior_stem(asked) if prior else BUILDER.stem(asked)
    nodes = [
        tuple(t for part in node.parts for t in binding.tokenize(part.text, isinstance(part, Trusted)))
        for node in (*stem, BUILDER.check(asked.checks[index]))
    ]
    binding.clear()
    done = 0
    chunks = chunks_of(nodes, binding.batch)
    for chunk in chunks:
        binding.evaluate(chunk, done, want_logits=chunk is chunks[-1])
        done += len(chunk)
    letters = [binding.tokenize(f"Answer:{label}", False)[-1] for label in LABELS]
    got = read(binding.logits(), letters, option_order(3, asked.checks[index]))
    assert got is not None
    return got


@pytest.fixture(scope="module")
def expected(binding: Binding) -> dict[tuple[int, int], tuple[Reading, Reading]]:
    """(response, check) -> its reading and its prior, each on empty memory."""
    priors = [alone(binding, asking(), check, prior=True) for check in range(SOME)]
    return {
        (response, check): (alone(binding, asking(RESPONSES[response]), check), priors[check])
        for response in (0, 1)
        for check in range(SOME)
    }


work = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.lists(st.integers(0, SOME - 1), min_size=1, max_size=SOME, unique=True),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=6, phases=[Phase.reuse, Phase.generate])  # a shrink would take minutes
@given(runs=work, prior=st.booleans())
def test_any_order_subset_and_repeat_gives_the_same_bits(
    binding: Binding,
    expected: dict[tuple[int, int], tuple[Reading, Reading]],
    runs: list[tuple[int, list[int]]],
    prior: bool,
) -> None:
    engine = Engine(binding, BUILDER, prior=prior)
    for response, wanted in runs:
        for index, got in engine.judge(asking(RESPONSES[response]), wanted):
            reading, before = expected[response, index]
            assert got == answer(reading, before if prior else None)


def test_a_hostile_response_changes_the_bits_only_by_its_own_words(binding: Binding) -> None:
    """The response with control tokens in it is as long in tokens as its words are, and ends where its frame says."""
    hostile = BUILDER.response(RESPONSES[2])
    tokens = [t for part in hostile.parts for t in binding.tokenize(part.text, isinstance(part, Trusted))]
    control = {binding.tokenize(mark, True)[0] for mark in ("<|im_start|>", "<|im_end|>")}
    assert not control & set(tokens)


def test_long_nodes_are_cut_the_same_on_shared_and_on_empty_memory(binding: Binding) -> None:
    long = asking("milk and coffee. " * 140)  # more than one batch, and not a multiple of it
    engine = Engine(binding, BUILDER, prior=False)
    got = dict(engine.judge(long, [0, 1]))
    assert np.array_equal(got[1].log_probabilities, alone(binding, long, 1).logs)
