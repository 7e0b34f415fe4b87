"""On two processes: workers that die, partitions that fail, data that are lost, and more data than memory."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from partitions.clusters import client_of_two, equal, in_process
from partitions.programs import (
    at_times,
    averaged,
    dies,
    dies_once,
    held,
    logistic,
    noted,
    peak,
    raises,
    read,
    rows,
    summed,
    times,
)
from travelling.cells import cell

import adjoint
import adjoint.dask
from adjoint.errors import PartitionError, PartitionLostError

dask = needed("dask")
distributed = needed("distributed")
da = needed("dask.array")
pytestmark = pytest.mark.filterwarnings("default")

X, Y, W = rows(400)
LIMIT = 400 << 20
"""The memory that a worker may take; an empty one has a third of it."""


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with client_of_two(LIMIT) as client:
        yield client


def data(chunk: int = 40) -> tuple[Any, Any]:
    return da.from_array(X, chunks=(chunk, -1)), da.from_array(Y, chunks=chunk)


def test_bits_are_those_of_one_process(client: Any) -> None:
    g, (x, y) = adjoint.dask.value_and_grad(logistic), data()
    got = g(W, x, y)
    equal(got, in_process(logistic, W, x, y))
    equal(got, g(W, x, y))
    one = list(client.scheduler_info()["workers"])[:1]
    equal(got, client.compute(g.delayed(W, x, y), workers=one, allow_other_workers=False).result())
    value, slope = adjoint.value_and_grad(logistic)(W, X, Y)
    np.testing.assert_allclose(got[0], value)
    np.testing.assert_allclose(got[1], slope)


def test_closures_and_models_travel(client: Any) -> None:
    """A function of a test goes by value, and its source with it; a gradient of a model's class comes back."""

    class Line:
        def __init__(self, w: Any, b: float) -> None:
            self.w, self.b = w, b

    def helper(model: Any, x: Any) -> Any:
        return x @ model.w + model.b

    def loss(model: Any, x: Any, y: Any) -> Any:
        return np.sum((helper(model, x) - y) ** 2)

    model, (x, y) = Line(W, 0.5), data()
    value, slope = adjoint.dask.value_and_grad(loss)(model, x, y)
    expected, plain = adjoint.value_and_grad(loss)(model, X, Y)
    np.testing.assert_allclose(value, expected)
    np.testing.assert_allclose(slope.w, plain.w)
    np.testing.assert_allclose(slope.b, plain.b)
    product = adjoint.dask.hvp(loss, (model, x, y), (slope,))[0]
    np.testing.assert_allclose(product.w, adjoint.hvp(loss, (model, X, Y), (slope, None, None))[0].w)


def test_lambdas_within_parameters_bring_their_texts(client: Any) -> None:
    """A worker could read no file for them: they are of a cell."""
    cells = cell(
        "class Line:\n    def __init__(self, w, turn): self.w, self.turn = w, turn\n"
        "    def __call__(self, x): return self.turn(x @ self.w)\n"
        "def loss(model, x): return np.sum(model(x))\n"
        "turns = [lambda z: z * z]\n"
    )
    model, x = cells["Line"](W, cells["turns"][0]), data()[0]
    value, slope = adjoint.dask.value_and_grad(cells["loss"])(model, x)
    np.testing.assert_allclose(value, np.sum((X @ W) ** 2))
    np.testing.assert_allclose(slope.w, 2 * X.T @ (X @ W))
    product = adjoint.dask.hvp(cells["loss"], (model, x), (slope,))[0]
    np.testing.assert_allclose(product.w, 2 * X.T @ (X @ slope.w))


@pytest.mark.parametrize("way", ["total", "map", "hvp"])
def test_all_that_is_sent_brings_its_texts(client: Any, way: str) -> None:
    """A loss that differentiates something itself: also where the first that is asked of it is its value."""
    cells = cell("def inner(w): return np.sum(w**3)\ndef loss(w, x): return np.sum(x @ grad(inner)(w))\n")
    loss, x = cells["loss"], data()[0]
    ways = {
        "total": lambda: adjoint.dask.value_and_grad(loss).total(W, x),
        "map": lambda: sum(adjoint.dask.map_partitions(loss)(W, x)),
        "hvp": lambda: adjoint.dask.hvp(loss, (W, x), (W,))[0] @ W / 2,
    }
    np.testing.assert_allclose(ways[way](), np.sum(X @ (3.0 * W**2)))


