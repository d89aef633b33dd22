"""What the window remembers between starts: recent projects, the arrangement of panes, theme and text zoom."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from gamut_desktop.settings import Places

MOST = 8


class Memory:
    """An INI file in the user's configuration folder; a missing or broken one means defaults."""

    def __init__(self, places: Places) -> None:
        places.config.mkdir(parents=True, exist_ok=True)
        self._store = QSettings(str(places.config / "window.ini"), QSettings.Format.IniFormat)

    def recent(self) -> list[Path]:
        """Projects opened lately, newest first, without those that are gone."""
        stored = self._store.value("recent", [])
        names = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
        return [path for path in map(Path, names) if path.is_file()]

    def opened(self, path: Path) -> None:
        """Put a project first among the recent ones."""
        others = [known for known in self.recent() if known != path]
        self._store.setValue("recent", [str(known) for known in [path, *others][:MOST]])

    def bytes(self, name: str) -> QByteArray | None:
        """A stored arrangement."""
        value = self._store.value(name)
        return value if isinstance(value, QByteArray) else None

    def text(self, name: str, default: str) -> str:
        """A stored word."""
        return str(self._store.value(name, default))

    def number(self, name: str, default: int) -> int:
        """A stored whole number; the default if it is none."""
        try:
            return int(str(self._store.value(name, default)))
        except ValueError:
            return default

    def put(self, name: str, value: object) -> None:
        """Remember a value."""
        self._store.setValue(name, value)

    def flush(self) -> None:
        """Write to disk now."""
        self._store.sync()
