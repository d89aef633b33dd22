"""A language that nobody speaks: accented, 40 % longer and in brackets, so that a picture shows what is not translated
and where a longer language would be cut.

Placeholders ({name}, %n, %1), mnemonics and markup stay as they are.
"""

import re

from PySide6.QtCore import QTranslator

OPEN, CLOSE = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
LONGER = 0.4
_ACCENTED = str.maketrans("aceinouyACEINOUY", "åçéîñöûýÅÇÉÎÑÖÛÝ")
_KEPT = re.compile(r"(\{[^}]*\}|%[n\d]|<[^>]*>|&[a-z]+;|\(\*\.[^)]*\)|\t.*)")


def pseudo(source: str) -> str:
    """The source text in this language; what has no letters stays as it is."""
    if not any(letter.isalpha() for letter in _KEPT.sub("", source)):
        return source
    parts = [part if _KEPT.fullmatch(part) else part.translate(_ACCENTED) for part in _KEPT.split(source)]
    more = round(len(_KEPT.sub("", source)) * LONGER)
    return f"{OPEN}{''.join(parts)}{_filling(more)}{CLOSE}"


def _filling(length: int) -> str:
    """Short made-up words, so that long sentences can still wrap."""
    return (" \N{MIDDLE DOT} øñé" * (length // 6 + 1))[:length].rstrip()


class PseudoTranslator(QTranslator):
    """Translates every source text of the app and of Qt itself."""

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        """Qt's question; `%n` is filled in by Qt afterwards."""
        return source if context in ("QGuiApplication", "QLocale") else pseudo(source)

    def isEmpty(self) -> bool:
        """Qt installs no empty translator."""
        return False
