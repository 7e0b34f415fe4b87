"""What makes compiled programs fast leaves their gradients as they were."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, value_and_grad
from adjoint.compiled import entry, programs
from adjoint.inspect import code_adjoint

X = np.linspace(0.25, 1.75, 7)


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def agrees(f: Callable[..., Any], *args: Any) -> str:
    """The source of the program, whose gradients are those of the other tier."""
    argnums = tuple(range(len(args)))
    y, grads = value_and_grad(f, argnums, compile="strict")(*args)
    assert math.isclose(y, f(*args), rel_tol=1e-12)
    for found, right in zip(grads, gradient(f, *args), strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-10, atol=1e-12)
    return code_adjoint(f, *args, compile=True)


# ---- sines and cosines


def turns(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        total += math.sin(total + x[i]) * math.cos(total + x[i])
    return total


def spiral(x: Any) -> Any:
    s = 0.5
    for i in range(len(x)):
        s = s + math.cos(x[i]) if s < 1.0 else s * 0.5 + x[i]
    return s


def waves(x: Any) -> Any:
    return np.sum(np.sin(x) * np.sin(2.0 * x))


@pytest.mark.parametrize(("f", "n"), [(turns, 2), (spiral, 2), (waves, 4)])
def test_a_sine_and_its_cosine_are_computed_together(f: Any, n: int) -> None:
    source = agrees(f, X)
    forward = source[: source.index("for i", source.index("for i") + 5)]
    assert len(re.findall(r"math\.(sin|cos)", forward)) == n == len(re.findall(r"math\.(sin|cos)", source))


# ---- sums of cotangents


def spread(x: Any, a: float) -> Any:
    total = 0.0
    for i in range(len(x)):
        total += a * x[i] * x[i]
    return total


def coupled(x: Any, a: float) -> Any:
    s = 1.0
    for i in range(len(x)):
        s = s * a + x[i] if x[i] > 1.0 else s + a * x[i]
    return s


def nested(x: Any, a: float) -> Any:
    total = 0.0
    for i in range(len(x)):
        inner = 0.0
        for j in range(i):
            inner += a * x[j]
        total += inner * inner
    return total


@pytest.mark.parametrize("f", [spread, coupled, nested])
def test_cotangents_are_summed_in_any_order(f: Any) -> None:
    assert "plus(da, " in agrees(f, X, 0.5)


def test_the_sums_of_the_program_itself_keep_their_order() -> None:
    def compensated(x: Any) -> Any:
        total = lost = 0.0
        for i in range(len(x)):
            y = x[i] - lost
            t = total + y
            lost = (t - total) - y
            total = t
        return total

    assert "plus(" not in agrees(compensated, X).partition("dx")[0]


# ---- memory that need not be zeros


def dot(x: Any, y: Any) -> Any:
    return np.sum(x * y)


def twice(x: Any, y: Any) -> Any:
    return np.sum(x * y) + np.sum(x) * y[0]


def some(x: Any, y: Any) -> Any:
    total = 0.0
    for i in range(1, len(x)):
        total += x[i] * y[i]
    return total


def where(x: Any, y: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        if x[i] > 1.0:
            total += x[i] * y[i]
    return total


def reversed_(x: Any, y: Any) -> Any:
    total = 0.0
    for i in range(len(y)):
        total += x[len(x) - 1 - i] * y[i]
    return total


def shifted(x: Any, y: Any) -> Any:
    total = 0.0
    for i in range(len(y)):
        total += x[i] * y[i] + x[i] * x[i - 1]
    return total


def matrix(x: Any, y: Any) -> Any:
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total += x[i, j] ** 2 * y[j, i]
    return total


M = np.arange(1.0, 7.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("f", "args", "filled"),
    [
        (dot, (X, X + 1), {"dx", "dy"}),
        (twice, (X, X + 1), {"dx"}),
        (some, (X, X + 1), set()),
        (where, (X, X + 1), {"dx"}),
        (reversed_, (X, X + 1), {"dy"}),
        (shifted, (X, X + 1), {"dy"}),
        (matrix, (M, M.T.copy()), {"dx"}),
    ],
)
def test_arrays_that_a_loop_fills_do_not_begin_as_zeros(
    f: Any, args: Any, filled: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(np, "empty", lambda shape, dtype=float: np.full(shape, 7e7).astype(dtype))
    source = agrees(f, *args)
    assert set(re.findall(r"(d[xy])\[[^]]*\] = ", source)) == filled


# ---- shadows that lend their memory


def softplus(x: Any) -> Any:
    return np.sum(np.log(1.0 + np.exp(x)))


def twice_kept(x: Any) -> Any:
    y = np.exp(x)
    return np.sum(y * np.tanh(x)) * np.sum(y)


def kept_shifted(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        total += np.exp(x[len(x) - 1 - i]) * x[i]
    return total


def kept_and_filled_again(x: Any) -> Any:
    total = 0.0
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = np.exp(x[i])
        total += y[i] * x[i]
    for i in range(len(x)):
        y[i] = y[i] * x[i]
    return total * np.sum(y)


@pytest.mark.parametrize(
    ("f", "lends"), [(softplus, True), (twice_kept, None), (kept_shifted, False), (kept_and_filled_again, None)]
)
def test_what_is_kept_for_the_loop_that_fills_a_shadow_lies_in_it(f: Any, lends: Any) -> None:
    source = agrees(f, X)
    if lends is not None:
        assert ("kept_" not in source) == lends


# ---- arguments that are read


def test_what_a_program_relies_on_is_looked_at_in_each_call() -> None:
    def f(x: Any, options: Any) -> Any:
        return np.sum(x * options["scale"]) if options["on"] else np.sum(x)

    g = value_and_grad(f, compile="strict")
    assert g(X, {"scale": 2.0, "on": True})[1].tolist() == [2.0] * 7
    assert g(X, {"scale": 2.0, "on": False})[1].tolist() == [1.0] * 7
    assert g(X, {"on": True, "scale": 3.0})[1].tolist() == [3.0] * 7
    assert g(X[:1], {"on": True, "scale": 3.0})[1].tolist() == [3.0]
    assert g(np.zeros(0), {"on": True, "scale": 3.0})[1].tolist() == []
    assert value_and_grad(lambda x, n: x * n, compile="strict")(2.0, 2**61) == (2.0 * 2**61, 2.0**61)


# ---- what is kept of rounds


def products_in_place(m: Any, x: Any) -> Any:
    """Each entry of the vector is read in every row, before it is replaced."""
    s = 0.0
    for t in range(3):
        for i in range(len(m)):
            for k in range(len(x)):
                s += m[i, k] * x[k] * x[k]
        for k in range(len(x)):
            x[k] = math.sin(x[k] + t)
    return s


def products_that_change(m: Any, x: Any) -> Any:
    """Each row changes what the next one reads."""
    s = 0.0
    for i in range(len(m)):
        for k in range(len(x)):
            s += m[i, k] * x[k] * x[k]
        x[i % 3] = s * 0.1
    return s


def test_what_all_rounds_of_a_loop_read_is_kept_once() -> None:
    m = np.sin(np.arange(12.0)).reshape(4, 3)
    kept = []
    for f in (products_in_place, products_that_change):
        x = np.array([0.3, -0.7, 1.1])
        y, grads = value_and_grad(f, (0, 1), compile="strict")(m, x.copy())
        assert math.isclose(y, f(m, x.copy()), rel_tol=1e-12)
        for found, right in zip(grads, gradient(f, m, x.copy()), strict=True):
            np.testing.assert_allclose(found, right, rtol=1e-10, atol=1e-12)
        kept.append(re.findall(r"kept_\w+ = np.empty\(\((.*),\), ", code_adjoint(f, m, x.copy(), compile=True)))
    assert kept[0] == ["3 * maximum(n1, 0)"] * 2  # by the entries of x, and not by rows
    assert kept[1] == ["maximum(n, 0) * maximum(n1, 0)"]
