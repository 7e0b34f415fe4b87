"""What autograd has kept under names that it advises against works, and warns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint.compat.autograd as ag
from adjoint.compat.autograd import core, extend, util
from adjoint.compat.autograd.misc import const_graph
from adjoint.errors import NotDifferentiableError, WrongGradientError


def product_with(method: str, dx: Any, dy: Any) -> Any:
    product: Any = core.primitive(lambda x, y: x * y)
    for argnum, one in enumerate((dx, dy)):
        with pytest.warns(
            DeprecationWarning, match=f"`{method}` is deprecated in autograd; use autograd.extend.defvjp"
        ):
            getattr(product, method)(one, argnum=argnum)
    return product


def test_defgrad_declares_by_the_place_of_an_argument() -> None:
    product = product_with("defgrad", lambda ans, x, y: lambda g: y * g, lambda ans, x, y: lambda g: x * g)
    assert ag.grad(product, (0, 1))(2.0, 3.0) == (3.0, 2.0)
    assert ag.grad(ag.grad(product), 1)(2.0, 3.0) == 1.0


def test_the_method_defvjp_is_given_the_cotangent_and_the_spaces() -> None:
    seen = []

    def by_x(g: Any, ans: Any, vs: Any, gvs: Any, x: Any, y: Any) -> Any:
        seen.append((vs.shape, gvs.shape))
        return (y * g).sum()

    product = product_with("defvjp", by_x, lambda g, ans, vs, gvs, x, y: x * g)
    back, _ = ag.make_vjp(product, (0, 1))(2.0, np.array([3.0, 4.0]))
    x_bar, y_bar = back(np.ones(2))
    assert x_bar == 7.0 and seen == [((), (2,))]
    np.testing.assert_array_equal(y_bar, [2.0, 2.0])


def test_defvjp_is_zero_lets_nothing_flow_and_keeps_what_is_declared() -> None:
    product = ag.primitive(lambda x, y: x * y)
    with pytest.warns(DeprecationWarning):
        product.defgrad(lambda ans, x, y: lambda g: y * g)  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="None in autograd.extend.defvjp"):
        product.defvjp_is_zero([1])  # type: ignore[attr-defined]
    assert ag.grad(product, (0, 1))(2.0, 3.0) == (3.0, 0.0)


def test_what_extend_gives_has_no_such_methods() -> None:
    assert not hasattr(extend.primitive(lambda x: x), "defgrad")


def test_quick_grad_check_finds_what_is_wrong() -> None:
    with pytest.warns(DeprecationWarning, match="use autograd.test_util.check_grads"):
        util.quick_grad_check(lambda x, y, k=1.0: k * x**2 + y, 1.0, (2.0,), {"k": 3.0})
    wrong = extend.primitive(lambda x: x * x)
    extend.defvjp(wrong, lambda ans, x: lambda g: g)
    with pytest.warns(DeprecationWarning), pytest.raises(WrongGradientError, match="the reverse map"):
        util.quick_grad_check(wrong, 3.0)


def test_const_graph_gives_arguments_and_runs_each_call() -> None:
    given = const_graph(lambda x, y, z: x + 2.0 * y * y if y > 0.0 else z, 1.0, z=3.0)
    assert (given(2.0), given(-2.0)) == (9.0, 3.0)
    assert ag.grad(given)(2.0) == 8.0
    with pytest.raises(NotDifferentiableError):
        const_graph(3)  # type: ignore[arg-type]


def test_grad_and_aux_takes_both_results_in_a_list() -> None:
    assert ag.grad_and_aux(lambda x: [x * x, "seen"])(3.0) == (6.0, "seen")
