"""Calls that are told a dtype, by keyword or position: nothing flows through integers and flags, in either mode."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hessian, jacobian, jvp, linearize, withgradient
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError
from adjoint.inspect import cache_clear
from adjoint.runtime import jvp as along
from adjoint.transforms import tangent_linear

A = np.array([1.37, 2.61, 3.23])
M = np.array([[1.37, 2.61], [0.73, 1.91]])
WEIGHTS = np.array([0.3, -0.7, 1.1, 0.4, 0.9, -0.2, 0.5, 1.3, 0.8])
Call = Callable[[Any, Any], Any]
UNSAFE: dict[str, Any] = {"casting": "unsafe"}


def stored(x: Any, d: Any) -> Any:
    b = np.zeros(3, d)
    b[0] = x[0] * x[1]
    b[1:] = x[1:] * x[0]
    return b * x


def copied_into(x: Any, d: Any) -> Any:
    b = np.empty_like(x, dtype=d)
    np.copyto(b, x, casting="unsafe")
    return b * x


def filled(x: Any, d: Any) -> Any:
    b = np.zeros(3, d)
    b.fill(x[0])
    return b * x


def added_into(x: Any, d: Any) -> Any:
    b = np.zeros(3, d)
    np.add(b, x, out=b, casting="unsafe")
    return b * x


VECTORS: dict[str, Call] = {
    **{f"np.{f.__name__}": (lambda x, d, f=f: f(x, dtype=d)) for f in (
        np.sum, np.prod, np.mean, np.cumsum, np.cumprod, np.std, np.var, np.nansum, np.nanprod, np.nanmean,
        np.nancumsum, np.nancumprod, np.nanstd, np.nanvar,
    )},
    **{f"np.{f.__name__} by position": (lambda x, d, f=f: f(x, 0, d)) for f in (
        np.sum, np.prod, np.mean, np.cumsum, np.cumprod, np.std, np.var,
    )},
    "method sum": lambda x, d: x.sum(dtype=d),
    "method sum by position": lambda x, d: x.sum(0, d),
    "method mean by position": lambda x, d: x.mean(0, d),
    "method prod": lambda x, d: x.prod(dtype=d),
    "method std": lambda x, d: x.std(dtype=d),
    "method cumsum": lambda x, d: x.cumsum(dtype=d),
    "einsum": lambda x, d: np.einsum("i,i->", x, x, dtype=d, **UNSAFE),
    "einsum of lists": lambda x, d: np.einsum(x, [0], x, [0], dtype=d, **UNSAFE),
    "einsum of one": lambda x, d: np.einsum("i->", x, dtype=d, **UNSAFE),
    "matmul": lambda x, d: np.matmul(x, x, dtype=d, **UNSAFE),
    "matmul of lists": lambda x, d: np.matmul([[x[0], x[1], x[2]]], x, dtype=d, **UNSAFE),
    "matmul with a signature": lambda x, d: np.matmul(x, x, signature=(d, d, d), **UNSAFE),
    "concatenate": lambda x, d: np.concatenate([x, x * 2], dtype=d, **UNSAFE),
    "stack": lambda x, d: np.stack([x, x * 2], dtype=d, **UNSAFE),
    "hstack": lambda x, d: np.hstack([x, x * 2], dtype=d, **UNSAFE),
    "vstack": lambda x, d: np.vstack([x, x * 2], dtype=d, **UNSAFE),
    "full": lambda x, d: np.full(2, x[0], d),
    "full_like": lambda x, d: np.full_like(x, x[0], dtype=d),
    "full_like an array of it": lambda x, d: np.full_like(np.zeros(3, d), x[0]),
    **{f"np.{f.__name__}": (lambda x, d, f=f: f(x, d)) for f in (
        np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.asarray_chkfinite, np.require,
    )},
    **{f"np.{f.__name__} of a list": (lambda x, d, f=f: f([x[0], x[1]], d)) for f in (
        np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.asarray_chkfinite,
    )},
    "fromiter": lambda x, d: np.fromiter([x[0], x[1]], d),
    "astype": lambda x, d: x.astype(d) * x,
    "astype of a copy": lambda x, d: x.copy().astype(dtype=d) * x,
    "astype of an item": lambda x, d: x[0].astype(d) * x,
    "scalar": lambda x, d: np.dtype(d).type(x[0]) * x,
    "linspace": lambda x, d: np.linspace(x[0], x[1], 3, dtype=d),
    "linspace by position": lambda x, d: np.linspace(x[0], x[1], 3, True, False, d),
    "arange": lambda x, d: np.arange(x[0], x[2], 0.4, d),
    "cov": lambda x, d: np.cov(x, x * x, dtype=d),
    "clip": lambda x, d: np.clip(x, 0, 2, dtype=d, **UNSAFE),
    "method clip": lambda x, d: x.clip(0, 2, dtype=d, **UNSAFE),
    **{f.__name__: (lambda x, d, f=f: f(x, x[::-1] * 2, dtype=d, **UNSAFE)) for f in (
        np.add, np.multiply, np.subtract, np.maximum, np.minimum,
    )},
    **{f.__name__: (lambda x, d, f=f: f(x, dtype=d, **UNSAFE)) for f in (
        np.negative, np.positive, np.absolute, np.square, np.conjugate,
    )},
    **{f"{f.__name__}.reduce": (lambda x, d, f=f: f.reduce(x, 0, d)) for f in (np.add, np.multiply, np.maximum)},
    **{f"{f.__name__}.accumulate": (lambda x, d, f=f: f.accumulate(x, dtype=d)) for f in (np.add, np.multiply)},
    "add.reduceat": lambda x, d: np.add.reduceat(x, [0, 2], dtype=d),
    **{f"{f.__name__}.outer": (lambda x, d, f=f: f.outer(x, x * 2, dtype=d, **UNSAFE)) for f in (
        np.add, np.multiply, np.subtract,
    )},
    "stores": stored,
    "copyto": copied_into,
    "fill": filled,
    "out": added_into,
    "rounded": lambda x, d: np.floor(x).astype(d) * x + np.rint(x) * np.trunc(x) * x + np.sign(x) * x,
    "compared": lambda x, d: (x > 2).astype(d) * x,
    "real part": lambda x, d: (x * (1 + 1j)).real.astype(d) * (x * 1j).imag,
    "through float32": lambda x, d: np.float64(x[0].astype(np.float32)) * x.astype(d),
    "whole numbers of Python": lambda x, d: int(x[0]) * x + bool(x[1]) * x + round(float(x[2])) * x,
    "tolist": lambda x, d: np.array(x.astype(d).tolist()) * x,
}  # fmt: skip
MATRICES: dict[str, Call] = {
    "trace": lambda x, d: np.trace(x @ x, dtype=d),
    "trace by position": lambda x, d: np.trace(x @ x, 0, 0, 1, d),
    "method trace": lambda x, d: x.trace(dtype=d),
    "linalg.trace": lambda x, d: np.linalg.trace(x, dtype=d),
    "matmul of matrices": lambda x, d: np.matmul(x, x, dtype=d, **UNSAFE),
    "matmul with axes": lambda x, d: np.matmul(x, x, axes=[(1, 0), (0, 1), (0, 1)], dtype=d, **UNSAFE),
}
for _name in ("vecdot", "matvec", "vecmat"):  # of newer versions of NumPy
    if (_f := getattr(np, _name, None)) is not None:
        MATRICES[_name] = lambda x, d, f=_f, first=_name == "vecmat": f(
            *((x[0], x) if first else (x, x[0])), dtype=d, **UNSAFE
        )
CALLS = {**VECTORS, **MATRICES}


def weighed(y: Any) -> Any:
    y = np.asarray(y)
    return np.real(np.sum(y.ravel() * WEIGHTS[: y.size])) * 1.0


def structured(x: Any, call: Any, d: Any) -> Any:
    return weighed(call(x, d))


def recorded(x: Any, call: Any, d: Any) -> Any:
    try:
        y = call(x, d)
    except ZeroDivisionError:
        y = 0.0
    return weighed(y)


def differences(f: Any, x: Any, h: float) -> Any:
    result = np.zeros(x.shape)
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += h
        down[i] -= h
        result[i] = (f(up) - f(down)) / (2 * h)
    return result


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning", "ignore:numpy.fix is deprecated")
@pytest.mark.parametrize("program", [structured, recorded])
@pytest.mark.parametrize("dtype", [int, bool, "i2", np.float32, float, ">f8", complex], ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_calls_that_are_told_a_dtype(name: str, dtype: Any, program: Any) -> None:
    if dtype == ">f8" and "einsum" in name:
        pytest.skip("NumPy adds bytes in the wrong order")
    call, x = CALLS[name], M if name in MATRICES else A
    single = np.dtype(dtype) == np.float32 or name == "through float32"

    def f(x: Any) -> Any:
        return program(x, call, dtype)

    try:
        f(x)
    except (TypeError, ValueError, IndexError):
        return  # not of such numbers
    expected = differences(f, x, 1e-2 if single else 1e-6)
    close = {"rtol": 5e-2 if single else 1e-5, "atol": 5e-2 if single else 1e-5}
    units = [e.reshape(x.shape) for e in np.eye(x.size)]
    try:
        y, (bar,) = withgradient(f, x)
        assert y == f(x)
        np.testing.assert_allclose(bar, expected, **close)
        forward = np.array([pushforward(f, (x,), (e,))[1] for e in units])
        np.testing.assert_allclose(forward.reshape(x.shape), expected, **close)
    except AdjointError:
        assert np.dtype(dtype) == bool and program is recorded  # `np.bool` there


def whole(a: Any) -> Any:
    return (a.astype(int) * a).sum()


WHOLE: dict[str, Any] = {
    "astype": whole,
    "of a list": lambda a: np.array([a[0], a[1]], int) @ a,
    "of a list, Fortran": lambda a: np.asfortranarray([a[0], a[1]], int) @ a,
    "array": lambda a: np.array(a, dtype=int) @ a,
    "flags": lambda a: (a.astype(bool) * a).sum(),
    "item": lambda a: np.int64(a[0]) * a[1],
    "number": lambda a: int(a[0]) * a[1],
    "full": lambda a: np.full(2, a[0], int) @ a,
    "full_like": lambda a: np.full_like(np.array([1, 2]), a[0]) @ a,
    "sum": lambda a: np.sum(a, dtype=int) * a[0],
    "trace": lambda a: np.trace(np.outer(a, a), dtype=int) * a[0],
    "stack": lambda a: np.stack([a, a], dtype=int, casting="unsafe").sum() * a[0],
    "of complex numbers": lambda a: (a * 1j).imag.astype(int) @ a,
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_in_all_modes(name: str) -> None:
    f, a = WHOLE[name], np.array([1.7, 2.3])
    expected = differences(f, a, 1e-6)
    (bar,) = gradient(f, a)
    np.testing.assert_allclose(bar, expected, atol=1e-6)
    _, linear = linearize(f, a)
    for e, d in zip(np.eye(2), expected, strict=True):
        assert pushforward(f, (a,), (e,))[1] == pytest.approx(d, abs=1e-6)
        assert jvp(f, (a,), (e,))[1] == pytest.approx(d, abs=1e-6)
        assert linear(e) == pytest.approx(d, abs=1e-6)
        assert pushforward(lambda x: gradient(f, x)[0], (a,), (e,))[1].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(jacobian(lambda a: np.stack([f(a), f(2 * a)]), a)[0][0], expected, atol=1e-6)
    assert hessian(f, a).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_a_conversion_between_factors() -> None:
    a = np.array([1.7, 2.3])
    assert pushforward(whole, (a,), (np.ones(2),)) == (pytest.approx(6.3), 3.0)


def test_tangents_that_go_through_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tangent_linear, "may_stop", lambda s, method, dots: False)
    monkeypatch.setattr(along, "passed", lambda y_dot, y, args: y_dot)
    cache_clear()
    with pytest.raises(AssertionError):
        test_a_conversion_between_factors()
    monkeypatch.undo()
    cache_clear()
