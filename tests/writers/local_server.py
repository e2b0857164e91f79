"""A server on this machine that answers by a function."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Answer(NamedTuple):
    """What is sent back."""

    body: Any
    """A text, or what is sent as JSON."""
    status: int = 200


@contextmanager
def local_server(answer: Callable[[str, Any], Answer]) -> Iterator[str]:
    """Serve on a free port of the loopback interface; gives the address.

    Args:
        answer: Called with the path and the decoded body of each request, which is `None` for a GET.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(answer(self.path, None))

        def do_POST(self) -> None:
            self._send(answer(self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))

        def _send(self, sent: Answer) -> None:
            is_text = isinstance(sent.body, str)
            data = (sent.body if is_text else json.dumps(sent.body)).encode()
            self.send_response(sent.status)
            self.send_header("Content-Type", "text/event-stream" if is_text else "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
