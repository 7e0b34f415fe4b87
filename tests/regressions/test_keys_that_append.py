"""Functions of keys that append to what is sorted: `sorted` has taken a copy, `max` and `min` run through the list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjoint import pullback

from .differences import check


def ordered(xs: Any) -> Any:
    def key(v: Any) -> Any:
        xs.append(v * 2.0)
        return -v

    ys = sorted(xs, key=key)
    return ys[0] * 2.0 + sum(xs) * ys[-1]


def largest(xs: Any) -> Any:
    def key(v: Any) -> Any:
        if len(xs) < 6:
            xs.append(v * 2.0)
        return v

    return max(xs, key=key) * 3.0 + sum(xs)


def changed(xs: Any) -> Any:
    def key(v: Any) -> Any:
        xs[0] = xs[0] + v
        return v

    ys = sorted(xs, key=key, reverse=True)
    return ys[0] * xs[0] + ys[-1]


@pytest.mark.parametrize("f", [ordered, largest, changed])
def test_as_in_python(f: Callable[[Any], Any]) -> None:
    for _ in range(3):
        check(f, [1.0, 3.0, 2.0])
        args, plain = [1.0, 3.0, 2.0], [1.0, 3.0, 2.0]
        assert pullback(f, args)[0] == f(plain)
        assert args == plain
