"""Every function and method of NumPy is asked: what is said to be new shares no memory, and what writes is known to."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from adjoint.transforms.effects import makes, writes

MODULES = (np, np.linalg, np.fft, np.lib.stride_tricks, np.emath, np.polynomial.polynomial, np.ma, np.strings)
FILES = {"memmap", "fromfile", "save", "savez", "savez_compressed", "load", "loadtxt", "genfromtxt", "savetxt"}
OTHERS = {"tofile", "fromregex", "dump", "dumps", "test", "show_config", "show_runtime", "info", "source", "frombuffer"}
ARGUMENTS: tuple[tuple[Any, ...], ...] = (
    *((), (1,), (0,), ([0],), (None,), (1, 1), (0, 1), (None, None), ([0, 1],), ([0, 1], [1, 0])),
    *((np.ones(3),), (np.ones((2, 2)),), (slice(0, 1),), (float,), ((0, 1),), ({},)),
)


def functions() -> Iterator[Any]:
    """The functions of NumPy, then the methods of arrays."""
    for module in MODULES:
        for name in dir(module):
            f = getattr(module, name)
            if callable(f) and not isinstance(f, type) and name[0] != "_" and name not in FILES | OTHERS:
                yield f
    for name in dir(np.ndarray):
        f = getattr(np.ndarray, name)
        if callable(f) and not isinstance(f, type) and name not in FILES | OTHERS:
            yield f


def shares(result: Any, x: Any) -> bool:
    if isinstance(result, np.ndarray):
        return bool(np.shares_memory(result, x))
    return isinstance(result, tuple | list) and any(shares(item, x) for item in result)


@pytest.mark.parametrize("make", [lambda: np.ones(3), lambda: np.ones((2, 2))])
def test_what_numpy_does_with_its_arguments(make: Callable[[], Any]) -> None:
    tried, views, unknown = 0, set(), set()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for f in functions():
            for more in ARGUMENTS:
                x, before = make(), make()
                try:
                    result = f(x, *more)
                except Exception:  # noqa: S112 - these are not its arguments
                    continue
                tried += 1
                if shares(result, x) and makes(f, 1 + len(more), ()):
                    views.add(f.__name__)
                if not np.array_equal(x, before) and not writes(f, [None] * (1 + len(more)), []):  # type: ignore[list-item]
                    unknown.add(f.__name__)
    assert tried > 1000
    assert not views
    assert not unknown
