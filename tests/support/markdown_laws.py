"""What holds for the canonical form of every text; one function a law, which raises if it is broken."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import pyromark
from slow_reference import emphasis_spans, encodable, promoted, slow_canonical, tree

from pytest_llmout import Ok, canonicalize_markdown, markdown_edits, markdown_output
from pytest_llmout.outputs.bare_urls import bare_urls
from pytest_llmout.outputs.markdown_tree import COMMONMARK, GFM, read_tree, read_trees
from pytest_llmout.outputs.promotion import may_hold_emphasis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyromark import Options

DIALECTS = {"commonmark": COMMONMARK, "gfm": GFM}
_LITERAL_EVENTS = {"Code", "Html", "InlineHtml", "InlineMath", "DisplayMath", "FootnoteReference"}
_LITERAL_TAGS = {"CodeBlock", "Link", "Image", "FootnoteDefinition"}


def total(raw: str) -> None:
    """Parsing always gives `Ok`, says truly whether it changed anything, and is never retried."""
    outcome = markdown_output().parse(raw)
    assert outcome == Ok(outcome.canonical, outcome.canonical, outcome.canonical != raw, outcome.notes)
    assert outcome.notes == (("promoted",) if outcome.changed else ())


def deterministic(raw: str) -> None:
    assert canonicalize_markdown(raw) == canonicalize_markdown("".join(list(raw)))


def only_asterisks_at_emphasis_ends(raw: str) -> None:
    edits = markdown_edits(raw)
    assert {inserted for _, inserted in edits} <= {"*"}
    spans = {(edits[at][0], edits[at + 1][0]) for at in range(0, len(edits), 2)}
    assert spans <= _in_characters(raw, emphasis_spans(encodable(raw), COMMONMARK))
    assert sorted(chain.from_iterable(spans)) == [offset for offset, _ in edits]


def undone_is_raw(raw: str) -> None:
    text = canonicalize_markdown(raw)
    for offset, inserted in markdown_edits(raw):
        assert text.startswith(inserted, offset)
        text = text[:offset] + text[offset + len(inserted) :]
    assert text == raw


def fixed_point(raw: str) -> None:
    assert markdown_edits(canonicalize_markdown(raw)) == []


def both_trees_kept(raw: str) -> None:
    offsets = [offset for offset, _ in markdown_edits(raw)]
    text = encodable(raw)
    ends = [len(text[:offset].encode()) for offset in offsets]
    spans = set(zip(ends[::2], ends[1::2], strict=True))
    edited = promoted(text.encode(), spans).decode()
    for dialect in DIALECTS.values():
        assert tree(edited, dialect) == tree(text, dialect, spans)


def literals_untouched(raw: str) -> None:
    """Code, HTML, mathematics, links and what they point to, and bare URLs."""
    text, edited = encodable(raw), encodable(canonicalize_markdown(raw))
    for dialect in DIALECTS.values():
        assert list(_literals(edited, dialect)) == list(_literals(text, dialect))
    assert list(_bare_urls(edited)) == list(_bare_urls(text))


def equal_to_the_slow_reference(raw: str) -> None:
    assert canonicalize_markdown(raw) == slow_canonical(raw)


def what_is_passed_at_once_is_canonical(raw: str) -> None:
    """The test by which most texts are passed at once skips none that the rule would change."""
    if not may_hold_emphasis(encodable(raw)):
        assert slow_canonical(raw) == raw


def trees_are_those_of_both_dialects(raw: str) -> None:
    """A tree that serves for both dialects is the one that either gives."""
    text = encodable(raw)
    for read, dialect in zip(read_trees(text), DIALECTS.values(), strict=True):
        assert replace(read, dialect=dialect) == read_tree(text, dialect)


def renderings_prove_no_more_than_trees(raw: str) -> None:
    text = encodable(raw)
    for dialect in DIALECTS.values():
        read = read_tree(text, dialect)
        chosen = {span for span in read.lone if read.is_emphasis(span)}
        edited = promoted(text.encode(), chosen).decode()
        assert not (read.renders_with(edited, chosen) and read.moved_by(edited, chosen))


LAWS = [
    total,
    deterministic,
    only_asterisks_at_emphasis_ends,
    undone_is_raw,
    fixed_point,
    both_trees_kept,
    literals_untouched,
    equal_to_the_slow_reference,
    what_is_passed_at_once_is_canonical,
    trees_are_those_of_both_dialects,
    renderings_prove_no_more_than_trees,
]


def _in_characters(raw: str, spans: set[tuple[int, int]]) -> set[tuple[int, int]]:
    data = encodable(raw).encode()
    return {(len(data[:start].decode()), len(data[:end].decode())) for start, end in spans}


def _literals(text: str, dialect: Options) -> Iterator[object]:
    for event in pyromark.events(text, options=dialect, merge_text=True):
        match event:
            case {"Start": dict(tag)} if _LITERAL_TAGS & tag.keys():
                yield tag
            case dict() if _LITERAL_EVENTS & event.keys():
                yield event


def _bare_urls(text: str) -> Iterator[bytes]:
    data = text.encode()
    for start, end in bare_urls(text):
        yield data[start:end]
