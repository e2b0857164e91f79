"""When a test asks the model and when it replays what the model answered before."""

from __future__ import annotations

from enum import StrEnum


class RecordMode(StrEnum):
    """What happens to a request; the default is `none`."""

    NONE = "none"
    """Replay only: the model is never asked, and no file is written."""
    ONCE = "once"
    """Ask and record if the test has no recording yet, else replay only."""
    NEW_EPISODES = "new_episodes"
    """Replay what is recorded, ask and record the rest."""
    ALL = "all"
    """Ask everything; a new reply takes the place of the recorded one, other recordings stay."""
    REWRITE = "rewrite"
    """Ask everything; the recording of a test then holds what this run asked, and nothing else."""

    @property
    def replays(self) -> bool:
        """Whether a recorded reply is used."""
        return self not in {RecordMode.ALL, RecordMode.REWRITE}

    def asks(self, *, recorded: bool) -> bool:
        """Tell whether the model may be asked, given whether the test had a recording when it began."""
        return self is not RecordMode.NONE and not (self is RecordMode.ONCE and recorded)
