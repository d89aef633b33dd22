"""Time as the store writes it: ISO-8601 UTC text with milliseconds, from a clock that tests can replace."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The system's time, aware, in UTC."""
    return datetime.now(UTC)


def stamp(clock: Clock) -> str:
    """The clock's time as text; texts sort as times do."""
    return clock().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
