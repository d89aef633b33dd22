"""The order of a run: that of the prefix tree, and each task knows how much of it the next one shares."""

from hypothesis import given
from hypothesis import strategies as st

from judge_local.runs.plan import Task, depth_first
from models.provenance import Asked
from models.store.records import ResponseRow
from models.verdicts import Variant


def task(number: int, pictures: tuple[str, ...], question: str, variant: Variant = Variant.IMAGE) -> Task:
    row = ResponseRow(number, question, f"m{number}", variant, 0, "text", "0" * 64, None, "2026-01-01", None)
    return Task(row, Asked(variant, question, pictures, f"text {number}"), ())


def path(one: Task) -> tuple[str, ...]:
    return (*one.asked.image_hashes, f"{one.asked.question} {one.response.variant}")


tasks = st.lists(
    st.tuples(
        st.lists(st.sampled_from("ab"), max_size=2).map(tuple), st.sampled_from("pq"), st.sampled_from(list(Variant))
    ),
    max_size=12,
).map(lambda drawn: [task(number, *one) for number, one in enumerate(drawn)])


@given(tasks)
def test_each_stretch_above_a_response_is_walked_down_once(given_tasks: list[Task]) -> None:
    ordered = depth_first(given_tasks)
    assert sorted(one.response.id for one in ordered) == [one.response.id for one in given_tasks]
    left: set[tuple[str, ...]] = set()
    before: tuple[str, ...] = ()
    for one in ordered:
        here = path(one)
        for length in range(1, len(here) + 1):
            assert here[:length] not in left, "it was left, and is walked down again"
        left |= {before[:n] for n in range(1, len(before) + 1)} - {here[:n] for n in range(1, len(here) + 1)}
        before = here


@given(tasks)
def test_a_task_knows_how_much_the_next_one_shares(given_tasks: list[Task]) -> None:
    ordered = depth_first(given_tasks)
    for one, following in zip(ordered, [*ordered[1:], None], strict=False):
        shared = 0
        if following is not None:
            while shared < min(len(path(one)), len(path(following))) and path(one)[shared] == path(following)[shared]:
                shared += 1
        assert one.later == shared


def test_responses_to_one_question_keep_their_order() -> None:
    given_tasks = [task(0, ("a",), "p"), task(1, (), "q"), task(2, ("a",), "p"), task(3, ("a",), "r")]
    assert [one.response.id for one in depth_first(given_tasks)] == [0, 2, 3, 1]
