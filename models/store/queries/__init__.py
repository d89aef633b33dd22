"""Reading a project: functions over a snapshot (or a writer) that return frozen records.

The number of SQL statements of a function never grows with the number of rows it returns.
"""

from models.store.queries.images import image_bytes, image_thumbnail, images
from models.store.queries.questions import (
    current_version,
    current_versions,
    draft,
    drafts,
    question,
    questions,
    version_history,
)
from models.store.queries.responses import model_names, response, responses
from models.store.queries.status import judged_counts, project_info, setting, settings, trash_contents
from models.store.queries.verdicts import labels, overrides, verdicts
from models.store.queries.work import leases, rulers, run, runs

__all__ = [
    "current_version",
    "current_versions",
    "draft",
    "drafts",
    "image_bytes",
    "image_thumbnail",
    "images",
    "judged_counts",
    "labels",
    "leases",
    "model_names",
    "overrides",
    "project_info",
    "question",
    "questions",
    "response",
    "responses",
    "rulers",
    "run",
    "runs",
    "setting",
    "settings",
    "trash_contents",
    "verdicts",
    "version_history",
]
