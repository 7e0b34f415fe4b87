"""`d.update(...)` of dicts that a program makes: a new dict, where nobody else holds the old one."""

from typing import Any

import numpy as np
import pytest

from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call

from ..regressions.differences import check


def by_a_dict(x, y):
    d = {"p": x}
    d.update({"q": y * x})
    return d["p"] * d["q"]


def by_keywords(x, y):
    d = {"p": x}
    d.update(p=y * x, r=y)
    return d["p"] * d["r"]


def by_both(x, y):
    d = {k: x * i for i, k in enumerate("abc")}
    d.update({"a": y}, b=x * y)
    return sum(d.values()) * d["b"]


def another_name(x, y):
    d = {"p": x}
    e = d
    d.update({"p": y})
    return e["p"] * x


def in_a_loop(x, y):
    d = {"p": x}
    for i in range(3):
        d.update({"p": d["p"] * y, str(i): x})
    return d["p"] + d["2"]


def options(**kw):
    o = {"s": 2.0}
    o.update(kw)
    return o["s"] * o["t"]


def through_keywords(x, y):
    return options(t=x) + options(s=y, t=x * y)


def a_list_that_grows(x, y):
    d = {"p": [x]}
    items = [y]
    d.update({"q": items})
    items.append(x)
    return d["q"][1] * d["p"][0]


def by_pairs(x, y):
    d = {"p": x}
    d.update([("q", y)])
    return d["p"] * d["q"]


def an_array_that_changes(x, y):
    d = {"p": np.array([x, y])}
    e = {"q": d["p"]}
    d.update(e)
    d["q"][0] = y * 3
    return d["p"].sum() * x


def its_result(x, y):
    d = {"p": x}
    r = d.update({"p": y})
    return d["p"] * x if r is None else x


def held_by_another(x, y):
    p = {"p": x}
    q = {"q": p}
    p.update({"p": y * y})
    return q["q"]["p"] * x


STRUCTURED = [
    *(by_a_dict, by_keywords, by_both, through_keywords, its_result),
    *(another_name, a_list_that_grows, by_pairs, an_array_that_changes, held_by_another),
]
RECORDED = [in_a_loop]


@pytest.mark.parametrize("f", [*STRUCTURED, *RECORDED])
def test_updates(f: Any) -> None:
    for _ in range(3):
        check(f, 0.7, 1.3, order=2)
    h = 1e-6
    slope = (f(0.7 + h, 1.3) - f(0.7 - h, 1.3)) / (2 * h)
    assert pushforward(f, (0.7, 1.3), (1.0, 0.0))[1] == pytest.approx(slope, rel=1e-6)
    assert is_structured_call(f, (0.7, 1.3)) == (f in STRUCTURED)
