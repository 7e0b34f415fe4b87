"""Functions handed to `sorted`, `max` and the like that call what their code does not name: an item, a result, a
parameter. It may store, and what it stores has a derivative."""

from __future__ import annotations

import functools
import linecache
import math
from typing import Any

import pytest

from adjoint import gradient
from adjoint.inspect import code_adjoint


class Noted:
    def __init__(self, v: float) -> None:
        self.v = v
        self.seen = 0.0

    def __call__(self, a: float) -> float:
        self.seen += self.v * self.v
        return a


def itself(f: Any) -> Any:
    return f


def applied(f: Any, a: float) -> float:
    return f(a)


class OfDict:
    def __init__(self, f: Any) -> None:
        self.items = {"f": f}

    def __call__(self, a: float) -> float:
        return self.items["f"](a)


class OfList:
    def __init__(self, f: Any) -> None:
        self.fs = [f, f]

    def __call__(self, *a: float) -> float:
        return self.fs[0](*a)


class OfResult:
    def __init__(self, f: Any) -> None:
        self.f = f

    def get(self) -> Any:
        return self.f

    def __call__(self, a: float) -> float:
        return self.get()(a)


class OfVariable:
    def __init__(self, f: Any) -> None:
        self.fs = (f,)

    def __call__(self, a: float) -> float:
        (f,) = self.fs
        return f(a)


class OfLoop:
    def __init__(self, f: Any) -> None:
        self.fs = [f]

    def __call__(self, a: float) -> float:
        for f in self.fs:
            a = f(a)
        return a


class OfParameter:
    def __init__(self, f: Any) -> None:
        self.f = f

    def __call__(self, a: float) -> float:
        return applied(self.f, a)


class OfKeyword:
    def __init__(self, f: Any) -> None:
        self.fs = {"f": f}

    def __call__(self, a: float) -> float:
        return self.fs["f"](a=a)


MAKERS: dict[str, Any] = {
    **{cls.__name__: cls for cls in (OfDict, OfList, OfResult, OfVariable, OfLoop, OfParameter, OfKeyword)},
    "lambda of an item": lambda f: lambda a, fs=[f]: fs[0](a),  # noqa: B006
    "lambda of a captured item": lambda f: (lambda fs: lambda a: fs[0](a))([f]),
    "lambda of a captured object": lambda f: lambda a: f(a),
    "lambda of a result": lambda f: lambda a: itself(f)(a),
    "lambda of a function of it": lambda f: lambda a: applied(f, a),
    "partial": lambda f: functools.partial(applied, f),
    "two deep": lambda f: OfDict(OfList(f)),
    "a lambda of one": lambda f: (lambda o: lambda a: o(a))(OfResult(f)),
}

SHAPES = [
    *("fs[0](a if a > 0 else -a)", "fs[0](a or 1.0)", "fs[0](float(0 < a < 9))", "fs[0](a=a)", "fs[0](*[a])"),
    *(
        "(h := fs[0])(a)",
        "(fs[0] or abs)(a)",
        "(fs[0] if a else abs)(a)",
        "fs[:][0](a)",
        "applied(fs[0], a if a else 1.0)",
    ),
    *("[h(a) for h in fs][0]", "sum(h(v) for h, v in zip(fs, [a]))", "[h(a) for i, h in enumerate(fs)][0]"),
    *("list(map(fs[0], [a]))[0]", "sorted([a], key=fs[0])[0]", "max([a, a], key=fs[0])", "(lambda h: h(a))(fs[0])"),
    "functools.reduce(fs[0], [a]) + fs[0](a)",
]
BODIES = [
    *("w, h = [1.0, fs[0]]; return h(a)", "h, w = fs[0], 1.0; return h(a)", "h = q = fs[0]; return h(a)"),
    *("q = fs[0]; h = q; return h(a)", "h, *_ = fs; return h(a)", "h = fs[0] or abs; return h(a)"),
    *("h = fs[0]; return (lambda: h(a))()", "h = (lambda q: q)(fs[0]); return h(a)"),
    *("for h in fs: a = h(a)\n    return a", "for n, h in enumerate(fs): a = h(a)\n    return a"),
    *("h = abs\n    if a: h = fs[0]\n    return h(a)", "with_ = {'h': fs[0]}; return with_['h'](a)"),
    "def go(f): return f(a)\n    return go(fs[0])",
    "match fs:\n        case [h]: return h(a)\n    return a",
]


