"""Advisory locks between the processes that write one file."""

from __future__ import annotations

import sys

if sys.platform == "win32":

    def lock(descriptor: int) -> None:
        """Do nothing: Windows has only mandatory locks, which would also keep readers out."""

    def try_lock(descriptor: int) -> bool:  # noqa: ARG001  the signature of the other system
        """Return true: see `lock`."""
        return True

    def unlock(descriptor: int) -> None:
        """Do nothing: see `lock`."""

else:
    import fcntl

    def lock(descriptor: int) -> None:
        """Wait until no other process holds the file, then hold it; the system lets go when the process ends."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def try_lock(descriptor: int) -> bool:
        """Hold the file and return true, or return false at once if another process holds it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Let go of the file."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)
