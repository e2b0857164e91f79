"""What a conformance check found, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_llmout.conformance.case import shown


@dataclass(frozen=True, slots=True)
class Finding:
    """An invariant that does not hold, and the smallest text found that shows it."""

    invariant: str
    rule: str
    text: str
    got: str
    wanted: str

    def __str__(self) -> str:
        lines = (
            f"{self.invariant}: {self.rule}",
            f"text    {shown(self.text)}",
            f"got     {self.got}",
            f"wanted  {self.wanted}",
        )
        return "\n  ".join(lines)


class ConformanceError(AssertionError):
    """An implementation breaks an invariant; the message names it, with the smallest text found that shows it."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding
