"""JSON replies: whether the contract was kept, and what it took; null for every other reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.contract import Failure, FailureKind, Ok
from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply

# The examples of this family are judged against {"type": "object", "required": ["a"]}.


def _failed(reply: Reply, kind: FailureKind) -> int | None:
    match reply.judgement and reply.judgement.outcome:
        case Failure() as failure:
            return int(failure.kind is kind)
        case Ok():
            return 0
        case _:
            return None


def _noted(reply: Reply, *codes: str) -> int | None:
    return None if reply.judgement is None else int(not set(codes).isdisjoint(reply.judgement.notes))


@feature(says="keeps the JSON schema", examples={'{"a": 1}': 1, "{}": 0, "no": 0, '```\n{"a": 1}\n```': 1})
def json_ok(reply: Reply) -> int | None:
    """The reply keeps its schema, bare or within one fence."""
    return None if reply.judgement is None else int(isinstance(reply.judgement.outcome, Ok))


@feature(says="replies with what is not JSON", examples={"no": 1, "{}": 0, '{"a": 1}': 0})
def json_syntax(reply: Reply) -> int | None:
    """The reply is not JSON."""
    return _failed(reply, FailureKind.SYNTAX)


@feature(says="replies with JSON of another shape", examples={"{}": 1, "no": 0, '{"a": 1}': 0})
def json_schema(reply: Reply) -> int | None:
    """The reply is JSON of another shape than its schema asks for."""
    return _failed(reply, FailureKind.SCHEMA)


@feature(says="fences JSON", examples={'```json\n{"a": 1}\n```': 1, '{"a": 1}': 0})
def json_fenced(reply: Reply) -> int | None:
    """The JSON value had to be taken out of a code fence."""
    return _noted(reply, "fence")


@feature(says="writes text around JSON", examples={'Here: {"a": 1}': 1, '{"a": 1} Done.': 1, '{"a": 1}': 0, "no": 0})
def json_embedded(reply: Reply) -> int | None:
    """The JSON value stood beside other text: a lead-in or a trailing remark."""
    return _noted(reply, "lead_in", "trailing_remark")


@feature(says="writes a JSON key twice", examples={'{"a": 1, "a": 2}': 1, '{"a": 1}': 0})
def json_duplicate_keys(reply: Reply) -> int | None:
    """An object of the JSON value holds a key twice."""
    return _noted(reply, "duplicate_keys")


@feature(says="sends JSON that the schema alters", examples={'{"a": 1, "a": 2}': 1, '{"a": 1}': 0, "no": 0})
def json_changed(reply: Reply) -> int | None:
    """The schema dropped or altered something that the model sent."""
    match reply.judgement and reply.judgement.outcome:
        case Ok(changed=changed):
            return int(changed)
        case Failure():
            return 0
        case _:
            return None
