"""The projects that are photographed, and the scenes: each brings a window into one state and leaves it there.

Nothing here asks a model: the keyword judge grades in a moment, and what stands for smollm2 is a fixed answer to each
check, so that every picture is the same on every machine.
"""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from math import log
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QDialog, QWidget

from gamut_desktop.asking import Asking
from gamut_desktop.dialogs.judge_settings import JudgeSettingsDialog
from gamut_desktop.grader import Standing
from gamut_desktop.main_window import MainWindow
from gamut_desktop.usecases.documents import questions_in
from gamut_desktop.usecases.grading import grade
from gamut_desktop.usecases.importing import Imported, import_path
from gamut_desktop.usecases.preflight import last_preflight, why_stale
from gamut_desktop.usecases.rulers import in_one_line, where_runs
from gamut_desktop.usecases.sample import make_sample
from gamut_desktop.wiring import BUNDLED, KEYWORD
from judge_local.keyword import KeywordJudge
from judge_local.preflight.result import Preflight
from judge_local.preflight.run import run_preflight
from models.errors import GamutError
from models.provenance import Asked, Ruler
from models.rubric.compile import compile_question
from models.store.project import Project
from models.store.queries.responses import responses
from models.store.records import NewVerdict, RunStatus
from models.verdicts import Outcome, Variant, Verdict

QUESTION = "coffee-01"
_SETTINGS = 'author = "Ada"\n'
_ANSWERS = (  # of the stand-in for smollm2, in turn: the five probabilities
    (0.91, 0.05, 0.02, 0.01, 0.01),
    (0.58, 0.31, 0.08, 0.02, 0.01),
    (0.22, 0.49, 0.21, 0.05, 0.03),
    (0.14, 0.21, 0.57, 0.05, 0.03),
    (0.72, 0.16, 0.08, 0.03, 0.01),
    (0.10, 0.12, 0.17, 0.55, 0.06),
)


@dataclass(frozen=True, slots=True)
class Projects:
    """The files: the sample graded by keyword and in part by smollm2; one question without answers; nothing at all."""

    full: Path
    unanswered: Path
    empty: Path


def make_projects(folder: Path) -> Projects:
    """Make them in a new home folder; also the settings, so that no user's name is in a picture."""
    (folder / "config").mkdir(parents=True)
    (folder / "config" / "settings.toml").write_text(_SETTINGS, encoding="utf-8")
    made = Projects(*(folder / "data" / f"{name}.gamut" for name in ("sample", "unanswered", "empty")))
    made.full.parent.mkdir()
    make_sample(made.full)
    with Project.open(made.full) as project:
        grade(project, KeywordJudge(), text_only=True, needs_consent=False)
        _add_model_verdicts(project)
        _fill_trash(project)
    with (
        Project.create(made.unanswered, name="Unanswered") as project,
        as_file(files("resources") / "sample") as sample,
    ):
        import_path(project, sample / "01-coffee.yaml", author="Ada")
    Project.create(made.empty, name="Empty").close()
    return made


def _add_model_verdicts(project: Project) -> None:
    with project.read() as snapshot:
        question = next(one for one in questions_in(snapshot) if one.id == QUESTION)
        answer = next(one for one in responses(snapshot, question=QUESTION) if one.model == "complete")
    asked = Asked.of(question, answer.variant, answer.text)
    ruler = Ruler.of(BUNDLED, quantization="Q8_0", devices=["CPU"], threads=2, style="direct", seed=0, prompt="p1")
    checks = compile_question(question, Variant.IMAGE).checks
    with project.write() as writer:
        ruler_id = writer.ensure_ruler(ruler)
        run = writer.start_run(BUNDLED, ruler_id=ruler_id)
        for number, check in enumerate(checks):
            shares = _ANSWERS[number % len(_ANSWERS)]
            likeliest = shares.index(max(shares))
            new = NewVerdict(
                response_id=answer.id,
                kind=check.kind,
                text=check.text,
                ruler_id=ruler_id,
                input_key=asked.key(check.kind, check.text),
                outcome=Outcome.VERDICT,
                verdict=tuple(Verdict)[likeliest],
                log_probabilities=tuple(log(share) for share in shares),  # type: ignore[arg-type]
                label_mass=0.98,
                run_id=run,
            )
            writer.add_verdicts([new])
        writer.finish_run(run, RunStatus.DONE)


