"""The checker finds what it is there to find."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from rules.checker import check_rule

from adjoint.errors import RuleError
from adjoint.rules.registry import opt_out, rule, scalar_rule


def product(x: Any, y: Any) -> Any:
    return x * y


@pytest.fixture(autouse=True)
def without_rule() -> Iterator[None]:
    yield
    opt_out(product)


def declare(back: Callable[[Any, Any, Any], Any], value: Callable[[Any, Any], Any] = product) -> None:
    @rule(product)
    def product_rule(x, y):
        return value(x, y), lambda y_bar: back(x, y, y_bar)


ARRAYS = (np.array([1.0, 2.0]), np.array([0.5, -1.0]))


def test_accepts_a_right_rule() -> None:
    declare(lambda x, y, y_bar: (y_bar * y, y_bar * x))
    check_rule(product, *ARRAYS)
    check_rule(product, 2.0, 3.0)


def grow(x: Any, y: Any, y_bar: Any) -> Any:
    y_bar += 1.0
    return y_bar * y, y_bar * x


def spoil(x: Any, y: Any, y_bar: Any) -> Any:
    x[0] = 7.0
    return y_bar * y, y_bar * x


FORGETFUL: list[int] = []


def alternate(x: Any, y: Any, y_bar: Any) -> Any:
    FORGETFUL.append(1)
    return y_bar * y * len(FORGETFUL), y_bar * x


@pytest.mark.parametrize(
    ("back", "message"),
    [
        (lambda x, y, y_bar: (y_bar * x, y_bar * y), "argument 0"),
        (lambda x, y, y_bar: (y_bar * y, y_bar * x * 1.001), "argument 1"),
        (lambda x, y, y_bar: (y_bar * y, None), "argument 1"),
        (lambda x, y, y_bar: None, "NoneType"),
        (lambda x, y, y_bar: (y_bar * y, y_bar * x, None, None, None), "5 cotangents"),
        (lambda x, y, y_bar: ((y_bar * y).astype(np.float32), y_bar * x), "dtype"),
        (lambda x, y, y_bar: ((y_bar * y)[None], y_bar * x), "shape"),
        (lambda x, y, y_bar: (1j * y_bar * y, y_bar * x), "real"),
        (grow, "ȳ was changed"),
        (spoil, "argument was changed"),
        (alternate, "called again"),
    ],
)
def test_objects_to_a_wrong_back(back: Any, message: str) -> None:
    declare(back)
    with pytest.raises((AssertionError, RuleError), match=message):
        check_rule(product, *ARRAYS)


def test_objects_to_a_wrong_value() -> None:
    declare(lambda x, y, y_bar: (y_bar * y, y_bar * x), lambda x, y: 2 * x * y)
    with pytest.raises(AssertionError, match="value"):
        check_rule(product, *ARRAYS)


def test_objects_to_a_wrong_partial() -> None:
    @scalar_rule(product)
    def product_partials(x, y, z):
        return y, y

    with pytest.raises(AssertionError, match="argument 1"):
        check_rule(product, 2.0, 3.0)


def test_objects_to_a_missing_rule() -> None:
    with pytest.raises(AssertionError, match="no rule"):
        check_rule(product, 2.0, 3.0)
