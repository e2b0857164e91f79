"""Find the faults in anybody's canonicaliser, output type or re-ask loop.

It needs the extra `property`: `pip install 'pytest-llmout[property]'`.
"""

from pytest_llmout.conformance.canonicalizer import CanonicalizerSuite, check_canonicalizer
from pytest_llmout.conformance.finding import ConformanceError, Finding
from pytest_llmout.conformance.output_type import OutputTypeSuite, check_output_type
from pytest_llmout.conformance.reask_loop import check_reask_loop

__all__ = [
    "CanonicalizerSuite",
    "ConformanceError",
    "Finding",
    "OutputTypeSuite",
    "check_canonicalizer",
    "check_output_type",
    "check_reask_loop",
]
