"""Reading JSONL, JSON lists and CSV into rows that know their line. A bad line is reported and the others are read."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.errors import GamutError
from models.textfile import read_text

csv.field_size_limit(2**31 - 1)


class RowProblem(GamutError):
    """One row cannot be used; the sentence names file and line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a file. `text` is its source where that is JSON on one line, for a reader with lines of its own."""

    file: str
    line: int
    fields: dict[str, Any]
    text: str | None = None

    def fail(self, message: str, next_step: str) -> RowProblem:
        """The refusal of this row."""
        return RowProblem(f"{self.file}, line {self.line}: {message}", next_step)

    def word(self, name: str) -> str:
        """A text that must be there and say something."""
        value = self.fields.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.fail(f"'{name}' must be text, not {_shown(value)}.", f'Write "{name}": "...".')
        return value.strip()

    def text_of(self, name: str) -> str:
        """A text that must be there, as it stands; it may be empty."""
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise self.fail(f"'{name}' must be text, not {_shown(value)}.", f'Write "{name}": "...".')
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise self.fail(f"'{name}' holds half a Unicode character.", "Save the file as UTF-8 again.")
        return value

    def optional(self, name: str) -> str | None:
        """A text, or None where it is absent, null or blank."""
        value = self.fields.get(name)
        return None if value is None or value == "" else self.text_of(name).strip() or None

    def count(self, name: str) -> int:
        """A whole number from 0 up; 0 where it is absent."""
        value = self.fields.get(name)
        if value is None or value == "":
            return 0
        if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**9:
            raise self.fail(f"'{name}' must be a whole number, not {_shown(value)}.", f'Write "{name}": 0.')
        return value


def read_rows(path: Path) -> Iterator[Row | RowProblem]:
    """The rows of a .jsonl, .json (a list, or one object) or .csv file, and a problem for each that cannot be read.

    Raises FileProblem if the file itself cannot be read, RowProblem if its form is broken as a whole.
    """
    text = read_text(path)
    kind = path.suffix.lower()
    if not text.strip():
        raise RowProblem(f"{path.name} is empty.", "Give a file with at least one row.")
    if kind == ".csv":
        yield from _csv_rows(path.name, text)
    elif kind == ".json":
        yield from _json_rows(path.name, text)
    else:
        yield from _jsonl_rows(path.name, text)


def _jsonl_rows(name: str, text: str) -> Iterator[Row | RowProblem]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield RowProblem(f"{name}, line {number}: this is not valid JSON ({_reason(error)}).", _ONE_OBJECT)
            continue
        if isinstance(value, dict):
            yield Row(name, number, value, line)
        else:
            yield RowProblem(f"{name}, line {number}: this is not an object but {_shown(value)}.", _ONE_OBJECT)


_ONE_OBJECT = "Write one JSON object a line, { ... }."


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    return "it is nested too deep" if isinstance(error, RecursionError) else "a number is too long"


def _json_rows(name: str, text: str) -> Iterator[Row | RowProblem]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise RowProblem(
            f"{name}, line {error.lineno}: this is not valid JSON ({error.msg}).", "Check commas, quotes and brackets."
        ) from None
    except (ValueError, RecursionError) as error:
        raise RowProblem(f"{name}: this is not usable JSON ({_reason(error)}).", "Check how it was written.") from None
    for number, member in enumerate(value if isinstance(value, list) else [value], start=1):
        if isinstance(member, dict):
            yield Row(name, number, member)
        else:
            yield RowProblem(f"{name}, entry {number}: this is not an object but {_shown(member)}.", _ONE_OBJECT)


def _csv_rows(name: str, text: str) -> Iterator[Row | RowProblem]:
    head = text.split("\n", 1)[0]
    separator = ";" if head.count(";") > head.count(",") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    names: list[str] | None = None
    try:
        for cells in reader:
            if not any(cells):
                continue
            if names is None:
                names = [cell.strip() for cell in cells]
            elif len(cells) != len(names):
                message = f"there are {len(cells)} cells under {len(names)} column names."
                yield RowProblem(f"{name}, line {reader.line_num}: {message}", "Put cells with commas in quotes.")
            else:
                yield Row(name, reader.line_num, dict(zip(names, cells, strict=True)))
    except csv.Error as error:
        raise RowProblem(f"{name}, line {reader.line_num}: this is not valid CSV ({error}).", "Check quotes.") from None


def _shown(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"'{text[:40]}{'...' if len(text) > 40 else ''}'"
