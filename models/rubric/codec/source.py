"""From text to a tree of nodes with lines, YAML and JSON alike, within limits and without running anything.

YAML scalars stay the text they were written as (`no`, `12:30` and `1_000` are not guessed at); each field converts its
own. The tree is built from libyaml's events, without recursion, so that depth and aliases are counted before they hurt.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import yaml

from models.errors import GamutError

MAX_DEPTH = 40
MAX_NODES = 200_000

Path = tuple[str | int, ...]


class RubricFileError(GamutError):
    """A rubric file cannot be read; the sentence names file, line and field."""


@dataclass(slots=True)
class Node:
    """One value: a dict of nodes, a list of nodes, or a scalar. `plain`: a YAML scalar written without quotes."""

    value: Any
    line: int | None = None
    plain: bool = False
    size: int = 1


@dataclass(slots=True)
class Source:
    """A parsed text, able to say where in it something is."""

    name: str
    text: str
    root: Node
    first_line: int = 1
    is_json: bool = False

    def fail(self, path: Path, node: Node, message: str, next_step: str) -> NoReturn:
        """Raise RubricFileError naming file, line and field."""
        line = node.line if node.line is not None else self._find_line(path)
        raise RubricFileError(f"{_place(self.name, line)}: {show(path)}{message}", next_step)

    def lined_root(self) -> Node:
        """The root with lines. JSON is read by json, and composed as YAML only for this; an empty map if that fails."""
        if not self.is_json:
            return self.root
        try:
            return _Builder(self.name, self.text, self.first_line).build()
        except (GamutError, yaml.YAMLError):
            return Node({})

    def _find_line(self, path: Path) -> int | None:
        node = self.lined_root()
        try:
            for step in path:
                node = node.value[step]
        except (KeyError, IndexError, TypeError):
            return None
        return node.line


def show(path: Path) -> str:
    """A path as a person writes it: rubric[2].options[0].text and a space; nothing for the root."""
    parts = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in path]
    return "".join(parts).lstrip(".") + " " if path else ""


def _place(name: str, line: int | None) -> str:
    return name if line is None else f"{name}, line {line}"


def parse(text: str, name: str, *, is_json: bool, first_line: int = 1) -> Source:
    """Parse one document; raises RubricFileError for text that is broken, too deep or too large."""
    if not text.strip():
        raise RubricFileError(f"{name} is empty.", "A rubric file starts with 'gamut: 1'.")
    if is_json:
        return Source(name, text, _json_node(_parse_json(text, name, first_line), name), first_line, is_json)
    return Source(name, text, _parse_yaml(text, name, first_line), first_line, is_json)


def _too_deep(place: str) -> RubricFileError:
    """The refusal of a document nested deeper than any rubric is."""
    return RubricFileError(f"{place}: this is nested more than {MAX_DEPTH} levels deep.", "Flatten it.")


def _parse_yaml(text: str, name: str, first_line: int) -> Node:
    try:
        return _Builder(name, text, first_line).build()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        last = text.rstrip().count("\n")
        line = first_line + min(mark.line, last) if mark else None
        if "nesting depth" in (error.problem or ""):  # libyaml counts brackets before we see them
            raise _too_deep(_place(name, line)) from None
        raise RubricFileError(
            f"{_place(name, line)}: this is not valid YAML ({error.problem or 'it cannot be parsed'}).",
            "Check indentation, quotes and colons on that line and the one above.",
        ) from None
    except yaml.YAMLError as error:
        reason = str(error).splitlines()[0]
        raise RubricFileError(f"{name}: this is not valid YAML ({reason}).", "Remove what is not plain text.") from None


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet; `key` waits for its value."""

    node: Node
    anchor: str | None
    key: str | None = None
    has_key: bool = False


