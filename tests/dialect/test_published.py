from __future__ import annotations

import pytest
from reply_corpora import reply

from pytest_llmout.dialect.published import CHECKS, PublishedCounts

CASES = [
    ("lmsys_header", "# a\n## b\n#c\n```\n# d\n```", 2),
    ("lmsys_bold", "**a** __b__ *c* ** **", 3),
    ("lmsys_bold", "```\n**a**\n```\n**b**", 1),
    ("lmsys_list", "1. a\n2) b\n- c\n* d\n+ e\n-f", 4),
    ("ifeval_highlights", "*a* and **b**", 2),
    ("ifeval_highlights", "** ** and * *", 0),
    ("ifeval_bullets", "* a\n- b\n** c\n-d", 3),
    ("ifeval_title", "<<A title>> << >>", 1),
    ("ifeval_title", "no title", 0),
    ("ifeval_paragraphs", "a\n***\nb", 2),
    ("ifeval_json", '```json\n{"a": 1}\n```', 1),
    ("ifeval_json", "no", 0),
    ("ifeval_json", "[" * 100_000, 0),
]


@pytest.mark.parametrize(("name", "text", "count"), CASES, ids=[f"{name}-{text[:9]!a}" for name, text, _ in CASES])
def test_published_count(name: str, text: str, count: int) -> None:
    assert CHECKS[name](text) == count


def test_replies_whose_count_changes_with_the_dialect_are_counted() -> None:
    counts = PublishedCounts()
    for record in (reply("*a*"), reply("**a**"), reply("*b* *c*")):
        counts.add(record)
    rows = {row[0]: row[1:] for row in counts.rows()}
    assert rows["lmsys_bold"] == ["3", "1", "4", "2"]
    assert rows["ifeval_highlights"] == ["3", "4", "4", "0"]
