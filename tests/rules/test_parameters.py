"""Rules whose parameters are not those of their function: never passed over in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adjoint import gradient, pullback, rrule, rule
from adjoint.errors import RuleError
from adjoint.rules import opt_out, scalar_rule


def f(x: Any, y: Any = 2.0, *, k: Any = 1.0) -> Any:
    return x * y * k


@pytest.fixture(autouse=True)
def without_rules() -> Iterator[None]:
    yield
    opt_out(f)


CALLS: list[Callable[..., Any]] = [
    lambda x: f(x, 3.0),
    lambda x: f(x, y=3.0),
    lambda x: f(2.0, y=x),
    lambda x: f(x, k=3.0),
    lambda x: f(2.0, k=x),
    lambda x: [f][0](x, 3.0),
    lambda x: [f][0](x, k=3.0),
]


@pytest.mark.parametrize("g", CALLS)
def test_too_few_parameters(g: Callable[..., Any]) -> None:
    @rule(f)
    def short_rule(x: Any) -> Any:
        return f(x), lambda y_bar: (2.0 * y_bar,)

    with pytest.raises(RuleError, match="the rule `.*short_rule` (takes 1 positional arg|has no parameter)") as caught:
        gradient(g, 3.0)
    assert caught.value.place is not None and "names and defaults" in caught.value.way_out
    assert gradient(lambda x: f(x), 3.0) == (2.0,)
    assert gradient(lambda x: x * f(2.0, 3.0, k=4.0), 1.0) == (24.0,)  # nothing in the call is differentiated


@pytest.mark.parametrize("g", CALLS)
def test_too_few_parameters_of_partials(g: Callable[..., Any]) -> None:
    @scalar_rule(f)
    def short_partial(x: Any, z: Any) -> Any:
        return 2.0

    with pytest.raises(RuleError, match="the rule `.*short_partial` (takes 1 positional arg|has no parameter)"):
        gradient(g, 3.0)


@pytest.mark.parametrize("g", [lambda x: f(x), lambda x: f(x=x), lambda x: f(x, y=3.0), lambda x: [f][0](x)])
def test_other_names_or_no_defaults(g: Callable[..., Any]) -> None:
    @rule(f)
    def named_rule(a: Any, b: Any) -> Any:
        return f(a, b), lambda y_bar: (b * y_bar, a * y_bar)

    with pytest.raises(RuleError, match="the rule `.*named_rule` takes 2 positional arguments, and is called with"):
        gradient(g, 3.0)
    assert gradient(f, 3.0, 4.0) == (4.0, 3.0)


def test_rules_for_some_numbers_of_arguments() -> None:
    @rule(f)
    def one_rule(x: Any) -> Any:
        return f(x), lambda y_bar: (2.0 * y_bar,)

    @rule(f)
    def two_rule(x: int, y: int) -> Any:
        return f(x, y), lambda y_bar: (y * y_bar, x * y_bar)

    assert gradient(f, 3.0) == (2.0,) and gradient(f, 3, 4) == (4.0, 3.0)
    assert gradient(f, 3.0, 4.0) == (4.0, 3.0)  # no rule is for these types: the function is looked into


def test_calls_of_the_rule_itself() -> None:
    @rule(f)
    def short_rule(x: Any) -> Any:
        return f(x), lambda y_bar: (2.0 * y_bar,)

    for differentiate in (pullback, rrule):
        with pytest.raises(RuleError, match="takes 1 positional argument, and is called with 2"):
            differentiate(f, 1.0, 2.0)
        with pytest.raises(RuleError, match="has no parameter `k`"):
            differentiate(f, 1.0, k=2.0)
