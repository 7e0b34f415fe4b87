"""Wrappers: what a call of one does is what its class says, not the function that it names as `__wrapped__`."""

from __future__ import annotations

import contextlib
import functools
import math
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere

from adjoint import grad, value_and_grad, withgradient
from adjoint.errors import NoRuleError, NotDifferentiableError
from adjoint.inspect import code_adjoint
from adjoint.wrappers import TRANSPARENT, called_by


def square(x: Any) -> Any:
    return x * x


@functools.wraps(square)
def five_squares(x: Any) -> Any:
    return 5 * square(x)


class Tripled:
    def __init__(self, f: Any) -> None:
        functools.update_wrapper(self, f)
        self.f = f

    def __call__(self, *args: Any) -> Any:
        return 3 * self.f(*args)


class Scaled(functools.partial):  # type: ignore[type-arg]
    def __call__(self, *args: Any) -> Any:
        return 13 * super().__call__(*args)


class Static(staticmethod):  # type: ignore[type-arg]
    def __call__(self, x: Any) -> Any:  # type: ignore[override]
        return 17 * x


class Context(contextlib.ContextDecorator):
    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> Any:
        return False


@Context()
def cube(x: Any) -> Any:
    return x * x * x


@functools.singledispatch
def single(x: Any) -> Any:
    return x


@single.register(float)
def _(x: Any) -> Any:
    return 11 * x * x


class Held:
    def __init__(self, x: Any) -> None:
        self.x = x


