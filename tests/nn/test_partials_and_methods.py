"""Models that are a `functools.partial` or a bound method: whatever asks for a gradient takes them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, nn, value_and_grad
from adjoint.errors import NotDifferentiableError
from adjoint.nn import optimizers
from adjoint.optimize import Objective


def affine(w: Any, x: Any) -> Any:
    return x @ w


class Forward:
    def __init__(self) -> None:
        self.w = np.array([[1.0], [2.0]])

    def forward(self, x: Any) -> Any:
        return affine(self.w, x)


@pytest.mark.parametrize(
    "model", [partial(affine, np.array([[1.0], [2.0]])), Forward().forward, partial(Forward().forward)]
)
def test_all_that_asks_for_a_gradient_takes_what_holds_parameters(model: Any) -> None:
    x, y = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 0.5]]), np.ones((3, 1))

    def loss(m: Any) -> Any:
        return nn.mse(m(x), y)

    (g,) = gradient(loss, model)
    expected = 2 * x.T @ (model(x) - y) / 3
    for found in (g, grad(loss)(model), value_and_grad(loss)(model)[1]):
        np.testing.assert_allclose(nn.tree_leaves(nn.as_model(found, like=model))[0], expected)
    objective = Objective(loss, like=model)
    np.testing.assert_allclose(objective.jac(objective.x0), expected[:, 0])
    trained = nn.fit(model, nn.supervised(nn.mse), [(x, y)], optimizers.sgd(0.1), progress=False).model
    np.testing.assert_allclose(nn.tree_leaves(trained)[0], nn.tree_leaves(model)[0] - 0.1 * expected)


@pytest.mark.parametrize("held", [partial(len, "a"), partial(max), "a".upper, partial(dict, a=None)])
def test_what_holds_no_parameters_has_no_derivative(held: Any) -> None:
    with pytest.raises(NotDifferentiableError, match="which carries no derivative"):
        grad(lambda m: 2.0)(held)
