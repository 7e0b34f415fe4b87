"""Cotangents that are held against forms without a detour are what the long way makes of them."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint import Tangent, pullback
from adjoint.calculus import seeds
from adjoint.errors import CotangentError
from adjoint.tangents.form import fit, form_of
from adjoint.tangents.plain_forms import MISFIT, fit_plain

A = np.array([1.0, 2.0])
N = np.array([1.0, 2.0], np.float32)
VALUES = [
    2.0,
    2,
    np.float64(2.0),
    np.float32(2.0),
    True,
    A,
    N,
    (1.0, A),
    [1.0, [2.0, A]],
    {"a": 1.0, "b": (A, [1.0])},
    (),
    [],
    {},
]
VALUES += [None, "text", (1.0, "text"), [1, 2.0], (np.float64(1.0), 2.0)]
BARS = [
    1.0,
    1,
    1j,
    True,
    np.float64(1.0),
    np.float32(1.0),
    A * 2,
    N * 2,
    A[:1],
    A.tolist(),
    (1.0, A),
    [1.0, [2.0, A]],
    (1.0, None),
]
BARS += [
    {"a": 1.0},
    {"b": (A, [1.0]), "a": 2.0},
    {"c": 1.0},
    (),
    [],
    {},
    None,
    (1.0,),
    [1.0, 2.0],
    (1.0, 2.0),
    Tangent(dict, {}),
]


def same(a, b):
    if isinstance(a, tuple | list):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return type(b) is dict and list(a) == list(b) and all([same(a[key], b[key]) for key in a])
    return type(a) is type(b) and (getattr(a, "dtype", 0) == getattr(b, "dtype", 0)) and bool(np.all(a == b))


@pytest.mark.parametrize("y", VALUES, ids=repr)
def test_what_is_taken_is_what_the_long_way_makes_of_it(y):
    form, taken = form_of(y), 0
    for d in BARS:
        found = fit_plain(d, form)
        if found is not MISFIT:
            taken += 1
            assert same(found, fit(d, form, "y"))
    assert taken  # None at least


def test_containers_are_new_and_arrays_are_not():
    d = [1.0, [2.0, A]]
    found = fit_plain(d, form_of(d))
    assert found == d and found is not d and found[1] is not d[1] and found[1][1] is A


def test_lanes_and_views_of_other_kinds_go_the_long_way():
    _, back = pullback(lambda x: (x * x, [x]), 3.0)
    assert back((1.0, [1.0])) == (None, 7.0)
    assert back((seeds(np.array([1.0, 2.0])), [None]))[1].tolist() == [6.0, 12.0]
    with pytest.raises(CotangentError):
        back((1.0, [1.0, 2.0]))
    with pytest.raises(CotangentError):
        back([1.0, [1.0]][:1])


def test_the_cotangent_is_left_as_it_is():
    def f(xs):
        out = []
        for x in xs:
            out.append(x * x)
        return out

    d = [1.0, 2.0]
    _, back = pullback(f, [3.0, 4.0])
    assert back(d) == back(d) == (None, [6.0, 16.0]) and d == [1.0, 2.0]
