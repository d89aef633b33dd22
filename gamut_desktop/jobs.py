"""Work off the GUI thread, in one convention: a function goes in, `(result, error)` comes back on the GUI thread.

A job runs in a thread of its own; it tells progress by emitting signals (Qt queues them). Nothing is ever terminated:
long work polls a stop flag, and `wait` joins what is left when the window closes.
"""

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

Done = Callable[[Any, Exception | None], None]


class Jobs(QObject):
    """Starts jobs and brings their ends back to the thread that this object lives in."""

    _ended = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads: set[threading.Thread] = set()
        self._ended.connect(self._deliver)

    def start(self, name: str, work: Callable[[], Any], done: Done) -> None:
        """Run `work` in a thread; call `done(result, None)` or `done(None, error)` here when it has ended."""

        def run() -> None:
            result, error = None, None
            try:
                result = work()
            except Exception as caught:  # noqa: BLE001  whatever it is, the GUI thread is told
                error = caught
            self._ended.emit(threading.current_thread(), done, (result, error))

        thread = threading.Thread(target=run, name=f"gamut-{name}")
        self._threads.add(thread)
        thread.start()

    @property
    def busy(self) -> bool:
        """Whether any job is still running, or its end is still to be told."""
        return bool(self._threads)

    def wait(self) -> None:
        """Join every thread; their ends are still told when events are processed."""
        for thread in tuple(self._threads):
            thread.join()

    @Slot(object, object, object)
    def _deliver(self, thread: threading.Thread, done: Done, ended: tuple[Any, Exception | None]) -> None:
        thread.join()
        self._threads.discard(thread)
        done(*ended)
