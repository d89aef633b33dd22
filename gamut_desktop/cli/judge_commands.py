"""Commands about judges: list, check."""

import sys
import time
from typing import Annotated

import typer

from gamut_desktop.cli.grading import INTERRUPTED, stop_on_interrupt
from gamut_desktop.cli.preflight_card import facts, figures, marked
from gamut_desktop.cli.show import print_json, print_table, say, table
from gamut_desktop.usecases.preflight import check_judge
from gamut_desktop.wiring import Wiring
from judge_local.preflight.run import PreflightProgress, PreflightStopped


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    judges = typer.Typer(help="The judges on this machine.", no_args_is_help=True, rich_markup_mode=None)
    judges.command("list")(list_judges)
    judges.command("check")(check)
    app.add_typer(judges, name="judges")


def list_judges(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the judges, whether each is ready, what its last check said, and what is missing if it is not ready.

    Example: gamut judges list
    """
    found = Wiring.of_user(say).judges()
    if as_json:
        print_json([info.as_json() for info in found])
        return
    made = table("judge", "kind", "ready", "sees pictures", "preflight", "why not")
    for info in found:
        made.add_row(
            *(info.id, info.kind, "yes" if info.ready else "no", "yes" if info.sees_images else "no"),
            *(marked(info.preflight), info.why_not or ""),
        )
    print_table(made)


def check(
    judge: Annotated[str, typer.Argument(metavar="J", help="The judge's id; see gamut judges list.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Try a judge on canned items with known answers, beside the keyword baseline, and keep the result with it.

    Example: gamut judges check smollm2
    """
    wiring = Wiring.of_user(say)
    wiring.require(judge)
    line = _Line()
    try:
        with stop_on_interrupt() as flag:
            found = check_judge(wiring, judge, line.progress, flag)
    except PreflightStopped as stopped:
        say(str(stopped))
        raise typer.Exit(INTERRUPTED) from None
    finally:
        line.end()
    if as_json:
        print_json(found.as_json())
        return
    typer.echo(f"{judge}: {found.sentence}\n")
    print_table(figures(found))
    typer.echo()
    print_table(facts(found))


class _Line:
    """One line on stderr that counts up, on a terminal; nothing but the start elsewhere."""

    def __init__(self) -> None:
        self.live = sys.stderr.isatty()
        self.begun = False
        self.shown = 0.0

    def progress(self, at: PreflightProgress) -> None:
        if not self.begun:
            self.begun = True
            say(f"Asking {at.total:,} checks with known answers.")
        now = time.monotonic()
        if self.live and now - self.shown >= 0.2:
            self.shown = now
            sys.stderr.write(f"\r\x1b[K{at.done:,}/{at.total:,}")
            sys.stderr.flush()

    def end(self) -> None:
        if self.live and self.begun:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
