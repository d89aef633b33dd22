"""A verdict is a function of its own path only: the real model, bit for bit, whatever was judged before it.

Q8_0 and Q4_0 weights, on a processor: in any order, subset and repeat, with branches in sequences or spilled to disk.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from judge_local.bundled import bundled_source
from judge_local.engine import Engine
from judge_local.llama.binding import Binding, LoadOptions
from judge_local.llama.quantize import requantize
from judge_local.manner import Manner
from judge_local.parking import Parking
from judge_local.port import Asking
from judge_local.prompt import Node, PromptBuilder, Trusted, Untrusted, option_order
from judge_local.prompts.judge_3 import LABELS
from judge_local.prompts.templates import KNOWN
from judge_local.reading import Reading, answer, read
from judge_local.tree import Tokens, chunks_of, tokens_in
from tests.judge.askings import RESPONSES, asking
from tests.models_on_disk import Q8_CACHE

BUILDER = PromptBuilder(KNOWN["ChatML"][1], seed=3)
SOME = 3  # checks
Expected = dict[tuple[int, int], tuple[Reading, Reading]]


def tokens_of(binding: Binding, node: Node) -> Tokens:
    parts = [part for part in node.parts if isinstance(part, Trusted | Untrusted)]
    return tuple(t for part in parts for t in binding.tokenize(part.text, isinstance(part, Trusted)))


def path_of(binding: Binding, asked: Asking, index: int, prior: bool = False) -> list[tuple[Tokens, ...]]:
    stem = BUILDER.prior_stem(asked) if prior else BUILDER.stem(asked)
    return [(tokens_of(binding, node),) for node in (*stem, BUILDER.check(asked.checks[index]))]


def alone(binding: Binding, asked: Asking, index: int, prior: bool = False) -> Reading:
    """The same path on empty memory, chunk by chunk, without the engine."""
    binding.clear()
    done = 0
    chunks = chunks_of(path_of(binding, asked, index, prior), binding.batch)
    for chunk in chunks:
        binding.evaluate(chunk, done, want_logits=chunk is chunks[-1])
        done += len(chunk)
    letters = [binding.tokenize(f"Answer:{label}", False)[-1] for label in LABELS]
    got = read(binding.logits(), letters, option_order(3, asked.checks[index]))
    assert got is not None
    return got


@pytest.fixture(scope="module", params=[("Q8_0", 2), ("Q8_0", 1), ("Q4_0", 2)], ids=str)
def loaded(request: pytest.FixtureRequest) -> Iterator[Binding]:
    """A model of those weights, with that many sequences."""
    weights, sequences = request.param
    path = requantize(bundled_source(), Q8_CACHE / "path-only", weights)
    made = Binding(LoadOptions(path, threads=2, context=1536, sequences=sequences))
    yield made
    made.close()


@pytest.fixture(scope="module")
def expected(loaded: Binding) -> Expected:
    """(response, check) -> its reading and its prior, each on empty memory."""
    priors = [alone(loaded, asking(), check, prior=True) for check in range(SOME)]
    return {
        (response, check): (alone(loaded, asking(RESPONSES[response]), check), priors[check])
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


def tree_size(binding: Binding, runs: list[tuple[int, list[int]]], prior: bool) -> int:
    """Tokens of the different nodes on the paths of that work."""
    tree = {}
    for response, wanted in runs:
        for index in wanted:
            for content_free in (False, True)[: 1 + prior]:
                path = path_of(binding, asking(RESPONSES[response]), index, content_free)
                tree.update({tuple(path[:depth]): tokens_in(path[depth - 1]) for depth in range(1, len(path) + 1)})
    # A check that is asked again is computed again: a leaf is not kept.
    again = sum(tokens_in(path_of(binding, asking(), index)[-1]) for index in _repeats(runs))
    return sum(tree.values()) + again


def _repeats(runs: list[tuple[int, list[int]]]) -> list[int]:
    seen: set[tuple[int, int]] = set()
    repeated = []
    for response, wanted in runs:
        for index in wanted:
            repeated += [index] if (response, index) in seen else []
            seen.add((response, index))
    return repeated


@settings(max_examples=4, phases=[Phase.reuse, Phase.generate])  # a shrink would take minutes
@given(runs=work, prior=st.booleans())
def test_any_order_subset_and_repeat_gives_the_same_bits_for_the_tokens_of_the_tree(
    loaded: Binding, expected: Expected, runs: list[tuple[int, list[int]]], prior: bool
) -> None:
    engine = Engine(loaded, BUILDER, Manner(prior=prior), Parking())
    for response, wanted in runs:
        for index, got in engine.judge(asking(RESPONSES[response]), wanted):
            reading, before = expected[response, index]
            assert got == answer(reading, before if prior else None)
    assert engine.evaluated == tree_size(loaded, runs, prior)
    engine.close()


def test_the_deviation_that_preflight_measures_is_nought_here(loaded: Binding) -> None:
    engine = Engine(loaded, BUILDER, Manner())
    assert engine.deviation(asking(), range(SOME)) == 0.0
    engine.close()


def test_a_hostile_response_changes_the_bits_only_by_its_own_words(binding: Binding) -> None:
    """The response with control tokens in it is as long in tokens as its words are, and ends where its frame says."""
    control = {binding.tokenize(mark, True)[0] for mark in ("<|im_start|>", "<|im_end|>")}
    assert not control & set(tokens_of(binding, BUILDER.response(RESPONSES[2])))


def test_long_nodes_are_cut_the_same_on_shared_and_on_empty_memory(binding: Binding) -> None:
    long = asking("milk and coffee. " * 140)  # more than one batch, and not a multiple of it
    engine = Engine(binding, BUILDER, Manner())
    got = dict(engine.judge(long, [0, 1]))
    assert np.array_equal(got[1].log_probabilities, alone(binding, long, 1).logs)
    engine.close()


def test_packed_checks_are_close_to_those_asked_alone_and_always_the_same(model_path) -> None:
    """Packing moves probabilities a little, so it is opt-in; a pack of the whole checklist does not depend on what is
    wanted of it."""
    binding = Binding(LoadOptions(model_path, threads=2, context=1536, packs=8))
    packed = Engine(binding, BUILDER, Manner(packed=True))
    whole = dict(packed.judge(asking(), range(5)))
    part = dict(packed.judge(asking(), [3]))
    assert part[3] == whole[3]
    single = Engine(binding, BUILDER, Manner())
    for index, got in single.judge(asking(), range(5)):
        assert got.log_probabilities is not None
        assert whole[index].log_probabilities is not None
        assert np.abs(np.exp(got.log_probabilities) - np.exp(whole[index].log_probabilities)).max() < 0.1
    packed.close()
    single.close()
    binding.close()
