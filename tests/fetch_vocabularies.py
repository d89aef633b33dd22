"""Fetches the vocabularies of real_vocabularies.py, once a machine: `python -m tests.fetch_vocabularies`.

pip gets the source archive that this environment's llama-cpp-python was built from (from its own cache, where it still
lies there), and only the vocabularies are kept. For set-up, before the tests: tests themselves use no network.
"""

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tests.real_vocabularies import FOLDER, SHA256, VERSION, file_name


class NotFetched(Exception):
    """The vocabularies could not be had; the message says why and what to do."""


def missing(folder: Path) -> list[str]:
    """Names of vocabularies that are not in the folder, or not whole."""
    return [name for name in SHA256 if not _is_whole(folder / file_name(name), SHA256[name])]


def fetch(folder: Path = FOLDER) -> None:
    """Put what is missing into the folder. Raises NotFetched."""
    wanted = missing(folder)
    if not wanted:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as working:
        archive = _download(Path(working))
        with tarfile.open(archive) as members:
            for name in wanted:
                _unpack(members, archive.name.removesuffix(".tar.gz"), name, folder)


def _download(into: Path) -> Path:
    wish = f"llama-cpp-python=={VERSION}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "llama-cpp-python"]
    done = subprocess.run([*command, "--dest", str(into), wish], capture_output=True, text=True, check=False)
    archive = into / f"llama_cpp_python-{VERSION}.tar.gz"
    if done.returncode or not archive.is_file():
        reason = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        raise NotFetched(f"The source archive of {wish} could not be had: {reason}. Try again with a network.")
    return archive


def _unpack(members: tarfile.TarFile, root: str, name: str, folder: Path) -> None:
    try:
        file = members.extractfile(f"{root}/vendor/llama.cpp/models/{file_name(name)}")
    except KeyError:
        file = None
    content = file.read() if file else b""
    if hashlib.sha256(content).hexdigest() != SHA256[name]:
        raise NotFetched(f"The vocabulary {name} in the source archive is not the one that the tests were written for.")
    part = folder / f"{file_name(name)}.part"
    part.write_bytes(content)
    part.replace(folder / file_name(name))


def _is_whole(path: Path, sha256: str) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


if __name__ == "__main__":
    try:
        fetch()
    except (NotFetched, OSError) as error:
        sys.exit(str(error))