def _fill_trash(project: Project) -> None:
    with project.write() as writer:
        writer.trash_question("astronaut-01")
        gone = [one.id for one in responses(writer, question="cat-01") if one.model == "wrong"]
        writer.trash_responses(gone)


@dataclass(frozen=True)
class Stage:
    """A window, the projects, and `settle`: let everything that is under way come to rest."""

    window: MainWindow
    projects: Projects
    settle: Callable[[], None]

    def open(self, path: Path, judge: str = KEYWORD) -> None:
        """Have that project open with that judge, its first question shown."""
        window = self.window
        if window.desk is None or window.desk.project.path != path:
            window.open(path)
            self.settle()
        window.choose_judge(judge)
        window.messages.hide()
        window.status.clearMessage()
        window.status.show_run(None)
        self.settle()

    def sample(self, answer: str = "complete", judge: str = KEYWORD, check: tuple[int, int] = (0, 1)) -> None:
        """The sample's first question with that answer and check chosen."""
        self.open(self.projects.full, judge)
        desk, panes = self.window.desk, self.window.panes
        assert desk is not None
        assert panes is not None
        desk.open(QUESTION)
        desk.choose_response(next(row.id for row in desk.responses() if row.model == answer))
        self.settle()
        model = panes.checklist.model
        panes.rubric.tree.setCurrentIndex(QModelIndex())
        panes.checklist.tree.setCurrentIndex(QModelIndex())
        panes.checklist.tree.setCurrentIndex(model.index(check[1], 0, model.index(check[0], 0)))
        panes.checklist.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        self.settle()

    def asking(self) -> Asking:
        """What asks a person for things."""
        return self.window.menus.ask


Scene = Callable[[Stage], None]


def welcome(stage: Stage) -> None:
    stage.window.close_project()
    stage.window.messages.hide()


def new_project(stage: Stage) -> None:
    stage.open(stage.projects.empty)


def new_question(stage: Stage) -> None:
    stage.open(stage.projects.empty)
    stage.asking().new_question()


def no_responses(stage: Stage) -> None:
    stage.open(stage.projects.unanswered)


def full(stage: Stage) -> None:
    stage.sample()


def wrong_answer(stage: Stage) -> None:
    stage.sample("wrong", check=(0, 6))


def probabilities(stage: Stage) -> None:
    stage.sample(judge=BUNDLED, check=(0, 2))


def not_graded(stage: Stage) -> None:
    stage.sample("partial", judge=BUNDLED)


def rubric_row(stage: Stage) -> None:
    stage.sample()
    panes = stage.window.panes
    assert panes is not None
    panes.rubric.tree.setFocus(Qt.FocusReason.OtherFocusReason)
    panes.rubric.tree.setCurrentIndex(panes.rubric.model.index(1, 0))


def writing_the_question(stage: Stage) -> None:
    stage.sample()
    assert stage.window.panes is not None
    stage.window.panes.question.focus_text()


def grading(stage: Stage) -> None:
    stage.sample(judge=BUNDLED)
    stage.window.status.show_run(Standing(BUNDLED, 12, 45, 40, False))


def error(stage: Stage) -> None:
    stage.sample()
    stage.window.fail(GamutError("The project is read-only.", "Save a copy and go on in that one."))


def import_result(stage: Stage) -> None:
    stage.sample()
    left_out = (
        "answers.jsonl, line 7: there is no question 'tea-04'.",
        "answers.jsonl, line 9: the response is missing.",
    )
    stage.window.tell_imported([Imported(added=["tea-01", "tea-02"], responses=14, left_out=list(left_out))])
    stage.window.messages.details_button.setChecked(True)


def palette(stage: Stage) -> None:
    stage.sample()
    stage.asking().show_palette()


def shortcuts(stage: Stage) -> None:
    stage.sample()
    stage.asking().show_shortcuts()


def trash(stage: Stage) -> None:
    stage.sample()
    stage.asking().show_trash()


def write_response(stage: Stage) -> None:
    stage.sample()
    stage.asking().write_response()


def judges(stage: Stage) -> None:
    stage.sample()
    stage.window.judges.look()
    stage.window.judges.show_chooser()


