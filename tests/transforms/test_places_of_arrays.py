"""Loops over the places of arrays: `np.ndindex` and `np.ndenumerate`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .held_to_python import hold, hold_errors


def numbers() -> tuple[Any, ...]:
    return (np.array([0.31, 0.52, 0.93, 0.24, 0.75, 0.66]),)


def a_grid(x: Any) -> Any:
    s = np.zeros((3, 4))
    for i, j in np.ndindex(3, 4):
        s[i, j] = x[0] * s[i - 1, j] + x[1] * s[i, j - 1] + x[i]
    return s.sum()


def by_its_shape(x: Any) -> Any:
    s = np.zeros((3, 2, 2))
    for i, j, k in np.ndindex(s.shape):
        s[i, j, k] = x[0] * s[i - 1, j, 1 - k] + x[1] * s[i, j - 1, k] + x[i]
    return (s * s).sum()


def by_a_star(x: Any) -> Any:
    s = np.zeros((3, 4))
    for i, j in np.ndindex(*s.shape):
        if j > i:
            continue
        if i == 2 and j == 1:
            break
        s[i, j] = x[0] * s[i - 1, j] + x[1] * s[i, j - 1] + x[i]
    return s.sum()


def a_place_as_an_index(x: Any) -> Any:
    s, t = np.outer(x, x), 0.0
    for p in np.ndindex(s.shape):
        t += s[p] ** 2 * p[0]
        s[p] *= x[1]
    return t + s.sum()


def with_the_items(x: Any) -> Any:
    t, s = 0.0, np.outer(x, x)
    for (i, j), v in np.ndenumerate(s):
        t += v * v * i * (j + 1)
    for i, v in np.ndenumerate(x):
        t *= 1 + v * i[0] * 0.1
    for (i, j, k), v in np.ndenumerate(s.reshape(2, 3, 6)):
        t += v * (i + 2 * j + 3 * k)
    return t


def collected(x: Any) -> Any:
    several = [x[i] * x[j] * j for i, j in np.ndindex(3, 2)]
    return sum(several) + sum(x[i] * j for i, j in np.ndindex(2, 3)) + len(list(np.ndindex(2, 2))) * x[0]


def where_lists_are_memory(x: Any) -> Any:
    state = [x[0], x[1], -x[0]]
    for i, j in np.ndindex(3, 3):
        new = state.copy()
        new[j] += 0.3 * x[i]
        if new[0] < i:
            state = new
    return state[0] * state[1]


def nothing(x: Any) -> Any:
    t = x[0]
    for i, _ in np.ndindex((0, 3)):
        t += x[i]
    return t


def sizes_of_the_run(x: Any) -> Any:
    t, n = 0.0, len(x) - 3
    for i, j in np.ndindex(n, n + 1):
        t += x[i] * x[j]
    for (i,) in np.ndindex(n):
        t += x[i] ** 2
    return t


def stored_ahead(x: Any) -> Any:
    t, s = 0.0, np.outer(x, x)
    for (i, j), v in np.ndenumerate(s):
        s[5 - i, j] += v
        t = 0.5 * t * v + v
    return t


def stored_before_the_first(x: Any) -> Any:
    t, s = 0.0, x * 2.0
    places = np.ndenumerate(s)
    s[0] = 4.0 * x[1]
    for i, v in places:
        t += v * v * (i[0] + 1)
    return t


def stored_by_another(x: Any) -> Any:
    t, s = 0.0, np.outer(x, x)
    for i, v in np.ndenumerate(s):
        _add_to_last(s, v)
        t = 0.5 * t * v + v * i[0]
    return t


def _add_to_last(s: Any, v: Any) -> None:
    s[-1] += v


def stored_by_another_view(x: Any) -> Any:
    t, s = 0.0, np.outer(x, x)
    for i, v in np.ndenumerate(s[:, ::-1].T):
        s[i] *= 1.5
        t += v * (i[0] + 1)
    return t


PROGRAMS = [
    *(a_grid, by_its_shape, by_a_star, a_place_as_an_index, with_the_items, collected, where_lists_are_memory),
    *(nothing, sizes_of_the_run, stored_ahead, stored_before_the_first, stored_by_another, stored_by_another_view),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    hold(f, numbers)


def below_zero(x: Any) -> Any:
    t, n = 0.0, len(x) - 8
    for i, j in np.ndindex(2, n):
        t += x[i] * x[j]
    return t


def too_few_axes(x: Any) -> Any:
    t = 0.0
    for i, j in np.ndindex((2,)):
        t += x[i] * x[j]
    return t


@pytest.mark.parametrize("f", [below_zero, too_few_axes], ids=lambda f: f.__name__)
def test_errors(f: Any) -> None:
    hold_errors(f, numbers, ValueError)
