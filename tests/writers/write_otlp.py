"""OpenTelemetry: what its instrumentation of the OpenAI client says of the same calls, in each of its conventions."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from chat_stub import CUT_OFF, ERROR, MODEL, REFUSED, REPLY, SYSTEM, TOOL_CALL, TOOLS, USER, chat_stub, text
from openai import BadRequestError, OpenAI
from opentelemetry.exporter.otlp.json.file._log_exporter import FileLogExporter
from opentelemetry.exporter.otlp.json.file.trace_exporter import FileSpanExporter
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

LATEST = {"OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental"}
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
CONVENTIONS = {
    "otlp-legacy.jsonl": {CAPTURE: "true"},
    "otlp-spans.jsonl": {**LATEST, CAPTURE: "span_only"},
    "otlp-events.jsonl": {**LATEST, CAPTURE: "event_only", "OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT": "true"},
}
"""What the environment asks for, by the file it gives."""
ANSWERS = (
    (REPLY,),
    (CUT_OFF,),
    (TOOL_CALL,),
    (text("One."), text("Two.")),
    (text("In pieces."),),
    (REFUSED,),
    (ERROR,),
)
MESSAGES: Any = [SYSTEM, USER]


def call(client: OpenAI) -> None:
    """Ask once for each answer."""

    def ask(**more: Any) -> Any:  # noqa: ANN401  either of two types
        return client.chat.completions.create(model=MODEL, messages=MESSAGES, temperature=0.2, max_tokens=200, **more)

    ask()
    ask()
    ask(tools=TOOLS)
    ask(n=2)
    list(ask(stream=True))
    ask()
    with suppress(BadRequestError):
        ask()


def main(folder: Path, name: str) -> None:
    """Write the file of one convention: spans if these hold the content, else log records."""
    os.environ.update(CONVENTIONS[name])
    (folder / name).unlink(missing_ok=True)
    resource = Resource({"service.name": "reviewer"})
    tracing, logging = TracerProvider(resource=resource), LoggerProvider(resource=resource)
    if "spans" in name:
        tracing.add_span_processor(SimpleSpanProcessor(FileSpanExporter(str(folder / name))))
    else:
        logging.add_log_record_processor(SimpleLogRecordProcessor(FileLogExporter(str(folder / name))))
    OpenAIInstrumentor().instrument(tracer_provider=tracing, logger_provider=logging)
    with chat_stub(*ANSWERS) as address:
        call(OpenAI(base_url=address, api_key="none", max_retries=0))
    with tracing.get_tracer("other").start_as_current_span("GET", attributes={"http.request.method": "GET"}):
        pass
    tracing.shutdown()
    logging.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
