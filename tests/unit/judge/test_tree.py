"""The tree in memory: whatever is asked in whatever order reads as on empty memory, and nothing is computed twice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_local.parking import Parking, sweep
from judge_local.tree import Piece, Pieces, Seen, TreeMemory, chunks_of, tokens_in
from tests.unit.judge.word_binding import PICTURE_POSITIONS, PICTURE_TOKENS, WordBinding

pieces = st.lists(st.integers(0, 9), min_size=1, max_size=30).map(tuple)
pictures = st.sampled_from("ab").map(lambda name: Seen(name, PICTURE_TOKENS, PICTURE_POSITIONS))
words = pieces.map(lambda piece: (piece,))
shown = st.tuples(pieces, pictures, pieces)
nodes = st.lists(st.one_of(words, words, shown), min_size=1, max_size=5)
leaves = st.lists(st.integers(0, 9), min_size=2, max_size=30).map(lambda tokens: (tuple(tokens),))


@pytest.fixture(scope="module")
def parking():
    made = Parking()
    yield made
    made.close()


def flat(node_list) -> list[object]:
    return [t for node in node_list for piece in node for t in ([piece] if isinstance(piece, Seen) else piece)]


@given(nodes, st.integers(3, 12))
def test_chunks_hold_everything_in_order_and_no_token_alone(path: list[Pieces], batch: int) -> None:
    chunks = chunks_of(path, batch)
    assert flat([chunks]) == flat(path)
    words_of = [chunk for chunk in chunks if not isinstance(chunk, Seen)]
    assert all(len(chunk) <= batch for chunk in words_of)
    for number, chunk in enumerate(chunks):
        if not isinstance(chunk, Seen) and len(chunk) == 1:
            last = number == len(chunks) - 1
            assert last or isinstance(chunks[number + 1], Seen), "alone only before a picture, or as the path's end"


@given(nodes, leaves, st.integers(3, 12))
def test_chunks_above_a_node_do_not_depend_on_it(above: list[Pieces], below: Pieces, batch: int) -> None:
    long_enough = [*above, ((1, 2),)]
    shared = chunks_of(long_enough, batch)
    assert chunks_of([*long_enough, below], batch)[: len(shared)] == shared


def test_a_node_of_one_token_joins_its_child_but_not_a_picture() -> None:
    picture = Seen("a", 16, 4)
    assert chunks_of([((1, 2),), ((3,),), ((4, 5),)], 8) == [(1, 2), (3, 4, 5)]
    assert chunks_of([((3,), picture, (4,)), ((5, 6),)], 8) == [(3,), picture, (4, 5, 6)]


paths = st.lists(st.tuples(nodes, leaves), min_size=1, max_size=7)


@pytest.mark.parametrize("sequences", [1, 2, 3])
@pytest.mark.parametrize("cuts", [True, False])
@pytest.mark.parametrize("restores", [True, False])
@given(paths)
def test_whatever_was_held_before_a_path_reads_as_on_empty_memory(parking, sequences, cuts, restores, paths) -> None:
    memory = TreeMemory(WordBinding(batch=8, cuts=cuts, restores=restores, sequences=sequences), parking)
    for stem, leaf in paths:
        fresh = TreeMemory(WordBinding(batch=8), parking).logits_after(stem, leaf)
        assert np.array_equal(memory.logits_after(stem, leaf), fresh)
    memory.start_over()


def branches(depths: int = 3) -> list[tuple[list[Pieces], Pieces]]:
    """All paths of a small tree: two of each node under each, three leaves under each stem."""
    stems: list[list[Pieces]] = [[((0, 0, 0),)]]
    for depth in range(depths):
        stems = [[*stem, ((depth, number, 7),)] for stem in stems for number in (1, 2)]
    return [(stem, ((9, number, 9, 9),)) for stem in stems for number in range(3)]


def tree_size(asked: list[tuple[list[Pieces], Pieces]]) -> int:
    seen: dict[tuple[Piece, ...], int] = {}
    for stem, leaf in asked:
        chunks = chunks_of([*stem, leaf], 8)
        for length in range(1, len(chunks) + 1):
            seen[tuple(chunks[:length])] = tokens_in([chunks[length - 1]])
    return sum(seen.values())


@pytest.mark.parametrize("sequences", [1, 2, 4])
@pytest.mark.parametrize("cuts", [True, False])
@given(st.permutations(branches()), st.integers(1, 24))
def test_in_any_order_every_node_is_computed_once(parking, sequences, cuts, order, many) -> None:
    """One sequence and many branches: what has no room is spilled, and comes back."""
    asked = order[:many]
    memory = TreeMemory(WordBinding(batch=8, cuts=cuts, sequences=sequences), parking)
    for stem, leaf in asked:
        memory.logits_after(stem, leaf)
    assert memory.evaluated == tree_size(asked)
    memory.start_over()
    assert parking.size == 0


def test_what_is_released_is_not_spilled(parking) -> None:
    memory = TreeMemory(WordBinding(batch=8, sequences=1), parking)
    for stem, leaf in branches():
        memory.logits_after(stem, leaf)
        memory.release(stem, 1)
    assert parking.size == 0


def test_a_pack_is_the_same_whatever_was_held_before_and_leaves_the_stem_as_it_was(parking) -> None:
    stem: list[Pieces] = [((1, 2, 3),), ((4, 5),)]
    texts = [(6,) * length for length in (3, 4, 2, 9, 5)]
    memory = TreeMemory(WordBinding(batch=8, sequences=1), parking)
    first = memory.logits_after_each(stem, texts)
    assert first[3] is None, "longer than a pass"
    memory.logits_after([*stem, ((8, 8),)], ((9, 9),))
    for a, b in zip(memory.logits_after_each(stem, texts), first, strict=True):
        assert (a is None and b is None) or np.array_equal(a, b)


def test_parking_drops_the_oldest_and_leaves_nothing_behind(tmp_path) -> None:
    parking = Parking(tmp_path / "spill", limit=10)
    assert parking.put("a", b"12345") == []
    assert parking.put("b", b"12345") == []
    assert parking.get("a") == b"12345"
    assert parking.put("c", b"123") == ["b"]
    assert parking.put("d", b"x" * 11) == ["d"]
    assert parking.get("b") is None
    (place,) = (tmp_path / "spill").iterdir()
    assert place.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "spill").stat().st_mode & 0o777 == 0o700
    parking.close()
    assert list((tmp_path / "spill").iterdir()) == []


def test_what_dead_processes_have_left_is_swept_and_what_living_hold_is_not(tmp_path) -> None:
    mine = Parking(tmp_path)
    mine.put("a", b"1")
    dead = tmp_path / "gamut-judge-4194304-x"  # above the largest process id there can be
    dead.mkdir()
    (dead / "state").write_bytes(b"secret")
    (tmp_path / "gamut-judge-notes").mkdir()
    sweep(tmp_path)
    assert not dead.exists()
    assert mine.get("a") == b"1"
    assert (tmp_path / "gamut-judge-notes").exists()
    mine.close()
