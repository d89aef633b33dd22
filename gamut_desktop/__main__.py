"""The entry point of `gamut` and `python -m gamut_desktop`.

A spawned child imports this module again, so it imports nothing but multiprocessing until it is called.
"""

import multiprocessing


def main() -> None:
    """Run the command line; it opens the window where one is asked for."""
    multiprocessing.freeze_support()
    _drop_foreign_folder()
    from gamut_desktop.cli.app import run

    run()


def _drop_foreign_folder() -> None:
    """`python -m` puts the current folder first on the path, where a `models.py` of the user's would hide ours."""
    import sys
    from pathlib import Path

    home = Path(__file__).resolve().parent.parent
    if sys.path and Path(sys.path[0] or ".").resolve() == Path.cwd() != home:
        del sys.path[0]


if __name__ == "__main__":
    main()
