"""LangSmith: its SDK traces LangChain and a wrapped OpenAI client to a stand-in for its server, then lists the runs."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chat_stub import CUT_OFF, ERROR, MODEL, REFUSED, REPLY, SYSTEM, TOOL_CALL, TOOLS, USER, chat_stub, text
from langchain_core.tracers import LangChainTracer
from langchain_openai import ChatOpenAI
from langsmith import Client, traceable
from langsmith.wrappers import wrap_openai
from local_server import Answer, local_server
from openai import BadRequestError, OpenAI

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = "00000000-0000-4000-8000-000000000001"
KEPT = {"id", "name", "run_type", "start_time", "end_time", "error", "inputs", "outputs", "extra", "trace_id", "status"}
MACHINE = ("runtime", "lc_versions")
"""What tells of the machine rather than of the call."""
INGEST = {
    "use_multipart_endpoint": False,
    "size_limit": 100,
    "size_limit_bytes": 2**24,
    "scale_up_nthreads_limit": 1,
    "scale_up_qsize_trigger": 1000,
    "scale_down_nempty_trigger": 4,
}


@contextmanager
def server() -> Iterator[str]:
    """Keep the runs that are posted, and list them; gives the address."""
    runs: dict[str, dict[str, Any]] = {}

    def answer(path: str, body: Any) -> Answer:  # noqa: ANN401  JSON
        if body is None:
            return Answer({"batch_ingest_config": INGEST})
        if path.endswith("/runs/query"):
            return Answer({"runs": list(runs.values()), "cursors": {}})
        for run in [*body.get("post", []), *body.get("patch", [])]:
            runs.setdefault(run["id"], {}).update({key: value for key, value in run.items() if value is not None})
        return Answer({})

    with local_server(answer) as address:
        yield address


def chain(address: str, client: Client) -> None:
    """Ask through LangChain."""
    model = ChatOpenAI(model=MODEL, temperature=0.2, base_url=address, api_key="none", max_retries=0)
    config = {"callbacks": [LangChainTracer(client=client)]}
    messages = [("system", SYSTEM["content"]), ("user", USER["content"])]
    for asked in (model, model, model.bind_tools(TOOLS), model):
        asked.invoke(messages, config)
    list(model.stream(messages, config))
    with suppress(BadRequestError):
        model.invoke(messages, config)


def wrapped(address: str, client: Client) -> None:
    """Ask through the wrapped client of OpenAI, within a run that is no call of a model."""
    openai = wrap_openai(OpenAI(base_url=address, api_key="none", max_retries=0), tracing_extra={"client": client})

    @traceable(client=client)  # type: ignore[untyped-decorator]  # installed elsewhere
    def review() -> object:
        return openai.chat.completions.create(model=MODEL, messages=[SYSTEM, USER])

    review()
    openai.chat.completions.create(model=MODEL, messages=[SYSTEM, USER], tools=TOOLS)
    list(openai.chat.completions.create(model=MODEL, messages=[SYSTEM, USER], stream=True))


def main(folder: Path) -> None:
    """Write what the SDK lists."""
    os.environ["LANGSMITH_TRACING"] = "true"
    with server() as address:
        client = Client(api_url=address, api_key="none")
        with chat_stub((REPLY,), (CUT_OFF,), (TOOL_CALL,), (REFUSED,), (text("In pieces."),), (ERROR,)) as openai:
            chain(openai, client)
        with chat_stub((REPLY,), (TOOL_CALL,), (text("In pieces."),)) as openai:
            wrapped(openai, client)
        client.flush()
        listed = [json.loads(run.model_dump_json()) for run in client.list_runs(project_id=PROJECT)]
    (folder / "langsmith-sdk.json").write_text(
        json.dumps(list(map(_trimmed, listed)), indent=1) + "\n", encoding="utf-8"
    )


def _trimmed(run: dict[str, Any]) -> dict[str, Any]:
    extra = {key: value for key, value in run["extra"].items() if key not in MACHINE}
    extra["metadata"] = {key: value for key, value in extra["metadata"].items() if key not in MACHINE}
    error = run["error"] and run["error"].partition("Traceback")[0]
    return {key: value for key, value in run.items() if key in KEPT} | {"extra": extra, "error": error}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
