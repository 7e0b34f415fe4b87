"""Tables of calls, checked one by one: `call(np.sum, A, axis=0)` is a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from rules.checker import check_rule

from adjoint.rules.registry import find_rules


def rng(*shape: int, seed: int = 0, dtype: Any = np.float64) -> Any:
    """Random numbers, complex ones for a complex dtype."""
    generator = np.random.default_rng([seed, *shape])
    values = generator.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * generator.standard_normal(shape)
    return values.astype(dtype)


def call(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A row of a table."""
    shapes = ",".join(brief(x) for x in (*args, *kwargs.values()))
    return pytest.param(f, args, kwargs, id=f"{getattr(f, '__qualname__', f.__name__)}({shapes})")


def brief(x: Any) -> str:
    """A word for an argument."""
    if isinstance(x, np.ndarray):
        return f"{x.dtype}{list(x.shape)}".replace(" ", "").replace("float64", "")
    if isinstance(x, list | tuple) and len(x) and not isinstance(x[0], int | slice):
        return f"[{','.join(map(brief, x))}]"
    return str(x).replace(" ", "")[:30]


def counts(x: Any) -> bool:
    """Whether an argument only counts, chooses or names something."""
    if isinstance(x, list | tuple):
        return len(x) > 0 and all(map(counts, x))
    if isinstance(x, np.ndarray | np.generic):
        return x.dtype.kind in "biu"
    return isinstance(x, int | slice | str | type | type(None) | type(...))


def check(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], **options: Any) -> None:
    """Check a row. Integers beyond the first argument count or choose."""
    names = next(iter(find_rules(f).methods)).names  # type: ignore[union-attr]
    constant = [i for i, x in enumerate(args) if counts(x)]
    constant += [names.index(name) for name, x in kwargs.items() if name in names and counts(x)]
    check_rule(f, *args, **{"constant": tuple(constant), **options}, **kwargs)
