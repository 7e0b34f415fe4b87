"""What a callable is, and what each part of the library makes of it: one table, a row for each kind of callable."""

from __future__ import annotations

import functools
import math
import operator
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback, value_and_grad
from adjoint.classify import classify, kind_of, passed_on
from adjoint.derivatives.recorded import record
from adjoint.errors import AdjointError, SourceUnavailableError
from adjoint.inspect import code_adjoint, supports
from adjoint.ir.watch import Contents
from adjoint.runtime.handed import functions_in
from adjoint.runtime.implicit_calls import may_change


def cube(x: Any) -> Any:
    return x * x * x


def scaled(k: Any, x: Any) -> Any:
    return k * x * x


def closure() -> Any:
    k = 3.0
    return lambda x: k * x * x


class Model:
    def __init__(self, k: Any) -> None:
        self.k = k

    def __call__(self, x: Any) -> Any:
        return self.k * x * x

    def method(self, x: Any) -> Any:
        return self.k * x * x

    @classmethod
    def of_class(cls, x: Any) -> Any:
        return 5.0 * x * x

    @staticmethod
    def static(x: Any) -> Any:
        return 7.0 * x * x

    applied = functools.partialmethod(scaled, 3.0)

    def two(self, k: Any, x: Any) -> Any:
        return self.k * k * x * x

    both = functools.partialmethod(two, 3.0)


class Static:
    @staticmethod
    def __call__(x: Any, k: Any = 3.0) -> Any:
        return k * x * x


class Builtin:
    __call__ = math.sin


class Absolute:
    __call__ = abs


class Meta(type):
    def __call__(cls, x: Any) -> Any:
        return 3.0 * x * x


class Made(metaclass=Meta):
    pass


class Wrapping(Model):
    """It says that it wraps another function than it calls."""

    def __init__(self, k: Any) -> None:
        self.k = k
        self.__wrapped__ = math.sin
        self.py_func = math.cos


class Partial(functools.partial):  # type: ignore[type-arg]
    pass


class Doubled(functools.partial):  # type: ignore[type-arg]
    def __call__(self, *args: Any) -> Any:
        return 2.0 * super().__call__(*args)


class Louder(functools.partial):  # type: ignore[type-arg]
    def __call__(self, *args: Any) -> Any:
        return 11.0 * scaled(self.args[0], args[0])


class Vectorised(np.vectorize):
    def __call__(self, *args: Any) -> Any:
        return 11.0 * args[0] * args[0]


@functools.lru_cache
def cached(x: Any) -> Any:
    return x * x * x


@functools.singledispatch
def by_class(x: Any) -> Any:
    return 3.0 * x * x


@functools.wraps(math.sin)
def wrapped(x: Any) -> Any:
    return 3.0 * x * x


def generator(x: Any) -> Any:
    yield x


async def coroutine(x: Any) -> Any:
    return x


class Row(NamedTuple):
    name: str
    make: Callable[[], Any]
    kind: str
    function: Any
    """The name of the function in Python that runs in the end."""
    how: str
    """What `supports` says."""
    x: Any = 2.0
    """An argument; None where nothing is differentiated."""
    shown: Any = ...
    """The name of the function that `code_adjoint` shows; None where there is none. Mostly `function`."""


