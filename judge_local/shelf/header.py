"""The header of a GGUF file, read with limits: what kind of model it is, and which tensors it has.

A file from anywhere may lie about lengths; each is checked against what is left of the file before anything is read, so
a header costs no more memory than the bytes it really has. Format: GGUF versions 2 and 3, little-endian.
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from judge_local.llama.modelfile import ModelFileError, check_model_file

Scalar = int | float | bool | str
_FORMATS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
_MOST_KEYS, _MOST_TENSORS, _MOST_DIMENSIONS = 10_000, 100_000, 8
_MOST_NAME, _MOST_TEXT, _MOST_HEADER = 65_536, 4 << 20, 512 << 20


@dataclass(frozen=True, slots=True)
class Header:
    """architecture: `general.architecture`. values: every single value by its key (lists are passed over). tensors:
    shapes by name, the fastest-moving dimension first, as GGUF writes them.
    """

    architecture: str
    values: dict[str, Scalar]
    tensors: dict[str, tuple[int, ...]]

    def number(self, key: str) -> int | None:
        """A whole number; None if it is not there or is something else."""
        value = self.values.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


def read_header(path: Path) -> Header:
    """Read the header of that file; raises ModelFileError."""
    check_model_file(path)
    try:
        with path.open("rb") as file:
            return _Reader(file, path.stat().st_size).header()
    except (_Broken, struct.error, UnicodeDecodeError, OSError) as error:
        why = str(error) if isinstance(error, _Broken) else "its header cannot be read"
        raise ModelFileError(f"{path.name} is damaged: {why}.", "Fetch the model file again.") from None


class _Broken(Exception):
    """The end of the sentence "... is damaged: "."""


class _Reader:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = min(size, _MOST_HEADER)

    def header(self) -> Header:
        self._bytes(4)
        version = self._number("<I")
        if version not in (2, 3):
            raise _Broken(f"its format version is {version}, and 2 and 3 are known")
        tensors, keys = self._number("<Q"), self._number("<Q")
        if keys > _MOST_KEYS or tensors > _MOST_TENSORS:
            raise _Broken(f"it claims {keys:,} keys and {tensors:,} tensors")
        values: dict[str, Scalar] = {}
        for _ in range(keys):
            name = self._text(_MOST_NAME)
            value = self._value(self._number("<I"))
            if value is not None:
                values[name] = value
        shapes = dict(self._tensor() for _ in range(tensors))
        return Header(str(values.get("general.architecture", "")), values, shapes)

    def _tensor(self) -> tuple[str, tuple[int, ...]]:
        name = self._text(_MOST_NAME)
        dimensions = self._number("<I")
        if dimensions > _MOST_DIMENSIONS:
            raise _Broken(f"a tensor claims {dimensions:,} dimensions")
        shape = tuple(self._number("<Q") for _ in range(dimensions))
        self._bytes(4 + 8)  # its type, and where it lies
        return name, shape

    def _value(self, kind: int) -> Scalar | None:
        if kind == _STRING:
            return self._text(_MOST_TEXT)
        if kind != _ARRAY:
            return self._scalar(kind)
        inner, count = self._number("<I"), self._number("<Q")
        if inner == _STRING:
            self._need(8 * count)
            for _ in range(count):
                self._skip(self._number("<Q"))
            return None
        if inner not in _FORMATS:
            raise _Broken(f"a list is of the unknown kind {inner}")
        self._skip(struct.calcsize(_FORMATS[inner]) * count)
        return None

    def _scalar(self, kind: int) -> Scalar:
        if kind not in _FORMATS:
            raise _Broken(f"a value is of the unknown kind {kind}")
        (value,) = struct.unpack(_FORMATS[kind], self._bytes(struct.calcsize(_FORMATS[kind])))
        assert isinstance(value, int | float | bool)
        return value

    def _number(self, form: str) -> int:
        (value,) = struct.unpack(form, self._bytes(struct.calcsize(form)))
        return int(value)

    def _text(self, most: int) -> str:
        length = self._number("<Q")
        if length > most:
            raise _Broken(f"a text in its header claims {length:,} bytes")
        return self._bytes(length).decode()

    def _bytes(self, count: int) -> bytes:
        self._need(count)
        return self._file.read(count)

    def _skip(self, count: int) -> None:
        self._need(count)
        self._file.seek(count, 1)

    def _need(self, count: int) -> None:
        if self._file.tell() + count > self._size:
            raise _Broken("it ends within its header")
