"""The real `main()` in a process of its own, with an edit made as soon as its window shows a question.

python -m tests.qt.window.another_window PROJECT TEXT
"""

import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from gamut_desktop.__main__ import main
from gamut_desktop.main_window import MainWindow


def write(text: str) -> None:
    """Type into the question once it is there; till then ask again."""
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow) and window.desk is not None and window.desk.question is not None:
            window.panes.question.text.setPlainText(text)
            return
    QTimer.singleShot(20, lambda: write(text))


if __name__ == "__main__":
    path, text = sys.argv[1:]
    app = QApplication([])
    QTimer.singleShot(0, lambda: write(text))
    sys.argv = ["gamut", path]
    main()
