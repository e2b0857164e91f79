"""Every place of Markdown filled with every kind of emphasis and character, so that no pair waits for chance."""

from __future__ import annotations

from itertools import product

PLACES = (
    "b {} c", "### {}\n", "> 1. {}\n", "> > {}\n", "b\n\n1. c\n   1. {}\n", "- b\n  - c\n    - {}\n", "> b\n{}\n",
    "b[^1]\n\n[^1]: c\n\n    {}\n", "| a | b |\n|---|---|\n| {} | `c\\|d` |\n| `c\\|d` | {} |\n",
    "<details>\n<summary>{}</summary>\n\n{}\n\n</details>\n", "[{}](/b)", "~~{}~~", "b — {} — c", "(“{}”)", "b: {}: c",
    # Where nothing may change.
    "`{}`", "`` {} ` ``", "```\n{}\n```\n", "````\n```\n{}\n```\n````\n", "~~~ b\n{}\n~~~\n", "> ```\n> {}\n> ```\n",
    "- ```\n  {}\n  ```\n", "1. ~~~\n   {}\n   ~~~\n", "    {}\n", ">     {}\n", "<div>\n{}\n</div>\n",
    "<pre>{}</pre>\n",
    "<script>\n{}\n</script>\n", '<b title="{}">', "<b title='{}'>", "<!-- {} -->", '[a](/b "{}")', "[a](/b '{}')",
    "[a](/b ({}))", '[a]: /b "{}"\n\n[a]\n', "[a]: /b '{}'\n\n[a]\n", "[a][{0}]\n\n[{0}]: /b\n", "![{}](/b)",
    "[![{}](/b)](/c)", "![a][{0}]\n\n[{0}]: /b\n", "$x{}y$", "$${}$$", "$$\n{}\n$$\n",
)  # fmt: skip
"""Places of Markdown, with `{}` for what stands there."""

FRAGMENTS = (
    "*a*", "*word*", "a*b*c", "_word_", "***word***", "**word**", "*two words*  ", "*a:* b", "*a* *b*",
    "“a” — b’s … c -- d ... e\u00a0f\u2009g\u202fh\u3000i\xad\u200b\u200d\ufe0f\u2066j\u2069 ＊ｋ＊",
    "∗l∗ &#42;m&#x2a; \\_ 1)",
)  # fmt: skip

CHARACTERS = (
    "é", "e\u0301", "и\u0306", "е\u0308", "o\u0308", "й", "한", "\u1112\u1161\u11ab", "か", "か\u3099",
    "カ", "重", "𠮷", "ا", "א", "ก", "क्ष",
    "𝒳", "🚀", "❤️", "👍🏽", "🇩🇪", "\U0010fffd", "\uffff", "\ufeff", "\x7f", "\x9f", "\x01", "\x1b", "\xad", "\u200d",
    "\u202e", "\u00a0", "\u3000", "\u202f", "—", "’", "”", "…", "：", "）", "€", "∗", "＊", "&#42;", "&amp;", "ﬁ", "½",
)  # fmt: skip

ADDRESSES = ("<b*c*@d.e>", "<https://a.b/c*d*e>", "[A]: /b\n\n*A* [a]\n", "? *a*", "*A*", "b   \n*a*\n")


def crossed() -> tuple[str, ...]:
    """Return each place with each fragment, with both line ends, and each character around and inside a node."""
    filled = [place.format(fragment, fragment) for place, fragment in product(PLACES, FRAGMENTS)]
    with_returns = [place.format("b \t\n*a*", "*c*").replace("\n", "\r\n") for place in PLACES]
    beside = [f"{one} *a* {one}\n\nb{one}*c*{one}d\n\n*{one}*\n\n*e{one}*: f {one} *g*\n" for one in CHARACTERS]
    return (*filled, *with_returns, *beside, *ADDRESSES)
