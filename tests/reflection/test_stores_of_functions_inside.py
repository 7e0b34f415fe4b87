"""Programs that make functions and change what others can see: what is called from them is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from adjoint import gradient, ir, pullback
from adjoint.tangents import field_bar


class Last:
    now: ClassVar[float] = 0.0


def storing(x: float, y: float) -> float:
    def g(u: float) -> float:
        Last.now = u * x * y
        return Last.now

    return g(2.0) * y


def stepping(x: float, y: float) -> Any:
    def g() -> Any:
        for i in range(3):
            Last.now = Last.now + x * y
            yield Last.now * i

    Last.now = 0.0
    return sum(g())


def with_parameters(x: float, /, y: float = 2.0, *rest: float, c: float = 4.0, **more: float) -> float:
    def g(u: float) -> float:
        Last.now = u * x * y * c
        for r in rest:
            Last.now = Last.now * r
        return Last.now

    return g(2.0) * more.get("k", 1.0)


def slopes(f: Callable[..., float], *args: float, **kwargs: float) -> list[float]:
    """The derivatives by the arguments and the keywords, by differences."""
    names, values = list(kwargs), [*args, *kwargs.values()]

    def at(i: int, d: float) -> float:
        moved = [v + d * (j == i) for j, v in enumerate(values)]
        return f(*moved[: len(args)], **dict(zip(names, moved[len(args) :], strict=True)))

    return [(at(i, 1e-6) - at(i, -1e-6)) / 2e-6 for i in range(len(values))]


@pytest.mark.parametrize("f", [storing, stepping, with_parameters])
def test_the_gradient_is_that_of_the_function(f: Callable[..., float]) -> None:
    made = ir.function(ir.of(f))
    found = gradient(made, 1.5, 3.0)
    assert found == gradient(f, 1.5, 3.0)
    assert list(found) == pytest.approx(slopes(f, 1.5, 3.0), rel=1e-6)


def test_arguments_of_all_kinds_are_laid_out() -> None:
    made = ir.function(ir.of(with_parameters))
    found = gradient(made, 1.5, 3.0, 2.0, 7.0, c=2.0, k=1.5)
    by_name = gradient(lambda c, k: made(1.5, 3.0, 2.0, 7.0, c=c, k=k), 2.0, 1.5)
    expected = slopes(with_parameters, 1.5, 3.0, 2.0, 7.0, c=2.0, k=1.5)
    assert [*found, *by_name] == pytest.approx(expected, rel=1e-6)


def test_what_the_function_holds_has_its_cotangents() -> None:
    def holding(w: float) -> Callable[..., float]:
        def f(x: float, k: float = w * 3.0) -> float:
            def g(u: float) -> float:
                Last.now = u * x * w * k
                return Last.now

            return g(2.0)

        return f

    f = holding(5.0)
    bar, x_bar = pullback(ir.function(ir.of(f)), 1.5)[1](1.0)
    own = field_bar(field_bar(bar, "program"), "own")
    assert x_bar == pytest.approx(2.0 * 5.0 * 15.0)
    assert (field_bar(own, "w"), field_bar(own, "k")) == pytest.approx((2.0 * 1.5 * 15.0, 2.0 * 1.5 * 5.0))


def test_a_function_around_the_calls_may_note_them() -> None:
    calls: list[str] = []

    def noted(fn: Any, *args: Any) -> Any:
        calls.append(fn.__name__)
        return fn(*args)

    def f(x: float) -> float:
        def g(u: float) -> float:
            return u * x

        return g(2.0)

    assert gradient(ir.function(ir.instrument(ir.of(f), noted)), 1.5) == (2.0,)
    assert calls == ["g", "mul"]