XS = np.array([2.0, 5.0])
ROWS = [
    Row("function", lambda: cube, "python", "cube", "source"),
    Row("closure", closure, "python", "closure.<locals>.<lambda>", "source"),
    Row("wraps", lambda: wrapped, "python", "sin", "source", shown="wrapped"),
    Row("bound method", lambda: Model(3.0).method, "bound", "Model.method", "source"),
    Row("class method", lambda: Model.of_class, "bound", "Model.of_class", "source"),
    Row(
        "method of a partial",
        lambda: types.MethodType(functools.partial(scaled, 3.0), 2.0),
        "bound",
        "scaled",
        "source",
        None,
    ),
    Row("static method", lambda: Model(3.0).static, "python", "Model.static", "source"),
    Row("staticmethod", lambda: staticmethod(cube), "static", "cube", "source"),
    Row("classmethod", lambda: classmethod(cube), "other", None, "", None),
    Row("builtin", lambda: math.sin, "builtin", None, "rule"),
    Row("builtin class method", lambda: dict.fromkeys, "builtin", None, "rule", None),
    Row("builtin bound method", lambda: np.array([3.0, 4.0]).dot, "method", None, "rule", XS),
    Row("method-wrapper", lambda: (3.0).__mul__, "method", None, "rule"),
    Row("ufunc", lambda: np.sin, "ufunc", None, "rule"),
    Row("method of a ufunc", lambda: np.add.reduce, "method", None, "rule", XS),
    Row("dispatcher", lambda: np.sum, "dispatcher", None, "rule", XS),
    Row("dispatcher in C", lambda: functools.partial(np.dot, XS), "partial", None, "rule", XS),
    Row("method descriptor", lambda: np.ndarray.sum, "descriptor", None, "rule", XS),
    Row("wrapper descriptor", lambda: float.__neg__, "descriptor", None, "rule"),
    Row("partial", lambda: functools.partial(scaled, 3.0), "partial", "scaled", "source"),
    Row("partial of a builtin", lambda: functools.partial(operator.mul, 3.0), "partial", None, "rule"),
    Row("subclass of partial", lambda: Partial(scaled, 3.0), "partial", "scaled", "source"),
    Row("subclass with a call", lambda: Louder(scaled, 3.0), "object", "Louder.__call__", "source"),
    Row("partial method", lambda: Model(3.0).both, "partial", "Model.two", "source"),
    Row("cache", lambda: cached, "cached", "cached", "source"),
    Row("class", lambda: Model, "class", None, "source", None),
    Row("class with a call", lambda: Made, "class", "Meta.__call__", "source"),
    Row("object", lambda: Model(3.0), "object", "Model.__call__", "source"),
    Row("object that says it wraps", lambda: Wrapping(3.0), "object", "Model.__call__", "source"),
    Row("object with a static call", lambda: Static(), "object", "Static.__call__", "source"),
    Row("object with a builtin call", lambda: Builtin(), "object", None, "rule"),
    Row("object with an operator", lambda: Absolute(), "object", None, "rule"),
    Row("pullback", lambda: pullback(cube, 2.0)[1], "pullback", None, "source", None),
    Row("gradient", lambda: grad(cube), "gradient", None, "source", shown="cube_gradient"),
    Row("value and gradient", lambda: value_and_grad(cube), "gradient", None, "source", None),
    Row("singledispatch", lambda: by_class, "dispatch", "by_class", "source", shown=""),
    Row("vectorize", lambda: np.vectorize(cube), "entries", None, "rule"),
    Row("vectorize with a call", lambda: Vectorised(cube), "object", "Vectorised.__call__", "source"),
    Row("frompyfunc", lambda: np.frompyfunc(cube, 1, 1), "entries", None, "rule"),
    Row("poly1d", lambda: np.poly1d([3.0, 0.0, 0.0]), "object", "poly1d.__call__", "rule", shown=None),
    Row("itemgetter", lambda: operator.itemgetter(0), "getter", None, "rule", XS),
    Row("methodcaller", lambda: operator.methodcaller("__mul__", 3.0), "getter", None, "rule"),
    Row("generator function", lambda: generator, "suspended", "generator", "source", None),
    Row("coroutine function", lambda: coroutine, "suspended", "coroutine", "missing", None),
    Row("number", lambda: 3.0, "other", None, "", None),
]
TWICE = ("staticmethod", "method-wrapper", "subclass of partial", "cache", "object", "object with a static call")
DIFFERENTIATED = [row for row in ROWS if row.x is not None]


