"""A corpus of any size: replies of about 1.8 kB as models write them, the same on every run."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from pytest_llmout.corpus.record import ReplyRecord, dump_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TEXT = """
the change adds a retry loop around every call and keeps its limit in one place so that nobody has to look twice
reviewers should check whether errors are logged before the function returns and tests cover both cases
"""
_WORDS = _TEXT.split()


def write_generated_corpus(path: Path, replies: int) -> None:
    """Write a corpus file of this many records, a few at a time; models, days and prompts recur."""
    with path.open("wb") as file:
        file.writelines(map(dump_record, generated_records(replies)))


def generated_records(replies: int) -> Iterator[ReplyRecord]:
    """Yield records whose texts are drawn from a few thousand different ones."""
    texts = [_reply(Random(seed)) for seed in range(min(replies, 2_000))]  # noqa: S311  no secret
    for number in range(replies):
        yield ReplyRecord.model_validate(
            {
                "id": f"r{number}",
                "prompt_id": f"p{number % 500}",
                "sample": number // 500,
                "model": {"name": f"model-{number % 3}"},
                "time": f"2026-01-0{number % 4 + 1}T00:00:00Z",
                "finish_reason": "stop",
                "raw": texts[number % len(texts)],
            }
        )


def _reply(random: Random) -> str:
    parts = ["Here is the **review**:\n"]
    while sum(map(len, parts)) < 1_700:
        parts.append(random.choice(_BLOCKS)(random))
    return "\n".join(parts)


def _sentence(random: Random, words: int = 12) -> str:
    chosen = random.choices(_WORDS, k=words)
    chosen[random.randrange(words)] = random.choice(
        ["**important**", "`call()`", "*maybe*", "[link](https://a.example)"]
    )
    return " ".join(chosen).capitalize() + "."


_BLOCKS = (
    lambda random: f"{_sentence(random)} {_sentence(random)} {_sentence(random)}\n",
    lambda random: "".join(f"- {_sentence(random)}\n" for _ in range(4)),
    lambda random: "".join(f"{n}. **Step {n}:** {_sentence(random)}\n" for n in range(1, 4)),
    lambda random: f"## {_sentence(random, 4)}\n\n{_sentence(random)}\n",
    lambda random: f"```python\ndef f(x):\n    return {random.randrange(99)}\n```\n",
    lambda random: f"| a | b |\n|---|---|\n| {random.randrange(99)} | `x` |\n",
)
