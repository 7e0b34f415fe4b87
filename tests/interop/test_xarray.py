"""Arrays of xarray in programs that are differentiated: with data, by numbers, and by themselves."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

from adjoint import grad, gradient, hvp, pullback, value_and_grad
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError

xr = needed("xarray")
needed("adjoint.interop.xarray")
RNG = np.random.default_rng(0)
COORDS = {"x": [10, 20, 30], "y": ["a", "b"]}
A = xr.DataArray(RNG.uniform(0.5, 2.0, (3, 2)), COORDS, ("x", "y"), "a")
ROW = xr.DataArray([1.0, 2.0, 3.0], {"x": [10, 20, 30]}, ("x",))
OTHER = A.isel(x=slice(None, None, -1))
W = 0.7

DATA: dict[str, Callable[[Any], Any]] = {
    "values": lambda w: np.sum(A.values * w) + (A.to_numpy() * w * w).sum() + np.sum(A.data * w),
    "arithmetic": lambda w: (A * w + w / A - A**w).sum(),
    "ufuncs": lambda w: np.exp(A * w).mean() + np.log(A + w).max(),
    "by name": lambda w: ((A * w) * ROW + ROW * (A * w * w)).sum(),
    "turned": lambda w: ((A * w) * A.T * A.transpose("y", "x")).sum(),
    "products": lambda w: ((A * w) @ ROW).sum() + (ROW * w).dot(ROW) + ((A * w).dot(A.rename(x="z"), "y")).sum(),
    "along": lambda w: ((A * w).sum("x") ** 2).sum() + ((A * w).mean(["x"]).std() + (A * w).var("y").sum()),
    "extremes": lambda w: (A * w).max("x").sum() - (A * w).min() + (A * w).median("x").sum(),
    "picked": lambda w: ((A * w).sel(x=20) ** 2).sum() + (A * w).isel(y=1).sum() + (A * w)[0, 1] + (A * w).loc[10, "b"],
    "masked": lambda w: (A * w).where(A > 1.0).sum() + (A * w).where(A > 1.0, w * w).sum() + (ROW * w)[ROW > 1.5].sum(),
    "gaps": lambda w: (A * w).where(A > 1.0).mean() + (A * w).where(A > 1.0).fillna(w).sum(),
    "shifted": lambda w: (
        ((A * w).diff("x") ** 2).sum() + ((A * w).shift(x=1) * A).sum() + ((A * w).cumsum("x") ** 2).sum()
    ),
    "numbers": lambda w: float((A * w).sum()) * w + (A * w).mean().item() + abs(A * w).sum().values,
    "numpy": lambda w: np.sum(A * w) + np.mean(A * w * w) + np.sum(np.asarray(A * w)),
    "made": lambda w: (xr.DataArray(A.values * w, A.coords, A.dims) * A).sum(),
    "clipped": lambda w: (A * w).clip(0.5, 1.0).sum(),
    "grouped data": lambda w: (A.groupby("x").mean().values * w * w).sum() + (A.x.values * w).sum() + len(A) * w,
    "coordinates": lambda w: (A.x * w).sum() + (A["x"] * (A * w)).sum(),
}


SECOND = [*DATA] if os.environ.get("ADJOINT_THOROUGH") else ("ufuncs", "coordinates")


def differences(f: Callable[[Any], Any], x: float) -> float:
    h = 1e-6
    return float((f(x + h) - f(x - h)) / (2 * h))


@pytest.mark.parametrize("name", DATA)
def test_with_data_in_all_modes(name: str) -> None:
    f = DATA[name]
    value, slope = value_and_grad(f)(W)
    assert float(value) == float(f(W)) and type(value) is type(f(W))
    assert_allclose(slope, differences(f, W), rtol=1e-6)
    y, back = pullback(f, W)
    seed = 1.0 if isinstance(y, float) else np.ones(())
    assert back(seed)[1] == back(seed)[1] == pytest.approx(slope, rel=1e-12)
    assert_allclose(pushforward(f, (W,), (1.0,))[1], slope, rtol=1e-9)


@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives(name: str) -> None:
    f = DATA[name]
    bend = differences(lambda w: grad(f)(w), W)
    assert_allclose(grad(grad(f))(W), bend, rtol=1e-5, atol=1e-7)
    assert_allclose(hvp(f, (W,), (1.0,))[0], bend, rtol=1e-5, atol=1e-7)


ARRAYS: dict[str, Callable[[Any], Any]] = {
    "squares": lambda a: (a**2).sum(),
    "by name": lambda a: (np.sin(a) * ROW * a.T).sum(),
    "centred": lambda a: (((a - a.mean("x")) / a.std("x")) ** 3).sum(),
    "picked": lambda a: a.sel(x=20).sum() ** 2 + (a.isel(x=[0, 0]) ** 2).sum() + a.loc[10, "a"],
    "product": lambda a: ((a @ a.rename(x="z")) ** 2).sum(),
    "values": lambda a: np.sum(a.values**3),
    "none": lambda a: 1.0,
}


@pytest.mark.parametrize("name", ARRAYS)
def test_by_an_array(name: str) -> None:
    f, found = ARRAYS[name], np.zeros(A.shape)
    g = grad(f)(A)
    assert type(g) is xr.DataArray and g.dims == A.dims and g.indexes["x"].equals(A.indexes["x"])
    for i in np.ndindex(A.shape):
        step = np.zeros(A.shape)
        step[i] = 1e-6
        found[i] = (f(A + step) - f(A - step)) / 2e-6
    assert_allclose(g.values, found, rtol=1e-5, atol=1e-8)
    dot = A.copy(data=RNG.normal(size=A.shape))
    assert_allclose(pushforward(f, (A,), (dot,))[1], (g * dot).sum(), rtol=1e-9, atol=1e-12)


def test_precision_scalars_and_nothing() -> None:
    assert grad(lambda a: (a * 2.0).sum())(A.astype(np.float32)).dtype == np.float32
    empty = xr.DataArray(np.zeros((0, 2)), dims=("x", "y"))
    assert grad(lambda a: (a * a).sum())(empty).shape == (0, 2)
    assert grad(lambda a: a * a)(xr.DataArray(3.0)).item() == 6.0


def put_in(w: Any) -> Any:
    a = A.copy()
    a[0, 0] = w
    return a.sum()


def put_in_by_label(w: Any) -> Any:
    a = A.copy()
    a.loc[10, "a"] = w
    return a.sum()


def values_replaced(w: Any) -> Any:
    a = A.copy()
    a.values = A.values * w
    return a.sum()


def added_in_place(w: Any) -> Any:
    a = A.copy()
    a += w
    return (a * 2.0).sum()


REFUSED: dict[str, Callable[[Any], Any]] = {
    "alignment": lambda w: (A * w + OTHER.isel(x=[0, 1])).sum(),
    "alignment of others": lambda w: (A * w + A.assign_coords(x=[10, 20, 40])).sum(),
    "groupby": lambda w: (A * w).groupby("x").mean().sum(),
    "data set": lambda w: (A * w).to_dataset(name="v")["v"].sum(),
    "concat": lambda w: xr.concat([A * w, A], "x").sum(),
    "coarsened": lambda w: (A * w).isel(x=[0, 1]).coarsen(x=2).mean().sum(),
    "interpolated": lambda w: (A * w).interp(x=15).sum(),
    "item": put_in,
    "label": put_in_by_label,
    "values": values_replaced,
    "in place": added_in_place,
    "coordinate": lambda w: A.assign_coords(v=("x", ROW.values * w)).v.sum(),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_refused_and_says_how(name: str) -> None:
    f = REFUSED[name]
    f(W)
    with pytest.raises(AdjointError, match="to_numpy|np.array"):
        grad(f)(W)
    with pytest.raises(AdjointError):
        pushforward(f, (W,), (1.0,))
    assert gradient(lambda x: x * 2.0 + 0.0 * float(f(x) > 1e9), W) == (2.0,)


def test_an_argument_that_is_changed_is_not_passed_over() -> None:
    def overwritten(a: Any) -> Any:
        y = (a**2).sum()
        a[0, 0] = 0.0
        return y + (a * 3.0).sum()

    with pytest.raises(AdjointError):
        grad(overwritten)(A.copy())


def test_what_a_rule_keeps_is_what_was_there() -> None:
    def f(w: Any) -> Any:
        a = A.copy()
        y = (a * w * w).sum()
        a[0, 0] = 100.0
        return y

    assert_allclose(grad(f)(W), 2 * W * A.sum())


def test_a_running_sum_along_all_dimensions_is_refused() -> None:
    with pytest.raises(AdjointError, match="it is along one dimension"):
        grad(lambda a: a.cumsum(...).sum())(A)


@pytest.mark.parametrize(
    "f",
    [lambda x: (x.sum(1) ** 2).sum(), lambda x: (x.diff(1) ** 2).sum(), lambda x: x.mean([0, 1]) ** 2],
)
def test_dimensions_that_have_numbers_for_names(f: Any) -> None:
    def of_array(a: Any) -> Any:
        return f(xr.DataArray(a, dims=(0, 1))).item()

    a = np.arange(6.0).reshape(2, 3)
    v, h = np.random.default_rng(0).normal(size=a.shape), 1e-6
    assert_allclose(np.sum(grad(of_array)(a) * v), (of_array(a + h * v) - of_array(a - h * v)) / (2 * h), rtol=1e-6)


@pytest.mark.parametrize("f", [lambda x: x.diff(1), lambda x: x.diff("z")])
def test_a_dimension_that_is_not_there_is_refused(f: Any) -> None:
    """Some versions of xarray leave a difference along one out without a word."""
    with pytest.raises((AdjointError, ValueError), match="[Dd]imension"):
        grad(lambda a: f(xr.DataArray(a, dims=("x", "y"))).sum().item())(np.ones((2, 3)))
