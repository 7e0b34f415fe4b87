"""Rules of lists, tuples and sets."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule

from adjoint.ir import changes, intrinsics
from adjoint.rules.registry import find_rules
from adjoint.testing import check_rule

ARRAY = np.array([[1.0, 2.0], [3.0, 4.0]])
LIST = [1.5, "text", [2.5, 3.5], (4.5, None)]
TUPLE = (1.5, 2.5, (3.5, True), ARRAY)


def test_conversion_of_views_and_sets() -> None:
    assert run_rule(list, {"a": 1.0}.values())[1]([2.0]) == ([2.0],)
    assert run_rule(list, {"a": 1.0}.items())[1]([("a", 2.0)]) == ([("a", 2.0)],)
    assert run_rule(list, iter([1.0, 2.0]))[1]([3.0, 4.0]) == ([3.0, 4.0],)
    assert run_rule(tuple, {1.5})[1]((2.0,)) == ({1.5: 2.0},)
    assert run_rule(list)[0] == [] and run_rule(tuple)[0] == ()


def test_construction() -> None:
    for f in (intrinsics.make_tuple, intrinsics.make_list):
        check_rule(f, 1.5, "a", [2.5, ARRAY])
        check_rule(f)
    y, back, _ = run_rule(changes.list_append, [1.5], 2.5)
    assert y == [1.5, 2.5] and back([1.0, 2.0]) == ([1.0], 2.0)


def test_columns() -> None:
    for rows in ([[1.5, 2.5], [3.5, 4.5], [5.5, 6.5]], [(1.5, 2.5), (3.5, 4.5, 5.5)], ([1.5], [2.5]), [], [[], []]):
        check_rule(intrinsics.columns, rows)
    _, back, _ = run_rule(intrinsics.columns, [(1.5, 2.5), [3.5, 4.5, 5.5]])
    assert back([None, [2.0, 3.0]]) == ([(None, 2.0), [None, 3.0, None]], None)
    assert back([None, None]) == ([None, None], None)
    with pytest.raises(ValueError, match="shorter"):
        run_rule(intrinsics.columns, [[1.5, 2.5], [3.5]], True)


def test_sets_keep_the_first_of_equal_items() -> None:
    for f, args in [(intrinsics.make_set, (1.5, 2.5, 1.5)), (set, ([1.5, 2.5, 1.5],))]:
        y, back, _ = run_rule(f, *args)
        bars = back({1.5: 3.0, 2.5: 4.0})
        assert y == {1.5, 2.5}
        assert (bars if f is not set else tuple(bars[0])) == (3.0, 4.0, None)


def test_getitem_of_what_has_no_derivative() -> None:
    for xs in ("text", range(5)):
        assert run_rule(operator.getitem, xs, 1)[1](1.0) == (None, None)


@pytest.mark.parametrize(("before", "after"), [(4, -1), (1, 1), (2, 2), (0, 0), (0, 3)])
@pytest.mark.parametrize("xs", [LIST, TUPLE])
def test_unpack(xs: Any, before: int, after: int) -> None:
    check_rule(intrinsics.unpack, xs, before, after, constant=(1, 2))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (0, 7.5),
        (-1, 7.5),
        (slice(1, 3), [7.5, 8.5]),
        (slice(1, 2), (7.5, 8.5, 9.5)),
        (slice(0, 3), []),
        (slice(2, 2), [7.5]),
        (slice(3, 1), [7.5]),
        (slice(None, None, 2), [7.5, 8.5]),
        (slice(None), [7.5]),
    ],
)
def test_set_item(key: Any, value: Any) -> None:
    def changed(xs: Any, key: Any, value: Any) -> Any:
        return changes.stored(list(xs), key, value)

    check_changed(changes.stored, changed, [1.5, 2.5, 3.5, 4.5], key, value)


@pytest.mark.parametrize("key", [0, -1, slice(1, 3), slice(None, None, 2)])
def test_delete_item(key: Any) -> None:
    def changed(xs: Any, key: Any) -> Any:
        return changes.deleted(list(xs), key)

    check_changed(changes.deleted, changed, [1.5, 2.5, 3.5, 4.5], key)


def check_changed(f: Any, changed: Any, xs: Any, *args: Any) -> None:
    """Check the rule of a function that changes its first argument, as one that does not."""
    from adjoint.rules.registry import opt_out, rule

    @rule(changed)
    def changed_rule(xs, *args):
        return run_rule(f, list(xs), *args)[:2]

    check_rule(changed, xs, *args, constant=(1,))
    opt_out(changed)


def test_lists_that_grow_in_place_are_not_for_these_rules() -> None:
    rules = find_rules(operator.iadd)
    assert rules is not None and rules.select((list, list)) is None


def test_what_carries_no_derivative() -> None:
    for f in (len, operator.contains, any, all, range, list.index, tuple.count, intrinsics.fstring):
        rules = find_rules(f)
        assert rules is not None and not rules.differentiable
