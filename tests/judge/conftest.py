"""The real bundled model for tests, requantized once a machine; what runs it is each test's own choice."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from judge_local.bundled import bundled_model
from judge_local.llama.messages import LocalSettings
from judge_local.llama.worker import wait_passively
from tests.models_on_disk import Q8_CACHE

if TYPE_CHECKING:
    from judge_local.llama.binding import Binding

wait_passively()  # before llama.cpp is loaded, as in the worker


@pytest.fixture(scope="session")
def model_path() -> Path:
    return bundled_model(Q8_CACHE)


@pytest.fixture(scope="session")
def binding(model_path: Path) -> Iterator["Binding"]:
    """The model in this very process, for tests that look at single evaluations."""
    from judge_local.llama.binding import Binding, LoadOptions

    loaded = Binding(LoadOptions(model_path, threads=2, context=2048))
    yield loaded
    loaded.close()


@pytest.fixture
def settings(model_path: Path) -> LocalSettings:
    return LocalSettings(model_path, threads=2, context=2048, prior=False)
