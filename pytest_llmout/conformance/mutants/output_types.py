"""Faulty output types, a line each: all ask for the same JSON object."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from pytest_llmout.contract import Failure, FailureKind, Ok
from pytest_llmout.outputs.json_output import json_output

if TYPE_CHECKING:
    from collections.abc import Callable


class Task(BaseModel):
    """What the replies stand for."""

    title: str
    priority: int = Field(ge=1, le=5)
    tags: list[str] = []
    estimate: float | None = None


right = json_output(Task)


@dataclass(frozen=True, slots=True)
class Faulty:
    """The right output type but for what is replaced."""

    parse: Callable[[str], Any] = right.parse
    retryable: Callable[[Failure], Any] = right.retryable
    name: Any = right.name
    request_hint: Any = right.request_hint
    max_retries: Any = right.max_retries


def on_ok(change: Callable[[Ok[Any], str], object]) -> Faulty:
    """Replace what is accepted, given it and the reply."""

    def parse(raw: str) -> object:
        outcome = right.parse(raw)
        return change(outcome, raw) if isinstance(outcome, Ok) else outcome

    return Faulty(parse)


def on_failure(change: Callable[[Failure, str], object]) -> Faulty:
    """Replace what is refused, given the failure and the reply."""

    def parse(raw: str) -> object:
        outcome = right.parse(raw)
        return change(outcome, raw) if isinstance(outcome, Failure) else outcome

    return Faulty(parse)


def on_text(change: Callable[[str], str]) -> Faulty:
    """Judge another text than the reply."""
    return Faulty(lambda raw: right.parse(change(raw)))


def _bare_json(raw: str) -> object:
    value = Task.model_validate(json.loads(raw))
    return Ok(value, value.model_dump_json(), changed=False)


def _guarded(raw: str) -> object:
    try:
        return _bare_json(raw)
    except ValueError as error:
        return Failure(FailureKind.SYNTAX, str(error), "not_json")


def _recursive(raw: str) -> object:
    return _recursive(raw[1:]) if raw else right.parse(raw)


def _counted() -> Faulty:
    calls = count()
    return on_failure(lambda failure, _: replace(failure, observed=f"{failure.observed} ({next(calls)})"))


def _once() -> Faulty:
    seen: set[str] = set()

    def parse(raw: str) -> object:
        if raw in seen:
            return Failure(FailureKind.SYNTAX, "the same reply again", "repeated")
        seen.add(raw)
        return right.parse(raw)

    return Faulty(parse)


def _reused() -> Faulty:
    only = Task(title="", priority=1)

    def refilled(ok: Ok[Any], _: str) -> object:
        for key, value in ok.value:
            setattr(only, key, value)
        return replace(ok, value=only)

    return on_ok(refilled)


def _cached(key: Callable[[str], str]) -> Faulty:
    cache: dict[str, object] = {}
    return Faulty(lambda raw: cache.setdefault(key(raw), right.parse(raw)))


def _quadratic(raw: str) -> object:
    for place in range(0, len(raw), 8):
        raw[:place].count("{")
        raw[place:].count("}")
    return right.parse(raw)


def _respelled(respell: Callable[[str], str]) -> Faulty:
    """Respell the title, and do not say so."""

    def change(ok: Ok[Any], _: str) -> object:
        value = ok.value.model_copy(update={"title": respell(ok.value.title)})
        return replace(ok, value=value, canonical=value.model_dump_json())

    return on_ok(change)


def observing(words: Callable[[str], str]) -> Faulty:
    """Observe something else, given what is to be observed."""
    return on_failure(lambda failure, _: replace(failure, observed=words(failure.observed[:300])))


def calling(kind: FailureKind, pattern: str) -> Faulty:
    """Call failures by this kind if the reply matches."""
    return on_failure(lambda failure, raw: replace(failure, kind=kind) if re.search(pattern, raw) else failure)


def changed_by(pattern: str) -> Faulty:
    """Take for a change what matches."""
    return on_ok(lambda ok, raw: replace(ok, changed=ok.changed or bool(re.search(pattern, raw))))


OUTPUT_TYPES: dict[str, Any] = {
    "no_name": Faulty(name=""),
    "a_list_of_hints": Faulty(request_hint=[right.request_hint]),
    "minus_one_retries": Faulty(max_retries=-1),
    "a_billion_retries": Faulty(max_retries=10**9),
    "a_name_in_two_lines": Faulty(name="a\ntask"),
    "a_blank_hint": Faulty(request_hint=" "),
    "half_a_retry": Faulty(max_retries=0.5),
    "raises_for_no_json": Faulty(_bare_json),
    "raises_for_surrogates": on_text(lambda raw: raw.encode().decode()),
    "raises_for_nothing": on_text(lambda raw: raw[0] + raw[1:]),
    "raises_for_depth": Faulty(lambda raw: right.parse(raw) if "[" * 1_000 not in raw else _recursive(raw)),
    "returns_none": on_failure(lambda _, __: None),
    "returns_the_value": on_ok(lambda ok, _: ok.value),
    "returns_a_plain_kind": on_failure(lambda failure, _: replace(failure, kind=str(failure.kind))),  # type: ignore[arg-type]  # the fault itself
    "returns_bytes": on_ok(lambda ok, _: replace(ok, canonical=ok.canonical.encode())),  # type: ignore[arg-type]  # the fault itself
    "returns_a_list_of_notes": on_ok(lambda ok, _: replace(ok, notes=list(ok.notes))),  # type: ignore[arg-type]  # the fault itself
    "counts_its_calls": _counted(),
    "refuses_what_it_knows": _once(),
    "hands_on_one_object": _reused(),
    "caches_by_words": _cached(lambda raw: re.sub(r"\s+", " ", raw)),
    "caches_in_small_letters": _cached(str.casefold),
    "observes_a_link": observing(lambda seen: f"{seen}; see https://example.com/errors"),
    "observes_a_library": observing(lambda seen: f"pydantic says: {seen}"),
    "observes_an_address": observing(lambda seen: f"{seen} at {object()}"),
    "observes_the_reply": on_failure(lambda failure, raw: replace(failure, observed=raw)),
    "observes_nothing": on_failure(lambda failure, _: replace(failure, observed="")),
    "observes_two_lines": on_failure(lambda failure, _: replace(failure, observed=f"{failure.observed}\nTry again.")),
    "observes_too_much": on_failure(lambda failure, _: replace(failure, observed=failure.observed.ljust(501, "."))),
    "observes_control_characters": on_failure(lambda failure, raw: replace(failure, observed=f"found {raw[:20]}")),
    "gives_words_for_a_reason": on_failure(lambda failure, _: replace(failure, reason="Not JSON!")),
    "gives_no_reason": on_failure(lambda failure, _: replace(failure, reason="")),
    "gives_the_place_as_a_reason": on_failure(lambda failure, raw: replace(failure, reason=f"at {len(raw)}")),
    "gives_the_length_as_a_reason": on_failure(
        lambda failure, raw: replace(failure, reason=f"{failure.reason}_{len(raw)}")
    ),
    "notes_in_words": on_ok(lambda ok, _: replace(ok, notes=tuple(f"There is a {note}." for note in ok.notes))),
    "retries_never": Faulty(retryable=lambda _: False),
    "retries_perhaps": Faulty(retryable=lambda failure: failure.observed),
    "retries_with_an_error": Faulty(retryable=lambda failure: {"schema": True}[failure.kind]),
    "knows_no_fence": Faulty(json_output(Task, extract="none").parse),
    "knows_no_tilde_fence": Faulty(lambda raw: right.parse(raw) if "~~~" not in raw else right.parse("~")),
    "knows_no_bom": Faulty(lambda raw: right.parse(raw) if "\ufeff" not in raw else right.parse("~")),
    "knows_no_crlf": Faulty(lambda raw: right.parse(raw) if "\r" not in raw else right.parse("~")),
    "knows_no_defaults": Faulty(lambda raw: right.parse(raw) if "tags" in raw else right.parse("~")),
    "knows_only_ascii": Faulty(lambda raw: right.parse(raw) if raw.isascii() else right.parse("~")),
    "reads_the_first_4096": on_text(lambda raw: raw[:4096]),
    "drops_trailing_commas_in_lists": on_text(lambda raw: re.sub(r",\s*\]", "]", raw)),
    "clamps_numbers": on_text(lambda raw: re.sub(r'("priority": ?)[6-9]', r"\g<1>5", raw)),
    "fills_in_an_empty_object": on_text(lambda raw: '{"title":"","priority":1}' if raw == "{}" else raw),
    "drops_trailing_commas": on_text(lambda raw: re.sub(r",\s*([}\]])", r"\1", raw)),
    "drops_what_follows": on_text(lambda raw: raw[: raw.rfind("}") + 1] or raw),
    "drops_what_leads_in": on_text(lambda raw: raw[max(raw.find("{"), 0) :]),
    "closes_brackets": on_text(lambda raw: raw + "}" * (raw.count("{") - raw.count("}"))),
    "reads_nan": on_text(lambda raw: raw.replace("NaN", "0")),
    "reads_single_quotes": on_text(lambda raw: re.sub("^{'", '{"', raw)),
    "reads_comments": on_text(lambda raw: re.sub(r"// .*\n", "", raw)),
    "unwraps_lists": on_text(lambda raw: raw.removeprefix("[[").removesuffix("]]")),
    "calls_everything_syntax": on_failure(lambda failure, _: replace(failure, kind=FailureKind.SYNTAX)),
    "calls_everything_schema": on_failure(lambda failure, _: replace(failure, kind=FailureKind.SCHEMA)),
    "calls_truncation_schema": on_failure(
        lambda failure, _: replace(failure, kind=FailureKind.SCHEMA) if failure.reason == "truncated" else failure
    ),
    "calls_damage_in_a_fence_schema": calling(FailureKind.SCHEMA, "^```"),
    "calls_null_syntax": calling(FailureKind.SYNTAX, "^null$"),
    "calls_missing_keys_syntax": calling(FailureKind.SYNTAX, r"^\{(?!.*priority).*\}$"),
    "catches_everything_alike": Faulty(_guarded),
    "writes_python": on_ok(lambda ok, _: replace(ok, canonical=repr(ok.value.model_dump()))),
    "writes_indented": on_ok(lambda ok, raw: replace(ok, canonical=raw)),
    "writes_without_the_last_field": on_ok(
        lambda ok, _: replace(ok, canonical=ok.value.model_dump_json(exclude={"tags"}))
    ),
    "writes_without_priority": on_ok(
        lambda ok, _: replace(ok, canonical=ok.value.model_dump_json(exclude={"priority"}))
    ),
    "writes_what_was_set": on_ok(lambda ok, _: replace(ok, canonical=ok.value.model_dump_json(exclude_unset=True))),
    "writes_the_order_of_the_reply": on_ok(
        lambda ok, raw: replace(ok, canonical=json.dumps(json.loads(raw))) if raw.startswith("{") else ok
    ),
    "writes_small_letters": _respelled(str.lower),
    "writes_nfc": _respelled(lambda title: unicodedata.normalize("NFC", title)),
    "cuts_titles": on_ok(lambda ok, _: replace(ok, value=ok.value.model_copy(update={"title": ok.value.title[:3]}))),
    "hands_on_a_dict": on_ok(lambda ok, raw: replace(ok, value=ok.value.model_dump()) if "\n" in raw else ok),
    "changed_always": on_ok(lambda ok, _: replace(ok, changed=True)),
    "changed_never": on_ok(lambda ok, _: replace(ok, changed=False)),
    "changed_by_a_fence": changed_by("^[`~]{3}"),
    "changed_by_a_bom": changed_by("^\ufeff"),
    "changed_but_for_a_key_that_comes_twice": on_ok(
        lambda ok, _: replace(ok, changed=ok.changed and "duplicate_keys" not in ok.notes)
    ),
    "changed_if_respelled": on_ok(lambda ok, raw: replace(ok, changed=raw != ok.canonical)),
    "changed_if_shorter": on_ok(lambda ok, raw: replace(ok, changed=len(ok.canonical) < len(raw.strip()))),
    "changed_if_defaults_were_filled_in": on_ok(
        lambda ok, _: replace(ok, changed=ok.changed or len(ok.value.model_fields_set) < len(Task.model_fields))
    ),
    "takes_quadratic_time": Faulty(_quadratic),
}
