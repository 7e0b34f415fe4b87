"""Arguments that are spread for methods of containers and arrays: as where they are written out."""

from __future__ import annotations

import linecache

import pytest

from adjoint import withgradient
from adjoint.calculus import pushforward
from tests.regressions.starred import CALLS, HEAD, program, spellings

ROWS = [(setup, *row) for setup, rows in CALLS.items() for row in rows]
NAMES = [f"{i} {row[1]}" for i, row in enumerate(ROWS)]
RECORDED = ("as lists", "only names")


def function(text, name):
    filename = f"<starred {name}>"
    text = f"{HEAD}\n\n{text}"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"__name__": "starred"}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["f"]


def check(row, ways, recorded):
    setup, called, args, kwargs, result = row
    h = 1e-6
    for way in ways:
        before, call = spellings(called, args, kwargs)[way]
        f = function(program(setup, before, call, result, recorded), f"{setup} {call} {way} {result} {recorded}")
        y, (d,) = withgradient(f, 3.0)
        assert y == f(3.0), way
        assert d == pytest.approx((f(3.0 + h) - f(3.0 - h)) / (2 * h), 1e-4, 1e-6), way


def ways_of(row):
    """The ways to spread the arguments of a call."""
    return list(spellings(*row[1:4]))


@pytest.mark.parametrize("i", range(len(ROWS)), ids=NAMES)
def test_spread_arguments(i):
    """Each call in two ways, and each way with a third of the calls; `tests/runtime/test_starred.py` has all."""
    check(ROWS[i], ways_of(ROWS[i])[i % 3 :: 3], recorded=False)


@pytest.mark.parametrize("i", range(len(ROWS)), ids=NAMES)
def test_spread_arguments_in_a_recorded_program(i):
    check(ROWS[i], [RECORDED[i % 2]], recorded=True)


@pytest.mark.parametrize("setup, called, args, kwargs, result", ROWS[::7], ids=[row[1] for row in ROWS[::7]])
def test_forward(setup, called, args, kwargs, result):
    h = 1e-6
    before, call = spellings(called, args, kwargs)["as lists"]
    f = function(program(setup, before, call, result, False), f"forward {setup} {call} {result}")
    y, d = pushforward(f, (3.0,), (1.0,))
    assert y == f(3.0)
    assert d == pytest.approx((f(3.0 + h) - f(3.0 - h)) / (2 * h), 1e-4, 1e-6)