@pytest.mark.parametrize(
    "call", ["sorted([3.0, 1.0, 2.0], key=k)[0]", "max([3.0, 1.0], key=k)", "sum(map(k, [1.0, 2.0]))"]
)
@pytest.mark.parametrize("body", [f"return {shape}" for shape in SHAPES] + BODIES)
def test_any_way_to_call_what_is_not_named(body: str, call: str) -> None:
    """Each a function of its own: what is known of one says nothing about the next."""
    name = f"<{body} {call}>"
    text = f"""def made(f):
  fs = [f]
  def key(a):
    {body}
  return key
def program(x):
    noted = Noted(x)
    k = made(noted)
    r = {call}
    return r * x + 3.0 * noted.seen
"""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {"Noted": Noted, "applied": applied, "functools": functools}
    exec(compile(text, name, "exec"), scope)
    f: Any = scope["program"]
    slope = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
    for _ in range(2):
        assert gradient(f, 1.5)[0] == pytest.approx(slope, rel=1e-6)


PURE = [
    *("lambda v: -v", "lambda v, f=abs: f(v)", "lambda v: abs(v) + math.sin(v)", "abs", "lambda v: inner(v)"),
    *("lambda v: (lambda w: w * w)(v)", "lambda v: (math.sin if v > 0 else math.cos)(v)", "outer"),
]


@pytest.mark.parametrize("key", PURE)
def test_what_is_known_is_not_recorded(key: str) -> None:
    name = f"<pure {key}>"
    text = f"""def outer(v):
    h = math.sin
    return h(v)
def program(x):
    inner = lambda v: v * v
    s = 0.0
    for i in range(3):
        s = s + x * sorted([3.0, 1.0, 2.0], key={key})[0]
    return s
"""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope: dict[str, Any] = {"math": math}
    exec(compile(text, name, "exec"), scope)
    assert "record" not in str(code_adjoint(scope["program"], 1.5))


DATA = [3.0, 1.0, 2.0]
CALLS: dict[str, Any] = {
    "sorted": lambda key: sorted(DATA, key=key)[0],
    "max": lambda key: max(DATA, key=key),
    "min": lambda key: min(DATA, key=key),
    "list.sort": lambda key: [*DATA].sort(key=key) or 1.0,
    "map": lambda key: sum(map(key, DATA)),
    "filter": lambda key: sum(filter(key, DATA)),
    "reduce": lambda key: functools.reduce(lambda a, b: a + key(b), DATA, 0.0),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("maker", MAKERS)
def test_what_is_stored_has_its_derivative(maker: str, call: str) -> None:
    make, run = MAKERS[maker], CALLS[call]

    def f(x: float) -> float:
        noted = Noted(x)
        r = run(make(noted))
        return r * x + 3.0 * noted.seen

    y = 1.5
    slope = (f(y + 1e-6) - f(y - 1e-6)) / 2e-6
    for _ in range(2):
        assert gradient(f, y)[0] == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("maker", [OfDict, OfList, OfResult, OfVariable, OfLoop, OfKeyword], ids=lambda c: c.__name__)
def test_in_one_program(maker: Any) -> None:
    def f(x: float) -> float:
        noted = Noted(x)
        o = maker(noted)
        r = sorted([3.0, 1.0, 2.0], key=o)[0] + max([1.0, 2.0], key=lambda v: o(v))
        return r * x + 3.0 * noted.seen

    slope = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
    assert gradient(f, 1.5)[0] == pytest.approx(slope, rel=1e-6)
