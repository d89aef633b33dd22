"""Which process holds something, and whether it still lives: a pid alone is reused, so its birth is kept with it.

Used for leases and for runs; a process of another computer cannot be looked at from here.
"""

import os
import platform
from dataclasses import dataclass

import psutil

# A process's birth is computed from the boot time, which moves a little when the clock is set.
BIRTH_TOLERANCE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ProcessMark:
    """A process as it can be recognised later: pid, birth in seconds since the epoch, and its computer's name."""

    pid: int
    created: float
    host: str

    @property
    def is_here(self) -> bool:
        """Whether it is (or was) a process of this computer."""
        return self.host == platform.node()

    @property
    def is_me(self) -> bool:
        """Whether it is this very process."""
        return self.is_here and self.pid == os.getpid() and self.is_alive

    @property
    def is_alive(self) -> bool:
        """Whether it still runs; True for another computer's, which nobody here can know."""
        if not self.is_here:
            return True
        try:
            process = psutil.Process(self.pid)
            born = process.create_time()
            return process.status() != psutil.STATUS_ZOMBIE and abs(born - self.created) < BIRTH_TOLERANCE_SECONDS
        except psutil.NoSuchProcess:
            return False
        except psutil.AccessDenied:
            return True


def this_process() -> ProcessMark:
    """The mark of the running process."""
    return ProcessMark(os.getpid(), psutil.Process().create_time(), platform.node())
