"""`explain` of integers: they count as the real numbers that they are, as they do for `gradient`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import explain, gradient

JUMPS = "what it gives changes in jumps or not at all"
CAST = "a store into an array of integers"


def stored(a: Any) -> float:
    b = a.copy()
    b[0] = b[1] * b[1]
    return float((b * 2).sum())


def indexed(a: Any, table: Any) -> float:
    return float(table[a // 2].sum())


def cast(a: Any) -> float:
    return float((a.astype(int) * 2).sum())


CASES: list[tuple[Callable[..., float], tuple[Any, ...], list[str]]] = [
    (lambda a: float((a * 2).sum()), (np.array([1, 2, 3]),), []),
    (lambda a: float((a @ a) + a.T.reshape(-1)[0]), (np.array([1, 2, 3]),), []),
    (lambda a: float(np.concatenate([a, -a * a]).sum()), (np.array([1, 2, 3]),), []),
    (lambda a: float((np.array(a) * 3).sum()), ([1, 2, 3],), []),
    (lambda a, x: float((a**2 * x).sum()), (np.array([1, 2, 3]), 0.5), []),
    (lambda a: float((a // 2 * a).sum()), (np.array([1, 2, 3]),), [f"a // 2: {JUMPS}"]),
    (lambda a: float((a // 2 * 3.0).sum()), (np.array([1, 2, 3]),), [f"a // 2: {JUMPS}"]),
    (lambda a: float(np.argsort(a).sum() + a.sum()), (np.array([3, 1]),), [f"np.argsort(a): {JUMPS}"]),
    (stored, (np.array([1, 2, 3]),), [f"b[0] = b[1] * b[1]: {CAST}"]),
    (indexed, (np.array([1, 2]), np.array([0.5, 0.7])), [f"a // 2: {JUMPS}"]),
    (cast, (np.array([1.5, 2.5]),), [f"a.astype(int): {JUMPS}"]),
]


@pytest.mark.parametrize(("f", "args", "ends"), CASES)
def test_what_explain_says_is_what_gradient_gives(f: Any, args: Any, ends: list[str]) -> None:
    bars = gradient(f, *[np.array(x) if isinstance(x, np.ndarray) else x for x in args])
    flows = tuple(bar is not None and bool(np.any(np.asarray(bar))) for bar in bars)
    found = explain(f, *args)
    reached = {name.partition("[")[0] for name in found.reached}
    names = f.__code__.co_varnames[: len(args)]
    assert tuple(name in reached for name in names) == flows
    assert tuple(name in found.silent for name in names) == tuple(not flow for flow in flows)
    assert [f"{e.code}: {e.why}" for e in found.ends] == ends
