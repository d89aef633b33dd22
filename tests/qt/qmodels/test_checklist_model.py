"""The checklist: rows are touched only where something changed, are spoken in full, and equal those built anew."""

from dataclasses import dataclass
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from gamut_desktop.editor import RubricEditor
from gamut_desktop.qmodels.checklist_model import ChecklistModel
from gamut_desktop.qmodels.checklist_rows import Section
from gamut_desktop.qmodels.roles import Roles
from models.rubric.metarubric import FlexibleList, Question, SimpleKnowledge, StrictList, Tier
from models.scoring.effective import Effective
from models.verdicts import Outcome, Verdict
from tests.qt.qmodels.scripts import Followed, Signals, step, tree, watched
from tests.unit.rubrics import element_list, question, questions

AC, V, C = Tier
SPEAK = Qt.ItemDataRole.AccessibleTextRole
ASKED = question(
    SimpleKnowledge("k", AC, "Coffee is brewed"),
    FlexibleList("l", AC, "parts of a cup", element_list("bowl", "handle"), (1,)),
    StrictList("s", C, "sizes", element_list("small", "large")),
)


@dataclass(frozen=True)
class Row:
    """A stored answer, as far as it is shown."""

    log_probabilities: tuple[float, ...] | None = None
    input_key: str = ""
    ruler_id: int = 1
    outcome: Outcome = Outcome.VERDICT
    verdict: Verdict | None = None


def meets(probability: float = 0.93) -> Effective[Row]:
    rest = (1 - probability) / 4
    return Effective(Outcome.VERDICT, Verdict.MEETS, Row(tuple(log(p) for p in (probability, rest, rest, rest, rest))))


@pytest.fixture
def editor(qtbot) -> RubricEditor:
    editor = RubricEditor()
    editor.load(ASKED)
    return editor


@pytest.fixture
def model(editor) -> ChecklistModel:
    model = following(editor)
    watched(model)
    return model


@pytest.fixture
def heard(model) -> Signals:
    return Signals(model)


def following(editor: RubricEditor) -> ChecklistModel:
    model = ChecklistModel()
    model.set_checklist(editor.checklist, anew=True)
    editor.checklist_changed.connect(lambda: model.set_checklist(editor.checklist))
    return model


def fresh(editor: RubricEditor) -> ChecklistModel:
    model = ChecklistModel()
    model.set_checklist(editor.checklist, anew=True)
    return model


def name_of(model, index):
    check = model.check_at(index)
    return (check.rule, check.origin) if check else (model.orphan_at(index) or index.data())


def row(model, editor, text) -> QModelIndex:
    checks = (*editor.checklist.checks, *editor.checklist.dropped)
    return model.index_of(next(check for check in checks if check.text == text))


@given(questions(), st.data())
@settings(max_examples=25)
def test_the_rows_equal_those_of_a_model_built_anew_after_any_edits(qapp, asked: Question, data: st.DataObject):
    editor = RubricEditor()
    editor.load(asked)
    model = following(editor)
    watched(model)
    heard = Signals(model)
    for _ in range(10):
        followed = Followed(model, lambda index: name_of(model, index))
        step(data, editor)
        assert followed.stand()
        assert tree(model) == tree(fresh(editor))
    while editor.can_undo():
        editor.undo()
    assert tree(model) == tree(fresh(editor))
    assert heard.reset == 0


def test_checks_lie_below_their_tier(model):
    assert [
        (model.index(n, 0).data(), model.index(n, 0).data(Roles.COUNT), model.index(n, 0).data(Roles.GROUP))
        for n in range(model.rowCount())
    ] == [("Answer-Critical", 2, True), ("Valuable", 2, True), ("Context", 2, True)]


def test_a_reword_touches_one_row(editor, model, heard):
    editor.reword_check(model.check_at(row(model, editor, "States: Coffee is brewed")), "Says it is brewed")
    assert heard.changed == ["Says it is brewed"]
    assert (heard.inserted, heard.removed, heard.moved) == ([], [], 0)


def test_a_retier_of_an_item_touches_only_its_checks(editor, model, heard):
    editor.set_tier("s", V)
    assert heard.moved == 2
    assert heard.inserted == []
    assert heard.removed == [(2, 2)]  # the header of Context
    assert sorted(heard.changed) == ["Mentions large as one of sizes", "Mentions small as one of sizes", "Valuable"]


def test_a_check_that_changes_its_tier_stays_chosen(editor, model):
    chosen = QPersistentModelIndex(row(model, editor, "States: Coffee is brewed"))
    editor.set_tier("k", C)
    assert chosen.data() == "States: Coffee is brewed"
    assert chosen.parent().data() == "Context"


def test_typing_in_an_option_touches_the_checks_that_name_it(editor, model, heard):
    editor.set_text("l", "cup", element=editor.question.rubric[1].options[0].id)
    assert sorted(heard.changed) == [
        "Mentions at least 1 of the following parts of a cup: cup; handle",
        "Mentions cup as one of parts of a cup",
    ]


