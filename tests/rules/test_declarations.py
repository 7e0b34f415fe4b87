"""What a declaration says, held to the parameters of the rule at once; and a tangent of a user's, while it runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp, linearize, rule
from adjoint.calculus import pushforward, seeds
from adjoint.errors import RuleError
from adjoint.ir.types import BOOL, FLOAT, UNKNOWN, Array, List, Type
from adjoint.ops import UNSEEN, Given, type_given
from adjoint.ops.words import WORDS
from adjoint.rules import non_differentiable, not_implemented, opt_out, scalar_rule


def f(a: Any, b: Any = 2.0, *more: Any, k: Any = 1.0) -> Any:
    return a * b * k


@pytest.fixture(autouse=True)
def without_rules() -> Iterator[None]:
    yield
    opt_out(f)


def f_rule(a: Any, b: Any = 2.0, *more: Any, k: Any = 1.0) -> Any:
    return f(a, b, k=k), lambda y_bar: (b * k * y_bar, a * k * y_bar)


@pytest.mark.parametrize("linear", ["", "a", "a b", "a b k", "*", "*more", "*more*", "a | b k", " | b", "a+b"])
def test_parameters_that_are_there(linear: str) -> None:
    rule(f, linear=linear)(f_rule)


@pytest.mark.parametrize("linear", ["c", "a c", "a+c", "*rest", "a | c"])
def test_a_parameter_that_is_not_there(linear: str) -> None:
    with pytest.raises(RuleError, match=r"f_rule` says `linear=.*`, and has no parameter `(c|rest)`") as caught:
        rule(f, linear=linear)(f_rule)
    assert caught.value.place is not None and "def f_rule" in str(caught.value)


@pytest.mark.parametrize("linear", ["a+", "*more a", ("a", "b"), 1])
def test_what_names_no_parameters(linear: Any) -> None:
    with pytest.raises(RuleError, match="says `linear="):
        rule(f, linear=linear)(f_rule)


@pytest.mark.parametrize("linear", ["a | a", "a a", "a+a", "a b | b", "a | b b", "*more | more"])
def test_a_parameter_that_is_named_twice(linear: str) -> None:
    with pytest.raises(RuleError, match=r"f_rule` says `linear=.*`, with `(a|b|more)` twice"):
        rule(f, linear=linear)(f_rule)


def word(returns: str, types: list[Type], names: tuple[str, ...] = ()) -> Type:
    return type_given(WORDS[returns], Given(tuple(types), (UNSEEN,) * len(types), names))


def test_types_of_results() -> None:
    with pytest.raises(RuleError, match="says `returns='aray'`"):
        rule(f, returns="aray")(f_rule)
    with pytest.raises(RuleError, match="says `returns='aray'`"):
        scalar_rule(f, returns="aray")(lambda a, y: 1.0)
    array = Array("f", "float64", 2, False)
    unknown = [returns for returns in WORDS if word(returns, [array, array]) == UNKNOWN]
    assert not unknown


def test_numbers_beside_arrays_may_widen_them() -> None:
    single, double = Array("f", "float32", 1, False), Array("f", "float64", 1, False)
    assert word("array", [single, single]) == Array("f", "float32", None, None)
    assert word("array", [single, FLOAT]) == Array("f", "", None, None)
    assert word("array", [single, List(FLOAT)]) == Array("f", "", None, None)
    assert word("array", [double, FLOAT]) == Array("f", "float64", None, None)
    assert word("array", [double, BOOL], ("retstep",)) == UNKNOWN
    x = np.ones(2, np.float32)
    (x_bar,) = gradient(lambda x: np.append(x, [1e-10 + 1.0]).sum() + sum(np.atleast_1d(x, 2.0 * x[0])[1]), x)
    assert x_bar.dtype == np.float32 and x_bar.tolist() == [3.0, 1.0]


TANGENTS: dict[str, tuple[Any, Any]] = {
    "no arguments": (lambda dots, y: 0.0, None),
    "one too many": (lambda dots, y, a, b, c: 0.0, None),
    "no stars": (lambda dots, y, a, b=2.0: 0.0, None),
    "no function": (5, None),
    "for no arguments": (lambda dots, y, a, *b: 0.0, lambda: True),
    "for no function": (lambda dots, y, a, *b: 0.0, True),
    "only `forward_for`": (None, lambda dots, a, *b: True),
}


@pytest.mark.parametrize("name", TANGENTS)
def test_a_tangent_that_takes_other_arguments(name: str) -> None:
    forward, forward_for = TANGENTS[name]
    with pytest.raises(RuleError, match="says `forward(_for)?=") as caught:
        rule(f, forward=forward, forward_for=forward_for)(f_rule)
    assert "forward" in caught.value.why


def test_products_that_take_other_arguments() -> None:
    with pytest.raises(RuleError, match=r"says `products=<lambda>`, which takes other arguments"):
        scalar_rule(f, singular=True, products=lambda y_bar, a: y_bar)(lambda a, y: 1.0)


def test_what_is_no_function() -> None:
    for declare in (rule, scalar_rule, opt_out):
        with pytest.raises(RuleError, match="5 is not callable"):
            declare(5)
    with pytest.raises(RuleError, match="`not_implemented` says `why=5`"):
        not_implemented(f, why=5, way_out="none")  # type: ignore[arg-type]
    with pytest.raises(RuleError, match="`not_implemented` says `way_out=None`"):
        not_implemented(f, why="it is a riddle", way_out=None)  # type: ignore[arg-type]


def test_decorators_without_what_they_are_for() -> None:
    with pytest.raises(RuleError, match="`rule` is given no function"):
        rule()
    with pytest.raises(RuleError, match="`scalar_rule` is given no function"):
        scalar_rule()
    with pytest.raises(RuleError, match=r"`non_differentiable` is given no function(.|\n)*`non_differentiable\(f\)`"):
        non_differentiable()
    with pytest.raises(RuleError, match="`not_implemented` is given no function"):
        not_implemented(why="it is a riddle", way_out="none")
    with pytest.raises(RuleError, match="`opt_out` is given no function"):
        opt_out()
    with pytest.raises(RuleError, match="`rule` decorates an int"):
        rule(f)(5)  # type: ignore[type-var]
    with pytest.raises(RuleError, match="`scalar_rule` decorates a NoneType"):
        scalar_rule(f)(None)  # type: ignore[type-var]


def declared(tangent: Any) -> Any:
    def g(a: Any) -> Any:
        return np.sin(a)

    @rule(g, forward=tangent)
    def g_rule(a: Any) -> Any:
        return np.sin(a), lambda y_bar: (y_bar * np.cos(a),)

    return g


def test_a_right_tangent_in_every_mode() -> None:
    g = declared(lambda dots, y, a: dots[0] * np.cos(a))
    x, v = np.array([0.5, 1.0]), np.array([1.0, -2.0])
    assert np.array_equal(pushforward(g, (x,), (v,))[1], v * np.cos(x))
    assert np.allclose(linearize(g, x)[1](seeds([v, 2.0 * v])), [v * np.cos(x), 2 * v * np.cos(x)])
    assert np.allclose(gradient(lambda x: pushforward(g, (x,), (v,))[1].sum(), x)[0], -v * np.sin(x))
    assert np.allclose(hvp(lambda x: g(x).sum(), (x,), (v,))[0], -v * np.sin(x))


@pytest.mark.parametrize(
    ("tangent", "what"),
    [
        (lambda dots, y, a: dots[0][:1], r"returned an array of shape \(1,\) \(float64\) for the result, which has"),
        (lambda dots, y, a: 1.0, "returned a float for the result, which has shape"),
        (lambda dots, y, a: (dots[0],), "returned a tuple"),
        (lambda dots, y, a: 1j * dots[0], ".* for the result, which is real"),
    ],
)
def test_a_tangent_that_is_none(tangent: Any, what: str) -> None:
    with pytest.raises(RuleError, match=f"g_rule` has a tangent that {what}"):
        pushforward(declared(tangent), (np.ones(2),), (np.ones(2),))


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"program": 3}, "says `program=3`"),
        ({"program": lambda a, b: a}, "which takes other arguments"),
        ({"program": np.cos, "forward": lambda dots, y, a: dots[0]}, "says `program=` and `forward=`"),
    ],
)
def test_a_program_that_cannot_be_followed(options: Any, what: str) -> None:
    def g(a: Any) -> Any:
        return np.sin(a)

    with pytest.raises(RuleError, match=what):

        @rule(g, **options)
        def g_rule(a: Any) -> Any:
            return np.sin(a), lambda y_bar: (y_bar * np.cos(a),)


def test_linear_in_all_together_is_not_in_each() -> None:
    """The tangent of a + b was ȧ + b + a + ḃ."""

    def plus(a: float, b: float) -> float:
        return a + b

    rule(plus, linear="*")(lambda a, b: (a + b, lambda d: (d, d)))
    assert pushforward(plus, (1.0, 10.0), (1.0, 2.0)) == (11.0, 3.0)
    assert pushforward(lambda a, b: plus(a, b) * a, (1.0, 10.0), (1.0, 2.0)) == (11.0, 14.0)
