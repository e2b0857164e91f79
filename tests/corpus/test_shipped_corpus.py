from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest
from fake_models import echo
from jsonschema import Draft202012Validator

from pytest_llmout.corpus.models import AskableModel
from pytest_llmout.corpus.prompts import read_prompts
from pytest_llmout.corpus.record import dump_record, load_record, record_json_schema
from pytest_llmout.corpus.recorder import plan
from pytest_llmout.corpus.store import corpus_files, read_records, shipped_corpus

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_llmout.corpus.prompts import PromptFile

CORPUS = shipped_corpus()
FILES = corpus_files(CORPUS)
SAMPLES = 2

by_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@cache
def prompts() -> PromptFile:
    return read_prompts(CORPUS / "prompts.toml")


@by_file
def test_every_line_is_valid_and_as_the_store_writes_it(file: Path) -> None:
    validator = Draft202012Validator(record_json_schema())
    for line in file.read_bytes().splitlines(keepends=True):
        validator.validate(json.loads(line))
        assert dump_record(load_record(line)) == line


@by_file
def test_a_file_answers_every_question_of_its_configuration_in_order(file: Path) -> None:
    records = list(read_records(file))
    model = AskableModel(name=records[0].model.name, call=echo)
    questions = plan(prompts(), model, samples=SAMPLES, configurations=[file.stem])
    asked = [(one.id, one.prompt.id, one.sample, one.messages, one.parameters, one.output) for one in questions]
    assert asked == [(one.id, one.prompt_id, one.sample, one.messages, one.parameters, one.output) for one in records]


@by_file
def test_the_provenance_is_complete_and_the_readme_states_it(file: Path) -> None:
    readme = (CORPUS / "README.md").read_text(encoding="utf-8")
    assert f"`smollm2-135m/{file.name}`" in readme
    for record in read_records(file):
        assert record.model.revision is not None
        assert record.model.revision.removeprefix("sha256:") in readme
        assert record.time is not None
        assert record.time.date().isoformat() in readme
        assert record.licence == "Apache-2.0"
        assert {"temperature", "seed", "max_tokens"} <= record.parameters.keys()
        assert record.finish_reason in {"stop", "length"}
        assert (record.canonical, record.changed) == (None, None)


def test_there_is_a_file_for_each_configuration() -> None:
    assert {file.stem for file in FILES} == {configuration.name for configuration in prompts().configurations}


def test_the_readme_states_the_size() -> None:
    families = {prompt.family for prompt in prompts().prompts}
    questions = f"{len(prompts().prompts)} prompts in {len(families)} families"
    replies = sum(1 for _ in read_records(CORPUS))
    size = f"{questions} × {len(FILES)} configurations × {SAMPLES} samples = {replies} replies"
    assert size in (CORPUS / "README.md").read_text(encoding="utf-8")


def test_ids_are_unique() -> None:
    [(_, most)] = Counter(record.id for record in read_records(CORPUS)).most_common(1)
    assert most == 1


def test_every_other_file_is_one_that_a_test_reads() -> None:
    others = {file.relative_to(CORPUS).as_posix() for file in CORPUS.rglob("*") if file.is_file()}
    others -= {file.relative_to(CORPUS).as_posix() for file in FILES}
    source = (CORPUS / "prompts.toml").read_text(encoding="utf-8")
    schemas = {name for name in others if name.startswith("schemas/") and f'"{name}"' in source}
    assert others == {"README.md", "prompts.toml", "reply-record.schema.json"} | schemas


def test_it_stays_small_enough_to_ship() -> None:
    assert sum(file.stat().st_size for file in CORPUS.rglob("*") if file.is_file()) < 3_000_000
