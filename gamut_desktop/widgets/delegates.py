"""The row delegates in one place: what views import.

Each reads the roles of `qmodels/roles.py`; `rows.dress(view, delegate)`, RowTree or RowList put them to work.
"""

from gamut_desktop.widgets.check_rows import ChecklistDelegate
from gamut_desktop.widgets.list_rows import QuestionDelegate, ResponseDelegate
from gamut_desktop.widgets.rows import RowDelegate, dress
from gamut_desktop.widgets.rubric_rows import RubricDelegate

__all__ = ["ChecklistDelegate", "QuestionDelegate", "ResponseDelegate", "RowDelegate", "RubricDelegate", "dress"]
