"""Dicts whose keys are known: parameters with names, as arguments, as data, and made inside; and what changes them."""

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call
from adjoint.ir.lattice import join, keyed
from adjoint.ir.types import FLOAT, INT, UNKNOWN, Array, Dict, Inert, List, Tuple
from adjoint.runtime.conditions import Guard
from adjoint.runtime.typeof import typeof

from ..regressions.differences import check

F8 = Array("f", "float64", 1, False)


def parameters() -> Any:
    return {"w": np.array([0.5, 1.5]), "b": 0.7, "name": "net", "inner": {"p": (1.1, 2), "q": [0.3, 0.9]}, "none": None}


def test_types() -> None:
    inner = keyed({"p": Tuple((FLOAT, INT)), "q": List(FLOAT)})
    none, text = Inert(type(None)), Inert(str)
    assert typeof(parameters()) == keyed({"w": F8, "b": FLOAT, "name": text, "inner": inner, "none": none})
    assert typeof([{"a": 1.0, "b": (1.0, 2.0)}] * 3) == List(keyed({"a": FLOAT, "b": Tuple((FLOAT, FLOAT))}))
    assert typeof({1: 1.0, 2: "a"}) == typeof({"a": object(), "b": 1.0}) == Dict(UNKNOWN)
    assert typeof({f"k{i}": i if i % 2 else "a" for i in range(60)}) == Dict(UNKNOWN)


def test_joins() -> None:
    a, b = keyed({"x": FLOAT, "y": F8}), keyed({"x": INT, "y": F8})
    assert join(a, b) == keyed({"x": FLOAT, "y": F8})
    assert join(a, keyed({"x": FLOAT})) == Dict(Array("f"))
    assert join(keyed({"x": FLOAT}), keyed({"z": INT})) == Dict(FLOAT)
    assert join(a, Dict(Inert(str))) == Dict(UNKNOWN)


def test_guards() -> None:
    guard = Guard()
    guard.require("x", typeof(parameters()))
    holds = guard.compile(["x"])
    assert holds(parameters())
    for name, value in (("w", 1.0), ("b", 1), ("name", None), ("none", 0.0), ("inner", {}), ("more", 1.0)):
        assert not holds({**parameters(), name: value})
    assert not holds({k: v for k, v in parameters().items() if k != "b"})

    class Own(dict):  # type: ignore[type-arg]
        pass

    assert not holds(Own(parameters()))


def read(p: Any, x: Any) -> Any:
    inner = p["inner"]
    return np.sum(p["w"] * x) * p["b"] + inner["p"][0] * inner["q"][1] * x + (0.0 if p["none"] is None else p["none"])


def looped(p: Any, x: Any) -> Any:
    s = 0.0
    for layer in p["layers"]:
        s = s + layer["a"] * p["w"] * x + layer["b"][0] * layer["b"][1]
    return s


def iterated(p: Any, x: Any) -> Any:
    return sum(v * x for v in p.values()) + len(p) + sum(x * v for k, v in p.items() if k != "b") + ("a" in p)


def keywords(p: Any, x: Any) -> Any:
    def line(slope: Any, at: Any = 1.0, **rest: Any) -> Any:
        return slope * at + sum(rest.values())

    return line(**p, at=x) + line(**{"slope": x, "more": p["slope"] * x})


def stored(p: Any, x: Any) -> Any:
    q = dict(p)
    q["a"] = q["a"] * x
    q["new"] = q["a"] + x
    return q["new"] * q["b"] + p["a"]


def stored_by_a_name(p: Any, x: Any) -> Any:
    q = {"a": x, "b": p["b"]}
    for key in ("a", "b"):
        q[key] = q[key] * 2.0 + p["a"]
    return q["a"] * q["b"]


def deleted(p: Any, x: Any) -> Any:
    q = {"a": x, "b": p["b"], "c": x * x}
    del q["c"]
    return sum(q.values()) * p["a"] + len(q)


def carried(p: Any, x: Any) -> Any:
    state = {"x": x, "v": p["a"]}
    for _ in range(3):
        state = {"x": state["x"] + 0.1 * state["v"], "v": state["v"] - 0.1 * state["x"] * p["b"]}
    return state["x"]


def one_of_two(p: Any, x: Any) -> Any:
    q = {"a": x} if x > 5 else {"b": x * x, "a": p["a"]}
    return q["a"] * x + len(q)


