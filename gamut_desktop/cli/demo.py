"""`gamut demo`: the sample project graded by the baseline and by the bundled model, and an honest word about both."""

from math import exp

import typer

from gamut_desktop.cli.grading import grade_with_progress
from gamut_desktop.cli.show import TIERS, points, print_table, say, table, verdict_words
from gamut_desktop.usecases.reporting import Report, report
from gamut_desktop.usecases.sample import open_sample
from gamut_desktop.wiring import BUNDLED, KEYWORD, Wiring
from judge_local.runs.plan import Selection
from models.errors import GamutError
from models.store.project import Project

HONEST = (
    "smollm2 has 135 million parameters: it shows the way, offline, but its verdicts are not to be relied on. On the "
    "public set realsumm it tells stated from absent facts no better than chance (AUC 0.49), where plain word overlap "
    "(keyword) reaches 0.90; bring a larger model for results that matter."
)


def run_demo(wiring: Wiring, *, fresh: bool) -> int:
    """Make or open the sample project, grade it, print what came out; returns the exit code."""
    with open_sample(wiring.places.data, fresh=fresh) as project:
        say(f"The sample project is {project.path}.")
        code = grade_with_progress(project, wiring, KEYWORD, Selection(), text_only=True)
        code = code or _bundled(project, wiring)
        if code == 0:
            made = report(project)
            _scores(made)
            _checklist(made)
            typer.echo(HONEST)
        return code


def _bundled(project: Project, wiring: Wiring) -> int:
    try:
        return grade_with_progress(project, wiring, BUNDLED, Selection(model="complete"), text_only=True)
    except GamutError as error:
        say(str(error))
        return 1


def _scores(made: Report) -> None:
    found = {(one["question_id"], one["model"], one["judge"]): one["gamut"] for one in made.questions()}
    columns = ("complete", "partial", "wrong", "complete (smollm2)")
    shown = table("question", *columns, right=columns)
    for question in dict.fromkeys(card.question for card in made.cards):
        by_keyword = [points(found.get((question, model, KEYWORD))) for model in columns[:3]]
        shown.add_row(question, *by_keyword, points(found.get((question, "complete", BUNDLED))))
    typer.echo("Scores of three answers to each question, by the keyword judge, and of the complete one by smollm2:")
    print_table(shown)


def _checklist(made: Report) -> None:
    card = next((c for c in made.cards if (c.judge, c.model) == (BUNDLED, "complete")), None)
    if card is None:
        return
    shown = table("tier", "check", "smollm2 says", "sure", right=("sure",))
    for check, found in card.card.checks:
        row = found.row
        logs = row.log_probabilities if row is not None else None
        sure = f"{exp(max(logs)):.2f}" if logs else ""
        shown.add_row(TIERS[check.tier], check.text, verdict_words(found.outcome, found.verdict), sure)
    typer.echo(f"The checklist of {card.question}, and what smollm2 says of the complete answer:")
    print_table(shown)
