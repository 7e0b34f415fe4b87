"""Comments on names in the text of a program that neither Python nor the user's file gives."""

from __future__ import annotations

import builtins
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..origin import module_of
from ..shown import names_explained
from ..spelling import said, with_article
from .templates import Scope


def explained(text: str, links: Mapping[str, Any], scope: Scope) -> str:
    """A comment on what a text refers to by name.

    >>> print(explained("y = x + inf", {"inf": float("inf"), "math_1": np, "len": len}, {}).strip())
    # Names:
    # inf: float("inf")
    # math_1: the module numpy
    """
    library = names_explained(text)
    lines = [
        f"# {name}: {said_of(value)}\n"
        for name, value in links.items()
        if not _is_known(name, value, scope) and f"# {name}: " not in library
    ]
    return library + ("\n\n# Names:\n" + "".join(lines) if lines else "")


def _is_known(name: str, value: Any, scope: Scope) -> bool:
    """True if a name means the same in Python, or in the user's file."""
    of_module = value.__name__ if isinstance(value, types.ModuleType) else ""
    given = (getattr(builtins, name, None), scope.get(name))
    return any([x is value for x in given]) or name == of_module or name == "np" and value is np


def said_of(value: Any) -> str:
    """An object in words, for which none of its code runs.

    >>> said_of(np.ones(2)), said_of(len), said_of({}), said_of(float("nan"))
    ('an array of float64, of shape (2,)', 'builtins.len', 'a dict', 'float("nan")')
    """
    if isinstance(value, types.ModuleType):
        return f"the module {value.__name__}"
    if type(value) is float:
        return f'float("{value}")'
    if type(value) is np.ndarray:
        return f"an array of {value.dtype}, of shape {value.shape}"
    name = getattr(value, "__qualname__", None) if isinstance(value, type | types.FunctionType | _BUILTIN) else None
    return (
        f"{module_of(value).removeprefix('_')}.{said(name)}"
        if isinstance(name, str)
        else with_article(type(value).__name__)
    )


_BUILTIN = types.BuiltinFunctionType
