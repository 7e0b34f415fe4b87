"""`dict(zip(keys, values))` of lists, tuples and rows of numbers: a dict whose items have the type of the values."""

# ruff: noqa: B905 - as people write it

from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp
from adjoint.derivatives.choice import is_structured_call
from adjoint.runtime.spec import Spec
from adjoint.runtime.tables import TABLES

from ..regressions.differences import check

NAMES = ["a", "b", "c"]


def by_name(v):
    p = dict(zip(NAMES, v))
    return p["a"] * p["b"] + p["c"] ** 2


def of_one_length(v):
    p = dict(zip(NAMES, v, strict=True))
    s = 0.0
    for k in p:
        s = s + p[k] ** 3
    return s


def equal_keys(v):
    p = dict(zip(("a", "b", "a"), v))
    return p["a"] * p["b"]


def fewer_keys(v):
    p = dict(zip(NAMES[:2], v, strict=False))
    return p["a"] ** 2 * p["b"] * len(p)


def fewer_keys_of_which_some_are_equal(v):
    p = dict(zip(["a", "b", "a", "b", "b"], v))
    return p["a"] ** 2 * p["b"]


def stored_into(v):
    p = dict(zip(NAMES, v))
    p["a"] = p["a"] * 2.0
    p["d"] = p["a"] * p["b"]
    return p["d"] + p["a"]


def keys_that_have_derivatives(v):
    p = dict(zip(v, v))
    return sum(x * x for x in p.values())


def looked_at_afterwards(v):
    pairs = zip(NAMES, v)
    p = dict(pairs)
    return p["a"] * p["b"] + p["c"] ** 2 + len(list(pairs))


def looked_at_before(v):
    pairs = zip(NAMES, v)
    name, x = next(pairs)
    p = dict(pairs)
    return p["b"] * x + p["c"] ** 2 + len(name)


def in_each_round(v):
    r = []
    for i in range(3):
        p = dict(zip(NAMES, v))
        r.append(p[NAMES[i]] ** 2)
    return sum(r)


def of_lists(v):
    p = dict(zip(NAMES, [[x, 2.0 * x] for x in v]))
    p["a"][0] = p["a"][0] * p["b"][1]
    return p["a"][0] + p["c"][1] ** 2


def by_places(v):
    p = dict(zip(range(3), v))
    return p[0] * p[1] + p[2] ** 2


def under_two_names(v):
    p = dict(zip(NAMES, v))
    q = p
    q["a"] = p["b"] * 3.0
    return p["a"] * p["c"]


def of_too_many(v):
    try:
        p = dict(zip(NAMES[:2], v, strict=True))
    except ValueError:
        return v[0] * 3.0
    return p["a"]


ALL = [
    *(by_name, of_one_length, equal_keys, fewer_keys, fewer_keys_of_which_some_are_equal, stored_into),
    *(keys_that_have_derivatives, looked_at_afterwards, looked_at_before, in_each_round, of_lists, by_places),
    *(under_two_names, of_too_many),
]


@pytest.mark.parametrize("f", ALL)
@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_dicts_of_pairs(f: Any, kind: Any) -> None:
    v, direction = kind([0.5, 1.2, -0.7]), kind([1.0, 2.0, 3.0])
    for _ in range(3):
        check(f, v, order=2)
    slopes = [0.0 if d is None else d for d in gradient(f, v)[0]]
    assert jvp(f, (v,), (direction,))[1] == pytest.approx(np.dot(slopes, direction), rel=1e-9)


def of_rows(m):
    p = dict(zip(NAMES, m))
    p["a"][0] = p["b"][1] * 2.0
    return p["a"].sum() * p["c"][0] + m[0, 0]


def test_rows_stay_views() -> None:
    for _ in range(3):
        check(of_rows, np.arange(6.0).reshape(3, 2))


def with_keys(v, keys):
    return sum(x * x for x in dict(zip(keys, v)).values())


@pytest.mark.parametrize("keys", [NAMES, "abc", ["a"], ["a", "b", "c", "d"], {"a": 1, "b": 2}, [], iter("ab")])
def test_any_keys(keys: Any) -> None:
    keys = list(keys) if not isinstance(keys, (str, dict, list)) else keys
    for _ in range(3):
        check(with_keys, [0.5, 1.2, -0.7], keys)
        check(with_keys, np.array([0.5, 1.2, -0.7]), keys)


@pytest.mark.parametrize("n", [2, 4])
def test_the_error_for_other_lengths_is_pythons(n: int) -> None:
    v = [1.0] * n
    with pytest.raises(ValueError) as plain:
        of_one_length(v)
    for _ in range(3):
        with pytest.raises(ValueError) as caught:
            grad(of_one_length)(v)
        assert str(caught.value) == str(plain.value)


def test_items_have_a_type() -> None:
    for _ in range(3):
        grad(by_name)([0.5, 1.2, -0.7])
    assert is_structured_call(by_name, ([0.5, 1.2, -0.7],))
    specs: list[Spec] = [s for found in TABLES[id(by_name.__code__)].entries.values() for _, s in found]
    assert specs and all(["pullback" not in s.text.partition("def by_name_pullback")[0] for s in specs])