def another_name(p: Any, x: Any) -> Any:
    q = {"a": x, "b": x}
    r = q
    r["a"] = p["a"] * 3.0
    return q["a"] * q["b"]


def in_a_list(p: Any, x: Any) -> Any:
    rows = [{"v": x * i, "w": p["a"]} for i in range(3)]
    return sum(row["v"] * row["w"] for row in rows)


def merged(p: Any, x: Any) -> Any:
    q = {**p, "a": x}
    r = p | {"c": x}
    q |= {"b": x * x}
    return q["a"] * q["b"] + r["c"] * r["a"]


def got(p: Any, x: Any) -> Any:
    return p.get("a") * x + p.get("missing", x) + p.copy()["b"] * x


def captured(p: Any, x: Any) -> Any:
    return (lambda k: p[k] * x)("a") + (lambda: p["b"])()


def argument_stored_into(p: Any, x: Any) -> Any:
    p["a"] = p["a"] * x
    return p["a"] * p["b"]


CHANGING = (iterated, stored, stored_by_a_name, deleted, carried, one_of_two, another_name, in_a_list, merged, got)
NUMBERS = {"a": 1.2, "b": 0.4}
MIXED = {"a": 1.2, "b": 2}
PROGRAMS: list[tuple[Any, Any]] = [
    (read, parameters()),
    (looped, {"w": 0.5, "layers": [{"a": 1.0, "b": (1.0, 2.0)}, {"a": 2.0, "b": (0.5, 0.1)}]}),
    (keywords, {"slope": 0.7}),
    (keywords, {"slope": 0.7, "more": np.array([0.1, 0.2]).sum()}),
    *[
        (f, p)
        for f in (
            iterated,
            stored,
            stored_by_a_name,
            deleted,
            carried,
            one_of_two,
            another_name,
            in_a_list,
            merged,
            got,
        )
        for p in (NUMBERS, MIXED)
    ],
    *[(f, p) for f in (captured, argument_stored_into) for p in (NUMBERS, MIXED)],
]


@pytest.mark.parametrize("f, p", PROGRAMS)
def test_programs(f: Any, p: Any) -> None:
    for _ in range(3):
        check(f, {k: v.copy() if isinstance(v, np.ndarray | dict) else v for k, v in p.items()}, 1.3, order=2)


def test_forward_mode() -> None:
    p, dot = {"a": 1.2, "b": 2.0}, {"a": 0.3, "b": 0.4}
    for f in (stored, carried, one_of_two, got, merged):
        h = 1e-6
        ahead = f({k: v + h * dot[k] for k, v in p.items()}, 1.3 + 0.5 * h)
        behind = f({k: v - h * dot[k] for k, v in p.items()}, 1.3 - 0.5 * h)
        assert pushforward(f, (p, 1.3), (dot, 0.5))[1] == pytest.approx((ahead - behind) / (2 * h), rel=1e-6)


def test_keys_change_between_calls() -> None:
    def f(p: Any) -> Any:
        return p["a"] * p.get("b", 2.0) * p.get("c", 1.0)

    for p in (
        {"a": 1.0},
        {"a": 1.0, "b": 3},
        {"a": 1.0, "c": 2.0, "s": "t"},
        {"b": 3, "a": 1.0},
        {"a": 1.0, "s": None},
    ):
        for _ in range(2):
            rest = (p.get("b") or 2.0) * (p.get("c") or 1.0)
            assert gradient(f, p)[0]["a"] == rest


def test_a_key_that_is_missing() -> None:
    with pytest.raises(KeyError, match="missing"):
        gradient(lambda p: p["a"] * p["missing"], {"a": 1.0, "s": "t"})


def test_cotangents_have_all_keys() -> None:
    p = {"a": 1.0, "b": np.ones(2), "s": "t", "d": {"e": 2.0, "f": None}}
    (bar,) = gradient(lambda p: p["a"] * 2.0, p)
    assert bar.keys() == p.keys() and bar["d"] == {"e": 0.0, "f": None} and bar["s"] is None
    assert bar["b"].tolist() == [0.0, 0.0]
    assert pullback(lambda p: p["a"] * 2.0, p)[1](1.0)[1] == {"a": 2.0, "b": None, "s": None, "d": None}


def test_structure() -> None:
    for f, p in ((read, parameters()), (carried, MIXED), (in_a_list, MIXED)):
        gradient(f, p, 1.3)
        assert is_structured_call(f, (p, 1.3))
