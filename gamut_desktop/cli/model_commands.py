"""Commands about model files: optimize."""

from typing import Annotated

import typer

from gamut_desktop.cli.grading import INTERRUPTED
from gamut_desktop.cli.show import DASH, print_json, print_table, say, table
from gamut_desktop.usecases.optimizing import KINDS, File, Optimized, optimize
from gamut_desktop.wiring import FILE, Wiring

_SAME = 0.05  # a ratio nearer to 1 than this is no difference worth a file


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    models = typer.Typer(help="Model files for local judges.", no_args_is_help=True, rich_markup_mode=None)
    models.command("optimize")(optimize_model)
    app.add_typer(models, name="models")


def optimize_model(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="smollm2, or a model file: PATH or file:PATH.")],
    to: Annotated[str, typer.Option("--to", metavar="KIND", help=f"Kind of weights: {' or '.join(KINDS)}.")] = "Q8_0",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Requantize a model for this machine, and measure how fast it reads before and after.

    Example: gamut models optimize smollm2 --to Q4_0
    """
    wiring = Wiring.of_user(say)
    try:
        done = optimize(model, to, wiring.places, wiring.settings.judge.threads, say)
    except KeyboardInterrupt:
        say("Stopped; no half-made file was left.")
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print_json(done.as_json())
        return
    if done.made is None:
        typer.echo(f"{done.source.path.name} is {done.source.kind} already; nothing was done.")
        return
    shown = table("", "kind", "MB", "tokens a second", "from", "to", right=("MB", "tokens a second", "from", "to"))
    shown.add_row("before", *_cells(done.source))
    shown.add_row("after", *_cells(done.made))
    print_table(shown)
    typer.echo(verdict_on(done))
    typer.echo(f"The new file: {done.made.path}")
    typer.echo(f"Use it with: --judge {_quoted(f'{FILE}{done.made.path}')}")


def _cells(file: File) -> tuple[str, ...]:
    paces = (file.pace.median, file.pace.low, file.pace.high) if file.pace else ()
    return (file.kind, f"{file.size / 1e6:.0f}", *([f"{pace:.0f}" for pace in paces] or [DASH] * 3))


def verdict_on(done: Optimized) -> str:
    """Whether it was worth it, as a sentence."""
    ratio = done.ratio or 1.0
    if ratio < 1 - _SAME:
        return f"It got slower on this machine: {ratio:.2f} times the pace. Stay with the file you have."
    if ratio <= 1 + _SAME:
        return f"It made no difference on this machine ({ratio:.2f} times the pace)."
    return f"{ratio:.2f} times as fast as before on this machine."


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word
