"""Checking a judge with canned items before trusting it, and what its last check said. Qt-free, for any thread."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from gamut_desktop.wiring import Wiring
from judge_local.local import LocalJudge
from judge_local.port import Asking, Judge
from judge_local.preflight.canned import FINGERPRINT, ITEMS, PASSAGES
from judge_local.preflight.items import Category
from judge_local.preflight.result import Preflight, Tally
from judge_local.preflight.run import PreflightProgress, run_preflight
from models.textfile import FileProblem
from models.verdicts import Variant

MOST_SEED = 2**63 - 1
ASKED = len(ITEMS)  # texts with a known verdict that every judge is asked about


def check_judge(
    wiring: Wiring,
    judge_id: str,
    on_progress: Callable[[PreflightProgress], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
    *,
    on_judge: Callable[[Judge], None] = lambda _: None,
) -> Preflight:
    """Ask the judge all items under two option orders, and keep the result with the judge.

    A model's answers on shared memory are held against those on an empty one, too. on_judge: given each judge before it
    loads, so that one that does not hear `stop` can be closed. A result that cannot be written is returned all the
    same, and `wiring.say` is told. Raises UnknownName, JudgeError and PreflightStopped, and then the last result stands
    as it was.
    """
    wiring.require(judge_id)
    seed = wiring.settings.judge.seed

    @contextmanager
    def opened(chosen: int) -> Iterator[Judge]:
        with wiring.judge(judge_id, chosen) as judge:
            on_judge(judge)
            yield judge

    found = run_preflight(
        judge_id,
        opened,
        date=datetime.now().astimezone().isoformat(timespec="seconds"),
        seeds=(seed, seed + 1 if seed < MOST_SEED else 0),
        setup=wiring.setup(judge_id),
        deviation_of=lambda judge: _deviation(judge, stop),
        on_progress=on_progress,
        stop=stop,
    )
    try:
        wiring.registry.keep(found)
    except FileProblem as problem:
        wiring.say(f"The result is not kept: {problem}")
    return found


def _deviation(judge: Judge, stop: Callable[[], bool]) -> float | None:
    """How far a model's label probabilities on shared memory lie from those on an empty one; None for other judges."""
    if not isinstance(judge, LocalJudge):
        return None
    passage = max(PASSAGES, key=lambda each: len(each.items))
    checks = tuple(item.check for item in passage.items)
    return judge.deviation(Asking(passage.question, passage.response, checks, Variant.TEXT), stop)


def last_preflight(wiring: Wiring, judge_id: str) -> Preflight | None:
    """The judge's last result, current or not (see `why_stale`); None if there is none that can be read."""
    return wiring.registry.last(judge_id)


def why_stale(wiring: Wiring, found: Preflight, ruler: str | None = None) -> str | None:
    """Why a result no longer speaks of the judge as it is, as a sentence; None while it does.

    ruler: digest of the judge's ruler now, where it has been started; without it, its files, settings and versions are
    compared.
    """
    if found.items != FINGERPRINT:
        return "The check has other items now."
    if ruler is not None:
        return None if ruler == found.ruler else "The judge's weights or settings have changed since."
    now = wiring.setup(found.judge)
    if now is None or found.setup is None:
        return "The judge's files cannot be compared with those of the check."
    return None if now == found.setup else "The judge's files or settings have changed since."


def keyword_by_category(found: Preflight) -> dict[Category, Tally]:
    """How the keyword baseline did on the same items; pictures are not among them."""

    def tally(category: Category) -> Tally:
        rows = [row for row in found.rows if row.category is category and category is not Category.PICTURE]
        given = [row for row in rows if row.keyword is not None]
        return Tally(len(rows), len(given), sum(row.keyword is row.truth for row in given))

    return {category: tally(category) for category in Category}
