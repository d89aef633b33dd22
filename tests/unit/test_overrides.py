"""Human edits of a checklist: keyed by origin, they survive a recompile and say when it changed under them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.rubric.compile import compile_question
from models.rubric.metarubric import (
    Origin,
    Override,
    Process,
    Question,
    SimpleKnowledge,
    StrictList,
    TextOnly,
    Tier,
)
from models.rubric.overrides import OverrideError, override_of
from models.verdicts import Variant
from tests.unit.rubrics import element_list, question, questions, steps

AC, V, C = Tier
FACT = SimpleKnowledge("k", AC, "Coffee is brewed", identifies_subject=True)
ASKED = question(FACT, StrictList("l", V, "parts of a cup", element_list("bowl", "handle")))


def edited(asked: Question, *edits: Override) -> Question:
    return replace(asked, overrides=edits)


def raw(asked: Question, n: int = 0):
    return compile_question(asked, raw=True).checks[n]


def test_a_reword_changes_the_text_and_keeps_the_rest():
    check = raw(ASKED)
    (new, *_) = compile_question(edited(ASKED, override_of(check, "reword", text="Says how it is made"))).checks
    assert (new.text, new.tier, new.origin, new.rule) == ("Says how it is made", AC, check.origin, check.rule)
    assert new.override is not None
    assert (new.override.action, new.override.base_text, new.override.stale) == ("reword", check.text, False)
    assert new.id != check.id


def test_a_retier_asks_the_judge_nothing_new():
    check = raw(ASKED)
    (new, *_) = compile_question(edited(ASKED, override_of(check, "retier", tier=C))).checks
    assert (new.tier, new.key) == (C, check.key)


def test_a_dropped_check_is_out_of_the_list_but_not_lost():
    checklist = compile_question(edited(ASKED, override_of(raw(ASKED), "drop")))
    assert len(checklist.checks) == 2
    assert [c.text for c in checklist.dropped] == ["States: Coffee is brewed"]


def test_an_added_check_has_its_own_id_and_comes_last():
    add = Override("add", id="x1", kind="presence", text="Says where", tier=V)
    last = compile_question(edited(ASKED, add)).checks[-1]
    assert (last.text, last.tier, last.rule, last.origin) == ("Says where", V, "override.added", Origin("x1"))


def test_raw_leaves_the_overrides_out():
    asked = edited(ASKED, override_of(raw(ASKED), "drop"))
    assert len(compile_question(asked, raw=True).checks) == 3


def test_an_edit_is_stale_when_its_origin_changed_under_it():
    edits = [override_of(raw(ASKED), "reword", text="x"), override_of(raw(ASKED, 1), "retier", tier=C)]
    moved = replace(
        ASKED,
        rubric=(replace(FACT, fact="Coffee is boiled"), replace(ASKED.rubric[1], tier=AC)),
    )
    first, second, third = compile_question(edited(moved, *edits)).checks
    assert first.override is not None
    assert first.override.stale
    assert first.text == "x"
    assert second.override is not None
    assert second.override.stale
    assert third.override is None


def test_an_edit_whose_origin_is_gone_is_kept_as_an_orphan():
    edit = override_of(raw(ASKED), "drop")
    without = replace(ASKED, rubric=ASKED.rubric[1:])
    checklist = compile_question(edited(without, edit))
    assert checklist.orphans == (edit,)
    assert len(checklist.checks) == 2


def test_an_edit_of_what_the_text_only_variant_leaves_out_is_no_orphan():
    asked = edited(replace(ASKED, text_only=TextOnly("Without?")), override_of(raw(ASKED), "drop"))
    assert compile_question(asked, Variant.TEXT).orphans == ()


def test_the_two_sequences_of_a_process_are_told_apart_by_their_rule():
    asked = question(Process("p", AC, "brewing", steps(warm=False, grind=True, pour=True)))
    full = compile_question(asked).checks[-1]
    edit = override_of(full, "drop")
    assert [c.rule for c in compile_question(edited(asked, edit)).dropped] == ["process.full_sequence"]
    with pytest.raises(OverrideError) as refused:
        compile_question(edited(asked, replace(edit, rule=None)))
    assert str(refused.value) == (
        "An override (item p) fits two checks. Say which one: rule: process.full_sequence or process.required_sequence."
    )


@pytest.mark.parametrize(
    ("edits", "told"),
    [
        ([override_of(raw(ASKED), "drop"), override_of(raw(ASKED), "retier", tier=V)], "Two overrides edit the same"),
        ([Override("drop")], "A drop override names no origin."),
        ([Override("add", id="a")], "An added check needs id, tier and text."),
        ([Override("add", id="a", text="t", tier=V)] * 2, "Two added checks have the id 'a'."),
    ],
)
def test_overrides_that_cannot_be_applied_are_refused(edits, told):
    with pytest.raises(OverrideError, match=told):
        compile_question(edited(ASKED, *edits))


@given(questions(), st.data())
def test_edits_touch_their_own_check_alone(asked: Question, data: st.DataObject):
    checks = compile_question(asked).checks
    if not checks:
        return
    n = data.draw(st.integers(0, len(checks) - 1))
    after = compile_question(edited(asked, override_of(checks[n], "retier", tier=Tier.CONTEXT))).checks
    assert [c for i, c in enumerate(after) if i != n] == [c for i, c in enumerate(checks) if i != n]
    assert after[n].tier is Tier.CONTEXT
