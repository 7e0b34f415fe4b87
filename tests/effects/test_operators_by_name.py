"""Every function of `operator` over a class with every special method, in both tiers, against plain Python."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjoint import gradient, pullback
from adjoint.recording.operations.base import HANDLERS
from adjoint.runtime.spec import OPERATORS

from .test_once import module_of

NAMES = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"]
COMPARISONS = ["lt", "le", "gt", "ge", "eq", "ne"]


def methods(prefix: str, names: list[str], first: int, result: str = "self.v * {}") -> str:
    return "".join(
        f"    def __{prefix}{n}__(self, o): return {result.format(float(i))}\n" for i, n in enumerate(names, first)
    )


CLASSES = f'''import math, operator
kept = {{}}
def ident(x): return x
class V:
    """Each method calculates with the value, in its own way."""
    def __init__(self, v): self.v = v
    def __index__(self): return 1
    def __bool__(self): return self.v > 0
    def __len__(self): return 2
    def __length_hint__(self): return 2
    def __contains__(self, o): return o == self.v
    def __getitem__(self, i): return self.v * 5.0
    def __iter__(self): return iter([self.v, self.v * 2.0])
    def __neg__(self): return self.v * 2.0
    def __pos__(self): return self.v * 3.0
    def __invert__(self): return self.v * 4.0
    def __abs__(self): return self.v * 7.0
    def __call__(self, *a): return self.v * 6.0
    __hash__ = None
{methods("", COMPARISONS, 8)}{methods("", NAMES, 20)}{methods("r", NAMES, 40)}{methods("i", NAMES, 60)}
class N(V):
    """Leaves it to the other operand."""
{methods("", COMPARISONS, 0, "NotImplemented")}{methods("", NAMES, 0, "NotImplemented")}
{methods("i", NAMES, 0, "NotImplemented")}
class R:
    """Is asked last."""
    def __init__(self, v): self.v = v
{methods("r", NAMES, 40)}
class W:
    """In place as otherwise."""
    def __init__(self, v): self.v = v
{methods("", NAMES, 20)}
class S:
    """A sequence without an end."""
    def __init__(self, v): self.v = v
    def __getitem__(self, i): return self.v * 5.0
    def __add__(self, o): return self.v * 2.0 + o.v
    def __iadd__(self, o): return self.v * 3.0 + o.v
class T:
    """A sequence with an end, which is not added in place."""
    def __init__(self, v): self.v = v
    def __getitem__(self, i): return [self.v, self.v * 2.0][i]
    def __add__(self, o): return self.v * 7.0 + o.v
'''

PAIRS = ["V(x), 2.0", "2.0, V(x)", "V(x), V(2.0)", "N(x), 2.0", "N(x), R(x)", "V(x), N(x)", "2.0, R(x)", "W(x), 2.0"]
UNARY = ("abs", "neg", "pos", "inv", "invert", "index", "not", "truth", "length_hint")
SEARCHES = ("contains", "countOf", "indexOf")
SPECIAL = {
    "call": ["call(V(x), 1)", "call(math.sin, x)", "call(ident, x)"],
    "getitem": ["getitem(V(x), 0)", "getitem([x, 2.0], V(1.0)) * x", "getitem(S(x), 5)"],
    "concat": ["concat(S(x), S(x))", "concat(T(x), S(x))", "concat([x], [x * x])[1]", "concat((x,), (x * x,))[1]"],
    "iconcat": ["iconcat(S(x), S(x))", "iconcat(T(x), S(x))", "iconcat([x], [x * x])[1]"],
    "itemgetter": ["itemgetter(0)(V(x))", "itemgetter(0, 1)([x, x * x])[1]"],
    "attrgetter": ["attrgetter('v')(V(x))", "attrgetter('v', 'v')(V(x))[1]", "attrgetter('v.v')(V(V(x)))"],
    "methodcaller": ["methodcaller('__neg__')(V(x))", "methodcaller('__add__', 1)(V(x))"],
    "is": [],
    "is_not": [],
    "setitem": [],
    "delitem": [],
}
"""Calls of functions of which the pairs would be none; four ask nobody, or have no result."""


def calls() -> Iterator[tuple[str, str]]:
    seen: set[Any] = set()
    for name in [*sorted(n for n in dir(operator) if n[0] != "_"), "__inv__", "__call__"]:
        f = getattr(operator, name)
        if f in seen:
            continue
        seen.add(f)
        base = name.strip("_")
        if base in UNARY:
            texts = [f"{name}(V(x)) * x", f"{name}(N(x)) * x"]
        elif base in SEARCHES:
            texts = [f"{name}(V(x), x) * x + x", f"{name}([x, x], x) * x + x", f"{name}(T(x), x) * x + x"]
        else:
            texts = SPECIAL.get(base, [f"{name}({pair})" for pair in PAIRS])
        yield from ((name, f"operator.{text}") for text in texts)


TIERS = {
    "structured": "def f(x):\n    return {}\n",
    "recorded": "def f(x):\n    kept['v'] = x\n    return {} * 1.0 * kept['v']\n",
    "mapped": "def f(x):\n    return sum(map(lambda q: {}, [x]))\n",
}


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("name", dict.fromkeys(name for name, _ in calls()))
def test_operators_by_their_names(tmp_path: Path, name: str, tier: str) -> None:
    texts = [text for n, text in calls() if n == name]
    programs = "\n".join(TIERS[tier].replace("def f", f"def f{i}").format(t) for i, t in enumerate(texts))
    m = module_of(tmp_path, CLASSES + programs)
    for i, text in enumerate(texts):
        f = getattr(m, f"f{i}")
        try:
            value = f(1.3)
        except TypeError:
            with pytest.raises(TypeError):
                gradient(f, 1.3)
            continue
        if isinstance(value, bool):
            continue
        y, back = pullback(f, 1.3)
        assert y == value, text
        slope = (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6
        assert (back(1.0)[1] or 0.0) == pytest.approx(slope, rel=1e-6), text


@pytest.mark.parametrize("f", [operator.concat, operator.iconcat])
def test_what_is_no_sequence_is_not_concatenated(f: Any) -> None:
    with pytest.raises(TypeError):
        gradient(lambda x: f(x, [x])[0], 1.3)


def test_every_operator_that_classes_define_is_known_to_both_tiers() -> None:
    """Whatever asks a class with all methods is among those whose methods are looked up."""
    asked: list[str] = []

    class Probe:
        def __getitem__(self, i: Any) -> Any:
            asked.append("getitem")
            raise IndexError

    def noting(name: str) -> Any:
        def method(self: Any, *args: Any) -> Any:
            asked.append(name)
            return 1

        return method

    every = [*NAMES, *(f"r{n}" for n in NAMES), *(f"i{n}" for n in NAMES), *COMPARISONS, "neg", "pos", "invert"]
    for special in every:
        setattr(Probe, f"__{special}__", noting(special))
    missing = []
    for name in dir(operator):
        f = getattr(operator, name)
        for args in ((Probe(),), (Probe(), Probe())):
            asked.clear()
            with contextlib.suppress(TypeError, IndexError, ValueError):
                f(*args)
            wanted = [n for n in asked if n != "getitem" and name not in SEARCHES]
            others = isinstance(f, type) or name.strip("_") in (*SEARCHES, "call", "length_hint")
            if wanted and not others and (f not in OPERATORS or f not in HANDLERS):
                missing.append((name, wanted))
    assert not missing


def test_planted_an_operator_that_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(OPERATORS, operator.inv)
    with pytest.raises(AssertionError):
        test_every_operator_that_classes_define_is_known_to_both_tiers()


def test_second_derivatives_of_an_operator(tmp_path: Path) -> None:
    m = module_of(
        tmp_path,
        CLASSES + "def f(x):\n    return operator.inv(V(x)) * x\ndef g(x):\n    kept['v'] = x\n"
        "    return operator.inv(V(kept['v'])) * x\n",
    )
    for f in (m.f, m.g):
        assert gradient(lambda x, f=f: gradient(f, x)[0], 1.3) == (8.0,)


COMPARED = {
    "an object": "V(x) < 2.0",
    "an item of a list": "[V(x), 1.0][0] < 2.0",
    "an item of a dict": "{'a': V(x)}['a'] == 2.0",
    "the other operand": "2.0 > V(x)",
    "in place of a test": "(V(x) < 2.0) * x if V(x) < 2.0 else x",
}


@pytest.mark.parametrize("text", COMPARED.values(), ids=COMPARED)
def test_comparisons_that_give_numbers(tmp_path: Path, text: str) -> None:
    """What the class of an operand makes of a comparison may be a number."""
    f = module_of(tmp_path, f"{CLASSES}def f(x):\n    return {text}\n").f
    y, back = pullback(f, 1.3)
    assert y == f(1.3) and back(1.0)[1] == pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6, rel=1e-6)