def test_a_dropped_check_lies_struck_out_at_the_end(editor, model):
    check = model.check_at(row(model, editor, "States: Coffee is brewed"))
    editor.drop_check(check)
    index = model.index_of(check)
    assert index.parent() == model.header_index(Section.DROPPED)
    assert index.parent().row() == model.rowCount() - 1
    assert index.data(Qt.ItemDataRole.FontRole).strikeOut()
    assert index.data(Roles.OVERRIDE) == "drop"
    assert model.is_dropped(index)
    assert index.data(SPEAK) == "Answer-Critical, dropped: States: Coffee is brewed. Dropped by hand."


def test_an_edit_that_lost_its_check_is_shown_so_that_it_can_be_removed(editor, model):
    editor.reword_check(model.check_at(row(model, editor, "States: Coffee is brewed")), "Says it is brewed")
    editor.remove_item("k")
    header = model.header_index(Section.LOST)
    lost = model.index(0, 0, header)
    assert (header.data(), lost.data()) == ("Edits without a check", "States: Coffee is brewed")
    editor.remove_override(model.orphan_at(lost))
    assert not model.header_index(Section.LOST).isValid()


def test_only_rows_with_another_verdict_change(editor, model, heard):
    first, *_, last = editor.checklist.checks
    not_run = {check.key: Effective(Outcome.NOT_RUN, None) for check in editor.checklist.checks}
    model.set_card(not_run)
    assert len(heard.changed) == 6
    heard.changed.clear()
    model.set_card(not_run | {first.key: meets()})
    assert heard.changed == [first.text]
    assert model.index_of(first).data(Roles.VERDICT) == Verdict.MEETS
    assert model.index_of(first).data(Roles.PROBABILITIES)[0] == pytest.approx(0.93)
    assert model.index_of(last).data(Roles.OUTCOME) == Outcome.NOT_RUN
    heard.changed.clear()
    model.set_second({last.key: Effective(Outcome.VERDICT, Verdict.MISSING)})
    assert model.index_of(last).data(Roles.SECOND_VERDICT) == Verdict.MISSING


def test_without_a_response_nothing_is_said_of_verdicts(editor, model):
    index = model.index_of(editor.checklist.checks[0])
    assert (index.data(Roles.VERDICT), index.data(Roles.OUTCOME)) == (None, None)
    model.set_card({})
    assert index.data(Roles.OUTCOME) == Outcome.NOT_RUN
    model.set_card(None)
    assert index.data(Roles.OUTCOME) is None


def test_a_row_speaks_tier_role_verdict_and_probability(editor, model):
    index = row(model, editor, "Mentions bowl as one of parts of a cup")
    assert index.data(SPEAK) == "Valuable, secondary: Mentions bowl as one of parts of a cup"
    check = model.check_at(index)
    model.set_card({check.key: meets()})
    assert index.data(SPEAK) == "Valuable, secondary, meets, 93 percent: Mentions bowl as one of parts of a cup"
    model.set_card({check.key: Effective(Outcome.VERDICT, Verdict.MISSING, None, by_person=True)})
    assert index.data(SPEAK).startswith("Valuable, secondary, missing, set by a person: ")
    model.set_card({check.key: Effective(Outcome.REFUSED, None)})
    assert index.data(SPEAK).startswith("Valuable, secondary, no verdict: refused: ")
    assert index.parent().data(SPEAK) == "Valuable, 2 checks"


def test_a_reword_says_what_the_rules_give_and_whether_that_changed(editor, model):
    editor.reword_check(model.check_at(row(model, editor, "States: Coffee is brewed")), "Says it is brewed")
    index = row(model, editor, "Says it is brewed")
    assert index.data(Roles.NOTE) == "Reworded by hand; the rules give: States: Coffee is brewed"
    editor.set_text("k", "Tea is brewed")
    assert index.data(Roles.STALE) is True
    assert index.data(Roles.NOTE).endswith("The rubric has changed since.")


def test_inline_editing_asks_for_a_reword(editor, model, qtbot):
    index = row(model, editor, "States: Coffee is brewed")
    with qtbot.waitSignal(model.reworded) as asked:
        assert model.setData(index, "Says it is brewed")
    assert asked.args == [model.check_at(index), "Says it is brewed"]
    editor.drop_check(model.check_at(index))
    assert not model.setData(model.index_of(editor.checklist.dropped[0]), "x")


def test_lit_rows_change_and_no_others(editor, model, heard):
    model.set_lit([editor.checklist.checks[0]])
    model.set_lit([editor.checklist.checks[0], editor.checklist.checks[-1]])
    assert heard.changed == ["States: Coffee is brewed", "Mentions large as one of sizes"]
    assert model.index_of(editor.checklist.checks[0]).data(Roles.LIT) is True