@dataclass(slots=True)
class _Builder:
    name: str
    text: str
    first_line: int
    anchors: dict[str, Node] = field(default_factory=dict)
    open: list[_Open] = field(default_factory=list)
    nodes: int = 0

    def build(self) -> Node:
        root: Node | None = None
        for event in yaml.parse(self.text, Loader=yaml.CSafeLoader):
            done = self._take(event)
            if isinstance(event, yaml.DocumentStartEvent) and root is not None:
                self._fail(event, "this file holds more than one document", "Keep one rubric a file.")
            if done is not None and not self.open:
                root = done
        if root is None:
            raise RubricFileError(f"{self.name} is empty.", "A rubric file starts with 'gamut: 1'.")
        return root

    def _take(self, event: Any) -> Node | None:
        """Feed one event; the node it completes, if any."""
        line = self.first_line + event.start_mark.line
        match event:
            case yaml.ScalarEvent():
                self._refuse_tag(event)
                return self._add(Node(event.value, line, event.implicit[0] and event.style in (None, "")), event)
            case yaml.AliasEvent():
                if event.anchor not in self.anchors:
                    self._fail(event, f"*{event.anchor} stands for nothing", "Write the value out.")
                return self._add(self.anchors[event.anchor], event)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._refuse_tag(event)
                if len(self.open) >= MAX_DEPTH:
                    raise _too_deep(_place(self.name, line))
                empty: Any = [] if isinstance(event, yaml.SequenceStartEvent) else {}
                self.open.append(_Open(Node(empty, line), event.anchor))
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                closed = self.open.pop()
                if closed.anchor:
                    self.anchors[closed.anchor] = closed.node
                return self._put(closed.node, event)
        return None

    def _add(self, node: Node, event: Any) -> Node:
        if isinstance(event, yaml.ScalarEvent) and event.anchor:
            self.anchors[event.anchor] = node
        return self._put(node, event)

    def _put(self, node: Node, event: Any) -> Node:
        """Hang a finished node into whatever is open, counting aliased content as often as it is used."""
        self.nodes += node.size if isinstance(event, yaml.AliasEvent) else 1
        if self.nodes > MAX_NODES:
            self._fail(event, f"this holds more than {MAX_NODES:,} values", "Split the file, or write aliases out.")
        if not self.open:
            return node
        parent = self.open[-1]
        parent.node.size += node.size
        if isinstance(parent.node.value, list):
            parent.node.value.append(node)
        elif not parent.has_key:
            if not isinstance(node.value, str):
                self._fail(event, "a field name must be text", "Check the braces and dashes on this line.")
            if node.value in parent.node.value:
                self._fail(event, f"'{node.value}' is there twice", "Keep one of the two.")
            parent.key, parent.has_key = node.value, True
        else:
            parent.node.value[parent.key] = node
            parent.has_key = False
        return node

    def _refuse_tag(self, event: Any) -> None:
        if event.tag is not None and event.tag not in ("!", "tag:yaml.org,2002:str"):
            self._fail(event, f"the tag {event.tag} is not used here", "Remove it; plain values are enough.")

    def _fail(self, event: Any, message: str, next_step: str) -> NoReturn:
        line = self.first_line + event.start_mark.line
        raise RubricFileError(f"{_place(self.name, line)}: {message}.", next_step)


def _parse_json(text: str, name: str, first_line: int) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            names = [key for key, _ in pairs]
            twice = next(key for key in names if names.count(key) > 1)
            raise RubricFileError(f"{name}: '{twice}' is there twice in one object.", "Keep one of the two.")
        return fields

    def no_constant(word: str) -> NoReturn:
        raise RubricFileError(f"{name}: {word} is not a JSON number.", "Use null, or leave the field out.")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise RubricFileError(
            f"{_place(name, line)}: this is not valid JSON ({error.msg}).", "Check commas, quotes and brackets there."
        ) from None
    except RecursionError:
        raise _too_deep(name) from None
    except ValueError as error:
        raise RubricFileError(f"{name}: a number is too long ({error}).", "Write it as text in quotes.") from None


def _json_node(value: Any, name: str) -> Node:
    """Wrap parsed JSON in nodes, level by level; refuses too deep or too large ones."""
    root = Node(value)
    level, depth, count = [root], 0, 1
    while level:
        depth += 1
        if depth > MAX_DEPTH + 1:
            raise _too_deep(name)
        level = [child for node in level for child in _wrap_children(node)]
        count += len(level)
        if count > MAX_NODES:
            raise RubricFileError(f"{name}: this holds more than {MAX_NODES:,} values.", "Split the file.")
    return root


def _wrap_children(node: Node) -> Iterator[Node]:
    if isinstance(node.value, dict):
        node.value = {key: Node(value) for key, value in node.value.items()}
        yield from node.value.values()
    elif isinstance(node.value, list):
        node.value = [Node(value) for value in node.value]
        yield from node.value
