"""The response as plain text: marks, jumps, long texts, right-to-left, and that nothing in it is obeyed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from gamut_desktop.widgets.response_text import AT_FIRST, ResponseText


@pytest.fixture
def response(themes, qtbot):
    widget = ResponseText(themes)
    qtbot.addWidget(widget)
    widget.resize(400, 300)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def marked(response: ResponseText) -> list[str]:
    return [selection.cursor.selectedText() for selection in response.editor.extraSelections()]


def test_marks_fall_on_the_words_that_the_offsets_name(response):
    text = "A 🙂 cup\r\nof coffee ☕, and a 𝔊 gem"
    response.set_text(text)
    words = [text.index(word) for word in ("cup", "coffee", "gem")]
    response.highlight(zip(words, [words[0] + 3, words[1] + 6, words[2] + 3], strict=True))
    assert marked(response) == ["cup", "coffee", "gem"]


def test_evidence_is_marked_in_another_way_than_words(response):
    response.set_text("small cup of espresso")
    response.highlight(words=[(0, 5)], evidence=[(13, 21)])
    marks = response.editor.extraSelections()
    evidence, word = (mark.format for mark in marks)
    assert evidence.underlineStyle() != word.underlineStyle()
    assert evidence.background() != word.background()


def test_jumping_prefers_what_is_quoted_to_what_is_matched(response):
    text = "\n".join(f"line {n}" for n in range(500))
    response.set_text(text)
    at = text.index("line 400")
    response.highlight(words=[(0, 4)], evidence=[(at, at + 8)])
    response.jump_to_first()
    first, last = response.editor.visible_positions()
    assert first <= at <= last


def test_marks_follow_the_theme(response, themes):
    response.set_text("small cup")
    response.highlight(words=[(0, 5)])
    themes.set_mode("dark")
    (mark,) = response.editor.extraSelections()
    assert mark.format.background().color() == themes.active.matched_ground


def test_another_text_has_no_marks(response):
    response.set_text("small cup")
    response.highlight(words=[(0, 5)])
    response.set_text("another")
    assert marked(response) == []


def test_marks_outside_the_text_do_no_harm(response):
    response.set_text("cup")
    response.highlight(words=[(1, 99), (50, 60)])
    assert marked(response)[0] == "up"


def test_markup_is_shown_and_never_obeyed(response):
    text = '<img src="http://example.org/x.png"><b>bold</b> <script>1</script>'
    response.set_text(text)
    assert response.editor.toPlainText() == text


def test_jumping_brings_the_first_span_into_view(response):
    text = "\n".join(f"line {n}" for n in range(500))
    response.set_text(text)
    at = text.index("line 400")
    response.highlight(words=[(at, at + 8)])
    response.jump_to_first()
    first, last = response.editor.visible_positions()
    assert first <= at <= last
    assert marked(response) == ["line 400"]


def test_a_long_text_is_shown_in_part_until_all_is_asked_for(response, qtbot):
    text = " ".join(f"word{n}" for n in range(20_000))
    response.set_text(text)
    assert len(response.editor.toPlainText()) <= AT_FIRST + 100
    assert response.show_all_button.isVisible()
    with qtbot.waitSignal(response.all_shown):
        qtbot.mouseClick(response.show_all_button, Qt.MouseButton.LeftButton)
    assert response.editor.toPlainText().replace("\n", "") == text
    assert not response.show_all_button.isVisible()


def test_copying_gives_the_text_without_the_display_s_own_breaks(response, qtbot):
    text = " ".join(f"wörd🙂{n}" for n in range(8_000))
    response.set_text(text)
    with qtbot.waitSignal(response.all_shown):
        response.show_all()
    response.editor.selectAll()
    assert response.editor.createMimeDataFromSelection().text() == text
    assert response.selected_span() == (0, len(text))


def test_jumping_to_what_is_not_shown_yet_shows_it(response, qtbot):
    text = " ".join(f"word{n}" for n in range(20_000))
    response.set_text(text)
    at = text.index("word19990")
    response.highlight(words=[(at, at + 9)])
    with qtbot.waitSignal(response.all_shown):
        response.jump_to_first()
    assert marked(response) == ["word19990"]


def test_a_selection_is_told_in_offsets_of_the_string(response):
    text = "🙂 cup"
    response.set_text(text)
    cursor = response.editor.document().find("cup")
    response.editor.setTextCursor(cursor)
    assert response.selected_span() == (2, 5)
    response.editor.moveCursor(QTextCursor.MoveOperation.Start)
    assert response.selected_span() is None


def test_hebrew_begins_at_the_right_and_english_at_the_left(response):
    middle = response.editor.viewport().width() / 2
    response.set_text("12. שלום עולם")
    assert response.editor.cursorRect().x() > middle
    response.set_text("Hello שלום")
    assert response.editor.cursorRect().x() < middle


def test_the_text_is_read_only_and_reached_by_keyboard(response):
    response.set_text("cup")
    assert response.editor.isReadOnly()
    assert response.editor.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard
    assert response.editor.accessibleName() == "Response"


def test_an_empty_response_says_so(response):
    response.set_text("")
    assert response.editor.placeholderText() == "This response is empty."
