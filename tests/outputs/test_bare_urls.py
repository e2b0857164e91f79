from __future__ import annotations

import pytest

from pytest_llmout import canonicalize_markdown
from pytest_llmout.outputs.bare_urls import bare_urls

URLS = {
    # What the GFM specification's section on extended autolinks says.
    "www": ("www.ex.test", ["www.ex.test"]),
    "www-path": ("see www.ex.test/help for it", ["www.ex.test/help"]),
    "schemes": ("http://a.b https://a.b/?q=(x) ftp://a.b", ["http://a.b", "https://a.b/?q=(x)", "ftp://a.b"]),
    "other-scheme": ("ssh://a.b mailto:a@b.c", []),
    "upper-case": ("HTTPS://A.B and WWW.A.B", ["HTTPS://A.B", "WWW.A.B"]),
    "period-behind": ("Visit www.ex.test.", ["www.ex.test"]),
    "period-inside": ("Visit www.ex.test/a.b.", ["www.ex.test/a.b"]),
    "punctuation-behind": ("http://a.b/c?!.,:*_~", ["http://a.b/c"]),
    "brackets-opened": ("www.a.b/q=(x) (www.a.b/q=(x)) (www.a.b/q=(x)", ["www.a.b/q=(x)"] * 3),
    "bracket-inside": ("www.a.b/q=(x))+ok", ["www.a.b/q=(x))+ok"]),
    "entity-behind": ("www.a.b/q=c&hl=en www.a.b/q=c&hl;", ["www.a.b/q=c&hl=en", "www.a.b/q=c"]),
    "less-than": ("www.a.b/he<lp", ["www.a.b/he"]),
    "underscore-in-host": ("http://a_b.c.d http://a.b_c.d http://a.b.c_d", ["http://a_b.c.d"]),
    "not-a-word-start": ("awww.a.b /www.a.b (www.a.b", ["www.a.b"]),
    "after-delimiters": ("*www.a.b _www.a.b ~www.a.b", ["www.a.b"] * 3),
    # What cmark-gfm and micromark agree on beyond it.
    "host-without-period": ("http://localhost/*a*", ["http://localhost/*a"]),
    "letter-before": ("xhttp://a.b 1http://a.b 中http://a.b", ["http://a.b", "http://a.b"]),
    "quote-behind": ("'http://a.b' \"http://a.b\"", ["http://a.b", "http://a.b"]),
    "no-host": ("http:// http://* www. www.*a*", []),
    # What is no text of its own.
    "in-code": ("`http://a.b` ``www.a.b`` `https://*a*`", []),
    "in-link": ("[http://a.b](u) <http://a.b> ![http://a.b](u)", []),
    "in-a-code-block": ("```\nhttp://a.b\n```\n\n    www.a.b\n", []),
    "after-a-link": ("[x](u)www.a.b [x](u)http://a.b `c`www.a.b", ["http://a.b"]),
    "behind-a-failed-host": ("http://a.b_c/?http://d.e/f", ["http://d.e/f"]),
    "in-html-attribute": ("<b title='http://a.b/'>www.c.d</b> www.e.f", ["www.e.f"]),
    "in-html": ("<b title='http://a.b'>http://a.c</b>", ["http://a.c"]),
    "in-mathematics": ("$http://a.b$", []),
    "in-table": (
        "| http://a.b | www.c.d/* |\n|---|---|\n| http://e.f/| x |\n",
        ["http://a.b", "www.c.d/", "http://e.f/"],
    ),
    "line-ends": ("http://a.b\r\nhttp://c.d\rhttp://e.f", ["http://a.b", "http://c.d", "http://e.f"]),
    "other-scripts": ("http://例え.jp/道。次", ["http://例え.jp/道。次"]),
}

PROMOTIONS = {
    "around": ("*http://a.b/c*", "**http://a.b/c**"),
    "closed-inside": ("see *http://a.b/c*d e", "see *http://a.b/c*d e"),
    "opened-inside": ("http://a.b/*c d*", "http://a.b/*c d*"),
    "between-two": ("http://a.b/*c* *d* www.e.f/*g*h", "http://a.b/*c* **d** www.e.f/*g*h"),
    "behind-a-quote": ("'http://a.b' *c*", "'http://a.b' **c**"),
}


@pytest.mark.parametrize(("text", "expected"), URLS.values(), ids=URLS)
def test_bare_urls(text: str, expected: list[str]) -> None:
    data = text.encode()
    found = [data[start:end].decode() for start, end in bare_urls(text)]
    assert found == expected


@pytest.mark.parametrize(("raw", "canonical"), PROMOTIONS.values(), ids=PROMOTIONS)
def test_no_delimiter_in_a_bare_url_is_touched(raw: str, canonical: str) -> None:
    assert canonicalize_markdown(raw) == canonical
