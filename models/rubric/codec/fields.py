"""A cursor over a parsed source: each method converts one value to what its field wants, or names field and line."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from models.rubric.codec.source import Node, Path, Source

_E = TypeVar("_E", bound=StrEnum)
_TRUE, _FALSE = ("true", "yes", "on"), ("false", "no", "off")


@dataclass(frozen=True, slots=True)
class Field:
    """One value in its place."""

    source: Source
    node: Node
    path: Path = ()

    def fail(self, message: str, next_step: str) -> NoReturn:
        self.source.fail(self.path, self.node, message, next_step)

    @property
    def is_map(self) -> bool:
        return isinstance(self.node.value, dict)

    @property
    def is_list(self) -> bool:
        return isinstance(self.node.value, list)

    @property
    def absent(self) -> bool:
        """null, or nothing, `~` or `null` without quotes in YAML: an optional field that was left blank."""
        return self.node.value is None or (self.node.plain and self.node.value in ("", "~", "null"))

    def map(self, known: tuple[str, ...], example: str = "") -> "Fields":
        """The fields of a mapping; an unknown one is refused by name."""
        if not self.is_map:
            step = f"Write it as fields, for example {example}." if example else "Write it as fields with names."
            self.fail(f"must be a set of fields, not {self.shown()}.", step)
        for name, node in self.node.value.items():
            if name not in known:
                near = get_close_matches(name, known, n=1)
                step = f"Did you mean '{near[0]}'?" if near else f"Known here: {', '.join(known)}."
                Field(self.source, node, (*self.path, name)).fail("is not a known field.", step)
        return Fields(self, known)

    def items(self, *, single: bool = False) -> Iterator["Field"]:
        """The members of a list; with `single`, a lone value counts as a list of one."""
        if not self.is_list:
            if single and not self.is_map:
                yield self
                return
            self.fail(f"must be a list, not {self.shown()}.", "Start each member with '- ', or use [ ... ].")
        for number, node in enumerate(self.node.value):
            yield Field(self.source, node, (*self.path, number))

    def text(self) -> str:
        """Text without white space at its ends."""
        if not isinstance(self.node.value, str):
            self.fail(f"must be text, not {self.shown()}.", "Put it in quotes.")
        value: str = self.node.value.strip()
        if any("\ud800" <= c <= "\udfff" for c in value):
            self.fail("holds half a Unicode character.", "Write the whole character.")
        return value

    def word(self) -> str:
        """A text that is an id: 1 to 200 characters, no white space, no control characters."""
        value = self.text()
        if not 0 < len(value) <= 200 or any(c.isspace() or not c.isprintable() for c in value):
            self.fail(f"must be a short id without spaces, not {self.shown()}.", "Use letters, digits, '-' or '_'.")
        return value

    def integer(self) -> int:
        value = self.node.value
        if isinstance(value, str) and not self.source.is_json and value.lstrip("+-").isascii():
            digits = value.lstrip("+-")
            if digits.isdigit() and len(value) - len(digits) <= 1 and len(digits) <= 9:
                return int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        self.fail(f"must be a whole number, not {self.shown()}.", "Write digits only, for example 2.")

    def boolean(self) -> bool:
        value = self.node.value
        if isinstance(value, bool):
            return value
        if self.node.plain and value.lower() in _TRUE + _FALSE:
            return bool(value.lower() in _TRUE)
        self.fail(f"must be true or false, not {self.shown()}.", "Write true or false, without quotes.")

    def choice(self, words: type[_E]) -> _E:
        return words(self.one_of(*[w.value for w in words]))

    def one_of(self, *words: str) -> str:
        value = self.node.value
        if value not in words:
            self.fail(f"must be one of {', '.join(words)}, not {self.shown()}.", "Use one of these words.")
        return str(value)

    def plain(self) -> Any:
        """The value as plain JSON-like data, for fields that are kept without being read."""
        if self.is_map:
            return {key: Field(self.source, node).plain() for key, node in self.node.value.items()}
        if self.is_list:
            return [Field(self.source, node).plain() for node in self.node.value]
        return None if self.absent else self.node.value

    def shown(self) -> str:
        """The value as an error names it, shortened."""
        if self.is_map:
            return "a set of fields"
        if self.is_list:
            return "a list"
        if self.node.value is None or self.node.value == "":
            return "nothing"
        value = self.node.value
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return f"'{text[:40]}{'...' if len(text) > 40 else ''}'"


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one mapping, by name."""

    owner: Field
    known: tuple[str, ...]

    def get(self, name: str) -> Field | None:
        """The field, or None if it is absent or left blank."""
        node = self.owner.node.value.get(name)
        if node is None:
            return None
        field = Field(self.owner.source, node, (*self.owner.path, name))
        return None if field.absent else field

    def need(self, name: str, example: str) -> Field:
        """The field, even if blank; its absence is an error."""
        node = self.owner.node.value.get(name)
        if node is None:
            self.owner.fail(f"has no '{name}'." if self.owner.path else f"'{name}' is missing.", f"Add {example}.")
        return Field(self.owner.source, node, (*self.owner.path, name))

    def text(self, name: str) -> str | None:
        field = self.get(name)
        return field.text() if field else None

    def words(self, name: str) -> tuple[str, ...]:
        """A list of ids, or one id; empty if absent."""
        field = self.get(name)
        return tuple(member.word() for member in field.items(single=True)) if field else ()
