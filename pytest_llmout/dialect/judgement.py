"""How a reply that was asked for as JSON kept its contract."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from pytest_llmout.contract import Failure, Ok
from pytest_llmout.outputs.json_output import json_output

if TYPE_CHECKING:
    from pydantic import JsonValue

    from pytest_llmout.contract import OutputType
    from pytest_llmout.corpus.record import Output


@dataclass(frozen=True, slots=True)
class Judgement:
    """Two verdicts on one reply: under the contract, and with whatever extraction helps."""

    outcome: Ok[object] | Failure
    """The verdict of the default extraction: the bare text, or one fence around it."""
    found: Ok[object] | Failure
    """The verdict if the value may also stand between a lead-in and a remark; `outcome` itself if that succeeded."""

    @property
    def payload(self) -> str:
        """A hash of the canonical JSON that could be found; empty if none could."""
        match self.found:
            case Ok(canonical=canonical):
                return sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:16]
            case Failure():
                return ""

    @property
    def reason(self) -> str:
        """The machine code of the failure under the contract; empty if there was none."""
        match self.outcome:
            case Failure(reason=reason):
                return reason
            case Ok():
                return ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What normalisation met on the way to the value; nothing if none could be found."""
        match self.found:
            case Ok(notes=notes):
                return notes
            case Failure():
                return ()


def judge(raw: str, output: Output | None) -> Judgement | None:
    """Parse a reply that was asked for as JSON; `None` for any other reply.

    A schema that the record only refers to cannot be read here: then any JSON value keeps the contract.
    """
    if output is None or output.type != "json":
        return None
    schema = output.schema_ if isinstance(output.schema_, dict | bool) else {}
    strict, embedded = _output_types(json.dumps(schema, sort_keys=True))
    outcome = strict.parse(raw)
    match outcome:
        case Ok():
            return Judgement(outcome, outcome)
        case Failure():
            return Judgement(outcome, embedded.parse(raw))


@lru_cache(maxsize=256)
def _output_types(schema: str) -> tuple[OutputType[object], OutputType[object]]:
    parsed: JsonValue = json.loads(schema)
    return json_output(parsed), json_output(parsed, extract="embedded")
