"""The feature families: every module of `pytest_llmout.dialect.features` is one."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from pytest_llmout.dialect import features
from pytest_llmout.dialect.feature import Feature


def _scan() -> dict[str, tuple[Feature, ...]]:
    names = sorted(module.name for module in iter_modules(features.__path__))
    modules = {name: import_module(f"{features.__name__}.{name}") for name in names}
    return {
        name: tuple(value for value in vars(module).values() if isinstance(value, Feature))
        for name, module in modules.items()
    }


FAMILIES = _scan()
"""The features of each family, in the order they are defined, by the family's name."""

FEATURES = {feature.name: feature for family in FAMILIES.values() for feature in family}
"""Every feature by its name, which is its column in a profile."""
