"""A theme controller for each test, and the rule that no test here makes Qt complain."""

import os
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from gamut_desktop.theme import ThemeController

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

OFFSCREEN_SAYS = "This plugin does not support"


@pytest.fixture
def themes(qapp: QApplication) -> Iterator[ThemeController]:
    """In light, at 100 %; the application's font is put back afterwards."""
    controller = ThemeController(qapp)
    controller.set_mode("light")
    yield controller
    controller.reset_zoom()
    controller.deleteLater()


@pytest.fixture(autouse=True)
def qt_is_silent(qtlog) -> Iterator[None]:
    """Qt's warnings are failures, but for what the offscreen platform cannot do."""
    yield
    said = [record.message for record in qtlog.records if OFFSCREEN_SAYS not in record.message]
    assert said == []
