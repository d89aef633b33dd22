"""Nothing in the window is cut, sticks out, scrolls sideways or is untranslated: the fast part of `make screenshots`.

The checks are also shown to find what they are there for.
"""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

from gamut_desktop.widgets.labels import Label
from tools import screen_scenes as scenes
from tools.pseudo_locale import CLOSE, OPEN, pseudo
from tools.screen_checks import findings
from tools.screenshots import LARGE, SMALL, Language, opened

SHOWN = (
    *(scenes.welcome, scenes.new_project, scenes.no_responses, scenes.probabilities, scenes.rubric_row, scenes.error),
    *(scenes.judges, scenes.judge_settings, scenes.judge_settings_end, scenes.add_judge, scenes.judge_checked),
)


def found_in(stage: scenes.Stage, language: Language) -> Iterator[str]:
    known = list(scenes.content(stage.window)) if language == "pseudo" else None
    for root in scenes.roots(stage.window):
        yield from findings(root, known)


@pytest.mark.parametrize("language", ["english", "pseudo", "right-to-left"])
def test_every_view_is_in_order_in_a_small_window(qapp, language: Language) -> None:
    found = []
    with opened(language) as stage:
        for scene in SHOWN:
            stage.window.resize(SMALL)
            scene(stage)
            stage.settle()
            found += [f"{scene.__name__}: {one}" for one in found_in(stage, language)]
            scenes.leave(stage)
    assert found == []


def test_large_text_fits_and_a_large_window_is_filled(qapp) -> None:
    with opened("english") as stage:
        stage.window.resize(SMALL)
        scenes.large_text(stage)
        stage.settle()
        assert list(found_in(stage, "english")) == []
        stage.window.resize(LARGE)
        stage.settle()
        assert list(found_in(stage, "english")) == []
        scenes.leave(stage)


def test_dialogs_about_judges_fit_when_they_are_narrow_and_the_text_is_large(qapp) -> None:
    found = []
    with opened("english") as stage:
        for scene in (scenes.judges, scenes.judge_settings_end, scenes.add_judge, scenes.judge_checked):
            for zoom in (100, 150):
                stage.window.themes.set_zoom(zoom)
                scene(stage)
                (dialog,) = scenes.dialogs(stage.window)
                stage.settle()
                narrow = dialog.minimumSizeHint().width()
                dialog.resize(narrow, max(420, dialog.layout().heightForWidth(narrow)))
                stage.settle()
                found += [f"{scene.__name__} {zoom}: {one}" for one in findings(dialog)]
                scenes.leave(stage)
    assert found == []


def test_another_project_opens_with_the_panes_where_they_were(qapp) -> None:
    with opened("english") as stage:
        scenes.full(stage)
        before = {dock.objectName(): dock.geometry().getRect() for dock in stage.window.docks()}
        stage.open(stage.projects.unanswered)
        after = {dock.objectName(): dock.geometry().getRect() for dock in stage.window.docks()}
    assert after == before


def test_a_cut_label_and_a_widget_that_sticks_out_are_found(qtbot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    root.resize(200, 100)
    label = QLabel("a long sentence that does not fit", root)
    label.setGeometry(0, 0, 40, 20)
    QWidget(root).setGeometry(180, 0, 60, 20)
    with qtbot.waitExposed(root):
        root.show()
    kinds = [one.split(":")[0] for one in findings(root)]
    assert sorted(kinds) == ["cut", "outside"]
    label.setToolTip(label.text())
    assert [one.split(":")[0] for one in findings(root)] == ["outside"]


def test_what_scrolls_sideways_is_found(qtbot) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    inside = QWidget()
    inside.setFixedSize(900, 50)
    area.setWidget(inside)
    area.resize(300, 200)
    with qtbot.waitExposed(area):
        area.show()
    assert any(one.startswith("sideways") for one in findings(area))


def test_untranslated_words_are_found_but_not_content_or_names(qtbot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    root.resize(400, 100)
    label = QLabel(f"{pseudo('Imported by')} smollm2: my tea", root)
    label.setGeometry(0, 0, 400, 20)
    with qtbot.waitExposed(root):
        root.show()
    assert findings(root, ["my tea"]) == []
    assert any("my tea" in one for one in findings(root, []))
    label.setText("Imported")
    assert any(one.startswith("untranslated") for one in findings(root, []))


def test_the_pseudo_locale_is_longer_and_keeps_placeholders_and_mnemonics() -> None:
    made = pseudo("&Undo {what} of %n answers")
    assert made.startswith(OPEN)
    assert made.endswith(CLOSE)
    assert "{what}" in made
    assert "%n" in made
    assert "&" in made
    assert len(made) > 1.3 * len("&Undo {what} of %n answers")
    assert pseudo("100 %") == "100 %"


def test_titles_and_small_print_follow_the_text_zoom(qapp) -> None:
    with opened("english") as stage:
        scenes.full(stage)
        labels = [one for one in stage.window.findChildren(Label) if one.isVisible()]
        before = [one.font().pointSizeF() for one in labels]
        stage.window.themes.set_zoom(150)
        stage.settle()
        after = [one.font().pointSizeF() for one in labels]
        scenes.leave(stage)
    assert [big / small for small, big in zip(before, after, strict=True)] == pytest.approx(
        [1.5] * len(labels), rel=0.03
    )
