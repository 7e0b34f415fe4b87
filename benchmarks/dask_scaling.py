"""A gradient over partitions on Dask: two workers against one, what a step costs beside it, memory under a limit."""

from __future__ import annotations

from measure import Table  # before NumPy: it sets the number of threads

import contextlib  # isort: skip
import multiprocessing
import os
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import dask
import numpy as np
from distributed import Client, LocalCluster

import adjoint
import adjoint.dask

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from partitions.programs import peak  # noqa: E402

ROUNDS = 7
PARTITIONS, ROWS, COLUMNS = 16, 10_000, 20
LIMIT = 500 << 20


def loss(w, x):
    """Work of some 0.25 s a partition, with little data."""
    total = 0.0
    for _ in range(400):
        total = total + np.sum(np.logaddexp(0.0, x @ w))
    return total


def small(w, x):
    """Nearly no work."""
    return np.sum(w) * np.sum(x)


def block(i, rows):
    """A partition, as if from a file."""
    return np.random.default_rng(i).normal(size=(rows, COLUMNS))


def seconds(call, rounds=ROUNDS):
    """The median time of a call by the clock on the wall, as the work is done in other processes."""
    call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def cluster(workers, limit=0):
    """Workers of one thread each, and of this memory."""
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, memory_limit=limit)


def work(_):
    """Seconds that eight gradients take in a process."""
    g, w, x = adjoint.value_and_grad(loss), np.zeros(COLUMNS), block(0, ROWS)
    g(w, x)
    start = time.perf_counter()
    for _ in range(8):
        g(w, x)
    return time.perf_counter() - start


KEEPING = {"MALLOC_TRIM_THRESHOLD_": str(1 << 28), "MALLOC_MMAP_THRESHOLD_": str(1 << 25)}
"""Variables by which processes keep freed memory. Dask sets the first one to 64 KiB for its workers, if it is not set:
arrays are then given back to the system, and new pages are asked for, in which two workers hinder each other."""


@contextlib.contextmanager
def environment(keeping):
    """The variables of the processes that are started: as they are, or with those by which memory is kept. Dask writes
    its own into the environment of the process that starts workers, so they are taken out again."""
    before = dict(os.environ)
    try:
        os.environ.update(KEEPING if keeping else {})
        yield
    finally:
        for name in KEEPING:
            os.environ.pop(name, None)
        os.environ.update(before)


def scaling(table, keeping, load):
    """Two workers against one, on data that they hold, in turns: by the clock, and by the processor time of workers."""
    w, g = np.zeros(COLUMNS), adjoint.dask.value_and_grad(loss)
    steps, taken, data = {1: [], 2: []}, {1: [], 2: []}, {}
    with (
        environment(keeping),
        cluster(1) as one,
        cluster(2) as two,
        Client(one) as of_one,
        Client(two) as of_two,
    ):
        for workers, client in ((1, of_one), (2, of_two)):
            with client.as_current():
                data[workers] = list(dask.persist(*[dask.delayed(block)(i, ROWS) for i in range(PARTITIONS)]))
                g(w, data[workers])
        for _ in range(ROUNDS):
            for workers, client in ((1, of_one), (2, of_two)):
                with client.as_current():
                    before, start = processor_time(client), time.perf_counter()
                    g(w, data[workers])
                    steps[workers].append(time.perf_counter() - start)
                    taken[workers].append(processor_time(client) - before)
    by_clock = statistics.median([a / b for a, b in zip(steps[1], steps[2], strict=True)])
    by_processor = statistics.median([b / a for a, b in zip(taken[1], taken[2], strict=True)])
    of = "workers that keep freed memory" if keeping else "workers as Dask starts them"
    table.report(f"{of}: 1 worker", statistics.median(steps[1]), " s")
    table.report(f"{of}: 2 workers", statistics.median(steps[2]), " s")
    table.report(f"{of}: processor time of 2 workers, of that of 1", by_processor, "")
    if keeping and load < 0.5:
        table.at_least(f"{of}: 2 workers against 1", by_clock, 1.7)
    else:
        goal = ", of which 1.7 is the goal at a load below 0.5" if keeping else ""
        table.report(f"{of}: 2 workers against 1{goal}", by_clock, "")


def processor_time(client):
    """Seconds of processors that all workers have taken so far."""
    return sum(client.run(time.process_time).values())


def alone(table):
    """Two processes against one, of the same work without Dask."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        ratios = [2 * pool.submit(work, 0).result() / max(pool.map(work, range(2))) for _ in range(ROUNDS)]
    table.report("two processes against one, without Dask", statistics.median(ratios), "")


def overhead(table):
    """A step with nearly no work: by partitions, and by parameters."""
    with cluster(2) as local, Client(local):
        g = adjoint.dask.value_and_grad(small)
        for n in (1, 16, 64, 256):
            data = list(dask.persist(*[dask.delayed(block)(i, 1) for i in range(n)]))
            table.report(
                f"a step of {n} partitions, 10 parameters", seconds(lambda d=data: g(np.zeros(10), d)) * 1e3, " ms"
            )
        data = data[:16]
        for size in (10**5, 10**6):
            table.report(
                f"a step of 16 partitions, {size:,} parameters",
                seconds(lambda n=size: g(np.zeros(n), data)) * 1e3,
                " ms",
            )


def memory(table):
    """The most memory of a worker, by the size of a partition, where all of them are more than its limit."""
    for rows in (100_000, 200_000):
        with cluster(1, LIMIT) as local, Client(local) as client:
            before, worker = max(client.run(peak).values()), client.run(os.getpid)
            size = rows * COLUMNS * 8
            count = 4 * LIMIT // size
            adjoint.dask.value_and_grad(small)(np.zeros(10), [dask.delayed(block)(i, rows) for i in range(count)])
            if client.run(os.getpid) != worker:
                raise MemoryError(f"a worker of {LIMIT >> 20} MiB has died")
            most = max(client.run(peak).values())
        of = f"{count} partitions of {size / 1e6:.0f} MB, {count * size / LIMIT:.1f} times the limit of a worker"
        table.report(f"{of}: memory beyond that of an empty one, in partitions", (most - before) / size, "")
        table.at_most(f"{of}: all its memory, of the limit", most / LIMIT, 1.0)


def main() -> bool:
    """Measure and write the table."""
    table = Table(
        "dask_scaling",
        "Gradients over partitions on Dask",
        f"A loss over {PARTITIONS} partitions of {ROWS} x {COLUMNS} numbers that the workers hold, on local "
        "processes of one thread: 1 worker and 2 take turns. Then steps with nearly no work, and the memory of a "
        f"worker that is killed when it takes more than {LIMIT >> 20} MiB. "
        f"Medians of {ROUNDS} rounds, by the clock on the wall.",
    )
    load = os.getloadavg()[0]  # before this adds to it
    table.report("load average of a minute before the first measurement", load, "")
    alone(table)
    scaling(table, keeping=False, load=load)
    scaling(table, keeping=True, load=load)
    overhead(table)
    memory(table)
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
