"""A chat completions endpoint on this machine that gives the answers it was told, one for each request."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from local_server import Answer, local_server

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

MODEL, SERVED = "gpt-4o-mini", "gpt-4o-mini-2024-07-18"
MARK = "@REPLY@"
"""What the tests put replies of their own in the place of."""
SYSTEM, USER = {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Review this."}
TOOLS = [{"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {}}}}]
_CALL = {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": '{"q":"x"}'}}


def text(content: str, finish: str = "stop") -> Json:
    return {"message": {"role": "assistant", "content": content, "refusal": None}, "finish_reason": finish}


REPLY = text(MARK)
CUT_OFF = text("Cut off he", "length")
FILTERED = text("", "content_filter")
TOOL_CALL = {
    "message": {"role": "assistant", "content": None, "tool_calls": [_CALL], "refusal": None},
    "finish_reason": "tool_calls",
}
REFUSED = {
    "message": {"role": "assistant", "content": None, "refusal": "I cannot help with that."},
    "finish_reason": "stop",
}
ERROR: Json = {}
"""Answered with status 400."""


@contextmanager
def chat_stub(*answers: tuple[Json, ...]) -> Iterator[str]:
    """Serve on a free port; each answer is the choices of one completion. Gives the base address."""
    waiting = iter(answers)

    def answer(_path: str, asked: Json) -> Answer:
        choices = next(waiting)
        if choices == (ERROR,):
            return Answer({"error": {"message": "boom", "type": "bad"}}, 400)
        return Answer(_streamed(choices) if asked.get("stream") else _completion(choices))

    with local_server(answer) as address:
        yield f"{address}/v1"


def _completion(choices: tuple[Json, ...]) -> Json:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1746100800,
        "model": SERVED,
        "choices": [{"index": number, "logprobs": None, **choice} for number, choice in enumerate(choices)],
        "usage": {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14},
    }


def _streamed(choices: tuple[Json, ...]) -> str:
    pieces = []
    for number, choice in enumerate(choices):
        content = choice["message"]["content"]
        deltas = [{"role": "assistant", "content": ""}, *({"content": character} for character in content), {}]
        for place, delta in enumerate(deltas):
            finish = choice["finish_reason"] if place == len(deltas) - 1 else None
            pieces.append({"index": number, "delta": delta, "finish_reason": finish})
    shared = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1746100800, "model": SERVED}
    events = [f"data: {json.dumps({**shared, 'choices': [piece]})}\n\n" for piece in pieces]
    return "".join([*events, "data: [DONE]\n\n"])
