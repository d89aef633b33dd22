"""The lists of questions and responses: only rows that differ change; thumbnails come when they are asked for."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap

from gamut_desktop.qmodels.question_list import QuestionEntry, QuestionFilter, QuestionListModel
from gamut_desktop.qmodels.response_list import ResponseEntry, ResponseListModel
from gamut_desktop.qmodels.roles import Roles
from models.verdicts import Variant
from tests.qt.qmodels.scripts import Signals, tree, watched

SPEAK = Qt.ItemDataRole.AccessibleTextRole
CUP = QuestionEntry("coffee-01", "What is in this cup?", "graded", "hash-1", also="food")
CAT = QuestionEntry("cat-01", "Which CAT is this?", "draft")
MOON = QuestionEntry("moon-01", "Which crater is this?", "ungraded", "hash-2", "There is no rubric.")


@pytest.fixture
def questions(qtbot) -> QuestionListModel:
    model = QuestionListModel()
    watched(model)
    model.set_entries([CUP, CAT, MOON])
    return model


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("ab")), unique_by=lambda e: e[0]), max_size=6))
def test_a_list_equals_one_built_anew(qapp, scripts):
    model = ResponseListModel()
    watched(model)
    for script in scripts:
        entries = [ResponseEntry(number, name) for number, name in script]
        model.set_entries(entries)
        anew = ResponseListModel()
        anew.set_entries(entries)
        assert tree(model) == tree(anew)
        assert model.entries() == tuple(entries)


def test_a_question_that_is_graded_changes_its_row_alone(questions):
    heard = Signals(questions)
    questions.set_entries([CUP, replace(CAT, state="graded"), MOON])
    assert heard.changed == ["Which CAT is this?"]
    assert (heard.inserted, heard.removed, heard.moved, heard.reset) == ([], [], 0, 0)


def test_a_question_speaks_its_key_state_and_problem(questions):
    assert (
        questions.index_of("moon-01").data(SPEAK) == "moon-01, not graded: Which crater is this?. There is no rubric."
    )


def test_a_thumbnail_is_asked_for_once_when_it_is_first_seen(questions, qtbot):
    wanted = []
    questions.thumbnail_wanted.connect(wanted.append)
    index = questions.index_of("coffee-01")
    assert index.data(Roles.THUMBNAIL) is None
    assert index.data(Roles.THUMBNAIL) is None
    assert questions.index_of("cat-01").data(Roles.THUMBNAIL) is None
    assert wanted == ["coffee-01"]
    with qtbot.waitSignal(questions.dataChanged):
        questions.set_thumbnail("coffee-01", QPixmap(2, 2))
    assert index.data(Roles.THUMBNAIL).width() == 2
    questions.set_thumbnail("gone", QPixmap(2, 2))
    questions.set_entries([replace(CUP, image="another")])
    assert questions.index_of("coffee-01").data(Roles.THUMBNAIL) is None
    assert wanted == ["coffee-01", "coffee-01"]


@pytest.mark.parametrize(
    ("text", "states", "keys"),
    [
        ("", (), ["coffee-01", "cat-01", "moon-01"]),
        ("cat", (), ["cat-01"]),
        ("THIS which", (), ["cat-01", "moon-01"]),
        ("food", (), ["coffee-01"]),
        ("", ("draft", "graded"), ["coffee-01", "cat-01"]),
        ("this", ("ungraded",), ["moon-01"]),
        ("nowhere", (), []),
    ],
)
def test_the_filter_finds_words_and_states(questions, text, states, keys):
    proxy = QuestionFilter()
    watched(proxy)
    proxy.setSourceModel(questions)
    proxy.set_text(text)
    proxy.set_states(states)
    assert [proxy.index(row, 0).data(Roles.ID) for row in range(proxy.rowCount())] == keys


def test_a_filtered_question_comes_and_goes_with_its_state(questions):
    proxy = QuestionFilter()
    watched(proxy)
    proxy.setSourceModel(questions)
    proxy.set_states(["draft"])
    questions.set_entries([replace(CUP, state="draft"), replace(CAT, state="graded"), MOON])
    assert [proxy.index(row, 0).data(Roles.ID) for row in range(proxy.rowCount())] == ["coffee-01"]


def test_a_response_tells_both_scores(qtbot):
    model = ResponseListModel()
    watched(model)
    model.set_entries(
        [
            ResponseEntry(1, "complete", judge="smollm2", score=0.912, keyword_score=0.8),
            ResponseEntry(2, "wrong", Variant.TEXT, 2, judge="keyword", score=-0.225, keyword_score=-0.225),
            ResponseEntry(3, "new", judge="smollm2"),
        ]
    )
    assert [model.index(row).data(SPEAK) for row in range(3)] == [
        "complete, with picture, 91.2 by smollm2, 80.0 by keyword",
        "wrong, text only, sample 2, \N{MINUS SIGN}22.5 by keyword",
        "new, with picture, no score by smollm2, no score by keyword",
    ]
    assert (model.index(0).data(Roles.SCORE), model.index(0).data(Roles.SECOND_SCORE)) == (0.912, 0.8)
    assert model.index(0).data(Roles.ID) == 1
