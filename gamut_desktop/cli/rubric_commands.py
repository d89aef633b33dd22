"""Commands about rubric files: compile, lint, score. They touch no project and no judge."""

from pathlib import Path
from typing import Annotated

import typer

from gamut_desktop.cli.show import TIERS, points, print_json, print_table, say, span, table
from models.exchange.scorefile import read_judged
from models.rubric.codec import lines_of, load_question, load_source, question_of
from models.rubric.compile import compile_question
from models.rubric.lint import Severity
from models.rubric.lint import lint as lint_question
from models.rubric.metarubric import Question, label
from models.scoring.score import score as score_checks
from models.verdicts import Variant

RubricFile = Annotated[Path, typer.Argument(metavar="FILE", help="A rubric file, YAML or JSON.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("compile")(compile_file)
    app.command("lint")(lint_file)
    app.command("score")(score_file)


def compile_file(
    file: RubricFile,
    variant: Annotated[Variant, typer.Option(help="Which form of the question.")] = Variant.IMAGE,
    raw: Annotated[bool, typer.Option("--raw", help="Leave human edits of the checklist out.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compile a rubric into its checklist.

    Example: gamut compile coffee.yaml --variant text --json
    """
    question = load_question(file)
    checklist = compile_question(question, variant, raw=raw)
    if checklist.identifying:
        say(f"Left out, because the question gives it away: {_names(question, checklist.identifying)}.")
    for orphan in checklist.orphans:
        say(f"A {orphan.action} override has lost its item: {orphan.base_text or orphan.origin}.")
    if as_json:
        print_json([check.as_json() for check in checklist.checks])
        return
    made = table("", "tier", "kind", "check")
    for check in checklist.checks:
        mark = "~" if check.override else ""
        indent = "  " if check.role.value == "secondary" else ""
        made.add_row(mark, TIERS[check.tier], check.kind.value, indent + check.text)
    print_table(made)


def _names(question: Question, ids: tuple[str, ...]) -> str:
    return "; ".join(f"'{label(item)}'" for item in question.rubric if item.id in ids)


def lint_file(file: RubricFile, as_json: AsJson = False) -> None:
    """Say what a careful colleague would about a rubric. Exit code 1 if there is an error.

    Example: gamut lint coffee.yaml
    """
    source = load_source(file)
    question = question_of(source)
    findings = lint_question(question, lines_of(source, question))
    if as_json:
        print_json([finding.as_json() for finding in findings])
    else:
        for finding in findings:
            place = f"{file.name}:{finding.line}" if finding.line else file.name
            typer.echo(f"{place}: {finding.severity.value}: {finding.message} {finding.fix or ''} [{finding.rule}]")
        if not findings:
            say(f"{file.name}: nothing to remark.")
    if any(finding.severity is Severity.ERROR for finding in findings):
        raise typer.Exit(1)


def score_file(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON: {checks: [{tier, verdict or null}]}.")],
    as_json: AsJson = False,
) -> None:
    """Score verdicts by the profile's formula.

    Example: gamut score verdicts.json --json
    """
    got = score_checks(read_judged(file))
    if as_json:
        print_json(got.as_json())
        return
    made = table("", "score", "judged", right=("score", "judged"))
    made.add_row("all", points(got.gamut), points(got.coverage.all))
    for tier in got.tiers:
        made.add_row(tier.value, points(got.tiers[tier]), points(got.coverage.tiers[tier]))
    print_table(made)
    say(f"Interval, whichever way unjudged checks go: {span(got.interval)}.")