def test_what_a_loss_captures_is_read_anew(client: Any) -> None:
    scale = {"of": 1.0}

    def loss(w: Any, x: Any) -> Any:
        return scale["of"] * np.sum(x @ w)

    g, x = adjoint.dask.value_and_grad(loss), data()[0]
    first = g(W, x)[0]
    scale["of"] = 3.0
    np.testing.assert_allclose(g(W, x)[0], 3.0 * first)


def test_a_worker_that_dies_once(client: Any, tmp_path: Path) -> None:
    marker, blocks = str(tmp_path / "died"), np.split(X, 10)
    x = [dask.delayed(dies_once)(block, marker) if i == 4 else dask.delayed(block) for i, block in enumerate(blocks)]
    y = [dask.delayed(block) for block in np.split(Y, 10)]
    got = adjoint.dask.value_and_grad(logistic)(W, x, y)
    assert Path(marker).exists()
    equal(got, in_process(logistic, W, *data()))


@pytest.mark.parametrize("where", ["in the loss", "in the data"])
def test_a_partition_that_always_kills(client: Any, where: str) -> None:
    """It takes four deaths: with fewer allowed, Dask may blame a task that waited on the same worker."""

    def fatal(w: Any, x: Any) -> Any:
        if x[0, 0] == 3.0:
            dies(x)
        return np.sum(x @ w)

    blocks = [np.full((2, 3), float(i)) for i in range(5)]
    x = [dask.delayed(dies)(b) if i == 3 and where == "in the data" else dask.delayed(b) for i, b in enumerate(blocks)]
    with pytest.raises(PartitionError, match="each worker that ran partition 3 has died") as caught:
        adjoint.dask.map_partitions(fatal)(W, x)
    assert caught.value.index == 3 and type(caught.value.__cause__).__name__ == "KilledWorker"


@pytest.mark.parametrize("of", [adjoint.dask.map_partitions, adjoint.dask.value_and_grad])
def test_a_partition_that_cannot_be_made(client: Any, of: Any, tmp_path: Path) -> None:
    """It is known from the run that failed: no partition is made again, behind others that are made of it either."""
    x = [dask.delayed(noted)(block, i, str(tmp_path)) for i, block in enumerate(np.split(X, 10))]
    behind = [dask.delayed(np.negative)(block) for block in x]
    with pytest.raises(PartitionError, match="making partition 3 raises OSError: there is no such file") as caught:
        of(lambda w, x: np.sum(x @ w))(W, behind)
    assert caught.value.index == 3 and "raise OSError" in caught.value.why
    assert times(tmp_path) == 1


def test_the_same_partition_fails_twice(client: Any, tmp_path: Path) -> None:
    """What a client remembers of a key that failed before is told again."""
    x = [dask.delayed(noted)(block, i, str(tmp_path), (6,)) for i, block in enumerate(np.split(X, 10))]
    for _ in range(2):
        with pytest.raises(PartitionError, match="making partition 6 raises OSError") as caught:
            adjoint.dask.value_and_grad(logistic)(W, x, [dask.delayed(block) for block in np.split(Y, 10)])
        assert caught.value.index == 6


def test_partitions_that_fail_one_after_the_other(client: Any, tmp_path: Path) -> None:
    """The keys of data are the same in each call, and the scheduler remembers how they ended before."""
    g, state = adjoint.dask.value_and_grad(summed), tmp_path / "fails"
    x = [dask.delayed(at_times)(block, i, str(state)) for i, block in enumerate(np.split(X, 10))]
    for i in (3, 6, 1, 8):
        state.write_text(str(i))
        with pytest.raises(PartitionError, match=f"making partition {i} raises") as caught:
            g(W, x)
        assert caught.value.index == i
        state.write_text("10")  # and none
        g(W, x)


def test_persisted_data_that_have_failed(client: Any, tmp_path: Path) -> None:
    """They failed before the call, of which their partition's own task tells."""
    x = [dask.delayed(noted)(block, i, str(tmp_path)) for i, block in enumerate(np.split(X, 10))]
    kept = list(dask.persist(*x))
    distributed.wait(kept)
    for data, index in ((kept, 3), (kept[::-1], 6)):
        with pytest.raises(PartitionError, match=f"making partition {index} raises OSError") as caught:
            adjoint.dask.value_and_grad(summed)(W, data)
        assert caught.value.index == index


def test_a_partition_that_raises(client: Any) -> None:
    x, y = data()
    with pytest.raises(PartitionError, match="partition 7 raises ZeroDivisionError: of a worker") as caught:
        adjoint.dask.value_and_grad(raises)(W, da.from_array(np.repeat(np.arange(10.0), 2), chunks=2))
    assert caught.value.index == 7
    assert "programs.py" in caught.value.why and "raise ZeroDivisionError" in caught.value.why


