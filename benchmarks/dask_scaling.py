"""A gradient over partitions on Dask: two workers against one, what a step costs beside it, memory by a partition."""

from __future__ import annotations

from measure import Table  # before NumPy: it sets the number of threads

import multiprocessing  # isort: skip
import os
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import dask
import numpy as np
from distributed import Client, LocalCluster

import adjoint
import adjoint.dask

ROUNDS = 5
PARTITIONS, ROWS, COLUMNS = 16, 40_000, 20


def loss(w, x):
    """Work of some 0.25 s a partition, with little data."""
    total = 0.0
    for _ in range(30):
        total = total + np.sum(np.logaddexp(0.0, x @ w))
    return total


def small(w, x):
    """Nearly no work."""
    return np.sum(w) * np.sum(x)


def block(i, rows):
    """A partition, as if from a file."""
    return np.random.default_rng(i).normal(size=(rows, COLUMNS))


def peak():
    """The most memory that this process has taken, in bytes; `getrusage` would count that of the process which started
    it, too."""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))


def seconds(call, rounds=ROUNDS):
    """The median time of a call by the clock on the wall, as the work is done in other processes."""
    call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def cluster(workers):
    """Workers of one thread each."""
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)


def work(_):
    """Seconds that eight gradients take in a process."""
    g, w, x = adjoint.value_and_grad(loss), np.zeros(COLUMNS), block(0, ROWS)
    g(w, x)
    start = time.perf_counter()
    for _ in range(8):
        g(w, x)
    return time.perf_counter() - start


def alone(table):
    """What two processors of this machine do of the same work in the time of one, without Dask."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        ratios = [2 * pool.submit(work, 0).result() / max(pool.map(work, range(2))) for _ in range(ROUNDS)]
    table.report("two processes without Dask, each alone / together", statistics.median(ratios), "")


def scaling(table):
    """Two workers against one, on data that they hold."""
    times = {}
    load = os.getloadavg()[0]
    for workers in (1, 2):
        with cluster(workers) as local, Client(local):
            data = list(dask.persist(*[dask.delayed(block)(i, ROWS) for i in range(PARTITIONS)]))
            g, w = adjoint.dask.value_and_grad(loss), np.zeros(COLUMNS)
            times[workers] = seconds(lambda g=g, w=w, data=data: g(w, data))
    table.report("load average when it began", load, "")
    table.report("1 worker", times[1], " s")
    table.report("2 workers", times[2], " s")
    if load < 0.5:
        table.at_least("1 worker / 2 workers", times[1] / times[2], 1.7)
    else:
        table.report("1 worker / 2 workers (the goal is 1.7 when the load is below 0.5)", times[1] / times[2], "")


def processor_time(client):
    """Seconds of processors so far: of the workers together, and of this process, which is client and scheduler."""
    return np.array([sum(client.run(time.process_time).values()), time.process_time()])


def processor_seconds(workers):
    """What a step takes of the workers, and of client and scheduler; then the same of one with nearly no work."""
    taken = []
    with cluster(workers) as local, Client(local) as client:
        for of, rows in ((loss, ROWS), (small, 1)):
            data = list(dask.persist(*[dask.delayed(block)(i, rows) for i in range(PARTITIONS)]))
            g, w = adjoint.dask.value_and_grad(of), np.zeros(COLUMNS)
            g(w, data)
            steps = []
            for _ in range(ROUNDS):
                before = processor_time(client)
                g(w, data)
                steps.append(processor_time(client) - before)
            taken.append(np.median(steps, axis=0))
    return taken


def limit(table):
    """What two workers would reach by the processor time of a step, which does not depend on what else runs."""
    (work, waiting), (_, serial) = processor_seconds(1)
    (work_of_two, _), (_, serial_of_two) = processor_seconds(2)
    alone, computed = work + serial, work_of_two / 2 + serial_of_two
    table.report("load average", os.getloadavg()[0], "")
    table.report("1 worker: the worker, a step", work, " s")
    table.report("2 workers: both together, a step", work_of_two, " s")
    table.report("1 worker: client and scheduler, a step with nearly no work", serial * 1e3, " ms")
    table.report("2 workers: client and scheduler, a step with nearly no work", serial_of_two * 1e3, " ms")
    table.report("1 worker: client and scheduler, a step, with what they do while they wait", waiting * 1e3, " ms")
    table.report("serial fraction, of 1 worker", serial / alone, "")
    table.report("computed: 2 workers, by the serial fraction alone", alone / (work / 2 + serial), "")
    table.report("computed: 2 workers, with what they take of each other", alone / computed, "")


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
    """What a worker takes at most, by the size of a partition; forty of them are read."""
    for rows in (50_000, 200_000):
        with cluster(1) as local, Client(local) as client:
            before = max(client.run(peak).values())
            data = [dask.delayed(block)(i, rows) for i in range(40)]
            adjoint.dask.value_and_grad(small)(np.zeros(10), data)
            taken = max(client.run(peak).values()) - before
        size = rows * COLUMNS * 8
        table.report(f"memory of 40 partitions of {size / 1e6:.0f} MB, in partitions", taken / size, "")


def main() -> bool:
    """Measure and write the table."""
    table = Table(
        "dask_scaling",
        "Gradients over partitions on Dask",
        f"A loss over {PARTITIONS} partitions of {ROWS} x {COLUMNS} numbers that the workers hold, on local "
        "processes of one thread; then steps with nearly no work, and the memory that a worker takes beyond what it "
        "took when it was empty. "
        f"Medians of {ROUNDS} rounds, by the clock on the wall.",
    )
    alone(table)
    scaling(table)
    overhead(table)
    memory(table)
    return table.write() and by_processors()


def by_processors() -> bool:
    """Compute what two workers would reach, and write the table."""
    table = Table(
        "dask_scaling_computed",
        "Two workers on Dask, computed from processor time",
        f"The step of {PARTITIONS} partitions of `dask_scaling`, by the processor time of its processes, which other "
        "load on the machine moves less than the clock on the wall. What client and scheduler take of a step with "
        "nearly no work is counted as serial. Two workers take half of the rest, which two at a time slow down where "
        "they share caches and memory, with each other and with all else that runs. The speeds are computed, and not "
        "measured. "
        f"Medians of {ROUNDS} rounds.",
    )
    limit(table)
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
