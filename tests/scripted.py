"""A judge that answers from a script, for tests of everything around judging."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from judge_local.port import Answer, Asking
from models.provenance import Ruler
from models.rubric.checklist import CheckText
from models.verdicts import Outcome, Verdict

Script = Callable[[Asking, CheckText], Answer | Exception]
UNSUPPORTED = "The judge quotes words that are not in the response: its evidence is unsupported."


def said(verdict: Verdict, reason: str | None = None, quote: str | None = None, note: str | None = None) -> Answer:
    """A verdict, with the judge's own words where they are given."""
    return Answer(Outcome.VERDICT, verdict, rationale=reason, evidence=quote, note=note)


def because(asking: Asking, check: CheckText) -> Answer:
    """A script that explains what stands, and judges without a word."""
    if asking.explain is None:
        return said(Verdict.MEETS)
    return said(asking.explain, f"Because of “{check.text}”.")


@dataclass
class ScriptedJudge:
    """Answers what `script` says; an exception is raised. Keeps what it was asked."""

    script: Script = lambda _asking, _check: said(Verdict.MEETS)
    id: str = "scripted"
    sees_images: bool = False
    facts: dict[str, object] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    askings: list[Asking] = field(default_factory=list)

    def ruler(self) -> Ruler:
        return Ruler.of(self.id, style="script", **self.facts)

    def judge(self, asking: Asking, stop: Callable[[], bool]) -> Iterator[tuple[int, Answer]]:
        self.askings.append(asking)
        for index, check in enumerate(asking.checks):
            if stop():
                return
            self.asked.append((asking.response, check.text))
            answer = self.script(asking, check)
            if isinstance(answer, Exception):
                raise answer
            yield index, answer

    def remarks(self):
        return ()

    def close(self) -> None:
        """Nothing is held."""