functools.update_wrapper(Held, square, updated=())  # type: ignore[type-var]
RIGHT = {
    "wraps": five_squares,
    "object": Tripled(square),
    "partial": Scaled(operator.mul, 2.0),
    "static": staticmethod(five_squares),
    "own static": Static(square),
    "context": cube,
    "single dispatch": single,
    "cache": functools.lru_cache(five_squares),
    "class": lambda x: Held(x).x * x,
    "method of a partial function": types.MethodType(functools.partial(operator.mul), 4.0),  # type: ignore[arg-type]
    "vectorize": np.vectorize(five_squares),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_a_wrapper_does_is_done(name: str) -> None:
    f: Any = RIGHT[name]
    refused = check_everywhere(f) + check_everywhere(lambda x: f(x) * x)
    assert set(refused) <= ({"forward"} if name == "cache" else set())


def test_a_cache_that_says_it_is_around_something_else() -> None:
    f: Any = functools.wraps(square)(functools.lru_cache(lambda x: 7 * x * x))
    assert called_by(f) is None
    with pytest.raises(NoRuleError, match="around `.*square` meets a value"):
        withgradient(f, 3.0)
    with pytest.raises(NoRuleError):
        withgradient(lambda x: f(x) * x, 3.0)


# ---- proxies


def test_wrapt() -> None:
    wrapt = pytest.importorskip("wrapt")

    @wrapt.decorator
    def twice(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
        return 2 * wrapped(*args, **kwargs)

    class Model:
        @twice
        def area(self, x: Any) -> Any:
            return x * x

    for f in (twice(square), twice(math.sin), twice(np.sin), Model().area, twice(functools.lru_cache(square))):
        refused = check_everywhere(f) + check_everywhere(lambda x, f=f: f(x) * x)
        assert {*refused} <= {"forward", "compiled"}


def test_a_proxy_taken_for_transparent_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    wrapt = pytest.importorskip("wrapt")
    f = wrapt.decorator(lambda wrapped, instance, args, kwargs: 2 * wrapped(*args))(square)
    monkeypatch.setitem(TRANSPARENT, type(f), "__wrapped__")
    with pytest.raises(AssertionError):
        check_everywhere(f)


class Proxy:
    """What is equal to, hashed as and said to be of the class of something else, in Python."""

    def __init__(self, of: Any) -> None:
        self.of = of

    def __hash__(self) -> int:
        return hash(self.of)

    def __eq__(self, other: object) -> bool:
        return bool(self.of == other)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.of, name)

    def __call__(self, x: Any) -> Any:
        return 2 * self.of(x)

    @property
    def __class__(self) -> Any:  # type: ignore[override]
        return type(self.of)


PROXIES = {"function": square, "builtin": math.sin, "ufunc": np.sin, "partial": functools.partial(operator.mul, 2.0)}


@pytest.mark.parametrize("f", PROXIES.values(), ids=PROXIES)
def test_a_proxy_is_not_what_it_stands_for(f: Callable[..., Any]) -> None:
    check_everywhere(Proxy(f))
    g = Proxy(f)
    check_everywhere(lambda x: g(x) * x)


# ---- names of arguments


@functools.wraps(pow)
def reordered(exponent: Any, base: Any) -> Any:
    return base**exponent


@functools.wraps(lambda first, second: 0)
def passed_on(*args: Any) -> Any:
    return args[0] ** args[1]


def test_arguments_have_the_names_that_the_wrapper_gives_them() -> None:
    assert value_and_grad(reordered, argnums="base")(3.0, 2.0) == (8.0, 12.0)
    with pytest.raises(NotDifferentiableError, match="was not given an argument 'exp'"):
        grad(reordered, argnums="exp")(3.0, 2.0)
    assert value_and_grad(passed_on, argnums="first")(2.0, 3.0) == (8.0, 12.0)


# ---- multiple dispatch


def test_plum_chooses_the_method() -> None:
    plum = pytest.importorskip("plum")
    dispatch = plum.Dispatcher()

    @dispatch
    def g(x: float):  # type: ignore[no-untyped-def]
        return 2 * x

    @dispatch
    def g(x: int):  # type: ignore[no-untyped-def]  # noqa: F811
        return 30 * x

    @dispatch
    def g(x: float, y: float, *, k: float = 1.0):  # type: ignore[no-untyped-def]  # noqa: F811
        return x * y * k

    @dispatch
    def g(x: str):  # type: ignore[no-untyped-def]  # noqa: F811
        return len(x)

    assert withgradient(g, 3) == (90, (30,))
    assert withgradient(g, 3.0) == (6.0, (2.0,))
    for f in (
        g,
        lambda x: g(x) * g(2) * g("abc"),
        lambda x: g(x, x * x) * x,
        lambda x: g(x, 2.0, k=x),
        lambda x: g.invoke(int)(x),
        lambda x: sum(map(g, [x, x * x])),
    ):
        assert check_everywhere(f) == []
    assert grad(grad(lambda x: g(x, x)))(3.0) == 2.0
    with pytest.raises(NotDifferentiableError, match="was not given an argument 'x'"):
        grad(g, argnums="x")(3.0)


def test_plum_methods_in_classes() -> None:
    plum = pytest.importorskip("plum")
    dispatch = plum.Dispatcher()

    class Weight:
        def __init__(self, w: Any) -> None:
            self.w = w

        @dispatch
        def scale(self, x: float):  # type: ignore[no-untyped-def]
            return self.w * x

        @dispatch
        def scale(self, x: int):  # type: ignore[no-untyped-def]  # noqa: F811
            return self.w * x * 100

    held = Weight(2.0)
    for f in (lambda x: Weight(x * x).scale(x), lambda x: Weight(x).scale(3), lambda x: held.scale(x)):
        assert check_everywhere(f) == []
    assert check_everywhere(held.scale) == []
    value, (model, x) = withgradient(lambda m, x: m.scale(x), Weight(2.0), 3.0)
    assert (value, model.w, x) == (6.0, 3.0, 2.0)


def test_plum_converts_what_a_method_gives() -> None:
    plum = pytest.importorskip("plum")
    dispatch = plum.Dispatcher()

    class Metres:
        def __init__(self, v: Any) -> None:
            self.v = v

    plum.add_conversion_method(float, Metres, lambda x: Metres(3 * x))

    def length(x):  # type: ignore[no-untyped-def]
        return x * x

    length.__annotations__ = {"x": float, "return": Metres}
    length = dispatch(length)
    assert check_everywhere(lambda x: length(x).v * x) == []


def test_plum_methods_that_are_added_later_count() -> None:
    plum = pytest.importorskip("plum")
    dispatch = plum.Dispatcher()

    @dispatch
    def h(x: object):  # type: ignore[no-untyped-def]
        return x

    def f(x: Any) -> Any:
        return h(x) * x

    assert withgradient(f, 3.0) == (9.0, (6.0,))

    @dispatch
    def h(x: float):  # type: ignore[no-untyped-def]  # noqa: F811
        return 5 * x

    assert withgradient(f, 3.0) == (45.0, (30.0,))


def test_plum_methods_that_store_are_followed() -> None:
    plum = pytest.importorskip("plum")
    dispatch = plum.Dispatcher()
    kept: list[Any] = []

    @dispatch
    def note(x: float):  # type: ignore[no-untyped-def]
        kept.append(x)
        return x

    def f(x: Any) -> Any:
        note(x * x)
        return kept[-1] * x

    for n in (1, 2):
        value, (d,) = withgradient(f, 3.0)
        assert (value, d, len(kept)) == (27.0, 27.0, n)


def test_code_is_shown_of_what_is_called() -> None:
    assert "5 *" in code_adjoint(staticmethod(five_squares), 2.0)
