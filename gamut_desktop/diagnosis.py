"""The diagnosis that a person can copy into a report: versions and counts, never names, texts or paths."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

import gamut_desktop
from models.store.project import Project
from models.store.queries.questions import questions
from models.store.queries.responses import responses
from models.store.queries.status import project_info


def diagnosis(project: Project | None, judge: str, last_error: str) -> str:
    """Lines of "what: value"."""
    facts = {
        "Gamut Desktop": gamut_desktop.__version__,
        "Python": platform.python_version(),
        "Qt": f"{qVersion()} ({QGuiApplication.platformName()})",
        "System": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Processors": str(os.cpu_count()),
        "Frozen": str(bool(getattr(sys, "frozen", False))),
        "llama-cpp-python": _version("llama-cpp-python"),
        "Judge": judge.split(":", 1)[0],
    }
    if project is not None:
        with project.read() as snapshot:
            info = project_info(snapshot)
            facts["Project"] = (
                f"schema {info.schema}, {len(questions(snapshot))} questions, {len(responses(snapshot))} responses"
            )
    if last_error:
        facts["Last error"] = last_error
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
