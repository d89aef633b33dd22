"""Keeps the computer from sleeping while a run goes on, by each system's own means; harmless where there is none."""

import ctypes
import os
import shutil
import subprocess
import sys


def _command() -> list[str] | None:
    """A program that holds sleep off for as long as it runs; None if this system has none."""
    if sys.platform == "darwin":
        return ["caffeinate", "-i", "-w", str(os.getpid())]
    if sys.platform.startswith("linux") and shutil.which("systemd-inhibit"):
        why = "--why=Grading is going on"
        watch = ["tail", f"--pid={os.getpid()}", "-f", "/dev/null"]  # ends with us, however we end
        return ["systemd-inhibit", "--what=idle:sleep", "--who=Gamut Desktop", why, *watch]
    return None


class KeepAwake:
    """`hold` and `release`; both may be called at any time, and more than once."""

    _CONTINUOUS, _SYSTEM_REQUIRED = 0x80000000, 0x00000001

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None

    def hold(self) -> None:
        """Hold sleep off until `release`."""
        if sys.platform == "win32":
            ctypes.windll.kernel32.SetThreadExecutionState(self._CONTINUOUS | self._SYSTEM_REQUIRED)
            return
        command = _command()
        if command is None or self._child is not None:
            return
        try:
            self._child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        except OSError:
            self._child = None  # a computer that may sleep is no reason not to grade

    def release(self) -> None:
        """Let the computer sleep again."""
        if sys.platform == "win32":
            ctypes.windll.kernel32.SetThreadExecutionState(self._CONTINUOUS)
            return
        if self._child is not None:
            self._child.terminate()
            self._child.wait()
            self._child = None