def named(row: Row) -> str:
    return row.name


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_kinds(row: Row) -> None:
    c = classify(row.make())
    assert c.kind == kind_of(c.itself) == row.kind
    assert getattr(c.function, "__qualname__", None) == row.function
    assert c.function is None or type(c.function) is types.FunctionType


@pytest.mark.parametrize("row", DIFFERENTIATED, ids=named)
def test_what_it_passes_on_gives_the_same(row: Row) -> None:
    f = row.make()
    g, args, kwargs = passed_on(f, (row.x,), {})
    assert g(*args, **kwargs) == f(row.x)


def slope(f: Any, x: Any) -> Any:
    """The derivatives by differences."""
    h, steps = 1e-6, np.eye(np.size(x)) if np.ndim(x) else [1.0]
    return np.reshape([(f(x + h * step) - f(x - h * step)) / (2 * h) for step in steps], np.shape(x))


def by_recording(f: Any, x: Any) -> Any:
    y, back, _ = record(f, (x,), {})
    assert np.all(y == f(x))
    assert np.all(back(1.0)[1] == back(1.0)[1])
    return back(1.0)[1]


@pytest.mark.parametrize("row", DIFFERENTIATED, ids=named)
@pytest.mark.parametrize("within", [False, True], ids=["itself", "within"])
def test_derivatives(row: Row, within: bool) -> None:
    own = row.make()
    f, x = (lambda x: own(x) * 2.0) if within else own, np.copy(row.x) if np.ndim(row.x) else row.x
    expected, x_dot = slope(f, x), np.ones(np.shape(x)) if np.ndim(x) else 1.0
    assert gradient(f, x)[0] == pytest.approx(expected, rel=1e-6)
    assert by_recording(f, x) == pytest.approx(expected, rel=1e-6)
    assert np.all(x == row.x)
    assert jvp(f, (x,), (x_dot,))[1] == pytest.approx(np.sum(expected), rel=1e-6)


