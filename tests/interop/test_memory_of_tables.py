"""Stores into arrays that a labelled array lies in: what it holds since then is not followed, and refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

from adjoint import grad, value_and_grad
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError

pd, xr = needed("pandas"), needed("xarray")
needed("adjoint.interop.pandas")
needed("adjoint.interop.xarray")
X = np.array([1.0, 2.0, 3.0])
MAKERS: dict[str, Callable[[Any], Any]] = {
    "Series": lambda v: pd.Series(v, copy=False),
    "renamed": lambda v: pd.Series(v, copy=False).rename("k"),
    "part": lambda v: pd.Series(v, copy=False).iloc[:2],
    "frame": lambda v: pd.DataFrame(v.reshape(3, 1), copy=False),
    "column": lambda v: pd.DataFrame(v.reshape(3, 1), copy=False)[0],
    "columns": lambda v: pd.DataFrame({"a": v}, copy=False),
    "array": lambda v: xr.DataArray(v),
    "reversed": lambda v: xr.DataArray(v[::-1], dims="x"),
    "rows": lambda v: xr.DataArray(v)[:2],
    "transposed": lambda v: xr.DataArray(v, dims="x").expand_dims("y").T,
}


def by_number(x: Any) -> Any:
    return np.sum(x.to_numpy() ** 2)


def by_itself(x: Any) -> Any:
    return np.sum((x * x).to_numpy())


def constant(make: Any, total: Any, w: Any) -> Any:
    v = X * w
    x = make(v)
    v[0] = 5.0
    return total(x)


def active(make: Any, total: Any, w: Any) -> Any:
    v = X.copy()
    x = make(v)
    v[1] = w
    return total(x)


def updated(make: Any, total: Any, w: Any) -> Any:
    v = X * w
    x = make(v)
    v *= w
    return total(x)


def written(make: Any, total: Any, w: Any) -> Any:
    v = X * w
    x = make(v)
    np.multiply(v, w, out=v)
    return total(x)


def looped(make: Any, total: Any, w: Any) -> Any:
    v = np.zeros(3)
    x = make(v)
    for i in range(3):
        v[i] = w * i
    return total(x)


def elsewhere(make: Any, total: Any, w: Any) -> Any:
    v = X * w

    def store(a: Any) -> None:
        a[:2] = w

    x = make(v)
    store(v)
    return total(x)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("total", [by_number, by_itself])
@pytest.mark.parametrize("stores", [constant, active, updated, written, looped, elsewhere])
def test_a_store_into_memory_that_is_shared_is_refused(stores: Any, make: Any, total: Any) -> None:
    def f(w: Any) -> Any:
        return stores(make, total, w)

    with pytest.raises(AdjointError, match=r"copy|to_numpy"):
        grad(f)(0.7)
    with pytest.raises(AdjointError, match=r"copy|to_numpy"):
        pushforward(f, (0.7,), (1.0,))


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_store_into_what_was_read_out_is_refused_or_apart(make: Any) -> None:
    def read(w: Any) -> Any:
        x = make(X * w)
        v = x.values
        v[0] = w
        return by_number(x)

    try:
        read(0.7)
    except ValueError:
        return  # pandas makes it read-only
    with pytest.raises(AdjointError, match="copy"):
        grad(read)(0.7)


def test_stores_before_and_into_copies_are_followed() -> None:
    def before(w: Any) -> Any:
        v = X * w
        v[0] = w * w
        return by_number(xr.DataArray(v)) + by_itself(pd.Series(v))

    def copied(w: Any) -> Any:
        v = X * w
        x, s = xr.DataArray(v.copy()), pd.Series(v.copy())
        v[0] = w * w
        return by_number(x) + by_itself(s) + np.sum(v)

    for f in (before, copied):
        value, slope = value_and_grad(f)(0.7)
        assert_allclose(value, f(0.7))
        assert_allclose(slope, (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6, rtol=1e-6)


def stored_values(w: Any) -> Any:
    d = xr.DataArray(np.zeros(3), dims="x")
    d.values[:] = 1.0
    return np.sum(d.values * w)


def stored_data(w: Any) -> Any:
    d = xr.DataArray(np.zeros(3), dims="x")
    d.data[0] = w[0]
    return (d**2).sum()


def stored_in_a_loop(w: Any) -> Any:
    d = xr.DataArray(np.zeros(3), dims="x")
    for i in range(3):
        d.values[i] = w[i] * 2
    return (d**2).mean()


def stored_by_asarray(w: Any) -> Any:
    d = xr.DataArray(np.zeros(3), dims="x")
    np.asarray(d)[:] = w
    return (d**2).sum()


def stored_in_a_dataset(w: Any) -> Any:
    d = xr.Dataset({"q": ("x", np.zeros(3))})
    d["q"].values[:] = 1.0
    return np.sum(d["q"].values * w)


def stored_in_a_series(w: Any) -> Any:
    s = pd.Series(np.zeros(3))
    a = s.values
    a.flags.writeable = True
    a[:] = 1.0
    return np.sum(s.to_numpy() * w)


def read_only(w: Any) -> Any:
    s = pd.Series(np.zeros(3))
    try:
        s.to_numpy()[:] = w
    except ValueError:
        return np.sum((s.to_numpy() + 2.0) * w)
    return np.sum(s.to_numpy() * w)


@pytest.mark.parametrize(
    "f",
    [
        *(stored_values, stored_data, stored_in_a_loop, stored_by_asarray),
        *(stored_in_a_dataset, stored_in_a_series, read_only),
    ],
)
def test_stores_into_what_was_read_of_constants_are_right_or_refused(f: Any) -> None:
    w = np.array([1.0, 2.0, 3.0])
    steps = [1e-6 * e for e in np.eye(3)]
    slopes = [float(f(w + h) - f(w - h)) / 2e-6 for h in steps]
    try:
        y, d = value_and_grad(f)(w)
    except AdjointError as error:
        assert "copy" in str(error) or "to_numpy" in str(error)
        return
    assert_allclose(float(y), float(f(w)))
    assert_allclose(d, slopes, rtol=1e-6)
    assert_allclose(float(pushforward(f, (w,), (np.ones(3),))[1]), sum(slopes), rtol=1e-6)
