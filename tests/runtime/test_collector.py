"""The collector of cyclic garbage comes rarely while a derivative runs, and as before when it is over."""

from __future__ import annotations

import gc
import math
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import grad, pullback, rules, value_and_grad
from adjoint.pause import RARELY

PYTHONS = (700, 10, 10)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()  # of the tests, which look rarely
    gc.set_threshold(*PYTHONS)
    yield
    found = gc.get_threshold()
    gc.set_threshold(*before)
    assert found == PYTHONS


class Node:
    """A tree of the user's."""

    def __init__(self, value: float, children: list[Node]) -> None:
        self.value = value
        self.children = children


def tree(depth: int) -> Node:
    return Node(0.1 * depth + 0.2, [tree(depth - 1) for _ in range(3)] if depth else [])


def total(x: float, node: Node) -> float:
    found = x * node.value
    for child in node.children:
        found = found + math.sin(total(x * 0.9, child))
    return found


def looped(x: float, n: int) -> float:
    s = x
    for _ in range(n):
        s = 0.9 * s + math.sin(s)
    return s


def counts(run: Any) -> int:
    """How often the collector comes while something runs."""
    found = []

    def told(phase: str, info: dict[str, int]) -> None:
        found.append(phase)

    gc.callbacks.append(told)
    try:
        run()
    finally:
        gc.callbacks.remove(told)
    return len(found) // 2


def test_it_comes_rarely_over_a_large_tape() -> None:
    root = tree(6)
    for _ in range(4):
        grad(total)(0.7, root)
    assert counts(lambda: grad(total)(0.7, root)) <= 2


@pytest.mark.parametrize("first", [True, False])
def test_thresholds_come_back(first: bool) -> None:
    for _ in range(1 if first else 4):
        grad(looped)(0.3, 50)
        value_and_grad(looped)(0.3, 50)
        pullback(looped, 0.3, 50)[1](1.0)
    assert gc.get_threshold() != RARELY


def test_thresholds_come_back_after_an_error() -> None:
    def fails(x: float, n: int) -> float:
        s = x
        for i in range(n):
            s = s / (3 - i)
        return s

    for _ in range(4):
        grad(fails)(0.3, 3)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            grad(fails)(0.3, 9)
        assert gc.get_threshold() != RARELY


def test_thresholds_of_the_program_stay() -> None:
    chosen = gc.get_threshold()

    def choosing(x: float, n: int) -> float:
        gc.set_threshold(5000, 7, 7)
        s = x
        for _ in range(n):
            s = s * math.sin(s)
        return s

    grad(choosing)(0.3, 5)
    assert gc.get_threshold() == (5000, 7, 7)
    gc.set_threshold(*chosen)


def test_a_collector_that_the_user_has_disabled_stays_so() -> None:
    before = gc.get_threshold()
    gc.set_threshold(0)
    try:
        for _ in range(4):
            grad(looped)(0.3, 50)
        assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*before)
    gc.disable()
    try:
        grad(looped)(0.3, 50)
        assert not gc.isenabled()
    finally:
        gc.enable()


def litter(i: int) -> float:
    """Make garbage that only the collector finds."""
    ring: list[Any] = [i]
    ring.append(ring)
    return 0.1


rules.non_differentiable(litter)


def littering(x: float, n: int) -> float:
    s = x
    for i in range(n):
        s = 0.9 * s + litter(i) * math.sin(s)
    return s


def test_garbage_of_a_long_run_is_collected() -> None:
    """Cyclic garbage that the program makes does not wait for the end of the derivative."""
    collected = []

    def told(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            collected.append(info["collected"])

    n = 3 * RARELY[0]
    for _ in range(4):
        grad(littering)(0.3, 5)
    gc.collect()
    gc.callbacks.append(told)
    try:
        slope = grad(littering)(0.3, n)
    finally:
        gc.callbacks.remove(told)
    assert sum(collected) > n / 2 and max(collected) <= 2 * RARELY[0]
    assert np.isfinite(slope)


def test_threads_share_it() -> None:
    root, found = tree(5), []
    expected = grad(total)(0.7, root)

    def run() -> None:
        for _ in range(5):
            found.append(grad(total)(0.7, root))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 20
