"""Checking a judge with canned items before trusting it, and what its last check said. Qt-free, for any thread."""

from collections.abc import Callable
from datetime import datetime

from gamut_desktop.wiring import Wiring
from judge_local.port import Judge
from judge_local.preflight.canned import FINGERPRINT
from judge_local.preflight.result import Preflight
from judge_local.preflight.run import PreflightProgress, run_preflight
from models.textfile import FileProblem

MOST_SEED = 2**63 - 1


def check_judge(
    wiring: Wiring,
    judge_id: str,
    on_progress: Callable[[PreflightProgress], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
    *,
    deviation_of: Callable[[Judge], float | None] = lambda _: None,
) -> Preflight:
    """Ask the judge all items under two option orders, and keep the result with the judge.

    deviation_of: measures shared against unshared evaluation on the open judge. A result that cannot be written is
    returned all the same, and `wiring.say` is told. Raises UnknownName, JudgeError and PreflightStopped, and then the
    last result stands as it was.
    """
    wiring.require(judge_id)
    seed = wiring.settings.judge.seed
    found = run_preflight(
        judge_id,
        lambda chosen: wiring.judge(judge_id, chosen),
        date=datetime.now().astimezone().isoformat(timespec="seconds"),
        seeds=(seed, seed + 1 if seed < MOST_SEED else 0),
        setup=wiring.setup(judge_id),
        deviation_of=deviation_of,
        on_progress=on_progress,
        stop=stop,
    )
    try:
        wiring.registry.keep(found)
    except FileProblem as problem:
        wiring.say(f"The result is not kept: {problem}")
    return found


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
