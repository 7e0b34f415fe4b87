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

from adjoint import grad, pullback, value_and_grad
from adjoint.classify import classify, kind_of, passed_on


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


class Louder(functools.partial):  # type: ignore[type-arg]
    def __call__(self, *args: Any) -> Any:
        return 11.0 * super().__call__(*args)


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
    forward: bool = True


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
    Row("cache", lambda: cached, "cached", "cached", "source", forward=False),
    Row("class", lambda: Model, "class", None, "source", None),
    Row("class with a call", lambda: Made, "class", "Meta.__call__", "source"),
    Row("object", lambda: Model(3.0), "object", "Model.__call__", "source"),
    Row("object that says it wraps", lambda: Wrapping(3.0), "object", "Model.__call__", "source"),
    Row("object with a static call", lambda: Static(), "object", "Static.__call__", "source"),
    Row("object with a builtin call", lambda: Builtin(), "object", None, "source"),
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
