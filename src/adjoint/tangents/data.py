"""Libraries of data: their objects are constants, and their code is not looked into; frameworks, by their names."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..errors import NoRuleError, calling_place
from ..origin import DATA

MAX_CLASSES = 500

FRAMEWORKS = {
    "jax": ("JAX", "jax.from_jax"),
    "jaxlib": ("JAX", "jax.from_jax"),
    "torch": ("PyTorch", "torch.from_torch"),
}
"""Frameworks by the module that they are, with their name and what makes functions of theirs such of arrays."""


def is_of_data(f: Any) -> bool:
    """Tell whether a function is of a library of data.

    >>> is_of_data(in_data)
    False
    """
    return in_data(f.__globals__.get("__name__"))


def framework_of(module: Any) -> tuple[str, str] | None:
    """The framework that a module is of: its name, and what makes functions of it such of arrays.

    >>> framework_of("jax.numpy")
    ('JAX', 'jax.from_jax')
    """
    return FRAMEWORKS.get(module.partition(".")[0]) if isinstance(module, str) else None


def _holds_data(cls: type) -> bool:
    """Tell whether objects of a class are a library's data: the class, or one it is made of, is of such a library.

    >>> holds_data(dict)
    False
    """
    return any([in_data(base.__module__) for base in type.mro(cls)])


holds_data: Callable[[type], bool] = functools.lru_cache(MAX_CLASSES)(_holds_data)


def in_data(module: Any) -> bool:
    """Tell whether a module is of such a library."""
    return isinstance(module, str) and module.partition(".")[0] in DATA


def refused_framework(what: str, framework: str, maker: str) -> NoRuleError:
    """The error for what a framework computes of values that are differentiated."""
    return NoRuleError(
        what,
        f"{framework} has derivatives of its own, and computes with arrays of its own",
        f"make what {framework} computes a function of arrays, `g = adjoint.interop.{maker}(f)`, and call `g(x)`",
        calling_place(),
    )
