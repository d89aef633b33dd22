"""The data roles that models offer and delegates paint. One list for all models, so that a role means one thing.

Words of an enum come through Qt as plain text: compare them with ==, not with `is`.
"""

from enum import IntEnum

from PySide6.QtCore import Qt

_FIRST = int(Qt.ItemDataRole.UserRole) + 1


class Roles(IntEnum):
    """What `data(index, role)` gives beyond Qt's own roles; None where it does not apply."""

    ID = _FIRST  # str: a question's key, an item's or element's id, a check's id; int: a response's id
    TIER = _FIRST + 1  # models.rubric.metarubric.Tier
    CHECK_ROLE = _FIRST + 2  # models.rubric.checklist.Role
    KIND = _FIRST + 3  # models.rubric.checklist.Kind
    VERDICT = _FIRST + 4  # models.verdicts.Verdict
    OUTCOME = _FIRST + 5  # models.verdicts.Outcome
    PROBABILITIES = _FIRST + 6  # tuple of five floats 0..1: meets, partially, missing, contradicts, cannot tell
    OVERRIDE = _FIRST + 7  # str: action of a human edit of the check
    STALE = _FIRST + 8  # bool: the edit's origin changed under it
    WHY = _FIRST + 9  # str: why the check exists and has its tier
    LIT = _FIRST + 10  # bool: belongs to what is selected elsewhere
    TYPE_NAME = _FIRST + 11  # str: what kind of thing a tree row is, in words
    NOTE = _FIRST + 12  # str: a second line in small print
    SCORE = _FIRST + 13  # float in [-1, 1]
    PROBLEM = _FIRST + 14  # str: why this cannot compile
    BY_PERSON = _FIRST + 15  # bool: a person's override counts
    SECOND_VERDICT = _FIRST + 16  # Verdict: what the keyword judge says, beside the chosen judge
    GROUP = _FIRST + 17  # bool: a header row of a tier, no check
    COUNT = _FIRST + 18  # int: how many belong to a header
    THUMBNAIL = _FIRST + 19  # QPixmap
    STATE = _FIRST + 20  # str: "graded", "partly", "ungraded", "draft", "problem", "dropped"
    SECOND_SCORE = _FIRST + 21  # float in [-1, 1]: by the keyword judge, beside the chosen judge
    UNSUPPORTED = _FIRST + 22  # bool: the judge was to quote the response and quotes nothing that is there
