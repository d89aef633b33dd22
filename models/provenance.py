"""The two keys that make a verdict reproducible: what was asked (`input_key`) and by which ruler (`Ruler`).

Scoring profile, tier, compile version and calibration are in neither: they apply when reading (DESIGN, section 5).
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from models.rubric.metarubric import Question
from models.verdicts import Variant


def canonical_json(value: Any) -> str:
    """One spelling per value: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def input_key(
    *,
    variant: Variant,
    question: str,
    image_hashes: tuple[str, ...],
    reference: str | None,
    response: str,
    kind: str,
    text: str,
) -> str:
    """64 hex digits of sha256 over everything that is asked about one check of one response."""
    asked = [variant.value, question, list(image_hashes), reference, response, kind, text]
    return hashlib.sha256(canonical_json(asked).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Asked:
    """What stands above the checks when one response is judged. `reference`: an optional reference answer."""

    variant: Variant
    question: str
    image_hashes: tuple[str, ...]
    response: str
    reference: str | None = None

    @classmethod
    def of(cls, question: Question, variant: Variant, response: str) -> "Asked":
        """The response to that question in that variant; pictures belong to the image variant alone."""
        if variant is Variant.TEXT:
            text = question.text_only.question if question.text_only else None
            return cls(variant, text or question.question, (), response)
        hashes = tuple(image.sha256 for image in question.images if image.sha256)
        return cls(variant, question.question, hashes, response)

    def key(self, kind: str, text: str) -> str:
        """The input key of one check."""
        return input_key(
            variant=self.variant,
            question=self.question,
            image_hashes=self.image_hashes,
            reference=self.reference,
            response=self.response,
            kind=kind,
            text=text,
        )


@dataclass(frozen=True)
class Ruler:
    """Everything about a judge that could move a verdict: a flat mapping of named facts, told apart by content.

    `facts` values are JSON scalars or lists of them. Two rulers with equal facts are the same ruler.
    """

    judge: str
    facts: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, judge: str, **facts: Any) -> "Ruler":
        """Build one from keyword facts, in a fixed order."""
        return cls(judge, tuple(sorted(facts.items())))

    @property
    def manifest(self) -> str:
        """The facts as canonical JSON, as stored."""
        return canonical_json({"judge": self.judge, **dict(self.facts)})

    @property
    def digest(self) -> str:
        """64 hex digits of sha256 over the manifest."""
        return hashlib.sha256(self.manifest.encode()).hexdigest()

    def differences(self, other: "Ruler") -> list[str]:
        """Names of the facts in which the two differ, sorted."""
        mine, theirs = dict(self.facts), dict(other.facts)
        names = {n for n in mine.keys() | theirs.keys() if mine.get(n) != theirs.get(n)}
        return sorted(names | ({"judge"} if self.judge != other.judge else set()))
