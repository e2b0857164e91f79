"""What the suites share: a test for each invariant, out of one hunt for each suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_llmout.conformance.finding import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_llmout.conformance.finding import Finding

_FOUND: dict[type, Mapping[str, Finding]] = {}


def hold(
    suite: type,
    invariant: str,
    request: pytest.FixtureRequest,
    *,
    hunt: Callable[[], Mapping[str, Finding]],
    xfails: Mapping[str, str],
) -> None:
    """Fail if the hunt, which is made once for each suite, found the invariant broken.

    Raises:
        ConformanceError: It did.
    """
    if invariant in xfails:
        request.applymarker(pytest.mark.xfail(reason=xfails[invariant], raises=ConformanceError, strict=True))
    if suite not in _FOUND:
        _FOUND[suite] = hunt()
    if finding := _FOUND[suite].get(invariant):
        raise ConformanceError(finding)
