"""Compiled losses on two processes, without a limit of memory: Numba takes more than those of `test_cluster` have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from partitions.clusters import client_of_two, equal, in_process
from partitions.programs import first_of_a_loop, in_a_loop, rows

import adjoint
import adjoint.dask
from adjoint.errors import PartitionError

needed("numba")
da = needed("dask.array")
pytestmark = pytest.mark.filterwarnings("default")

X, _, W = rows(400)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with client_of_two(0) as client:
        yield client


@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_compiled_losses_on_workers(client: Any, reduction: Any) -> None:
    """`compile="strict"` raises on the worker where a loss is not compiled."""
    loss = in_a_loop if reduction == "mean" else first_of_a_loop
    g, x = adjoint.dask.value_and_grad(loss, reduction=reduction, compile="strict"), da.from_array(X, chunks=(40, -1))
    equal(g(W, x), in_process(loss, W, x, reduction=reduction, compile="strict"))
    plain = adjoint.dask.value_and_grad(loss, reduction=reduction)(W, x)
    np.testing.assert_allclose(g(W, x)[0], plain[0])
    np.testing.assert_allclose(g(W, x)[1], plain[1])


def test_losses_that_cannot_be_compiled_on_workers(client: Any) -> None:
    """They are said to be so with their partition, or run as they are."""

    def loss(w: Any, x: Any) -> Any:
        return np.sum(x @ w) * float(str(2.0))

    x = da.from_array(X, chunks=(40, -1))
    with pytest.raises(PartitionError, match=r"partition \d raises CompileError: `loss`"):
        adjoint.dask.value_and_grad(loss, compile="strict")(W, x)
    equal(adjoint.dask.value_and_grad(loss, compile=True)(W, x), in_process(loss, W, x))
