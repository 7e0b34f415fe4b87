"""The check of gradients by differences: of what functions capture, too, and nothing is moved by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import rule

from .differences import check, copies


def capturing(w: Any, held: list[Any]) -> Callable[[float], float]:
    return lambda x: float((w * w).sum()) * x + held[0] * float(held[1][0])


def changing(w: Any, held: list[Any]) -> Callable[[float], float]:
    def f(x: float) -> float:
        w[0] *= x
        held[0] += w[0]
        return float(w.sum()) * held[0]  # type: ignore[no-any-return]

    return f


def called(f: Callable[[float], float], x: float) -> float:
    return f(x) * x


@pytest.mark.parametrize("make", [capturing, changing])
def test_what_functions_capture_is_moved_in_copies(make: Any) -> None:
    w = np.array([1.0, 2.0])
    held = [0.5, np.array([0.7])]
    for _ in range(3):
        check(called, make(w, held), 0.5)
    assert w.tolist() == [1.0, 2.0] and held[0] == 0.5 and held[1].tolist() == [0.7]


def test_nothing_is_moved_where_the_program_fails() -> None:
    w, runs = np.array([1.0, 2.0]), []
    f = capturing(w, [0.5, w])

    def failing(g: Callable[[float], float], x: float) -> float:
        runs.append(0)
        if len(runs) > 4:
            raise RuntimeError
        return g(x)

    with pytest.raises(RuntimeError):
        check(failing, f, 0.5)
    assert len(runs) == 5 and w.tolist() == [1.0, 2.0]


def test_a_wrong_gradient_by_what_is_captured_is_found() -> None:
    def scaled(w: Any) -> float:
        return float(w.sum())

    rule(scaled)(lambda w: (float(w.sum()), lambda bar: (np.full_like(w, 2.0 * bar),)))

    def make(w: Any) -> Callable[[], float]:
        return lambda: scaled(w)

    with pytest.raises(AssertionError, match="Mismatched elements: 2 / 2"):
        check(lambda f: f(), make(np.array([1.0, 2.0])))


def test_copies_share_what_the_originals_share() -> None:
    w = np.array([1.0, 2.0])
    f, held = copies((capturing(w, [0.5, w]), w))
    assert f.__closure__[1].cell_contents is held is not w
    assert f.__closure__[0].cell_contents[1] is held
