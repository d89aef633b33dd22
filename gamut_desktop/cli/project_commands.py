"""Commands about a project: new, import, export, grade, report, demo."""

from pathlib import Path
from typing import Annotated

import typer

from gamut_desktop.cli.grading import grade_with_progress
from gamut_desktop.cli.show import points, print_json, print_table, say, span, table
from gamut_desktop.settings import Places, Settings
from gamut_desktop.usecases.exporting import FORMATS, export
from gamut_desktop.usecases.importing import Imported, import_path
from gamut_desktop.usecases.reporting import Report, report
from gamut_desktop.wiring import UnknownName, Wiring
from judge_local.runs.plan import Selection
from models.store.project import Project

ProjectFile = Annotated[Path, typer.Argument(metavar="PROJECT", help="A project file, NAME.gamut.")]
REPORTS = ("table", "json")


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("new")(new)
    app.command("import")(import_into)
    app.command("export")(export_from)
    app.command("grade")(grade)
    app.command("report")(show_report)
    app.command("demo")(demo)


def _known_format(name: str, known: tuple[str, ...]) -> str:
    if name not in known:
        raise UnknownName(f"There is no format '{name}' here.", f"Use one of: {', '.join(known)}.")
    return name


def new(project: ProjectFile) -> None:
    """Make an empty project.

    Example: gamut new birds.gamut
    """
    path = project if project.suffix == ".gamut" else project.with_name(project.name + ".gamut")
    Project.create(path).close()
    say(f"Made {path}. Bring in rubrics and responses with: gamut import {path.name} PATH")


def import_into(
    project: ProjectFile,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A rubric, picture, table of responses, or a folder.")],
    format: Annotated[str, typer.Option(help="native: told apart by its fields.")] = "native",
) -> None:
    """Bring rubrics, pictures, responses and labels into a project.

    Example: gamut import birds.gamut ./birds/
    """
    _known_format(format, ("native",))
    with Project.open(project) as opened:
        done = import_path(opened, path, author=Settings.load(Places.of_user()).author)
    tell_import(done)
    if not done.arrived:
        raise typer.Exit(1)


def tell_import(done: Imported) -> None:
    """What arrived and what was left out, as sentences on stderr."""
    known = f", {done.responses_known} known already" if done.responses_known else ""
    say(
        f"Questions: {len(done.added)} added, {len(done.updated)} updated, {len(done.unchanged)} unchanged. "
        f"Pictures: {done.pictures}. Responses: {done.responses} added{known}. Labels: {done.labels}."
    )
    if done.verdicts or done.verdicts_known:
        say(f"Verdicts: {done.verdicts} added, {done.verdicts_known} known already.")
    for remark in done.remarks:
        say(remark)
    if done.left_out:
        say(f"Left out ({len(done.left_out)}):")
        for sentence in done.left_out:
            say(f"  {sentence}")


def export_from(
    project: ProjectFile,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="Where to: a folder (native) or a file (sheet).")],
    format: Annotated[str, typer.Option(help=f"One of: {', '.join(FORMATS)}.")],
    question: Annotated[str | None, typer.Option(help="Only this question, by its id.")] = None,
) -> None:
    """Write a project as files that import again (native), or as pages to read and print (sheet).

    Example: gamut export birds.gamut birds.html --format sheet
    """
    _known_format(format, tuple(FORMATS))
    with Project.open(project, read_only=True) as opened:
        written = export(opened, path, format=format, question=question)
    say(f"Wrote {len(written)} file{'s' * (len(written) != 1)} to {path}.")


def grade(
    project: ProjectFile,
    judge: Annotated[str, typer.Option(help="keyword, smollm2 or file:PATH; see gamut judges list.")],
    question: Annotated[str | None, typer.Option(help="Only this question, by its id.")] = None,
    model: Annotated[str | None, typer.Option(help="Only this model's responses.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most this many responses.")] = None,
    text_only: Annotated[
        bool, typer.Option("--text-only", help="Grade questions with pictures by text alone; kept with the verdicts.")
    ] = False,
    shard: Annotated[str, typer.Option(metavar="I/N", help="Only part I of N of the questions.")] = "1/1",
) -> None:
    """Grade what is not graded yet. Stop with Ctrl-C and call it again: it goes on where it stopped.

    Example: gamut grade birds.gamut --judge keyword
    """
    selection = Selection(question, model, limit, _shard(shard))
    wiring = Wiring.of_user(say)
    wiring.require(judge)
    with Project.open(project) as opened:
        code = grade_with_progress(opened, wiring, judge, selection, text_only=text_only)
    if code:
        raise typer.Exit(code)


def _shard(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    if part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts) <= 10_000:
        return int(part), int(parts)
    raise UnknownName(f"'{text}' is no shard.", "Write I/N with I from 1 to N, for example 1/4.")


def show_report(
    project: ProjectFile,
    format: Annotated[str, typer.Option(help=f"One of: {', '.join(REPORTS)}.")] = "table",
) -> None:
    """Show scores by model and judge, and by question.

    Example: gamut report birds.gamut --format json
    """
    _known_format(format, REPORTS)
    with Project.open(project, read_only=True) as opened:
        made = report(opened)
    for remark in made.remarks:
        say(remark)
    if format == "json":
        print_json(made.as_json())
        return
    if not made.cards:
        say("Nothing is graded yet. Grade with: gamut grade PROJECT --judge keyword")
    print_report(made)


def print_report(made: Report) -> None:
    """Two tables: by model and judge, and by question."""
    numbers = ("answered", "score", "AC", "V", "C", "judged")
    rows = table("model", "judge", "variant", *numbers, "interval", right=(*numbers, "interval"))
    for row in made.rows():
        answered = f"{row['answered']}/{row['questions']}"
        tiers = [points(value) for value in row["tiers"].values()]
        rows.add_row(
            *(row["model"], row["judge"], row["variant"], answered, points(row["gamut"]), *tiers),
            *(points(row["coverage"]["all"]), span(row["interval"])),
        )
    print_table(rows)
    columns = ("score", "AC", "V", "C", "judged")
    each = table("question", "model", "judge", "variant", *columns, right=columns)
    for one in made.questions():
        tiers = [points(value) for value in one["tiers"].values()]
        each.add_row(
            *(one["question_id"], one["model"], one["judge"], one["variant"], points(one["gamut"]), *tiers),
            points(one["coverage"]["all"]),
        )
    print_table(each)


def demo(
    fresh: Annotated[bool, typer.Option("--fresh", help="Make the sample project anew.")] = False,
) -> None:
    """Grade the sample project with the keyword baseline and the bundled model, and show what came out.

    Example: gamut demo --fresh
    """
    from gamut_desktop.cli.demo import run_demo

    code = run_demo(Wiring.of_user(say), fresh=fresh)
    if code:
        raise typer.Exit(code)
