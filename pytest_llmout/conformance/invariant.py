"""A rule with a name, which a module states and checks."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_llmout.conformance.case import Problem

CaseT = TypeVar("CaseT")


@dataclass(frozen=True, slots=True)
class Invariant(Generic[CaseT]):
    """What an implementation must hold."""

    name: str
    rule: str
    check: Callable[[CaseT], Problem | None]


def load_invariants(package: str, names: Iterable[str]) -> tuple[Invariant[Any], ...]:
    """Import the modules of a package that are invariants: the docstring's first line is the rule."""
    modules = ((name, import_module(f"{package}.{name}")) for name in names)
    return tuple(Invariant(name, str(module.__doc__).partition("\n")[0], module.check) for name, module in modules)
