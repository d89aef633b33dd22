"""The project file: one SQLite file, `NAME.gamut`, with everything in it, images too.

`project.Project` opens one, its `write()` hands out the one writer, its `read()` a snapshot for the functions of
`queries`. Only the frozen dataclasses of `records` leave this package; SQL and SQLAlchemy stay inside.
"""
