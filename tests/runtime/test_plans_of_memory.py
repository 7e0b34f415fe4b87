"""Plans of calls that change what others may have: objects in lists, globals, lists of lists."""

from __future__ import annotations

import numpy as np
import pytest
from runtime.test_plans_of_stores import both, given, warm

from adjoint import gradient, pullback, withgradient
from adjoint.derivatives.plans import _PLANS, forget_plans
from adjoint.testing import check_gradient

TOTAL = [0.0]
STATE = {"n": 1.0}
GAIN = 2.0


class Body:
    def __init__(self, x, v=1.0):
        self.x, self.v = x, v

    def move(self, d):
        self.x = self.x + self.v * d


class Heavy(Body):
    def move(self, d):
        self.x = self.x + 0.5 * self.v * d


def counted(x):
    TOTAL[0] += x * x
    return TOTAL[0] * x


def noted(x):
    STATE["n"] = STATE["n"] * x
    return STATE["n"] + x


def tuned(x):
    global GAIN
    GAIN = GAIN * x
    return GAIN * x


def moved(bodies, d):
    for b in bodies:
        b.move(d)
    return bodies[0].x * bodies[1].x


def rows(table, a):
    row = table[0]
    row[0] = row[0] * a
    return table[0][0] * table[1][0]


def reset():
    global GAIN
    TOTAL[:], GAIN = [0.5], 2.0
    STATE.clear()
    STATE["n"] = 1.0


def left():
    return repr((TOTAL, STATE, GAIN))


CALLS = {
    "a global list": (counted, lambda: (1.5,)),
    "a global dict": (noted, lambda: (1.5,)),
    "a global name": (tuned, lambda: (1.5,)),
    "objects in a list": (moved, lambda: ([Body(1.0), Body(2.0)], 0.5)),
    "two classes": (moved, lambda: ([Body(1.0), Heavy(2.0)], 0.5)),
    "rows": (rows, lambda: ([[1.0, 2.0], [3.0]], 0.5)),
}


def state_of(x):
    if isinstance(x, list | tuple):
        return repr([state_of(item) for item in x])
    return repr(vars(x) if isinstance(x, Body) else x)


@pytest.mark.parametrize("name", CALLS)
def test_it_is_as_python_does_it(name):
    f, make = CALLS[name]
    warm(f, make)
    assert id(f.__code__) in _PLANS and _PLANS[id(f.__code__)].of
    reset()
    args = make()
    y = f(*args)
    expected = y, state_of(args), left()
    reset()
    args = make()
    value, back = pullback(f, *args)
    assert (value, state_of(args), left()) == expected
    assert repr(back(1.0)) == repr(back(1.0))
    reset()
    args = make()
    value, grads = withgradient(f, *args)
    assert (value, state_of(args), left()) == expected
    forget_plans()
    reset()
    assert repr(withgradient(f, *make())) == repr((value, grads))
    if not name.startswith("a global"):
        check_gradient(f, *make())


def body():
    return [Body(1.0)] * 2


def with_field(name, value):
    b = Body(1.0)
    setattr(b, name, value)
    return [b, Body(2.0)]


OTHERS = [
    (moved, lambda: (body(), 0.5)),
    (moved, lambda: ([Body(1.0), Heavy(2.0)], 0.5)),
    (moved, lambda: (with_field("v", 2), 0.5)),
    (moved, lambda: (with_field("x", np.ones(2)), 0.5)),
    (moved, lambda: (with_field("more", [1.0]), 0.5)),
    (moved, lambda: ([Body(1.0), None], 0.5)),
    (moved, lambda: ([Body(1.0)], 0.5)),
    (moved, lambda: ((Body(1.0), Body(2.0)), 0.5)),
    (rows, lambda: ([[1.0, 2.0]] * 2, 0.5)),
    (rows, lambda: ([[1.0, 2.0], [3]], 0.5)),
    (rows, lambda: ([[1.0, 2.0], []], 0.5)),
    (rows, lambda: ([TOTAL, [2.0]], 0.5)),
]


