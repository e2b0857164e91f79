"""Finding an object by `module:attribute`, with candidates when there is none."""

from __future__ import annotations

import difflib
import pkgutil
from functools import reduce
from importlib import import_module
from typing import TYPE_CHECKING

from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType


def load_attribute(reference: str) -> object:
    """Import what `module:attribute` names; the attribute may be dotted.

    Raises:
        UsageError: The reference has another form, or its module or attribute does not exist; the message lists the
            nearest names that do.
    """
    module_name, colon, path = reference.partition(":")
    if not (colon and all(map(str.isidentifier, (*module_name.split("."), *path.split("."))))):
        raise UsageError(f"{reference!r} is not of the form module:attribute")
    module = load_module(module_name)
    try:
        return reduce(getattr, path.split("."), module)
    except AttributeError:
        names = (name for name in vars(module) if not name.startswith("_"))
        raise UsageError(f"module {module_name} has no attribute {path!r}{candidates(path, names)}") from None


def candidates(wanted: str, names: Iterable[str]) -> str:
    """Return the end of a message about a failed look-up: the names nearest to the wanted one, or the first few."""
    known = sorted(set(names))
    nearest = difflib.get_close_matches(wanted, known, n=5, cutoff=0.5) or known[:10]
    return f"; there is {', '.join(nearest)}" if nearest else ""


def load_module(name: str) -> ModuleType:
    """Import a module.

    Raises:
        UsageError: There is none of that name, with the nearest that there are, or it cannot be imported.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        if name != missing and not name.startswith(f"{missing}."):
            raise UsageError(f"module {name} needs the package {missing}, which is not installed") from error
        raise UsageError(f"no module named {missing!r}{candidates(missing, _siblings(missing))}") from None
    except (ImportError, SyntaxError) as error:
        raise UsageError(f"module {name} cannot be imported: {error}") from error


def _siblings(name: str) -> list[str]:
    parent, _, _ = name.rpartition(".")
    if not parent:
        return [module.name for module in pkgutil.iter_modules()]
    return [f"{parent}.{module.name}" for module in pkgutil.iter_modules(getattr(load_module(parent), "__path__", []))]
