"""Two workers of one thread each, and what their results are compared with."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from interop.needed import needed

import adjoint.dask

dask = needed("dask")
distributed = needed("distributed")

SETTINGS = {
    "distributed.comm.timeouts.connect": "5s",
    "distributed.deploy.lost-worker-timeout": "1h",  # one that is dead again then is closed, and all would wait
    "distributed.worker.memory.terminate": 0.98,
    "logging.distributed": "critical",
}


@contextlib.contextmanager
def client_of_two(limit: Any) -> Iterator[Any]:
    """A client of two processes that may take this memory each; 0 for no limit."""
    with (
        dask.config.set(SETTINGS),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=limit
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def equal(a: Any, b: Any) -> None:
    """To the last bit."""
    assert a[0] == b[0]
    np.testing.assert_array_equal(a[1], b[1])


def in_process(loss: Any, *args: Any, **options: Any) -> Any:
    with dask.config.set(scheduler="sync"):
        return adjoint.dask.value_and_grad(loss, **options)(*args)
