"""A judge that answers from a script, for tests of everything around judging."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from judge_local.port import Answer, Asking
from models.provenance import Ruler
from models.rubric.checklist import CheckText
from models.verdicts import Outcome, Verdict

Script = Callable[[Asking, CheckText], Answer | Exception]


def said(verdict: Verdict) -> Answer:
    return Answer(Outcome.VERDICT, verdict)


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

    def close(self) -> None:
        """Nothing is held."""
