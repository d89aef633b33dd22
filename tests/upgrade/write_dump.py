"""Writes a project of the present schema, with one of everything, as SQL: `python -m tests.upgrade.write_dump`.

Run it before a migration is added; what it wrote for a schema is committed and never written again. SQL and not the
file itself, so that a reader sees what an older project holds.
"""

import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from models.provenance import Ruler
from models.rubric.checklist import Kind
from models.store.project import Project
from models.store.records import NewLabel, NewResponse, NewVerdict, RunStatus
from models.store.upgrade import SHIPPED
from models.verdicts import Outcome, Variant, Verdict

HERE = Path(__file__).parent
FACT = "States: water boils at 100 °C"


def main() -> None:
    """Make the project, dump it beside this file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kettle.gamut")
        with Project.create(path, clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)) as project:
            _fill(project)
            assert project.verify() == []
        with closing(sqlite3.connect(path)) as connection:
            lines = list(connection.iterdump())
            header = [f"PRAGMA {name} = {_pragma(connection, name)};" for name in ("application_id", "user_version")]
    target = HERE / f"schema-{SHIPPED.schema:04d}.sql"
    with target.open("x", encoding="utf-8") as out:
        out.write("\n".join([*lines, *header, ""]))


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _fill(project: Project) -> None:
    with project.write() as writer:
        image = writer.add_image(b"a picture", mime="image/png", width=4, height=3, thumbnail=b"small", pixel_hash="p")
        writer.put_question("kettle", '{"id":"kettle"}', author="ada", images=(image,))
        writer.put_question("kettle", '{"id":"kettle","v":2}', author="ada", note="better", images=(image,))
        writer.save_draft("kettle", '{"id":"kettle","v":3}', author="ada", images=(image,))
        writer.put_question("gone", "{}", author="ada")
        here = writer.add_response(NewResponse("kettle", "m1", "Water boils.\nÜ 🙂", source="r.jsonl:1")).id
        text = writer.add_response(NewResponse("kettle", "m1", "It sings.", Variant.TEXT, 2)).id
        thrown = writer.add_response(NewResponse("gone", "m2", "Nothing.")).id
        ruler = writer.ensure_ruler(Ruler.of("smollm2", style="reasoned", seed=0))
        run = writer.start_run("smollm2", ruler_id=ruler, manifest='{"checks": 4}')
        reasons = {"rationale": "It says so.", "evidence": "Water boils", "note": None}
        rows = [
            NewVerdict(
                here, Kind.PRESENCE, FACT, ruler, "k1", Outcome.VERDICT, Verdict.MEETS,
                (-0.1, -2.5, -3.0, -4.0, -5.0), 0.98, **reasons, run_id=run,
            ),
            NewVerdict(here, Kind.INSIGHT, "Conveys: heat", ruler, "k2", Outcome.VERDICT, Verdict.MISSING, run_id=run),
            NewVerdict(text, Kind.PRESENCE, FACT, ruler, "k3", Outcome.FAILED, note="It died.", run_id=run),
            NewVerdict(thrown, Kind.PRESENCE, FACT, ruler, "k4", Outcome.VERDICT, Verdict.CONTRADICTS, run_id=run),
        ]  # fmt: skip
        writer.add_verdicts(rows)
        writer.finish_run(run, RunStatus.DONE)
        writer.override_verdict(
            here, Kind.PRESENCE, FACT, judge="smollm2", verdict=Verdict.MISSING, author="ada", note="no degrees"
        )
        writer.add_label(NewLabel(here, Kind.PRESENCE, FACT, "bob", Verdict.PARTIALLY_MEETS, "half"))
        writer.trash_question("gone")
        writer.set_setting("language", "en")


if __name__ == "__main__":
    main()
