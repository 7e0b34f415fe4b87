"""Functions with derivatives that are declared as in autograd."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import adjoint
import adjoint.compat.autograd as ag
from adjoint.compat.autograd.extend import (
    def_linear,
    defjvp,
    defjvp_argnum,
    defjvp_argnums,
    defvjp,
    defvjp_argnum,
    defvjp_argnums,
    notrace_primitive,
    primitive,
)
from adjoint.compat.autograd.test_util import check_grads
from adjoint.errors import NoRuleError, OptionError, WrongGradientError
from adjoint.rules.libraries import on_change

Z = 1.0 + 2.0j
ORDER = 2 if os.environ.get("ADJOINT_THOROUGH") else 1
"""Of second derivatives all four combinations of modes are generated, which takes seconds."""


@primitive
def cube(x: Any, **options: Any) -> Any:
    return np.asarray(x).tolist() ** 3 if np.ndim(x) == 0 else np.asarray(x) ** 3  # not to be followed


defvjp(cube, lambda ans, x, **options: lambda g: g * 3 * x**2)


@primitive
def product(x: Any, y: Any) -> Any:
    return np.multiply(x, y)


defvjp(product, lambda ans, x, y: lambda g: g * y, lambda ans, x, y: lambda g: g * x)
defjvp(product, "same", lambda g, ans, x, y: x * g)


def test_what_is_declared_is_used_in_each_order_and_mode() -> None:
    assert ag.grad(cube)(2.0) == adjoint.grad(cube)(2.0) == 12.0
    assert ag.grad(ag.grad(cube))(2.0) == 12.0 and ag.grad(ag.grad(ag.grad(cube)))(2.0) == 6.0
    assert ag.make_jvp(cube)(2.0)(1.0) == (8.0, 12.0)
    np.testing.assert_allclose(ag.jacobian(cube)(np.array([1.0, 2.0])), np.diag([3.0, 12.0]))
    assert ag.grad(product, (0, 1))(2.0, 3.0) == (3.0, 2.0)
    assert ag.make_jvp(product, (0, 1))(2.0, 3.0)((1.0, 10.0))[1] == 23.0
    check_grads(product, (0, 1), order=ORDER)(2.0, 3.0)
    check_grads(cube)(2.0)
    assert cube.__name__ == "cube"


def test_a_declared_map_has_the_convention_of_autograd() -> None:
    def f(z: Any) -> Any:
        return np.real(cube(z))

    assert ag.grad(f)(Z) == pytest.approx(3 * Z**2)
    assert adjoint.grad(f)(Z) == pytest.approx(np.conj(3 * Z**2))
    assert ag.grad(lambda z: np.real(ag.grad(f)(z)))(Z) == pytest.approx(6 * Z)
    check_grads(cube, order=ORDER)(Z)


def test_some_arguments_alone() -> None:
    f = primitive(lambda x, y, name: x * y)
    defvjp(f, lambda ans, x, y, name: lambda g: g * x, argnums=[1])
    assert ag.grad(f, 1)(2.0, 3.0, "text") == 2.0
    with pytest.raises(NoRuleError, match="a derivative by argument 0 of") as caught:
        ag.grad(f)(2.0, 3.0, "text")
    assert "`defvjp` declares no reverse map for it" in str(caught.value)
    defvjp(f, None, lambda ans, x, y, name: lambda g: g * x)
    assert ag.grad(f, (0, 1))(2.0, 3.0, "text") == (0.0, 2.0)


def test_all_arguments_together_and_one_at_a_time() -> None:
    f, g = primitive(lambda x, y: x * y), primitive(lambda x, y: x * y)
    defvjp_argnums(f, lambda argnums, ans, args, kwargs: lambda g: (g * args[1 - i] for i in argnums))
    defvjp_argnum(g, lambda argnum, ans, args, kwargs: lambda g: g * args[1 - argnum])
    defjvp_argnums(
        f, lambda argnums, gs, ans, args, kwargs: sum([g * args[1 - i] for i, g in zip(argnums, gs, strict=True)])
    )
    defjvp_argnum(g, lambda argnum, g, ans, args, kwargs: g * args[1 - argnum])
    for h in (f, g):
        assert ag.grad(h, (0, 1))(2.0, 3.0) == (3.0, 2.0)
        assert ag.make_jvp(h, (0, 1))(2.0, 3.0)((1.0, 10.0)) == (6.0, 23.0)
        assert ag.make_jvp(h, 1)(2.0, 3.0)(1.0) == (6.0, 2.0)


def test_a_linear_function_and_one_through_which_nothing_flows() -> None:
    f = primitive(lambda x: 3.0 * x)
    def_linear(f)
    assert ag.make_jvp(f)(2.0)(1.0) == (6.0, 3.0)
    with pytest.raises(NoRuleError, match="no reverse map of `<lambda>` is declared"):
        ag.grad(f)(2.0)
    floor = notrace_primitive(lambda x: x // 1.0)
    assert ag.grad(lambda x: x * floor(x))(2.5) == 2.0


def test_a_tangent_for_some_arguments() -> None:
    f = primitive(lambda x, y: x * y)
    defjvp(f, "same", None)
    assert ag.make_jvp(f)(2.0, 3.0)(1.0) == (6.0, 3.0) and ag.make_jvp(f, 1)(2.0, 3.0)(1.0) == (6.0, 0.0)
    g = primitive(lambda x, y: x * y)
    defjvp(g, "same")
    with pytest.raises(NoRuleError, match="no reverse map"):
        ag.make_jvp(g, 1)(2.0, 3.0)(1.0)
    defvjp(g, None, lambda ans, x, y: lambda g: g * x)  # is transposed
    assert ag.make_jvp(g, 1)(2.0, 3.0)(1.0) == (6.0, 2.0)


def test_functions_of_others_get_what_is_declared() -> None:
    def outside(x: Any) -> Any:
        return float(np.format_float_positional(x)) ** 2

    defvjp(outside, lambda ans, x: lambda g: 2.0 * g * x)
    assert ag.grad(outside)(3.0) == 6.0 and ag.make_jvp(outside)(3.0)(1.0) == (9.0, 6.0)
    assert ag.grad(ag.grad(outside))(3.0) == 2.0


def test_keywords_have_no_reverse_map() -> None:
    assert ag.grad(lambda x: cube(x, order="text"))(2.0) == 12.0
    with pytest.raises(NoRuleError, match="the keyword `scale` of `cube`"):
        ag.grad(lambda x: cube(2.0, scale=x))(1.0)


def test_what_is_no_derivative_is_refused() -> None:
    with pytest.raises(OptionError, match="3.0 is given as the derivative of an argument"):
        defvjp(primitive(lambda x: x), 3.0)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="'other' is given as the derivative of an argument"):
        defjvp(primitive(lambda x: x), "other")


def test_a_wrong_map_is_found() -> None:
    wrong = primitive(lambda x: x**2)
    defvjp(wrong, lambda ans, x: lambda g: g * x)
    with pytest.raises(WrongGradientError, match="the reverse map gives"):
        check_grads(wrong, modes=["rev"])(2.0)
    with pytest.raises(OptionError, match="`modes` is"):
        check_grads(wrong, modes=["back"])


def test_a_new_primitive_leaves_what_was_generated() -> None:
    told: list[str] = []

    def listener() -> None:
        told.append("changed")

    on_change.append(listener)
    try:
        f = primitive(lambda x: x**2)
        notrace_primitive(lambda x: x)
        defvjp(f, lambda ans, x: lambda g: 2.0 * g * x)
        assert ag.grad(f)(3.0) == 6.0 and told == []
        defvjp(lambda x: x, lambda ans, x: lambda g: g)  # may have been looked into
        assert told == ["changed"]
    finally:
        on_change.remove(listener)


@pytest.mark.parametrize("take", [0, 1])
def test_what_flows_to_parts_of_a_structure_comes_with_zeros_for_the_rest(take: int) -> None:
    """autograd hands a reverse map a whole cotangent, whatever of the result is used."""

    @primitive
    def both(x):
        return x, x**2

    @primitive
    def named(x):
        return {"a": x, "b": [x**2, np.ones(2) * x]}

    defvjp(both, lambda ans, x: lambda g: g[0] + 2 * x * g[1])
    defvjp(named, lambda ans, x: lambda g: g["a"] + 2 * x * g["b"][0] + np.sum(g["b"][1]))
    assert ag.grad(lambda x: both(x)[take])(3.0) == (1.0, 6.0)[take]
    assert ag.grad(lambda x: (named(x)["a"], named(x)["b"][0])[take])(3.0) == (1.0, 6.0)[take]
    assert ag.grad(lambda x: both(x)[0] * both(x)[1])(2.0) == 12.0
    assert ag.grad(ag.grad(lambda x: both(x)[0] * both(x)[1]))(2.0) == 12.0
