"""Validation code that only looks: what it asks of arrays and numbers is known before the program runs."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.derivatives import choice
from adjoint.inspect import code_adjoint


def checked(x: Any) -> Any:
    """As libraries look at what they are given."""
    if hasattr(x, "fit") and callable(x.fit):
        raise TypeError("no estimators")
    if not hasattr(x, "__len__") and not hasattr(x, "shape"):
        raise TypeError("no array")
    if hasattr(x, "shape") and len(x.shape) > 0 and isinstance(x.shape[0], numbers.Integral):
        return x * float(x.shape[0])
    return x


def f(x):
    return np.sum(checked(x) * checked(x)) + checked(x[0])


def test_what_is_asked_of_an_array_is_known() -> None:
    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(grad(f)(x), 8.0 * x + np.array([1.0, 0.0]))
    assert not choice.has_been_recorded(f, (x,))
    assert "hasattr" not in code_adjoint(checked, x) and "isinstance" not in code_adjoint(checked, x)


@pytest.mark.parametrize("x", [2.0, np.float64(2.0), np.float32(2.0), np.array(2.0), np.ones(3), 2])
@pytest.mark.parametrize("name", ["shape", "is_integer", "__len__", "tolist", "nothing", "fit", "bit_count"])
def test_answers_are_those_of_python(x: Any, name: str) -> None:
    def asked(v, x):
        return v * 2.0 if hasattr(x, "shape") else v * 3.0

    def named(v, x):
        return v * (2.0 if hasattr(x, name) else 3.0)

    assert gradient(asked, 1.5, x)[0] == (2.0 if hasattr(x, "shape") else 3.0)
    assert gradient(named, 1.5, x)[0] == (2.0 if hasattr(x, name) else 3.0)


@pytest.mark.parametrize("x", [True, 2, np.int64(2), np.uint8(2), np.float64(2.0), 2.0, np.bool_(True)])
@pytest.mark.parametrize("cls", [numbers.Integral, numbers.Real, numbers.Number])
def test_instances_are_those_of_python(x: Any, cls: Any) -> None:
    def of_item(v, x):
        return v * (2.0 if isinstance([x][0], cls) else 3.0)

    def of_length(v, x):
        return v * (2.0 if isinstance(len([x, x]), cls) else 3.0)

    assert gradient(of_item, 1.5, x)[0] == (2.0 if isinstance(x, cls) else 3.0)
    assert gradient(of_length, 1.5, x)[0] == 2.0
