"""Losses and loads for workers, which import none of the tests: all is sent."""

import contextlib
import math
import os
import resource
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np


def logistic(w, x, y):
    """The sum over one partition."""
    z = x @ w
    return np.sum(np.logaddexp(0.0, z) - y * z)


def averaged(w, x, y):
    """The sum, and of how many."""
    return logistic(w, x, y), len(y)


def rows(n, k=3, seed=0, dtype=float):
    """Data, and a point."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, k)).astype(dtype)
    y = (rng.random(n) < 0.5).astype(dtype)
    return x, y, rng.normal(size=k).astype(dtype)


def dies_once(block, marker):
    """The block; the process that is first asked for it dies."""
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return block


def dies(block):
    """Nothing: the process dies, after other tasks of its worker are done: Dask blames all that are in flight."""
    time.sleep(0.25)
    os.kill(os.getpid(), signal.SIGKILL)


def raises(w, x):
    """Of one partition nothing."""
    if x[0] == 7.0:
        raise ZeroDivisionError("of a worker")
    return np.sum(x) * w[0]


def read(i, n):
    """A partition of 20 columns, as if from a file."""
    return np.full((n, 20), float(i))


def held(n):
    """Rows of 20 columns that are kept for as long as the memory of a process is looked at."""
    x = np.ones((n, 20))
    time.sleep(5.0)
    return x


def summed(w, x):
    """A loss of nearly no work."""
    return np.sum(x @ w)


def in_a_loop(w, x):
    """Sum and count by a loop, which is compiled."""
    total, count = 0.0, 0.0
    for i in range(x.shape[0]):
        weight = math.exp(0.1 * w[1] * x[i, 1])
        total += weight * math.exp(w[0] * x[i, 0])
        count += weight
    return total, count


def first_of_a_loop(w, x):
    """The sum alone."""
    return in_a_loop(w, x)[0]


def peak():
    """The most memory that this process has taken, in bytes; `getrusage` would count that of the process which started
    it, too."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def unread(block: Any, i: int) -> Any:
    """The source of a partition, of which one is not there."""
    if i == 3:
        raise OSError("there is no such file")
    return block


def noted(block: Any, i: int, folder: str, fails: tuple[int, ...] = (3,)) -> Any:
    """The source of a partition, which notes that it was asked for one, of which some are not there."""
    with open(Path(folder, str(i)), "a") as file:
        file.write("x")
    return unread(block, 3 if i in fails else 0)


def at_times(block: Any, i: int, state: str) -> Any:
    """The source of a partition; which one is not there, a file says."""
    return unread(block, 3 if Path(state).read_text() == str(i) else 0)


def times(folder: Any) -> int:
    """How often a partition was asked for, at most."""
    return max([path.stat().st_size for path in Path(folder).iterdir()])
