"""`OrderedDict`: a dict that others than `dict` made, with an order that it may change."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

from adjoint import gradient, jvp, pullback
from adjoint.derivatives.choice import is_structured_call
from adjoint.testing import check_gradient


def filled(x, y):
    d = OrderedDict()
    for i in range(6):
        d[i % 4] = x * i + y
    return sum(d.values()) * d[3]


def in_order(x, y):
    d, total = OrderedDict(), 0.0
    for i in (3, 1, 2, 1):
        d[i] = x * i
    for k, v in d.items():
        total = total * y + v * k
    return total * len(d) if 3 in d else total


def by_keywords(x, y):
    d = OrderedDict(a=x, b=2.0)
    d["b"] = d["a"] * y
    return d["a"] * d["b"] + d.get("c", y)


def turned(x, y):
    d = OrderedDict()
    for i in range(3):
        d[i] = x * (i + 1)
    d.move_to_end(0)
    total = 0.0
    for v in d.values():
        total = total * y + v
    return total


def first_out(x, y):
    d = OrderedDict()
    for i in range(4):
        d[i] = x * i + y
        if len(d) > 2:
            d.popitem(last=False)
    return sum(d.values())


def stored_after_a_loop(x, y):
    d, total = OrderedDict(), 0.0
    d["a"] = x
    for v in d.values():
        total += v * y
    d["b"] = total
    return sum(d.values()) * d["b"]


def of_pairs(x, y):
    d = OrderedDict([("b", x), ("a", y)])
    return [*d.values()][0] * d["a"]


STRUCTURED = [filled, in_order, by_keywords]


@pytest.mark.parametrize("f", [*STRUCTURED, turned, first_out, stored_after_a_loop, of_pairs], ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    x, y = 0.7, 1.2
    for _ in range(3):
        value, back = pullback(f, x, y)
        assert value == f(x, y)
        _, x_bar, y_bar = back(1.0)
    check_gradient(f, x, y)
    assert jvp(f, (x, y), (1.0, -2.0))[1] == pytest.approx(x_bar - 2.0 * y_bar)
    h = 1e-5
    slope = (gradient(f, x + h, y)[0] - gradient(f, x - h, y)[0]) / (2 * h)
    second = gradient(lambda x: gradient(f, x, y)[0], x)[0]
    assert (second or 0.0) == pytest.approx(slope, rel=1e-5, abs=1e-6)
    if f in STRUCTURED:
        assert is_structured_call(f, (x, y))


def test_a_dict_that_is_returned_is_one() -> None:
    def made(x):
        d = OrderedDict()
        d["b"] = x
        d["a"] = x * x
        return d

    for _ in range(2):
        y, back = pullback(made, 3.0)
        assert type(y) is OrderedDict
        assert [*y.items()] == [("b", 3.0), ("a", 9.0)]
        assert back(OrderedDict(b=1.0, a=2.0))[1] == pytest.approx(13.0)


def test_a_key_that_is_not_there() -> None:
    def missed(x):
        d = OrderedDict()
        d["a"] = x
        return d["b"]

    for _ in range(2):
        with pytest.raises(KeyError, match="'b'"):
            gradient(missed, 0.5)
