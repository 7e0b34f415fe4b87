"""What workers keep of the functions that they are sent; their memory has no limit here, at which they would pause."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from partitions.clusters import client_of_two
from partitions.programs import rows

import adjoint
import adjoint.dask
import adjoint.optimize

pytestmark = pytest.mark.filterwarnings("default")
X, _, W = rows(400)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with client_of_two(0) as client:
        yield client


def test_a_worker_makes_a_job_once_whatever_the_vector(client: Any) -> None:
    """Its derivatives are made with it, which takes longer than a step; and they would be kept."""

    def loss(w: Any, x: Any) -> Any:
        return np.sum((x @ w) ** 2)

    def known() -> set[bytes]:
        return set(importlib.import_module("adjoint.dask.parts")._RECEIVED)

    x, total = needed("dask.array").from_array(X, chunks=(40, -1)), adjoint.dask.value_and_grad(loss).total
    objective = adjoint.optimize.Objective(lambda w: total(w, x))

    def call(v: Any) -> None:
        np.testing.assert_allclose(adjoint.dask.hvp(loss, (W, x), (v,))[0], 2.0 * X.T @ (X @ v))
        np.testing.assert_allclose(objective.hessp(W, v), 2.0 * X.T @ (X @ v))

    call(W)
    call(-W)  # and both workers have had a part
    before = client.run(known)
    for k in range(3):
        call(np.eye(3)[k])
    assert client.run(known) == before
