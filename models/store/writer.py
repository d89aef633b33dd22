"""The one writer: everything that changes a project, in one transaction that is stored whole or not at all.

`Project.write()` hands it out and holds the lock; the methods are by topic in `writing`. A writer reads too: it can be
passed to every function of `queries`.
"""

from models.store.writing.questions import QuestionWrites
from models.store.writing.responses import ResponseWrites
from models.store.writing.verdicts import VerdictWrites
from models.store.writing.work import WorkWrites


class Writer(QuestionWrites, ResponseWrites, VerdictWrites, WorkWrites):
    """Good until the `with project.write()` block ends."""
