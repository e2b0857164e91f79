"""What a profile costs beside the bare walk that it cannot do without, and that its memory does not grow."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

from reply_corpora import reply

from pytest_llmout.corpus.store import read_records, shipped_corpus
from pytest_llmout.dialect.profile import profile
from pytest_llmout.dialect.reply import parse_events

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 1_800
MEMORY = """
import resource, sys
sys.path[:0] = sys.argv[2:]
from reply_corpora import reply
from pytest_llmout.dialect.profile import profiles
from pytest_llmout.dialect.summary import summarise
text = "- **a** `b`\\n\\n" * 100
summarise(profiles((reply(text, prompt=f"p{n}") for n in range(int(sys.argv[1]))), rows=500))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def replies() -> list[str]:
    """Return texts of 1.8 kB each, cut from the shipped corpus."""
    text = "\n\n".join(record.raw for record in read_records(shipped_corpus()))
    return [text[start : start + SIZE] for start in range(0, len(text) - SIZE, SIZE)]


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of the best of five runs."""
    times = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def test_a_profile_costs_at_most_four_bare_walks() -> None:
    texts = replies() * 8
    records = [reply(text, prompt=f"p{number}") for number, text in enumerate(texts)]
    bare = seconds(lambda: [sum(1 for _ in parse_events(text)) for text in texts])
    whole = seconds(lambda: profile(records))
    print(f"\n{len(texts) / whole:,.0f} replies/s profiled, {len(texts) / bare:,.0f} walked: {whole / bare:.1f} to 1")
    assert whole < 4 * bare


def test_memory_does_not_grow_with_the_replies() -> None:
    peaks = [
        int(subprocess.check_output([sys.executable, "-c", MEMORY, str(count), *sys.path]))  # noqa: S603  ourselves
        for count in (2_000, 10_000)
    ]
    print(f"\npeak memory of 2 000 and of 10 000 replies: {peaks[0]} MB, {peaks[1]} MB")
    assert peaks[1] < peaks[0] + 20
    assert peaks[1] < 500
