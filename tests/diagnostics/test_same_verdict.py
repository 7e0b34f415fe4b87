"""What is refused does not depend on what was asked before: each kind of callable, each question, in both orders."""

from __future__ import annotations

import collections
import colorsys
import functools
import itertools
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from adjoint import explain, gradient, pullback, value_and_grad
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError, UnsupportedSyntaxError
from adjoint.inspect import cache_clear, code_adjoint, code_ir, supports


def callables() -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """One of each kind, made anew."""

    async def coroutine(x: Any) -> Any:
        return x * x

    async def asynchronous(x: Any) -> Any:
        yield x

    def generator(x: Any) -> Any:
        yield x * x

    def plain(x: Any) -> Any:
        return x * x

    def storing(x: Any) -> Any:
        kept[0] = x
        return kept[0] * x

    kept = [0.0]
    Pair = collections.namedtuple("Pair", "a b")  # noqa: PYI024

    class Point(NamedTuple):
        a: float
        b: float = 2.0

    class Called:
        async def __call__(self, x: Any) -> Any:
            return x * x

    return {
        "coroutine": (coroutine, (2.0,)),
        "asynchronous generator": (asynchronous, (2.0,)),
        "object": (Called(), (2.0,)),
        "method": (Called().__call__, (2.0,)),
        "partial": (functools.partial(coroutine), (2.0,)),
        "cached": (functools.lru_cache(plain), (2.0,)),
        "generator": (generator, (2.0,)),
        "plain": (plain, (2.0,)),
        "storing": (storing, (2.0,)),
        "named tuple": (Pair, (1.0, 2.0)),
        "typed named tuple": (Point, (1.0,)),
        "its __new__": (Pair.__new__, (Pair, 1.0, 2.0)),
        "library": (colorsys.rgb_to_hsv, (0.1, 0.2, 0.3)),
        "behind a NumPy function": (np.sum.__wrapped__, (np.ones(2),)),  # type: ignore[attr-defined]
        "builtin": (operator.mul, (2.0, 3.0)),
        "class": (list, ([1.0],)),
    }


QUESTIONS: dict[str, Callable[..., Any]] = {
    "gradient": gradient,
    "pullback": lambda f, *args: pullback(f, *args)[0],
    "pushforward": lambda f, *args: pushforward(f, args, tuple([1.0 if type(x) is float else None for x in args])),
    "code_adjoint": code_adjoint,
    "code_ir": lambda f, *args: code_ir(f),
    "explain": explain,
    "compiled": lambda f, *args: value_and_grad(f, compile=True)(*args),
    "supports": lambda f, *args: supports(f),
    "within": lambda f, *args: gradient(lambda *given: f(*given), *args),
}


def verdict(question: str, f: Any, args: tuple[Any, ...]) -> str:
    try:
        return f"right: {QUESTIONS[question](f, *args)!r}".partition(" at 0x")[0]
    except AdjointError as error:
        return f"refused: {error.what}"
    except (TypeError, ValueError, RecursionError) as error:
        return f"Python: {type(error).__name__}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", callables())
def test_the_verdict_is_the_same_whatever_was_asked_before(name: str) -> None:
    alone = {}
    for question in QUESTIONS:
        cache_clear()
        alone[question] = verdict(question, *callables()[name])
    makers = ["code_adjoint", "gradient", "explain", "compiled"]  # which keep what they made
    for first, then in itertools.product(makers, QUESTIONS):
        cache_clear()
        f, args = callables()[name]
        verdict(first, f, args)
        assert verdict(then, f, args) == alone[then], (first, then)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["coroutine", "asynchronous generator", "object", "method", "partial"])
def test_asynchronous_code_is_refused_by_all(name: str) -> None:
    for question in QUESTIONS.keys() - {"supports", "explain"}:
        f, args = callables()[name]
        with pytest.raises(UnsupportedSyntaxError, match="asynchronous"):
            QUESTIONS[question](f, *args)
    assert not supports(callables()[name][0])
