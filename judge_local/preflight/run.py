"""Running a preflight: ask a judge every canned item, the keyword baseline too, and put the answers into rows.

The judge is made by the caller, once a seed, because the order of the options follows the seed; each is closed before
the next is made, so one model is loaded at a time. Nothing is kept here: an error on the way leaves nothing half.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from judge_local.keyword import KeywordJudge
from judge_local.port import Answer, Asking, Judge
from judge_local.preflight.canned import FINGERPRINT, ITEMS, PASSAGES
from judge_local.preflight.drawing import picture
from judge_local.preflight.items import CONTRADICTS, Category, Passage
from judge_local.preflight.result import Preflight, Row, SceneRow
from judge_local.preflight.scenes import SCENES
from models.errors import GamutError
from models.verdicts import Outcome, Variant

MakeJudge = Callable[[int], AbstractContextManager[Judge]]
NOT_RUN = Answer(Outcome.NOT_RUN)


class PreflightStopped(GamutError):
    """The person stopped it."""

    def __init__(self) -> None:
        super().__init__("The check was stopped, and nothing of it was kept.", "Start it again when there is time.")


@dataclass(frozen=True, slots=True)
class PreflightProgress:
    """`done` of `total` checks are asked, over all option orders and pictures."""

    done: int
    total: int


def run_preflight(
    judge_id: str,
    make: MakeJudge,
    *,
    date: str,
    seeds: Sequence[int] = (0, 1),
    setup: str | None = None,
    deviation_of: Callable[[Judge], float | None] = lambda _: None,
    on_progress: Callable[[PreflightProgress], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.monotonic,
) -> Preflight:
    """Ask the judge that `make(seed)` opens everything at the first seed, and the text items again at each other.

    date: ISO 8601, kept as it is. deviation_of: measures shared against unshared evaluation on the open first judge.
    clock: seconds; loading a judge is not counted. Raises JudgeError as the judge does, and PreflightStopped.
    """
    with make(seeds[0]) as judge:
        ruler = judge.ruler()
        sees = judge.sees_images
        counter = _Counter(len(ITEMS) * len(seeds) + (3 * len(SCENES) if sees else 0), on_progress, stop, clock)
        given = counter.text(judge, PASSAGES)
        picture_rows, scenes = _look(judge, counter) if sees else ((), ())
        deviation = deviation_of(judge)
    others: list[dict[str, Answer]] = []
    for seed in seeds[1:]:
        with make(seed) as judge:
            judge.ruler()  # loads it, so that loading is not taken for judging
            others.append(counter.text(judge, PASSAGES))
    bar = _Counter(len(ITEMS), lambda _: None, stop, clock).text(KeywordJudge(), PASSAGES)
    rows = tuple(
        Row(
            *(item.id, item.category, item.check.kind, item.rule, item.truth),
            *(given[item.id].outcome, given[item.id].verdict, bar[item.id].verdict),
            tuple(other[item.id].verdict for other in others),
        )
        for item in ITEMS
    )
    return Preflight(
        judge=judge_id,
        date=date,
        ruler=ruler.digest,
        prompt_version=dict(ruler.facts).get("prompt"),
        items=FINGERPRINT,
        setup=setup,
        seeds=tuple(seeds),
        rows=(*rows, *picture_rows),
        scenes=scenes,
        not_asked=0 if sees else len(SCENES) * 2,
        asks=counter.done,
        seconds=counter.seconds,
        deviation=deviation,
    )


class _Counter:
    """Asks, counts and times; the one place that watches `stop`."""

    def __init__(
        self,
        total: int,
        on_progress: Callable[[PreflightProgress], None],
        stop: Callable[[], bool],
        clock: Callable[[], float],
    ) -> None:
        self.total, self.done, self.seconds = total, 0, 0.0
        self._on_progress, self._stop, self._clock = on_progress, stop, clock

    def text(self, judge: Judge, passages: Iterable[Passage]) -> dict[str, Answer]:
        """Item id -> answer, for every item."""
        given: dict[str, Answer] = {}
        for passage in passages:
            checks = tuple(item.check for item in passage.items)
            answers = self.ask(judge, Asking(passage.question, passage.response, checks, Variant.TEXT))
            given |= zip((item.id for item in passage.items), answers, strict=True)
        return given

    def ask(self, judge: Judge, asking: Asking) -> list[Answer]:
        """One answer a check; NOT_RUN where the judge gave none. Raises PreflightStopped."""
        if self._stop():
            raise PreflightStopped
        answers = [NOT_RUN] * len(asking.checks)
        began = self._clock()
        for index, answer in judge.judge(asking, self._stop):
            answers[index] = answer
            self.done += 1
            self._on_progress(PreflightProgress(self.done, self.total))
        self.seconds += self._clock() - began
        if self._stop():
            raise PreflightStopped
        return answers


def _look(judge: Judge, counter: _Counter) -> tuple[tuple[Row, ...], tuple[SceneRow, ...]]:
    """Each scene with its right, a wrong and a grey picture; the first two are scored."""
    rows: list[Row] = []
    seen: list[SceneRow] = []
    for scene in SCENES:
        item = scene.item
        asking = Asking(scene.question, scene.response, (item.check,), Variant.IMAGE)
        right, wrong, grey = (
            counter.ask(judge, replace(asking, pictures=(picture(drawing),)))[0]
            for drawing in (scene.right, scene.wrong, None)
        )
        for answer, truth, suffix in ((right, item.truth, "right"), (wrong, CONTRADICTS, "wrong")):
            rule = f"{item.check.kind.value}.{truth.value}"
            rows.append(
                Row(
                    *(f"{item.id}-{suffix}", Category.PICTURE, item.check.kind, rule, truth),
                    *(answer.outcome, answer.verdict),
                )
            )
        seen.append(SceneRow(item.id, right.verdict, wrong.verdict, grey.verdict))
    return tuple(rows), tuple(seen)
