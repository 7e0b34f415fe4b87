"""The registry: how rules are declared, found and chosen, and what its helpers compute."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from adjoint.rules import registry
from adjoint.rules.registry import find_rules, non_differentiable, opt_out, rule, scalar_rule
from adjoint.tangents import apply_partial


def f(x: Any, y: Any = 1.0, *more: Any) -> Any:
    return x * y


@pytest.fixture(autouse=True)
def without_rules() -> Iterator[None]:
    yield
    opt_out(f)


def chosen(*types: type) -> str | None:
    rules = find_rules(f)
    assert rules is not None
    method = rules.select(types)
    return None if method is None else method.name


def back(y_bar: Any) -> tuple[Any, ...]:
    return y_bar, None


def test_a_function_without_rules() -> None:
    assert find_rules(f) is None
    assert find_rules([]) is None


def test_the_most_special_rule_is_chosen() -> None:
    @rule(f)
    def any_rule(x, y=1.0):
        return f(x, y), back

    @rule(f)
    def float_rule(x: float, y: float = 1.0):
        return f(x, y), back

    @rule(f)
    def list_rule(x: list[Any], y: Callable[..., Any] | None):
        return f(x, y), back

    assert chosen(str) == chosen(str, int) == chosen(list, int) == "any_rule"
    assert chosen(float) == chosen(np.float64, float) == "float_rule"
    assert chosen(list, type(None)) == "list_rule"
    assert chosen() is None


def test_a_later_rule_for_the_same_types_replaces() -> None:
    @rule(f)
    def first_rule(x: float, y: float):
        return f(x, y), back

    assert chosen(float, float) == "first_rule"

    @rule(f)
    def second_rule(x: float, y: float):
        return f(x, y), back

    assert chosen(float, float) == "second_rule"


def test_variable_arguments() -> None:
    @rule(f)
    def all_rule(x: float, *more: int):
        return f(x), back

    assert chosen(float) == chosen(float, int, int) == "all_rule"
    assert chosen(float, str) is None
    method = find_rules(f).select((float,))  # type: ignore[union-attr]
    assert method is not None and method.varargs and method.names == ("x",) and method.required == 1


def test_scalar_rules_are_for_numbers_and_arrays() -> None:
    @scalar_rule(f, returns="float")
    def partials(x, y, z):
        return y, x

    for kind in (int, float, complex, bool, np.float64, np.float32, np.ndarray):
        assert chosen(kind, np.ndarray) == "f_rule"
    assert chosen(str, float) is None
    method = find_rules(f).select((float, float))  # type: ignore[union-attr]
    assert method is not None and method.partials is partials and method.names == ("x", "y")
    assert method.returns == "float"
    z, f_back = method.call(2.0, np.array([1.0, 3.0], np.float32))
    x_bar, y_bar = f_back(np.ones(2, np.float32))
    assert x_bar == 4.0 and isinstance(x_bar, float)
    assert y_bar.tolist() == [2.0, 2.0] and y_bar.dtype == np.float32


def test_a_scalar_rule_may_have_a_form_of_its_own_for_keywords() -> None:
    def closed(x: Any, y: Any, *, turned: bool = False) -> Any:
        return f(x, y), lambda z_bar: (-z_bar if turned else z_bar, None)

    @scalar_rule(f, call=closed)
    def partials(x, y, z):
        return 1, 0.0

    method = find_rules(f).select((float, float))  # type: ignore[union-attr]
    assert method is not None and method.partials is partials
    assert method.call(1.0, 2.0, turned=True)[1](1.0) == (-1.0, None)


def test_functions_through_which_nothing_flows() -> None:
    non_differentiable(f, returns="int")
    rules = find_rules(f)
    assert rules is not None and not rules.differentiable and rules.returns == "int"
    opt_out(f)
    assert find_rules(f) is None


def test_bound_methods_of_builtin_classes_have_one_key() -> None:
    assert registry.key_of(np.add.at) == registry.key_of(np.add.at) != registry.key_of(np.multiply.at)


@pytest.mark.parametrize(
    ("y_bar", "p", "expected"),
    [
        (2.0, 3.0, 6.0),
        (1.0, 2j, -2j),
        (0.0, np.inf, 0.0),
        (2.0, np.inf, np.inf),
        (0.0, -np.inf, 0.0),
        (np.array([0.0, 1.0, 2.0]), np.array([np.inf, np.inf, 3.0]), [0.0, np.inf, 6.0]),
        (np.array([0.0, 0.0]), np.array([np.nan, 1.0]), [0.0, 0.0]),
        (np.array([0.0, 1.0]), np.inf, [0.0, np.inf]),
        (np.array([1.0 + 1j]), np.array([2j]), [2.0 - 2j]),
    ],
)
def test_singular_partials(y_bar: Any, p: Any, expected: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(apply_partial(y_bar, p, True), expected)


def test_partials_keep_single_precision() -> None:
    d = apply_partial(np.ones(2, np.float32), np.array([np.inf, 1.0], np.float32), True)
    assert d.dtype == np.float32
