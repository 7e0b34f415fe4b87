"""Programs that keep the best of what their rounds make: what a branch may give is another object than what a round has
made, and is not changed by stores before it."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from adjoint.derivatives.choice import generated_for, is_to_be_recorded
from adjoint.transforms.aliases import Aliases

from .differences import check


def best_list(xs: Any) -> float:
    cur = list(xs)
    best, be = (cur, sum(v * v for v in cur))
    for k in range(6):
        new = cur.copy()
        new[k % 3] = new[k % 3] * (1.1 if k % 2 else 0.8)
        e = sum(v * v for v in new) - 0.1 * sum(new)
        if e < be + 0.1:
            cur = new
            if e < be:
                best, be = (cur, e)
    return be + best[0] * best[1] + cur[2]


def store_after(xs: Any) -> float:
    cur = list(xs)
    best = cur
    be = 9.0
    for k in range(6):
        new = cur.copy()
        new[k % 3] = new[k % 3] * 0.8
        if sum(new) < be:
            best = new
            be = sum(new)
        new[0] += 0.1 * xs[1]
        cur = new
    return be + best[0] * best[1] + cur[2]


def store_held(xs: Any) -> float:
    cur = list(xs)
    best = cur
    for k in range(6):
        best[1] *= 1.1
        new = cur.copy()
        new[k % 3] = new[k % 3] * 0.8
        if k % 2:
            best = new
        if k % 3:
            cur = new
    return best[0] * best[1] + cur[2] * cur[1]


def store_after_loop(xs: Any) -> float:
    cur = list(xs)
    best = cur
    for k in range(5):
        new = cur.copy()
        new[k % 3] = new[k % 3] * 0.8
        if k % 2:
            best = new
        if k % 3:
            cur = new
    best[2] *= 3.0
    cur[0] *= xs[1]
    return best[0] * best[1] * best[2] + cur[2] * cur[0]


def store_before(xs: Any) -> float:
    cur = list(xs)
    cur[0] *= 2
    best = cur
    cur[1] *= xs[0]
    for k in range(5):
        new = cur.copy()
        new[k % 3] = new[k % 3] * 0.8
        if k % 2:
            best = new
        if k % 3:
            cur = new
    return best[0] * best[1] * best[2] + cur[2] * cur[0]


def nested_loop(xs: Any) -> float:
    tot = 0.0
    best = list(xs)
    for j in range(3):
        cur = best
        cur[0] *= 0.9
        for k in range(4):
            new = cur.copy()
            new[k % 3] = new[k % 3] * 0.8
            if k % 2:
                cur = new
            if k == j:
                best = new
        tot += best[0] * cur[1]
    return tot + best[2]


def rows_shared(xs: Any) -> float:
    cur = [[xs[0], xs[1]], [xs[2], 1.0]]
    best = cur
    for k in range(4):
        new = cur.copy()
        new[0][k % 2] *= 0.8
        if k % 2:
            best = new
        if k > 1:
            cur = new
    return best[0][0] * best[0][1] + cur[1][0] * cur[0][0]


def arr(a: Any) -> float:
    cur = a.copy()
    best = cur
    be = 9.0
    for k in range(6):
        new = cur.copy()
        new[k % 4] *= 0.7
        new += 0.01
        e = float((new**2).sum())
        if e < be * 1.01:
            cur = new
        if e < be:
            best, be = (new, e)
    return float((best * cur).sum()) + be


def arr_view(a: Any) -> float:
    cur = a.copy()
    best = cur[1:]
    for k in range(6):
        new = cur.copy()
        new[k % 4] *= 0.7
        v = new[1:]
        if k % 2:
            best = v
        new[2] += a[0]
        if k % 3:
            cur = new
    return float(best.sum() * cur.sum())


def arr_branch_made(a: Any) -> float:
    best = a
    for k in range(5):
        if k % 2:
            n = best * 0.9
            n[0] += 1
            best = n
        else:
            n = np.sin(best)
            best = n
    return float((best**2).sum())


def arr_alias_two(a: Any) -> float:
    x = a.copy()
    y = x
    for k in range(5):
        n = x * 0.9
        n[k % 4] = y[0]
        if k % 2:
            x = n
            y = n
        else:
            y = n
    return float((x * y).sum())


def arr_two_stored(a: Any) -> float:
    x = a.copy()
    y = x
    for k in range(5):
        n = x * 0.9
        if k % 2:
            x = n
            y = n
        else:
            y = n
        x[0] += y[1]
    return float((x * y).sum())


def history(xs: Any) -> float:
    cur = list(xs)
    hist = [cur]
    best = cur
    for k in range(5):
        new = cur.copy()
        new[k % 3] *= 0.8
        if k % 2:
            cur = new
            hist.append(cur)
        if k == 3:
            best = hist[0]
    return sum(h[0] * h[1] for h in hist) + best[2]


def grow(xs: Any) -> float:
    best = []
    cur = list(xs)
    for k in range(5):
        new = cur + [xs[0] * k]
        new.append(xs[1])
        new[0] *= 0.9
        if sum(new) > 2:
            best = new
        if len(new) < 8:
            cur = new
    return sum(best) + len(best) * cur[-1]


def while_best(xs: Any) -> float:
    best = None
    be = 1000000000.0
    cur = list(xs)
    k = 0
    while k < 6:
        new = [v * 0.9 for v in cur]
        new[k % 3] += 0.05
        k += 1
        e = sum(v * v for v in new)
        if best is None or e < be:
            best = new
            be = e
        cur = new
    return best[0] * be + cur[1]


def dicts(d: Any) -> float:
    cur = dict(d)
    best = cur
    for k in range(5):
        new = cur.copy()
        new["a"] *= 0.8
        new["c"] = new["b"] * k
        if k % 2:
            cur = new
        if k == 2:
            best = new
    return best["a"] * best["b"] + cur["a"] * cur["c"]


def late_if(xs: Any) -> float:
    cur = list(xs)
    best = cur
    for k in range(5):
        new = cur.copy()
        if k % 2:
            best = new
        if k > 2:
            new[0] *= 2
        cur = new
    return best[0] * cur[0] + best[1]


def inner_loop_store(xs: Any) -> float:
    cur = list(xs)
    best = cur
    for k in range(5):
        new = cur.copy()
        for j in range(2):
            new[j] *= 0.9
            if j == k % 2:
                best = new
        if k % 3:
            cur = new
    return best[0] * cur[0] + best[1] * cur[1]


def inner_made(xs: Any) -> float:
    cur = list(xs)
    best = cur
    for k in range(5):
        for j in range(2):
            new = cur.copy()
            new[j] *= 0.9
            if j == k % 2:
                best = new
        cur = new
        cur[2] *= 1.1
    return best[0] * cur[0] + best[1] * cur[1] + best[2]


ROWS, DICTS = [0.5, 0.7, 0.9], {"a": 0.5, "b": 0.7}
OF_ARRAYS = [arr, arr_view, arr_branch_made, arr_alias_two, arr_two_stored]
OF_LISTS = [
    best_list,
    store_after,
    store_held,
    store_after_loop,
    store_before,
    nested_loop,
    rows_shared,
    history,
    grow,
    while_best,
    late_if,
    inner_loop_store,
    inner_made,
]


@pytest.mark.parametrize("f", [*OF_LISTS, *OF_ARRAYS, dicts], ids=lambda f: f.__name__)
def test_value_and_gradient(f: Callable[[Any], float]) -> None:
    given = DICTS if f is dicts else np.array([0.5, 0.7, 0.9, 0.4]) if f in OF_ARRAYS else ROWS
    for order in (1, 1, 2):
        check(f, given, order=order, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("f", [best_list, arr, arr_alias_two], ids=lambda f: f.__name__)
def test_in_their_structure_without_copies(f: Callable[[Any], float]) -> None:
    given = np.array([0.5, 0.7, 0.9, 0.4]) if f in OF_ARRAYS else ROWS
    spec = generated_for(f, (given,), {}, None)
    assert spec is not None and not spec[1].copies and not is_to_be_recorded(f, (given,))


def test_stores_behind_the_branch_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Aliases, "goes_on", lambda self, chosen: False)
    forgetful = FunctionType(store_after.__code__.replace(), store_after.__globals__)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check(forgetful, ROWS, order=2, rtol=1e-5, atol=1e-6)