def test_scattered_data_on_a_killed_worker(client: Any) -> None:
    client.wait_for_workers(2)
    blocks = client.scatter(np.split(X, 10))
    at = client.who_has(blocks)
    victim = next(iter(at.values()))[0]
    gone = {i for i, block in enumerate(blocks) if at[block.key][0] == victim}
    os.kill(client.run(os.getpid)[victim], signal.SIGKILL)
    with pytest.raises(PartitionLostError, match="persist from a source that can be read again") as caught:
        adjoint.dask.value_and_grad(lambda w, x: np.sum(x @ w))(W, blocks)
    assert caught.value.index in gone


@pytest.mark.parametrize("kind", ["a future", "made of one", "persisted"])
def test_lost_data_of_an_array_are_told_of_their_partition(client: Any, kind: str) -> None:
    """A block of an array names a future by its key alone, behind whatever is made of it."""
    client.wait_for_workers(2)
    victim = list(client.scheduler_info()["workers"])[0]
    future = client.scatter(X[:100], workers=[victim], hash=False)
    last = da.from_delayed(dask.delayed(future), (100, 3), dtype=float)
    if kind != "a future":
        last = last * 2.0
    if kind == "persisted":
        last = client.persist(last, workers=[victim])
        distributed.wait(last)
    x = da.concatenate([da.from_array(X[100:], chunks=(100, -1)), last])
    os.kill(client.run(os.getpid)[victim], signal.SIGKILL)
    with pytest.raises(PartitionLostError, match="the data of partition 3 are lost") as caught:
        adjoint.dask.value_and_grad(lambda w, x: np.sum(x @ w))(W, x)
    assert caught.value.index == 3


def test_ten_times_the_memory_of_a_worker(client: Any) -> None:
    """200 partitions of 20 MB, read where they are needed; a worker holds few of them at a time, and none dies."""
    n, count = 1 << 17, 10 * LIMIT // (20 * 8 * (1 << 17)) + 1
    parts = [dask.delayed(read)(i, n) for i in range(count)]
    assert count * n * 20 * 8 >= 10 * LIMIT

    client.wait_for_workers(2)
    before = client.run(os.getpid)
    value, slope = adjoint.dask.value_and_grad(summed)(np.ones(20), parts)
    np.testing.assert_allclose(value, 20 * n * sum(range(count)))
    np.testing.assert_allclose(slope, np.full(20, n * sum(range(count))))
    assert client.run(os.getpid) == before, "a worker has died"
    assert max(client.run(peak).values()) < LIMIT


def test_planted_the_limit_kills_what_holds_more(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the test above: of the same data an eighth, in one partition, is more than a worker may take."""
    monkeypatch.setattr(client.cluster.scheduler, "allowed_failures", 0)
    client.wait_for_workers(2)
    before = client.run(os.getpid)
    whole = dask.delayed(held)(10 * LIMIT // 8 // (20 * 8))
    with pytest.raises(PartitionError, match="each worker that ran partition 0 has died") as caught:
        adjoint.dask.value_and_grad(summed)(np.ones(20), [whole])
    assert type(caught.value.__cause__).__name__ == "KilledWorker"
    client.wait_for_workers(2)
    assert client.run(os.getpid) != before


def test_means_and_optimizers(client: Any) -> None:
    optimize = needed("scipy.optimize")
    x, y = data()
    g = adjoint.dask.value_and_grad(averaged, reduction="mean")
    value, slope = adjoint.value_and_grad(lambda w: logistic(w, X, Y) / len(Y))(W)
    np.testing.assert_allclose(g(W, x, y)[0], value)
    np.testing.assert_allclose(g(W, x, y)[1], slope)
    found = optimize.minimize(g, W, args=(x, y), jac=True)
    assert np.max(np.abs(adjoint.grad(logistic)(found.x, X, Y))) < 1e-2


def test_data_that_are_kept_on_the_workers(client: Any) -> None:
    """A block that is there already was given as its key."""
    x, y = [array.persist() for array in data()]
    equal(adjoint.dask.value_and_grad(logistic)(W, x, y), in_process(logistic, W, *data()))
    equal(adjoint.dask.value_and_grad(logistic)(W, x * 1.0, y), in_process(logistic, W, *data()))
    assert adjoint.dask.value_and_grad(lambda w, x: np.sum(w) * len(x))(W, x)[0] == np.sum(W) * len(X)
