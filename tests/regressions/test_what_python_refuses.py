"""What Python refuses is refused: no rule takes what the operator or the call would not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, pullback


def scaled(x: Any, y: Any = 2.0) -> Any:
    return x * y


def product_of_lists(x: float) -> Any:
    return [x, 1.0] @ [x, 2.0]  # type: ignore[operator]


def product_of_tuples(x: float) -> Any:
    return ((x, 1.0), (2.0, x)) @ ((x,), (2.0,))  # type: ignore[operator]


def product_of_empty_lists(x: float) -> Any:
    return [] @ [] + x  # type: ignore[operator]


def options_in_a_list(x: float) -> Any:
    return scaled(x, **[])  # type: ignore[arg-type]


def options_in_pairs(x: float) -> Any:
    return scaled(x, **[("y", x)])  # type: ignore[arg-type]


def display_of_pairs(x: float) -> Any:
    return {**[("k", x)], "q": x}["q"]  # type: ignore[dict-item]


def display_of_nothing(x: float) -> Any:
    return {**[], "q": x}["q"]  # type: ignore[dict-item]


PROGRAMS = [
    *(product_of_lists, product_of_tuples, product_of_empty_lists),
    *(options_in_a_list, options_in_pairs, display_of_pairs, display_of_nothing),
]


def also_recorded(f: Callable[[float], Any]) -> Callable[[float], Any]:
    def recorded(x: float) -> Any:
        try:
            x = x * 1.0
        finally:
            y = f(x)
        return y

    return recorded


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_an_error_stays(f: Callable[[float], Any]) -> None:
    for program in (f, also_recorded(f)):
        for run in (gradient, pullback, lambda g, x: jvp(g, (x,), (1.0,))):
            with pytest.raises(TypeError):
                run(program, 1.5)


def test_products_with_arrays_stay() -> None:
    a, b = np.array([1.0, 2.0]), [3.0, 4.0]
    assert [g is None or np.asarray(g).tolist() for g in gradient(lambda a, b: a @ b, a, b)] == [[3.0, 4.0], [1.0, 2.0]]