@pytest.mark.parametrize("row", [row for row in ROWS if row.name in TWICE], ids=named)
def test_second_derivatives(row: Row) -> None:
    f = row.make()
    expected = slope(lambda x: slope(f, x), 2.0)
    assert grad(grad(f))(2.0) == pytest.approx(expected, rel=1e-3, abs=1e-3)
    assert jvp(grad(f), (2.0,), (1.0,))[1] == pytest.approx(expected, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_what_is_said(row: Row) -> None:
    f = row.make()
    if row.how:
        assert supports(f).how == row.how
    else:
        with pytest.raises(AdjointError):
            supports(f)


@pytest.mark.parametrize("row", DIFFERENTIATED, ids=named)
def test_what_is_shown(row: Row) -> None:
    f, shown = row.make(), row.function if row.shown is ... else row.shown
    if shown is None:
        with pytest.raises(SourceUnavailableError):
            code_adjoint(f, row.x)
        return
    name = shown.rpartition(".")[2].replace("<lambda>", "lambda_")
    text = code_adjoint(f, row.x)
    assert f"def {name}_rrule(" in text or not shown and "is recorded as it runs" in text


# ---- what one of the parts had overlooked


def test_a_cache_of_what_is_recorded() -> None:
    @functools.lru_cache
    def stored(x: Any) -> Any:
        found = [0.0]

        def put() -> None:
            found[0] = x * x * x

        put()
        return found[0]

    assert gradient(stored, 3.0) == (27.0,)
    assert gradient(functools.partial(stored), 3.0) == (27.0,)
    assert jvp(stored, (3.0,), (2.0,)) == (27.0, 54.0)
    assert grad(grad(stored))(3.0) == 18.0


def linear(a: Any, x: Any, *, b: Any = 2.0) -> Any:
    return np.sum(a * x) * b


@pytest.mark.parametrize("cls", [functools.partial, Partial, Doubled])
def test_partial_functions_that_are_arguments(cls: Any) -> None:
    p, x, n = cls(linear, np.array([1.0, 2.0]), b=3.0), np.array([4.0, 5.0]), 2.0 if cls is Doubled else 1.0

    def f(p: Any, x: Any) -> Any:
        return p(x) * p.args[0][0]

    _, back, _ = record(f, (p, x), {})
    for _ in range(2):
        by_record = back(1.0)[1:]
        for p_bar, x_bar in (by_record, gradient(f, p, x)):
            assert p_bar.args[0].tolist() == [n * (3.0 * 4.0 + 42.0), n * 3.0 * 5.0]
            assert p_bar.keywords == {"b": n * 14.0}
            assert x_bar.tolist() == [n * 3.0, n * 6.0]


def test_the_memory_of_a_partial_function_is_seen() -> None:
    a = np.array([1.0, 2.0])
    p = functools.partial(linear, a)

    def stored(a: Any, p: Any) -> Any:
        a[0] = a[1] * a[1]
        return p(np.array([1.0, 3.0]))

    _, back, _ = record(stored, (a, p), {})
    a[:] = 1.0, 2.0
    a_bar, p_bar = back(1.0)[1:]
    assert (a_bar + p_bar.args[0]).tolist() == [0.0, 14.0]


HELD: list[Any] = [0.0]


def storing(x: Any) -> Any:
    HELD[0] = x
    return x


class Storing:
    def __init__(self) -> None:
        HELD[0] = self


STORING = {
    "function": storing,
    "static": staticmethod(storing),
    "partial": functools.partial(storing),
    "subclass of partial": Partial(storing),
    "argument of a partial": functools.partial(map, storing),
    "bound partial": types.MethodType(functools.partial(storing), HELD),
    "cache": functools.lru_cache(storing),
    "cache that says it is around something else": functools.wraps(abs)(functools.lru_cache(storing)),
    "vectorize": np.vectorize(storing),
    "frompyfunc": np.frompyfunc(storing, 1, 1),
    "cmp_to_key": functools.cmp_to_key(lambda x, y: storing(x)),
    "singledispatch": functools.singledispatch(storing),
    "class": Storing,
    "static call": type("A", (), {"__call__": staticmethod(storing)})(),
    "vectorize with a call": type("A", (np.vectorize,), {"__call__": lambda self, x: storing(x)})(cube),
    "method of a list": HELD.append,
    "methodcaller": operator.methodcaller("append", 1.0),
    "gradient": grad(storing),
    "other": print,
}
PURE = {
    "function": cube,
    "static": staticmethod(cube),
    "partial": functools.partial(scaled, 3.0),
    "cache": cached,
    "vectorize": np.vectorize(cube),
    "frompyfunc": np.frompyfunc(cube, 1, 1),
    "builtin": math.sin,
    "ufunc": np.sin,
    "dispatcher": np.sum,
    "object": Model(3.0),
    "static call": Static(),
    "builtin call": Builtin(),
    "class": Model,
    "gradient": grad(cube),
    "getter": operator.itemgetter(0),
    "method": (3.0).__mul__,
}


@pytest.mark.parametrize("f", STORING.values(), ids=STORING)
def test_what_stores_may_change(f: Any) -> None:
    assert may_change(f)


@pytest.mark.parametrize("name", sorted(STORING.keys() - {"class", "method of a list", "methodcaller", "other"}))
def test_functions_that_are_handed_on_are_found(name: str) -> None:
    assert storing in functions_in([STORING[name]]) or "call" in name or "key" in name


@pytest.mark.parametrize("f", PURE.values(), ids=PURE)
def test_what_only_computes_does_not(f: Any) -> None:
    assert not may_change(f)


@pytest.mark.parametrize(
    "name", sorted(STORING.keys() - {"class", "singledispatch", "methodcaller", "gradient", "other"})
)
def test_what_a_watched_call_reaches_is_seen(name: str) -> None:
    f = STORING[name]
    HELD[:] = [[1.0]]
    before = Contents()
    before.add(f)
    HELD[0][0] = 2.0
    assert before.restored()
    assert HELD == [[1.0]]
