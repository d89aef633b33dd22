"""Row steps lead from one list to another, and are few."""

from hypothesis import given
from hypothesis import strategies as st

from gamut_desktop.qmodels.row_diff import Insert, Move, Remove, row_steps, take


@st.composite
def sections(draw: st.DrawFn) -> list[list[int]]:
    keys = draw(st.lists(st.integers(0, 12), unique=True))
    cuts = sorted(draw(st.lists(st.integers(0, len(keys)), min_size=2, max_size=2)))
    return [keys[: cuts[0]], keys[cuts[0] : cuts[1]], keys[cuts[1] :]]


@given(sections(), sections())
def test_the_steps_turn_the_old_rows_into_the_new_ones(old, new):
    rows = [list(section) for section in old]
    for step in row_steps(old, new):
        take(rows, step)
    assert rows == new


@given(sections())
def test_nothing_is_done_where_nothing_differs(rows):
    assert row_steps(rows, rows) == []


def test_one_row_that_goes_to_the_end_is_one_move():
    assert row_steps([["a", "b", "c", "d"]], [["b", "c", "d", "a"]]) == [Move(0, 0, 0, 4)]


def test_one_row_that_comes_to_the_front_is_one_move():
    assert row_steps([["a", "b", "c", "d"]], [["d", "a", "b", "c"]]) == [Move(0, 3, 0, 0)]


def test_a_row_that_changes_its_section_is_one_move():
    assert row_steps([["a", "b"], ["c"]], [["b"], ["c", "a"]]) == [Move(0, 0, 1, 1)]


def test_neighbours_come_and_go_together():
    assert row_steps([["a", "b", "c"]], [["c", "x", "y"]]) == [Remove(0, 0, 1), Insert(0, 1, ("x", "y"))]
