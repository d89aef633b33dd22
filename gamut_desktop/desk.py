"""The desk: one open project as the window shows it: which question, response and judge, and what is stored of them.

Views listen to its signals and call its methods; it calls use cases and never draws. Rubric edits go to a draft row
within a second; `save` makes the draft the current version. Changes by other processes are noticed and shown.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gamut_desktop.checklists import Checklists
from gamut_desktop.editor import RubricEditor
from gamut_desktop.jobs import Jobs
from gamut_desktop.usecases.documents import put, read_document, shown_images, to_document
from gamut_desktop.usecases.importing import Imported, free_id, import_path, store_picture
from gamut_desktop.usecases.overview import Known, Line, overview
from gamut_desktop.usecases.reading import Stored, read_stored
from gamut_desktop.wiring import Wiring
from models.errors import GamutError
from models.rubric.checklist import Check
from models.rubric.metarubric import Question
from models.scoring.card import ScoreCard
from models.scoring.effective import Effective
from models.store.project import Project
from models.store.queries.images import image_bytes, image_thumbnail
from models.store.queries.questions import current_version, draft, questions
from models.store.queries.work import rulers
from models.store.records import AddedResponse, NewResponse, ResponseRow, RulerRow, VerdictRow
from models.verdicts import Variant, Verdict

DRAFT_MS = 800
POLL_MS = 500
Card = ScoreCard[VerdictRow]


class Desk(QObject):
    """lines_changed: the overview is new. opened: another question is shown (or none). answers_changed: what is stored
    of the open question, or its checklist, is new. chosen: another response or judge. saved_changed: saved or not.
    told: a calm sentence. failed: a GamutError. closing: the project is about to be closed.
    """

    lines_changed = Signal()
    opened = Signal()
    answers_changed = Signal()
    chosen = Signal()
    saved_changed = Signal()
    told = Signal(str)
    failed = Signal(object)
    closing = Signal()

    def __init__(self, project: Project, wiring: Wiring, jobs: Jobs, judge: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.project, self.wiring, self.jobs = project, wiring, jobs
        self.author = wiring.settings.author
        self.editor = RubricEditor(self, author=self.author)
        self.judge = judge
        self.lines: list[Line] = []
        self.key: str | None = None
        self.response_id: int | None = None
        self.stored = Stored({}, {}, {}, {})
        self._version = 0
        self._known = Known()
        self._looking = False
        self._look_again = False
        self._closed = False
        self._checklists = Checklists(self.editor)
        self._draft = QTimer(self, interval=DRAFT_MS, singleShot=True)
        self._draft.timeout.connect(self.keep_draft)
        self._poll = QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self._look_elsewhere)
        self._poll.start()
        self.editor.question_changed.connect(self._edited)
        self.editor.checklist_changed.connect(self._recompiled)
        self.editor.clean_changed.connect(lambda _: self.saved_changed.emit())

    # The overview ----------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Make the overview anew, off the GUI thread; asked for again while it is made, it is made once more."""
        if self._looking:
            self._look_again = True
            return
        self._looking, self._look_again = True, False

        def work() -> list[Line]:
            with self.project.read() as snapshot:
                return overview(snapshot, self.judge, self._known)

        self.jobs.start("overview", work, self._looked)

    def _looked(self, lines: list[Line] | None, error: Exception | None) -> None:
        self._looking = False
        if self._closed:
            return
        if error is not None:
            self.fail(error)
        elif lines is not None and lines != self.lines:
            self.lines = lines
            self.lines_changed.emit()
        if self._look_again:
            self.look()

    def thumbnail(self, sha256: str) -> bytes | None:
        """A stored picture's thumbnail; None once the project is closed: rows ask for it a moment later."""
        if self._closed:
            return None
        with self.project.read() as snapshot:
            return image_thumbnail(snapshot, sha256)

    def picture(self, sha256: str) -> bytes | None:
        """A stored picture's original bytes."""
        with self.project.read() as snapshot:
            return image_bytes(snapshot, sha256)

    # One question ----------------------------------------------------------------------------------------------------

    def open(self, key: str | None) -> None:
        """Show a question; edits of the one before are kept as its draft."""
        if key == self.key:
            return
        self.keep_draft()
        self.key = key
        self._load()

    def reload(self) -> None:
        """Read the open question again, as it is stored now."""
        self._load()

    def _load(self) -> None:
        question, saved, self._version = None, True, 0
        with self.project.read() as snapshot:
            if self.key is not None and (version := current_version(snapshot, self.key)) is not None:
                self._version = version.number
                kept = draft(snapshot, self.key)
                saved = kept is None or kept.sha256 == version.sha256
                doc = version.doc if saved or kept is None else kept.doc
                question = read_document(doc, version.question)
            self.stored = read_stored(snapshot, question=self.key or "")
        if question is None:
            self.key = None
        self._checklists.clear()
        self.editor.load(question, saved=saved)
        rows = self.responses()
        if self.response_id not in [row.id for row in rows]:
            self.response_id = rows[0].id if rows else None
        self._suit_variant()
        self.opened.emit()
        self.answers_changed.emit()
        self.chosen.emit()
        self.saved_changed.emit()

    @property
    def question(self) -> Question | None:
        """The open question as it stands, edits included."""
        return self.editor.question

    def add_question(self) -> None:
        """A new question, empty, open for writing."""
        with self.project.read() as snapshot:
            taken = {row.key for row in questions(snapshot, trash="all")}
        question = Question(free_id(self.tr("question"), taken), "")
        self.write(lambda writer: put(writer, question, author=self.author))
        self.look()
        self.open(question.id)

    def trash_question(self) -> None:
        """Put the open question in the trash."""
        if self.key is None:
            return
        key = self.key
        self.keep_draft()
        self.write(lambda writer: writer.trash_question(key))
        self.told.emit(self.tr("'{key}' is in the trash; File > Trash brings it back.").format(key=key))
        others = [line.key for line in self.lines if line.key != key]
        self.open(others[0] if others else None)
        self.look()

    def add_picture(self, path: Path) -> None:
        """Add a picture file to the open question; what is edited is saved with it."""
        if self.question is None:
            return
        question = self.question

        def work() -> None:
            store_picture(self.project, question, path, author=self.author)

        self.jobs.start("picture", work, lambda _, error: self.fail(error) if error else self._load_and_look())

    # Saving ----------------------------------------------------------------------------------------------------------

    def keep_draft(self) -> None:
        """Store the edits that are not saved as a draft; forget the draft where there are none."""
        self._draft.stop()
        question = self.question
        if question is None or self.project.read_only:
            return
        if self.editor.is_clean:
            self.write(lambda writer: writer.discard_draft(question.id))
        else:
            doc, images = to_document(question), shown_images(question)
            self.write(lambda writer: writer.save_draft(question.id, doc, author=self.author, images=images))

    def save(self) -> None:
        """Make the question as it stands its current version."""
        question = self.question
        if question is None or self.editor.is_clean:
            return
        self.editor.end_typing()
        self.keep_draft()
        if self.write(lambda writer: writer.commit_draft(question.id, author=self.author)) is not None:
            self.editor.mark_saved()
            self.refresh()
            self.look()
            self.told.emit(self.tr("Saved."))

    def discard_draft(self) -> None:
        """Go back to the saved version."""
        if self.key is not None:
            key = self.key
            self._draft.stop()
            self.write(lambda writer: writer.discard_draft(key))
            self._load()
            self.look()

    def _edited(self, _change: object) -> None:
        self._draft.start()
        self.saved_changed.emit()

    def _recompiled(self) -> None:
        self._checklists.clear()
        self.answers_changed.emit()

    # Responses and verdicts ------------------------------------------------------------------------------------------

    def responses(self) -> list[ResponseRow]:
        """The responses to the open question."""
        return self.stored.responses.get(self.key or "", [])

    @property
    def response(self) -> ResponseRow | None:
        """The chosen response."""
        return next((row for row in self.responses() if row.id == self.response_id), None)

    def choose_response(self, response_id: int | None) -> None:
        """Show another response."""
        if response_id != self.response_id:
            self.response_id = response_id
            self._suit_variant()
            self.chosen.emit()

    def choose_judge(self, judge: str) -> None:
        """Show and grade by another judge."""
        if judge != self.judge:
            self.judge = judge
            self.chosen.emit()
            self.answers_changed.emit()
            self.look()

    def card(self, response: ResponseRow, judge: str) -> Card | None:
        """The score card on the checklist as it stands; None where nothing is stored or nothing compiles."""
        question = self.question
        if question is None or not self.stored.knows(response, judge):
            return None
        checklist = self._checklists.of(question, response.variant)
        return self.stored.card(question, checklist, response, judge) if checklist else None

    def found(self, check: Check | None) -> Effective[VerdictRow] | None:
        """What counts for a check of the chosen response by the chosen judge; None where nothing is stored."""
        response = self.response
        card = self.card(response, self.judge) if response is not None and check is not None else None
        return next((f for c, f in card.checks if check is not None and c.key == check.key), None) if card else None

    def ruler(self, ruler_id: int) -> RulerRow | None:
        """A stored ruler."""
        with self.project.read() as snapshot:
            return next((row for row in rulers(snapshot) if row.id == ruler_id), None)

    def add_response(self, model: str, text: str) -> None:
        """Write a response to the open question."""
        if self.key is None:
            return
        key, variant = self.key, self.editor.variant
        same = [r.sample for r in self.responses() if (r.model, r.variant) == (model, variant)]
        sample = max(same, default=-1) + 1
        new = NewResponse(key, model, text, variant, sample, source=self.author)
        added = self.write(lambda writer: writer.add_response(new))
        self.refresh()
        if isinstance(added, AddedResponse):
            self.choose_response(added.id)
        self.look()

    def trash_response(self) -> None:
        """Put the chosen response in the trash."""
        if self.response_id is not None:
            gone = self.response_id
            self.write(lambda writer: writer.trash_responses([gone]))
            self.told.emit(self.tr("The response is in the trash; File > Trash brings it back."))
            self.refresh()
            self.look()

    def give_verdict(self, check: Check, verdict: Verdict | None) -> None:
        """A person's verdict in place of the judge's; None withdraws it."""
        response = self.response
        if response is None:
            return
        self.write(
            lambda writer: writer.override_verdict(
                response.id, check.kind, check.text, judge=self.judge, verdict=verdict, author=self.author
            )
        )
        self.refresh()

    def refresh(self) -> None:
        """Read again what is stored of the open question."""
        with self.project.read() as snapshot:
            stored = read_stored(snapshot, question=self.key or "")
        if stored == self.stored:
            return
        self.stored = stored
        rows = self.responses()
        if self.response_id not in [row.id for row in rows]:
            self.response_id = rows[0].id if rows else None
            self._suit_variant()
            self.chosen.emit()
        self.answers_changed.emit()

    def import_paths(self, paths: list[Path], done: Callable[[list[Imported]], None]) -> None:
        """Import files or folders, off the GUI thread."""
        self.keep_draft()

        def work() -> list[Imported]:
            return [import_path(self.project, path, author=self.author) for path in paths]

        def ended(found: list[Imported] | None, error: Exception | None) -> None:
            if error is not None:
                self.fail(error)
            elif found is not None and not self._closed:
                self._load_and_look()
                added = [key for one in found for key in (*one.added, *one.updated)]
                if added and (self.key is None or len(added) == 1):
                    self.open(added[0])
                done(found)

        self.jobs.start("import", work, ended)

    # Inside ----------------------------------------------------------------------------------------------------------

    def write(self, work: Callable[[Any], Any]) -> Any:
        """Do a short piece of writing; a GamutError is told and gives None."""
        try:
            with self.project.write() as writer:
                return work(writer)
        except GamutError as error:
            self.failed.emit(error)
            return None

    def fail(self, error: Exception) -> None:
        """Tell an error that a job ended with; a bug goes the way of all bugs."""
        if not isinstance(error, GamutError):
            raise error
        self.failed.emit(error)

    def _load_and_look(self) -> None:
        if self._closed:  # the job ended while the project was being closed
            return
        self._load()
        self.look()

    def _suit_variant(self) -> None:
        """The checklist follows the chosen response's variant, where the question has it."""
        question, response = self.question, self.response
        ready = question is not None and question.text_only is not None and question.text_only.status == "ready"
        wanted = response.variant if response is not None and ready else Variant.IMAGE
        self.editor.set_variant(wanted)

    def _look_elsewhere(self) -> None:
        """Another process changed the project: show it, but never over edits that are not saved."""
        if not self.project.changed_elsewhere():
            return
        self.look()
        with self.project.read() as snapshot:
            version = current_version(snapshot, self.key) if self.key is not None else None
        if version is not None and version.number != self._version and self.editor.is_clean:
            self._load()
        else:
            self.refresh()

    def close(self) -> None:
        """Keep what is not saved, and stop looking."""
        self._poll.stop()
        self.closing.emit()
        self.keep_draft()
        self._closed = True
        self.editor.undo_stack.clear()  # while who listens to it is there; its own end would tell them later
