"""The tables of a project file, as Core tables ready for statements; the SQLModel classes behind them are by topic."""

from models.store.tables import images, labels, project, questions, responses, verdicts
from models.store.tables.base import core, metadata

PROJECT = core(project.Project)
SETTING = core(project.Setting)
LEASE = core(project.Lease)
QUESTION = core(questions.Question)
VERSION = core(questions.Version)
DRAFT = core(questions.Draft)
VERSION_IMAGE = core(questions.VersionImage)
DRAFT_IMAGE = core(questions.DraftImage)
IMAGE = core(images.Image)
RESPONSE = core(responses.Response)
CHECK_TEXT = core(verdicts.CheckText)
RULER = core(verdicts.Ruler)
RUN = core(verdicts.Run)
VERDICT = core(verdicts.Verdict)
RATIONALE = core(verdicts.Rationale)
OVERRIDE = core(verdicts.VerdictOverride)
LABEL = core(labels.Label)

__all__ = [
    "CHECK_TEXT",
    "DRAFT",
    "DRAFT_IMAGE",
    "IMAGE",
    "LABEL",
    "LEASE",
    "OVERRIDE",
    "PROJECT",
    "QUESTION",
    "RATIONALE",
    "RESPONSE",
    "RULER",
    "RUN",
    "SETTING",
    "VERDICT",
    "VERSION",
    "VERSION_IMAGE",
    "metadata",
]
