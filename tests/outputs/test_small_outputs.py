"""The output types for a choice, a block of code and a list: cases as tables, and the laws of the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_llmout import Failure, Ok, UsageError, choice_output, code_output, lines_output

if TYPE_CHECKING:
    from pytest_llmout import OutputType

VERDICT = choice_output(["approve", "reject"])
PLAN = choice_output(["yes", "yes, with changes", "no"])
PYTHON = code_output("python")
JSON = code_output("json")
BASH = code_output("sh")
LINES = lines_output()
FEW = lines_output(min_items=2, max_items=3)
FIX = choice_output(["fix", "keep"])
OUTPUTS: dict[str, OutputType[Any]] = {
    "verdict": VERDICT,
    "plan": PLAN,
    "fix": FIX,
    "python": PYTHON,
    "json": JSON,
    "bash": BASH,
    "lines": LINES,
    "few": FEW,
}

ACCEPTED: list[tuple[str, str, Any, tuple[str, ...]]] = [
    ("verdict", "approve", "approve", ()),
    ("verdict", "  **APPROVE**.\n", "approve", ()),
    ("verdict", "Verdict: reject", "reject", ("lead_in",)),
    ("verdict", "I approve of this change.", "approve", ("lead_in", "trailing_remark")),
    ("verdict", "We could reject this, but it is fine.\n\n**Final verdict:** approve", "approve", ("lead_in",)),
    ("verdict", "approve\n\nI would reject it if the tests were gone.", "approve", ("trailing_remark",)),
    ("verdict", "I do not like the name. Still, approve.", "approve", ("lead_in",)),
    ("verdict", "reject, reject, reject", "reject", ("lead_in",)),
    ("plan", "Yes, with\nchanges", "yes, with changes", ()),
    ("plan", "yes", "yes", ()),
    ("fix", "FİX", "fix", ()),
    ("python", "```python\nx = 1\n```", "x = 1\n", ()),
    ("python", "Here:\n\n~~~py\nx = 1\n~~~\nDone.", "x = 1\n", ("lead_in", "trailing_remark")),
    ("python", "```\r\nx = 1\r\n```\r\n", "x = 1\n", ()),
    ("python", "```sh\npip install x\n```\n```python\nimport x\n```", "import x\n", ("lead_in",)),
    ("python", "1. Do\n\n   ```python\n   if x:\n       y()\n   ```", "if x:\n    y()\n", ("lead_in",)),
    ("python", "> ```python\n> x = 1\n> ```", "x = 1\n", ("lead_in",)),
    ("python", "```python\n```", "", ()),
    ("python", '````python\ns = """\n```\n"""\n````', 's = """\n```\n"""\n', ()),
    ("json", '```json\n{"a": [1]}\n```', '{"a": [1]}\n', ()),
    ("bash", "```bash\nls |\n```", "ls |\n", ()),
    ("lines", "- one\n- two", ["one", "two"], ()),
    ("lines", "one\ntwo\n", ["one", "two"], ()),
    ("lines", "1. one\n2) two\n(3) three\nd) four", ["one", "two", "three", "four"], ()),
    ("lines", "* one\n+ two\n• three\n– four", ["one", "two", "three", "four"], ()),
    ("lines", "Here they are:\n\n- one\n\n- two\n\nAnything else?", ["one", "two"], ("lead_in", "trailing_remark")),
    ("lines", "- one\n  goes on\n- two\n  also", ["one goes on", "two also"], ()),
    ("lines", "```\n- one\n- two\n```", ["one", "two"], ("fence",)),
    ("lines", "- \n- two\r\n", ["two"], ()),
    ("lines", "3.5 million\n-1 degree", ["3.5 million", "-1 degree"], ()),
    ("few", "- a\n- b", ["a", "b"], ()),
]
REFUSED = [
    ("verdict", "", "syntax", "empty", "(empty reply)"),
    ("verdict", "I disapprove.", "syntax", "no_choice", "none of them is named in `I disapprove.`"),
    ("verdict", "approve or reject", "schema", "ambiguous", "approve and reject are named"),
    ("verdict", "I would not approve this.", "schema", "negated", "approve is named, but denied"),
    ("verdict", "I can't approve", "schema", "negated", "approve is named, but denied"),
    ("verdict", "Verdict: approve\nVerdict: reject", "schema", "ambiguous", "approve and reject are named"),
    ("python", " \n", "syntax", "empty", "(empty reply)"),
    ("python", "x = 1", "syntax", "no_block", "no code fence was found"),
    ("python", "```ruby\nx = 1\n```", "syntax", "no_block", "only blocks in ruby were found"),
    ("python", "```python\nx = 1\n", "syntax", "truncated", "its fence is never closed"),
    ("python", "```", "syntax", "truncated", "its fence is never closed"),
    ("python", "```python\n'\ud800'\n```", "syntax", "lone_surrogate", "half of a surrogate pair"),
    ("python", "```python\nx\n```\n```python\ny\n```", "schema", "several_blocks", "2 were found"),
    ("python", "```python\nx = 1\nif x\n```", "schema", "invalid_code", "line 2: expected ':'"),
    ("python", "```python\n" + "(" * 5_000 + "\n```", "schema", "invalid_code", "line 1: too many nested parentheses"),
    ("python", "```python\n" + "-" * 100_000 + "1\n```", "schema", "invalid_code", "it cannot be parsed ("),
    ("json", "```json\n{'a': 1}\n```", "schema", "invalid_code", "expected a key in double quotes"),
    ("lines", "\n\n", "syntax", "empty", "(empty reply)"),
    ("lines", "```\n```", "syntax", "empty", "(empty reply)"),
    ("lines", "- ", "schema", "too_few", "expected at least 1 items, one a line, but found 0"),
    ("few", "- a", "schema", "too_few", "expected at least 2 items, one a line, but found 1"),
    ("few", "a\nb\nc\nd", "schema", "too_many", "expected at most 3 items, one a line, but found 4"),
]


@pytest.mark.parametrize(("name", "raw", "value", "notes"), ACCEPTED)
def test_accepted(name: str, raw: str, value: object, notes: tuple[str, ...]) -> None:
    outcome = OUTPUTS[name].parse(raw)
    assert isinstance(outcome, Ok)
    assert (outcome.value, outcome.changed, outcome.notes) == (value, False, notes)


@pytest.mark.parametrize(("name", "raw", "kind", "reason", "observed"), REFUSED, ids=range(len(REFUSED)))
def test_refused(name: str, raw: str, kind: str, reason: str, observed: str) -> None:
    failure = OUTPUTS[name].parse(raw)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.reason) == (kind, reason)
    assert observed in failure.observed
    assert OUTPUTS[name].retryable(failure)


def test_a_list_within_a_list_is_flattened_and_that_is_a_change() -> None:
    outcome = LINES.parse("- one\n  - inner\n- two")
    assert isinstance(outcome, Ok)
    assert (outcome.value, outcome.changed) == (["one", "inner", "two"], True)


WORDS = ["approve", "reject", "not ", "Verdict: ", "yes", ", with changes", "no", "x = 1", "{}", "word", "é"]
MARKS = ["```", "```python", "~~~", "- ", "* ", "1. ", "• ", "  ", "**", "(", "`", ">", "\n", "\r\n", " "]
pieces = st.sampled_from([*WORDS, *MARKS, "\ud800", "\0", "\u2028"])
texts = st.one_of(st.lists(pieces, max_size=12).map("".join), st.text())


@settings(max_examples=150, deadline=None)
@given(texts, st.sampled_from(sorted(OUTPUTS)))
@example("- - \n  1. ", "lines")
@example("````\n```\n", "python")
def test_laws(raw: str, name: str) -> None:
    output = OUTPUTS[name]
    outcome = output.parse(raw)
    assert output.parse(raw) == outcome
    match outcome:
        case Ok(value, canonical):
            assert output.parse(canonical) == Ok(value, canonical, changed=False)
        case Failure(_, observed):
            assert 0 < len(observed) <= 500
            assert observed.isprintable()


@pytest.mark.parametrize(
    "piece", ["approve ", "not ", "- ", "- a\n", "```\n", "(", "\n", "Verdict: ", "*", "> ", "a\n"]
)
@pytest.mark.parametrize("name", OUTPUTS)
def test_total_on_repetition(name: str, piece: str) -> None:
    assert isinstance(OUTPUTS[name].parse(piece * 5_000), Ok | Failure)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: choice_output(["yes"]), "options=['yes']: give at least two, each different in more than case"),
        (lambda: choice_output(["yes", "YES"]), "each different in more than case"),
        (lambda: choice_output(["yes", " "]), "options=['yes', ' ']: give at least two"),
        (lambda: code_output("two words"), "language='two words': give one word"),
        (lambda: lines_output(min_items=3, max_items=2), "min_items=3, max_items=2: no list can keep both limits"),
    ],
)
def test_misuse(make: Any, message: str) -> None:  # noqa: ANN401  a factory
    with pytest.raises(UsageError) as caught:
        make()
    assert message in str(caught.value)


def test_hints() -> None:
    assert VERDICT.request_hint == "Reply with exactly one of these and nothing else: approve, reject."
    assert PYTHON.request_hint == "Reply with exactly one code block that begins with ```python."
    assert LINES.request_hint == "Reply with a list, one item a line, each after a hyphen."
    assert choice_output(["a", "b"], request_hint="Choose.").request_hint == "Choose."
    assert code_output("python", request_hint="Code!").request_hint == "Code!"
