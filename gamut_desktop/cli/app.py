"""The `gamut` command: assembling its commands, and turning whatever goes wrong into a sentence and an exit code.

0: done. 1: input or work failed. 2: unknown command, option, judge or format. 130: stopped with Ctrl-C.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

import gamut_desktop
from gamut_desktop.cli import judge_commands, model_commands, project_commands, rubric_commands
from gamut_desktop.cli.show import say
from gamut_desktop.wiring import UnknownName
from models.errors import GamutError

app = typer.Typer(
    name="gamut",
    help="Grade long answers for factual completeness on your own machine.\n\nExample: gamut demo",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
rubric_commands.add_to(app)
project_commands.add_to(app)
judge_commands.add_to(app)
model_commands.add_to(app)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"gamut {gamut_desktop.__version__}")
        raise typer.Exit


def _self_check(asked: bool) -> None:
    if asked:
        from gamut_desktop.usecases.selfcheck import self_check
        from gamut_desktop.window_check import check_window

        well = True
        for part in self_check(check_window):
            well = well and part.ok
            typer.echo(f"{'ok' if part.ok else 'FAILED':8}{part.name}: {part.told}")
        raise typer.Exit(0 if well else 1)


@app.command("open")
def open_window(
    project: Annotated[Path | None, typer.Argument(metavar="[PROJECT]", help="A project file, NAME.gamut.")] = None,
    sample: Annotated[bool, typer.Option("--sample", help="Open the sample project.")] = False,
) -> None:
    """Open the window on a project; without one, on the last one, or the sample.

    Example: gamut open birds.gamut
    """
    from gamut_desktop.app import run as run_window

    raise typer.Exit(run_window(project, sample=sample))


def opening(arguments: list[str]) -> list[str]:
    """`gamut` and `gamut PROJECT` open the window; a first word that is a command is a command."""
    if not arguments:
        return ["open"]
    first = arguments[0]
    commands = {command.name for command in app.registered_commands} | {g.name for g in app.registered_groups}
    looks_like_file = first.endswith(".gamut") or Path(first).exists()
    if not first.startswith("-") and first not in commands and looks_like_file:
        return ["open", *arguments]
    return arguments


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    self_check: Annotated[
        bool,
        typer.Option(
            "--self-check", callback=_self_check, is_eager=True, help="Try every part of this installation once."
        ),
    ] = False,
) -> None:
    pass


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(code_of(sys.argv[1:] if arguments is None else arguments))


def code_of(arguments: list[str]) -> int:
    """Run the command line; what a person can meet comes out as a sentence on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        done = app(args=opening(arguments), prog_name="gamut", standalone_mode=False)
        if sys.stdout is not None:  # a windowed program has none
            sys.stdout.flush()
        return done if isinstance(done, int) else 0
    except UnknownName as error:
        say(str(error))
        return 2
    except GamutError as error:
        say(str(error))
        return 1
    except typer.TyperException as error:
        say(f"{error.format_message()} See gamut --help.")
        return 2
    except (KeyboardInterrupt, typer.Abort):
        say("Stopped.")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # whoever read our output has gone
        return 1
