"""One remark of lint, in the stable shape of `gamut lint --json`."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """error: cannot be graded. warning: will be graded wrongly or unfairly. note: worth a look."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """A remark about an item or element (ids), or about the whole question (None). `line` is 1-based, if known."""

    rule: str
    severity: Severity
    item: str | None
    element: str | None
    message: str
    fix: str | None = None
    line: int | None = None

    def as_json(self) -> dict[str, Any]:
        """All keys always."""
        return {
            "rule": self.rule,
            "severity": self.severity.value,
            "item": self.item,
            "element": self.element,
            "line": self.line,
            "message": self.message,
            "fix": self.fix,
        }
