"""What came of one request: what reports, summaries and the terminal tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from pytest_llmout.contract import Failure, FailureKind
from pytest_llmout.corpus.record import ReplyRecord, dump_record, load_record

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Asked:
    """One reply of a session, judged."""

    test: str
    """The node id of the test that asked."""
    record: ReplyRecord
    """The reply, redacted."""
    replayed: bool
    """Whether it comes from a recording."""
    failure: Failure | None = None
    """Why it was rejected, if it was."""

    @property
    def outcome(self) -> str:
        """`accepted`, `re-asked` (accepted after a re-ask), or `rejected`."""
        if self.failure is not None:
            return "rejected"
        return "re-asked" if self.record.attempts else "accepted"

    def to_wire(self) -> dict[str, Any]:
        """Return plain data that any process can send: no lone surrogate, no object."""
        failure = self.failure and [self.failure.kind.value, self.failure.observed, self.failure.reason]
        line = dump_record(self.record).decode("utf-8")
        return {"test": self.test, "line": line, "replayed": self.replayed, "failure": failure}

    @classmethod
    def from_wire(cls, data: Mapping[str, Any]) -> Self:
        """Return what `to_wire` sent."""
        failure = data["failure"] and Failure(FailureKind(data["failure"][0]), *data["failure"][1:])
        return cls(data["test"], load_record(data["line"]), data["replayed"], failure)
