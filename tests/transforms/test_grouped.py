"""`itertools.groupby` of lists: groups are slices of the list where each is taken at once, and as Python has them."""

from __future__ import annotations

import itertools
import math
from itertools import groupby
from operator import itemgetter
from typing import Any

import pytest
from regressions.differences import check

from adjoint import grad, pullback
from adjoint.derivatives import choice

from .held_to_python import hold

XS = [0.3, 1.2, 0.7, 2.1, 1.9, 0.1, 2.6]


def of_pairs(xs: Any) -> Any:
    items = sorted(((int(v), v) for v in xs), key=itemgetter(0))
    s = 0.0
    for k, group in groupby(items, key=itemgetter(0)):
        vs = [v for _, v in group]
        s += (k + 1) * sum(vs) ** 2 / len(vs)
    return s


def by_lambda(xs: Any) -> Any:
    s = 0.0
    for k, group in itertools.groupby(sorted(xs), lambda v: int(v)):
        s += (k + 1) * math.prod(group)
    return s


def by_value(xs: Any) -> Any:
    """Keys that are differentiated."""
    s = 0.0
    for k, group in groupby([xs[0], xs[0], xs[1], xs[0]]):
        s += k * k * len(list(group))
    return s


def in_comprehensions(xs: Any) -> Any:
    sums = {k: sum(group) for k, group in groupby(sorted(xs), key=int)}
    longest = max([list(group) for _, group in groupby(xs, lambda v: v > 1.0)], key=len)
    return sum(v * v for v in sums.values()) + sum(longest)


def skipped(xs: Any) -> Any:
    """Groups that are not looked at."""
    s = 0.0
    for k, group in groupby(sorted(xs), key=int):
        if k != 1:
            for v in group:
                s += v * v
    return s


def left(xs: Any) -> Any:
    s = 0.0
    for k, group in groupby(sorted(xs), key=int):
        if k > 1:
            break
        s += sum(group) ** 2
    return s


def empty(xs: Any) -> Any:
    s = xs[0]
    for _, group in groupby(xs[:0], key=int):
        s += sum(group)
    return s


@pytest.mark.parametrize("f", [of_pairs, by_lambda, by_value, in_comprehensions, left, empty])
def test_groups(f: Any) -> None:
    hold(f, lambda: (list(XS),))


# ---- a group is an iterator over what `groupby` runs through


def kept(xs: Any) -> Any:
    groups = [group for _, group in groupby(sorted(xs), key=int)]
    return sum(sum(group) for group in groups) + xs[0]


def taken_twice(xs: Any) -> Any:
    s = 0.0
    for _, group in groupby(sorted(xs), key=int):
        s += sum(group) + 3.0 * sum(group)  # noqa: B031
    return s


def taken_in_rounds(xs: Any) -> Any:
    s = 0.0
    for _, group in groupby(sorted(xs), key=int):
        for w in (1.0, 2.0):
            s += w * sum(group)  # noqa: B031
    return s


def taken_later(xs: Any) -> Any:
    s, before = 0.0, iter([])
    for _, group in groupby(sorted(xs), key=int):
        s += sum(before) + xs[0]
        before = group
    return s + sum(before)


def list_changes(xs: Any) -> Any:
    items, s = sorted(xs), 0.0
    for _, group in groupby(items, key=int):
        s += sum(group)
        items[-1] = items[-1] * 0.5
    return s


@pytest.mark.parametrize("f", [skipped, kept, taken_twice, taken_in_rounds, taken_later, list_changes])
def test_as_in_python(f: Any) -> None:
    choice.forget()
    for _ in range(3):
        check(f, list(XS))
        y, back = pullback(f, list(XS))
        assert y == f(list(XS))
        assert back(1.0)[1] == back(1.0)[1]


def told(v: Any) -> int:
    print("key of", v)
    return int(v)


def tells(xs: Any) -> Any:
    s = 0.0
    for k, group in groupby(xs, key=told):
        s += sum(group)
        print("group", k)
    return s


def test_effects_come_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    tells(list(XS))
    expected = capsys.readouterr().out
    for _ in range(3):
        grad(tells)(list(XS))
        assert capsys.readouterr().out == expected
