"""Test and evaluate the format of language-model replies."""

from pytest_llmout.accept import accept_output, accept_output_async, correction
from pytest_llmout.contract import Accepted, Attempt, Failure, FailureKind, Ok, OutputType, Rejected
from pytest_llmout.errors import UsageError

__all__ = [
    "Accepted",
    "Attempt",
    "Failure",
    "FailureKind",
    "Ok",
    "OutputType",
    "Rejected",
    "UsageError",
    "accept_output",
    "accept_output_async",
    "correction",
]
