"""Refusals over partitions name what was given, and ways out that it has."""

from __future__ import annotations

import numpy as np
import pytest
from interop.needed import needed
from partitions.programs import logistic, rows

import adjoint
import adjoint.dask
from adjoint.errors import NoRuleError, OptionError, PartitionError, ShapeError

X, Y, W = rows(20)


def test_a_partition_is_taken_out_of_what_was_given() -> None:
    with pytest.raises(PartitionError) as caught:
        adjoint.dask.map_partitions(lambda w, x: 1 // int(x[0] - 3), rows=3)(W, np.arange(9))
    assert "`x[1 * 3:][:3]`" in caught.value.way_out
    dask, da = needed("dask"), needed("dask.array")
    with dask.config.set(scheduler="sync"):
        for x, way in (
            ([dask.delayed(part) for part in np.split(np.arange(9), 3)], "`x[1].compute()`"),
            (da.from_array(np.arange(9), chunks=3), "`x.partitions[1].compute()`"),
        ):
            with pytest.raises(PartitionError) as caught:
                adjoint.dask.map_partitions(lambda w, x: 1 // int(x[0] - 3))(W, x)
            assert way in caught.value.way_out


def test_wrong_calls_are_told_before_anything_runs() -> None:
    g = adjoint.dask.value_and_grad(logistic, rows=5)
    for call in (lambda: g(W, X), lambda: g.total(W, X)):
        with pytest.raises(TypeError, match=r"logistic\(\) missing a required argument: 'y'"):
            call()
    for of in (g, adjoint.dask.map_partitions(logistic)):
        with pytest.raises(TypeError, match=r"logistic\(\) got an unexpected keyword argument 'nope'"):
            of(W, X, Y, nope=1)


def test_unequal_lengths_are_told_of_their_kind() -> None:
    g = adjoint.dask.value_and_grad(logistic)
    with pytest.raises(ShapeError) as caught:
        g(W, X, Y[1:])
    assert "equal numbers of rows" in caught.value.way_out and "rechunk" not in caught.value.way_out
    dask = needed("dask")
    with pytest.raises(ShapeError) as caught:
        g(W, [dask.delayed(X)] * 2, [dask.delayed(Y)] * 3)
    assert "lists of one length" in caught.value.way_out and "rechunk" not in caught.value.way_out


def test_third_derivatives_of_totals_are_refused() -> None:
    total = adjoint.dask.value_and_grad(logistic, rows=5).total
    with pytest.raises(NoRuleError, match="derivatives of the second order at most"):
        adjoint.grad(lambda w: np.sum(adjoint.hessian(lambda w: total(w, X, Y))(w)))(W)


def test_collections_in_a_plain_gradient_point_to_sums_over_partitions() -> None:
    da = needed("dask.array")
    x = da.from_array(X, chunks=(5, 3))
    with pytest.raises(NoRuleError, match=r"(?s)`x.compute\(\)`.*adjoint.dask.value_and_grad"):
        adjoint.grad(lambda w: (x * w).sum().compute())(2.0)


def test_labelled_arrays_are_told_to_be_taken_apart() -> None:
    """They have the methods of a collection of Dask's, whatever they hold."""
    xr, da = needed("xarray"), needed("dask.array")
    g = adjoint.dask.value_and_grad(logistic, rows=5)
    near, far = xr.DataArray(X), xr.DataArray(da.from_array(X, chunks=(5, 3)))
    for x in (near, far, xr.Dataset({"x": near}), xr.Dataset({"x": far})):
        with pytest.raises(OptionError, match=f"argument 1 is a {type(x).__name__} of xarray's") as caught:
            g(W, x, Y)
        assert "`x.data`" in caught.value.way_out
    value, slope = adjoint.value_and_grad(logistic)(W, X, Y)
    for found in (g(W, near.data, Y), g(W, far.data, da.from_array(Y, chunks=5))):
        np.testing.assert_allclose(found[0], value)
        np.testing.assert_allclose(found[1], slope)


def test_a_loss_that_is_not_summed_is_told_to_be() -> None:
    g = adjoint.dask.value_and_grad(lambda w, x: x @ w, rows=5)
    for call in (g, g.total, lambda w, x: adjoint.dask.hvp(lambda w, x: x @ w, (w, x), (w,), rows=5)):
        with pytest.raises(PartitionError, match="returns an array of shape") as caught:
            call(W, X)
        assert "return `np.sum(...)`" in str(caught.value) and "map_partitions" in str(caught.value)


def test_arrays_of_delayed_are_told_to_be_lists() -> None:
    dask, da = needed("dask"), needed("dask.array")
    x, y = da.from_array(X, chunks=(5, 3)), da.from_array(Y, chunks=5)
    g = adjoint.dask.value_and_grad(logistic)
    with pytest.raises(OptionError, match="argument 1 is an array of `Delayed`") as caught:
        g(W, x.to_delayed(), y)
    assert "list(blocks.ravel())" in caught.value.way_out
    with dask.config.set(scheduler="sync"):
        found = g(W, list(x.to_delayed().ravel()), list(y.to_delayed().ravel()))
    np.testing.assert_allclose(found[1], adjoint.grad(logistic)(W, X, Y))


def test_lists_of_delayed_in_a_list_are_told_to_stand_alone() -> None:
    dask = needed("dask")
    with pytest.raises(OptionError, match="there are no data") as caught:
        adjoint.dask.value_and_grad(lambda w, x: w * np.sum(x))(1.0, [[dask.delayed(np.ones)(2)] * 2])
    assert "`[a, b]` for `[[a, b]]`" in caught.value.way_out
