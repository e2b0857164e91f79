"""Hypothesis strategies for what models write, and for how it breaks.

They need the extra `property`: `pip install 'pytest-llmout[property]'`.
"""

from pytest_llmout.strategies.damage import FAULTS, Damaged, Fault, damaged
from pytest_llmout.strategies.json_text import dialects, json_replies
from pytest_llmout.strategies.markdown_text import emphasis, markdown_replies, near_markdown

__all__ = [
    "FAULTS",
    "Damaged",
    "Fault",
    "damaged",
    "dialects",
    "emphasis",
    "json_replies",
    "markdown_replies",
    "near_markdown",
]
