import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_llmout.corpus.store import read_records, shipped_corpus
from pytest_llmout.harness.redaction import redact_secrets

SECRETS = [
    ("api key", "sk-proj-abcdefghijklmnop_1234"),
    ("aws key", "AKIAIOSFODNN7EXAMPLE"),
    ("github token", "ghp_" + "a1B2" * 9),
    ("google key", "AIza" + "a1B2_" * 7),
    ("slack token", "xoxb-123456789012-abcdef"),
    ("json web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"),
    ("private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"),
    ("private key", "-----BEGIN PRIVATE KEY-----\nMIIE and then the reply was cut"),
]


@pytest.mark.parametrize(("name", "secret"), SECRETS, ids=range(len(SECRETS)))
def test_a_credential_is_replaced_by_its_name(name: str, secret: str) -> None:
    assert redact_secrets(f"use {secret}") == f"use [{name}]"


def test_a_bearer_token_keeps_its_header() -> None:
    assert redact_secrets("Authorization: Bearer abcdefghijklmnopqrstuvwxyz==, next") == (
        "Authorization: Bearer [bearer token], next"
    )


@pytest.mark.parametrize("text", ["sk-short", "a task-list-of-many-many-words", "Bearer of news", "AKIA", "ghp_x"])
def test_plain_words_stay(text: str) -> None:
    assert redact_secrets(text) == text


def test_no_shipped_reply_is_touched() -> None:
    assert all(redact_secrets(record.raw) == record.raw for record in read_records(shipped_corpus()))


@given(st.text(st.characters()))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    assert redact_secrets(redact_secrets(text)) == redact_secrets(text)
