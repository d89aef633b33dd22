"""The file that `gamut score` reads: {"checks": [{tier, verdict | null}]}, where null is unjudged."""

import json
from pathlib import Path
from typing import Any

from models.errors import GamutError
from models.rubric.metarubric import Tier
from models.scoring.score import Judged
from models.textfile import read_text
from models.verdicts import Verdict

EXAMPLE = 'Write {"checks": [{"tier": "valuable", "verdict": "meets"}]}; null stands for unjudged.'


class ScoreFileError(GamutError):
    """A file of verdicts cannot be read."""


def read_judged(path: Path) -> list[Judged]:
    """Raises FileProblem or ScoreFileError."""
    try:
        content = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise ScoreFileError(
            f"{path.name}, line {error.lineno}: this is not valid JSON ({error.msg}).", EXAMPLE
        ) from None
    except (ValueError, RecursionError):
        raise ScoreFileError(f"{path.name}: this is not usable JSON.", EXAMPLE) from None
    checks = content.get("checks") if isinstance(content, dict) else None
    if not isinstance(checks, list):
        raise ScoreFileError(f"{path.name} has no list of checks.", EXAMPLE)
    return [_judged(path.name, number, check) for number, check in enumerate(checks)]


def _judged(name: str, number: int, check: Any) -> Judged:
    place = f"{name}: checks[{number}]"
    if not isinstance(check, dict):
        raise ScoreFileError(f"{place} is not an object.", EXAMPLE)
    for field in ("tier", "verdict"):
        if field not in check:
            raise ScoreFileError(f"{place} has no '{field}'.", EXAMPLE)
    tier, verdict = check["tier"], check["verdict"]
    if tier not in list(Tier):
        raise ScoreFileError(f"{place}: '{tier}' is no tier.", f"Use one of {', '.join(Tier)}.")
    if verdict is not None and verdict not in list(Verdict):
        raise ScoreFileError(f"{place}: '{verdict}' is no verdict.", f"Use one of {', '.join(Verdict)}, or null.")
    return Tier(tier), None if verdict is None else Verdict(verdict)
