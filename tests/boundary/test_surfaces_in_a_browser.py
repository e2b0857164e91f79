"""In a browser, no hostile reply runs anything on the page that shows it."""

from __future__ import annotations

import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest
from hostile_replies import HOSTILE

pytest.importorskip("nh3", reason="surfaces need the extra [surfaces]")

from pytest_llmout.boundary.surfaces.github import github
from pytest_llmout.boundary.surfaces.page import page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHROMIUM = shutil.which("chromium")
# A reply may change the title, say something on the console, or fetch from this machine.
TRIALS = [
    "<script>document.title='ran'; console.log('ran'); fetch('{host}/script')</script>",
    "<img src='{host}/image' onerror=\"document.title='ran'\" onload=\"document.title='ran'\">",
    "![picture]({host}/markdown-image)",
    "<svg onload=\"console.log('ran')\"></svg><body onload=\"document.title='ran'\">",
    '<style>@import url("{host}/style");</style><link rel=stylesheet href="{host}/link"><iframe src="{host}/frame">',
    '<meta http-equiv="refresh" content="0;url={host}/refresh"><base href="{host}/">',
    '<a id=x href="javascript:document.title=1" autofocus onfocus="document.title=\'ran\'">x</a>',
    '![a" onerror="document.title=\'ran\']({host}/broken "x\\" onerror=\\"document.title=1")',
]


class Host:
    """A web server of this machine that keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_error(404)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def host() -> Iterator[Host]:
    found = Host()
    thread = threading.Thread(target=found.server.serve_forever)
    thread.start()
    yield found
    found.server.shutdown()
    thread.join()
    found.server.server_close()


def browse(html: str, folder: Path) -> tuple[str, str]:
    """Return the document as a browser leaves it after it has loaded, and what it logged."""
    (folder / "page.html").write_text(html, encoding="utf-8", newline="")
    result = subprocess.run(  # noqa: S603  a browser on our own page
        [
            CHROMIUM or "",
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
            *(f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr", "--virtual-time-budget=3000"),
            *("--dump-dom", f"file://{folder / 'page.html'}"),
        ],
        capture_output=True,
        check=True,
        timeout=120,
    )
    return result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")


def replies(host: Host) -> list[str]:
    return [*HOSTILE.values(), *(trial.replace("{host}", host.address) for trial in TRIALS)]


def page_of_all(host: Host) -> str:
    """Put what is in the pages of all replies into one: each is shown by itself, so that none hides another."""
    before, end, after = page("").partition("</body>")
    bodies = [page(raw).removeprefix(before).removesuffix(end + after) for raw in replies(host)]
    return before + "".join(bodies) + end + after


@pytest.mark.skipif(CHROMIUM is None, reason="needs the Debian package chromium")
def test_on_a_page_nothing_runs_and_nothing_is_fetched(host: Host, tmp_path: Path) -> None:
    shown, log = browse(page_of_all(host), tmp_path)
    assert "<title>Reply</title>" in shown
    assert "CONSOLE" not in log
    assert host.asked == []


@pytest.mark.skipif(CHROMIUM is None, reason="needs the Debian package chromium")
def test_without_the_policy_of_the_page_nothing_runs_either(host: Host, tmp_path: Path) -> None:
    unguarded = page_of_all(host).replace("Content-Security-Policy", "x-none")
    shown, log = browse(unguarded, tmp_path)
    assert "<title>Reply</title>" in shown
    assert "CONSOLE" not in log
    assert host.asked == []


@pytest.mark.skipif(CHROMIUM is None, reason="needs the Debian package chromium")
def test_the_html_of_github_runs_nothing(host: Host, tmp_path: Path) -> None:
    body = "".join(map(github, replies(host)))
    shown, log = browse(f"<!DOCTYPE html><meta charset=utf-8><title>Reply</title><body>{body}</body>", tmp_path)
    assert "<title>Reply</title>" in shown
    assert "CONSOLE" not in log.replace("net::ERR", "")
    assert set(host.asked) <= {"/markdown-image", "/broken"}


@pytest.mark.skipif(CHROMIUM is None, reason="needs the Debian package chromium")
def test_the_browser_would_run_what_is_not_made_inert(host: Host, tmp_path: Path) -> None:
    trial = TRIALS[0].replace("{host}", host.address)
    shown, log = browse(f"<!DOCTYPE html><title>Reply</title><body>{trial}</body>", tmp_path)
    assert "<title>ran</title>" in shown
    assert "CONSOLE" in log
    assert host.asked == ["/script"]
