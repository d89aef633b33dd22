"""Which verdict counts: overrides first, then the newest current row; no outcome hides an older verdict."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.scoring.effective import effective
from models.verdicts import Outcome, Verdict


@dataclass(frozen=True)
class Row:
    outcome: Outcome
    verdict: Verdict | None = None
    input_key: str = "now"
    ruler_id: int = 1


@dataclass(frozen=True)
class Human:
    verdict: Verdict | None


def said(verdict: Verdict, **more) -> Row:
    return Row(Outcome.VERDICT, verdict, **more)


def of(rows, overrides=()):
    got = effective(rows, overrides, input_key="now", ruler_id=1)
    return got.outcome, got.verdict, got.by_person


def test_nothing_stored_is_not_run():
    assert of([]) == (Outcome.NOT_RUN, None, False)


def test_the_newest_verdict_counts():
    assert of([said(Verdict.MISSING), said(Verdict.MEETS)]) == (Outcome.VERDICT, Verdict.MEETS, False)


def test_rows_of_another_input_or_ruler_do_not_count():
    rows = [said(Verdict.MEETS), said(Verdict.MISSING, input_key="old"), said(Verdict.CONTRADICTS, ruler_id=2)]
    assert of(rows)[1] is Verdict.MEETS


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not Outcome.VERDICT])
def test_an_outcome_without_verdict_never_hides_an_older_verdict(outcome):
    assert of([said(Verdict.MEETS), Row(outcome)])[:2] == (Outcome.VERDICT, Verdict.MEETS)
    assert of([Row(outcome)])[:2] == (outcome, None)
    assert of([Row(outcome), said(Verdict.MISSING)])[1] is Verdict.MISSING


def test_the_newest_override_of_a_person_counts_before_any_row():
    rows = [said(Verdict.MEETS)]
    assert of(rows, [Human(Verdict.MISSING), Human(Verdict.CONTRADICTS)]) == (
        *(Outcome.VERDICT, Verdict.CONTRADICTS, True),
    )
    assert of([], [Human(Verdict.MEETS)])[1] is Verdict.MEETS


def test_a_withdrawn_override_gives_way_to_the_judge():
    assert of([said(Verdict.MEETS)], [Human(Verdict.MISSING), Human(None)]) == (Outcome.VERDICT, Verdict.MEETS, False)


ROWS = st.lists(
    st.builds(
        lambda o, v, k, r: Row(o, v if o is Outcome.VERDICT else None, k, r),
        st.sampled_from(Outcome),
        st.sampled_from(Verdict),
        st.sampled_from(["now", "old"]),
        st.sampled_from([1, 2]),
    )
)


@given(ROWS)
def test_it_is_the_last_current_verdict_if_there_is_one(rows):
    current = [r.verdict for r in rows if (r.input_key, r.ruler_id, r.outcome) == ("now", 1, Outcome.VERDICT)]
    assert of(rows)[1] == (current[-1] if current else None)
