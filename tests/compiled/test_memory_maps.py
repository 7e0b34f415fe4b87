"""Arrays that lie in a file: `np.memmap` is compiled as an array is."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from interop.needed import needed

import adjoint
import adjoint.dask

numba = needed("numba")
pytestmark = pytest.mark.filterwarnings("error")

W = np.array([1.0, 2.0])


@pytest.fixture(params=["r", "r+", "c"])
def mapped(request: Any, tmp_path: Path) -> Any:
    np.save(tmp_path / "x.npy", np.random.default_rng(0).normal(size=(100, 2)))
    return np.load(tmp_path / "x.npy", mmap_mode=request.param)


def loss(w: Any, x: Any) -> Any:
    total = 0.0
    for i in range(x.shape[0]):
        total += (x[i, 0] * w[0] + x[i, 1] * w[1]) ** 2
    return total


@pytest.mark.parametrize("compile", [True, "strict"])
def test_values_and_gradients(compile: Any, mapped: Any) -> None:
    value, slope = adjoint.value_and_grad(loss, (0, 1))(W, np.array(mapped))
    found, bars = adjoint.value_and_grad(loss, (0, 1), compile=compile)(W, mapped)
    np.testing.assert_allclose([found, adjoint.compile(loss)(W, mapped)], [value, value])
    for bar, expected in zip(bars, slope, strict=True):
        np.testing.assert_allclose(bar, expected)


@pytest.mark.parametrize("compile", [True, "strict"])
def test_sums_over_the_rows_of_a_file(compile: Any, mapped: Any) -> None:
    value, slope = adjoint.value_and_grad(loss)(W, np.array(mapped))
    found, bar = adjoint.dask.value_and_grad(loss, rows=30, threads=2, compile=compile)(W, mapped)
    np.testing.assert_allclose(found, value)
    np.testing.assert_allclose(bar, slope)


def test_within_containers_records_and_closures(mapped: Any) -> None:
    expected = adjoint.grad(loss)(W, np.array(mapped))
    ways = [
        adjoint.grad(lambda w, of: loss(w, of.x), compile="strict")(W, SimpleNamespace(x=mapped)),
        adjoint.grad(lambda w, of: loss(w, of["x"]), compile="strict")(W, {"x": mapped}),
        adjoint.grad(lambda w: loss(w, mapped), compile="strict")(W),
    ]
    for found in ways:
        np.testing.assert_allclose(found, expected)


def test_one_program_serves_arrays_in_memory_and_in_a_file(mapped: Any) -> None:
    g = adjoint.grad(loss, compile="strict")
    for x in (np.array(mapped), mapped, np.array(mapped)[::2], mapped[::2]):
        np.testing.assert_allclose(g(W, x), adjoint.grad(loss)(W, np.array(x)))


def test_stores_reach_the_file(mapped: Any) -> None:
    def store(w: Any, x: Any) -> Any:
        x[0, 0] = w[0]
        return x[0, 0] * w[0]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it may run without being compiled
        if mapped.flags.writeable:
            assert adjoint.compile(store)(3.0 * W, mapped) == 9.0 and mapped[0, 0] == 3.0
        else:
            with pytest.raises(ValueError, match="read-only"):
                adjoint.compile(store)(W, mapped)
