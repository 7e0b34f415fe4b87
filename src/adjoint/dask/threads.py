"""Parts of arrays in memory or in files, computed on threads: compiled programs let others run."""

from __future__ import annotations

import contextvars
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from .partitions import Partitions
from .parts import Call


def number_of_threads(threads: int | None) -> int:
    """As many as are asked for, or as this process has processors."""
    if threads is not None:
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(call: Call, partitions: Partitions, threads: int | None) -> Iterator[Any]:
    """The results of a call for each partition, in their order; two for each thread are begun ahead."""
    n = number_of_threads(threads)
    waiting: deque[Future[Any]] = deque()
    with ThreadPoolExecutor(n, thread_name_prefix="adjoint") as pool:
        try:
            for index, blocks in enumerate(partitions.blocks):
                if len(waiting) == 2 * n:
                    yield waiting.popleft().result()
                waiting.append(pool.submit(contextvars.copy_context().run, call, index, *blocks))
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
