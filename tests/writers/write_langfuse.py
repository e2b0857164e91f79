"""Langfuse: its wrapper of the OpenAI client says what a generation holds; the server, which PyPI has not, exports it.

So the values of an observation are what the SDK sends, and the names round them are those of the export's schema.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from chat_stub import CUT_OFF, ERROR, MODEL, REFUSED, REPLY, SYSTEM, TOOL_CALL, TOOLS, USER, chat_stub, text
from langfuse import Langfuse
from langfuse.openai import OpenAI
from openai import BadRequestError
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

SENT = {
    "type": "langfuse.observation.type",
    "model": "langfuse.observation.model.name",
    "modelParameters": "langfuse.observation.model.parameters",
    "input": "langfuse.observation.input",
    "output": "langfuse.observation.output",
    "level": "langfuse.observation.level",
    "statusMessage": "langfuse.observation.status_message",
}
"""The fields of an export, and the attributes that the SDK sends for them."""
BLOBS = {"traceId": "trace_id", "startTime": "start_time", "model": "provided_model_name"} | {
    "modelParameters": "model_parameters",
    "statusMessage": "status_message",
}
"""What the export to blob storage calls them."""


def call(client: OpenAI) -> None:
    """Ask once for each answer, the last but one in pieces."""
    asked: dict[str, Any] = {"model": MODEL, "messages": [SYSTEM, USER], "temperature": 0.2}
    for more in ({}, {}, {"tools": TOOLS}, {}):
        client.chat.completions.create(**asked, **more)
    list(client.chat.completions.create(**asked, stream=True))
    with suppress(BadRequestError):
        client.chat.completions.create(**asked)


def observation(span: ReadableSpan) -> dict[str, Any]:
    """Return a span as the export has it, texts as texts and what was JSON as JSON."""
    context, told = span.get_span_context(), span.attributes or {}
    fields = {name: told.get(attribute) for name, attribute in SENT.items()}
    return {
        "id": f"{context.span_id:016x}" if context else "",
        "traceId": f"{context.trace_id:032x}" if context else "",
        "startTime": "2025-05-01T12:00:00.000Z",
        **fields,
        "type": str(fields["type"]).upper(),
        "level": fields["level"] or "DEFAULT",
    }


def _parsed(value: Any) -> Any:  # noqa: ANN401  JSON
    try:
        return json.loads(value)
    except (TypeError, ValueError):
        return value


def main(folder: Path) -> None:
    """Write the generations as the page exports them, and as the export to blob storage does."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    langfuse = Langfuse(public_key="p", secret_key="s", base_url="http://127.0.0.1:1", tracer_provider=provider)  # noqa: S106  no secret
    with chat_stub((REPLY,), (CUT_OFF,), (TOOL_CALL,), (REFUSED,), (text("In pieces."),), (ERROR,)) as address:
        call(OpenAI(base_url=address, api_key="none", max_retries=0))
    with langfuse.start_as_current_observation(as_type="span", name="review"):
        pass
    rows = [observation(span) for span in exporter.get_finished_spans()]
    blobs = [{BLOBS.get(name, name): value for name, value in row.items()} for row in rows]
    page = [{**row, **{name: _parsed(row[name]) for name in ("modelParameters", "input", "output")}} for row in rows]
    (folder / "langfuse-sdk.json").write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")
    (folder / "langfuse-sdk.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in blobs), encoding="utf-8")
    provider.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
