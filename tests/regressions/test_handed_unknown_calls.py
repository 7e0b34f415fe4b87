"""Functions handed to `sorted`, `max` and the like that call what their code does not name: an item, a result, a
parameter. It may store, and what it stores has a derivative."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from adjoint import gradient


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
