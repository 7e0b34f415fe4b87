"""Rules of the builtins that consume iterables."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from rules.checker import run_rule

from adjoint.ir import intrinsics
from adjoint.rules import registry
from adjoint.rules.python.iteration import Materialised

XS = [3.5, 1.5, 2.5]


def test_sum_of_views() -> None:
    y, back, _ = run_rule(sum, {"a": 1.5, "b": 2.5}.values())
    assert y == 4.0 and back(1.0) == ([1.0, 1.0], 1.0)


@pytest.mark.parametrize("f", [max, min])
def test_extremes_of_nothing(f: Any) -> None:
    with pytest.raises(ValueError, match="empty"):
        run_rule(f, [])


def test_the_first_of_equal_items_is_selected() -> None:
    assert run_rule(max, 1.5, 1.5)[1](1.0)[:2] == (1.0, None)
    assert run_rule(max, [1.5, 1.5])[1](1.0) == ([1.0, None],)
    assert run_rule(min, (1.5, 1.5, 1.5))[1](1.0) == ((1.0, None, None),)
    assert run_rule(sorted, [1.5, 1.5], reverse=True)[1]([1.0, 2.0]) == ([1.0, 2.0],)
    for f in (max, min):
        method = registry.find_rules(f).select((float, float))  # type: ignore[union-attr]
        assert method is not None and method.partials(1.5, 1.5, 1.5) == (1.0, 0.0)  # type: ignore[misc]
        assert method.partials(1.5, 2.5, f(1.5, 2.5))[f is max] == 1.0  # type: ignore[misc]


def test_zip_of_unequal_lengths() -> None:
    y, back, _ = run_rule(zip, XS, itertools.count())
    assert list(y) == [(3.5, 0), (1.5, 1), (2.5, 2)]
    assert back([(1.0, None), None, (2.0, None)])[0] == [1.0, None, 2.0]
    with pytest.raises(ValueError, match="shorter"):
        list(run_rule(zip, XS, [], strict=True)[0])


def test_iterators_know_their_place() -> None:
    it, back_of_iter, _ = run_rule(iter, XS)
    assert run_rule(iter, it)[0] is it
    first, back_of_next, _ = run_rule(next, it)
    assert first == 3.5 and [*back_of_next(1.0)[0]] == [1.0, None, None]
    rest, back_of_list, _ = run_rule(list, it)
    assert rest == [1.5, 2.5] and back_of_list([1.0, 2.0]) == ([None, 1.0, 2.0],)
    assert run_rule(next, it, 7.5)[0] == 7.5 and run_rule(next, it, 7.5)[1](1.0) == (None, 1.0)
    with pytest.raises(StopIteration):
        run_rule(next, it)
    assert back_of_iter([1.0, 2.0, None]) == ([1.0, 2.0, None],)


def test_iterate() -> None:
    it = Materialised(XS)
    next(it)
    y, back, _ = run_rule(intrinsics.iterate, it)
    assert next(y) == 1.5 and back([2.0]) == ([None, 2.0],)
    assert next(it) == 2.5 and list(y) == [] and back([2.0]) == ([None, 2.0],)
    assert run_rule(intrinsics.iterate, tuple(XS))[1]((1.0, 2.0)) == ((1.0, 2.0, None),)
    assert run_rule(intrinsics.iterate, {"a": 1.0})[1]([None]) == (None,)