@pytest.mark.parametrize(("f", "other"), OTHERS)
def test_other_forms(f, other):
    make = CALLS["rows" if f is rows else "objects in a list"][1]
    for run in (both(f), lambda *args: withgradient(f, *args)):
        warm(f, make)
        reset()
        args = other()
        found = given(run, args)[0], state_of(args), left()
        forget_plans()
        reset()
        args = other()
        assert found == (given(run, args)[0], state_of(args), left())


def test_a_global_list_that_is_replaced():
    global TOTAL
    warm(counted, CALLS["a global list"][1])
    for value in ([3.0], [3.0, 4.0], [3], (3.0,), np.array([3.0])):
        outer, TOTAL = TOTAL, value
        try:
            found = given(lambda x: withgradient(counted, x), (1.5,))[0], repr(TOTAL)
            TOTAL = type(value)([3.0]) if type(value) is not np.ndarray else np.array([3.0])
            expected = given(lambda x: (counted(x),), (1.5,))[0]
            assert found[0].split(",")[0] == expected.split(",")[0]
        finally:
            TOTAL = outer


def add_to(xs, x):
    xs[0] = xs[0] * x
    TOTAL[0] += x * x
    return TOTAL[0] * xs[0]


def test_a_global_list_that_is_an_argument():
    warm(add_to, lambda: ([2.0], 1.5))
    for run in (lambda *args: pullback(add_to, *args)[0], lambda *args: withgradient(add_to, *args)[0]):
        TOTAL[:] = [2.0]
        expected = add_to(TOTAL, 1.5), repr(TOTAL)
        TOTAL[:] = [2.0]
        assert (run(TOTAL, 1.5), repr(TOTAL)) == expected
    reset()


def fails(bodies, d):
    for b in bodies:
        b.move(d)
    TOTAL[0] += d
    if d > 5.0:
        raise ValueError("too far")
    return bodies[0].x * TOTAL[0]


def test_an_error_leaves_what_python_leaves():
    reset()
    warm(fails, CALLS["objects in a list"][1])
    for run in (lambda *args: pullback(fails, *args), lambda *args: withgradient(fails, *args)):
        reset()
        bodies = [Body(1.0), Body(2.0)]
        with pytest.raises(ValueError, match="too far"):
            run(bodies, 6.0)
        assert [b.x for b in bodies] == [7.0, 8.0]
        assert TOTAL == [6.5]
    reset()


def test_a_method_that_is_replaced():
    make = CALLS["objects in a list"][1]
    warm(moved, make)
    before = Body.move
    Body.move = Heavy.move
    try:
        y, (bars, d) = withgradient(moved, *make())
        assert y == 1.25 * 2.25
        assert (bars[0].x, bars[1].x) == (2.25, 1.25)
        assert d == 0.5 * (1.25 + 2.25)
    finally:
        Body.move = before
    assert gradient(moved, *make())[1] == 1.5 + 2.5


def scaled_rows(a, k):
    table = {"a": a, "b": k}
    for _ in range(3):
        table["a"] = table["a"] * table["b"]
        table["b"] = np.sum(table["a"])
    a[0] = 0.0
    return np.sum(table["a"]) + a[1] * k


@pytest.mark.parametrize("make", [lambda: np.linspace(0.1, 1.0, 4), lambda: np.arange(8.0)[::2], lambda: np.ones(4)])
def test_views_have_a_plan(make):
    forget_plans()
    expected = gradient(scaled_rows, make(), 0.5)
    for _ in range(3):
        a = make()
        d = gradient(scaled_rows, a, 0.5)
        assert a[0] == 0.0 and d[1] == expected[1]
        np.testing.assert_array_equal(d[0], expected[0])
    check_gradient(scaled_rows, make(), 0.5)
    (plans,) = [plans for plans in _PLANS.values() if plans.code is scaled_rows.__code__]
    for of in plans.of.values():
        assert len(of) == 1