def judge_settings(stage: Stage) -> None:
    stage.sample(judge=BUNDLED)
    stage.window.judges.show_settings()


def judge_settings_end(stage: Stage) -> None:
    judge_settings(stage)
    dialog = next(one for one in dialogs(stage.window) if isinstance(one, JudgeSettingsDialog))
    dialog.style_.setCurrentIndex(2)
    stage.settle()
    dialog.packed.setFocus()
    dialog.area.ensureWidgetVisible(dialog.packed, 0, 200)


def add_judge(stage: Stage) -> None:
    stage.sample()
    stage.window.judges.show_add([])


def judge_not_checked(stage: Stage) -> None:
    stage.sample(judge=BUNDLED)
    stage.window.judges.show_check(BUNDLED)


def judge_checked(stage: Stage) -> None:
    stage.sample(judge=BUNDLED)
    stage.window.wiring.registry.keep(_preflight())
    stage.window.judges.look()
    stage.window.judges.show_check(BUNDLED)


def _preflight() -> Preflight:
    """What stands for a check of smollm2: it says "meets" of most things, and the keyword judge's own answers."""
    found = run_preflight(
        BUNDLED, lambda _: nullcontext(KeywordJudge()), date="2026-01-15T09:30:00+00:00", clock=lambda: 0.0
    )
    rows = (
        replace(row, verdict=Verdict.MEETS if n % 3 else row.truth, others=(Verdict.MEETS if n % 4 else row.truth,))
        for n, row in enumerate(found.rows)
    )
    return replace(found, prompt_version="judge-3", rows=tuple(rows), seconds=found.asks / 5.2, tokens_per_second=171.0)


def large_text(stage: Stage) -> None:
    stage.window.themes.set_zoom(150)
    stage.sample()


SCENES: tuple[Scene, ...] = (
    welcome,
    new_project,
    new_question,
    no_responses,
    full,
    wrong_answer,
    probabilities,
    not_graded,
    rubric_row,
    writing_the_question,
    grading,
    error,
    import_result,
    palette,
    shortcuts,
    trash,
    write_response,
    judges,
    judge_settings,
    judge_settings_end,
    add_judge,
    judge_not_checked,
    judge_checked,
    large_text,
)


def dialogs(window: MainWindow) -> list[QDialog]:
    """The dialogs that are open over the window."""
    return [one for one in window.findChildren(QDialog) if one.isVisible()]


def leave(stage: Stage) -> None:
    """Close what a scene opened, and undo what it changed."""
    for dialog in dialogs(stage.window):
        dialog.close()
    stage.window.themes.reset_zoom()
    stage.settle()


def content(window: MainWindow) -> Iterator[str]:
    """What a person or a rule wrote, which no translation touches."""
    desk = window.desk
    yield window.messages.sentence.text() if window.last_error else ""
    yield window.messages.details.toPlainText()
    if (checked := last_preflight(window.wiring, BUNDLED)) is not None:
        _, _, because = checked.sentence.partition(": ")
        yield from (because, because[:1].upper() + because[1:])
        leniency = checked.leniency_words or ""
        yield from (leniency[:1].upper() + leniency[1:], why_stale(window.wiring, checked) or "", checked.ruler[:12])
        yield checked.prompt_version or ""
    if desk is None:
        return
    yield from (desk.project.path.stem, *(part for line in desk.lines for part in (line.key, line.text)))
    for row in desk.responses():
        yield from (row.model, row.text)
    for ruler in map(desk.ruler, desk.stored.rulers.values()):
        if ruler is not None:
            yield from (in_one_line(ruler.manifest), where_runs(ruler.manifest))
    for check in desk.editor.checklist.checks:
        yield from (check.text, check.why)
    question = desk.question
    if question is not None:
        yield from (question.question, *(image.credit or "" for image in question.images))
        yield from (image.licence or "" for image in question.images)
        yield question.text_only.question or "" if question.text_only else ""
        yield from (snippet.id for snippet in question.snippets)
        for item in question.rubric:
            yield from _strings(item)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _strings(one)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _strings(getattr(value, name))


def roots(window: MainWindow) -> list[QWidget]:
    """What is looked at: the window and its dialogs."""
    return [window, *dialogs(window)]
