"""Commands about judges: list."""

from typing import Annotated

import typer

from gamut_desktop.cli.show import DASH, print_json, print_table, say, table
from gamut_desktop.wiring import Wiring


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    judges = typer.Typer(help="The judges on this machine.", no_args_is_help=True, rich_markup_mode=None)
    judges.command("list")(list_judges)
    app.add_typer(judges, name="judges")


def list_judges(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the judges, whether each is ready, and what is missing if not.

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
            *(DASH if info.preflight is None else str(info.preflight), info.why_not or ""),
        )
    print_table(made)
