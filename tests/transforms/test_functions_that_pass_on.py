"""Functions around others that pass a call on, unless they are given what they take for themselves (as autograd's)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hessian
from adjoint.derivatives import choice
from adjoint.derivatives.choice import generated_for
from adjoint.wrappers import PASSING, called_for


class Box:
    def __init__(self, value: Any) -> None:
        self.value = value


def around(f_raw: Any) -> Any:
    def f_wrapped(*args: Any, inside: bool = False, **kwargs: Any) -> Any:
        if any(isinstance(a, Box) for a in args):
            return Box(f_raw(*[a.value if isinstance(a, Box) else a for a in args], **kwargs))
        return f_raw(*args, **kwargs)

    return f_wrapped


log, total, clip = around(np.log), around(np.sum), around(np.clip)


@pytest.fixture(autouse=True)
def passing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    choice.forget()
    monkeypatch.setitem(PASSING, log.__code__, ("f_raw", lambda x: isinstance(x, Box)))
    yield
    choice.forget()


def loss(x: Any) -> Any:
    return total(log(clip(x, 1e-6, 9.0)) * x, axis=0)


def boxed(x: Any) -> Any:
    return log(Box(x)).value * 2.0 + log(x, inside=True)


def scaled(k: float) -> Any:
    return around(lambda x: k * x)


X = np.array([0.5, 2.0])


def test_the_function_that_is_passed_on_to_is_called() -> None:
    found = generated_for(loss, (X,), {}, None)
    assert found is not None and found[1].resolved and not found[1].has_effects
    np.testing.assert_allclose(grad(loss)(X), np.log(X) + 1.0)
    np.testing.assert_allclose(hessian(loss)(X), np.diag(1 / X), atol=1e-12)


def test_what_a_function_takes_for_itself_it_is_given() -> None:
    assert called_for(log, (2.0,), {}) is np.log
    assert called_for(log, (Box(2.0),), {}) is None and called_for(log, (2.0,), {"inside": True}) is None
    for _ in range(3):
        np.testing.assert_allclose(grad(boxed)(2.0), 1.5)
        np.testing.assert_allclose(grad(grad(boxed))(2.0), -0.75)


def test_what_a_function_around_captures_has_a_cotangent() -> None:
    def f(k: float, x: float) -> Any:
        return scaled(k * k)(x) * x

    np.testing.assert_allclose(gradient(f, 3.0, 2.0), (24.0, 36.0))
    np.testing.assert_allclose(grad(grad(lambda k: f(k, 2.0)))(3.0), 8.0)

    def by_name(k: float, x: float) -> Any:
        functions = {"f": scaled(k * k), "g": log}
        return sum([functions[name](x) for name in sorted(functions)]) * x

    np.testing.assert_allclose(gradient(by_name, 3.0, 2.0), (24.0, 37.0 + np.log(2.0)))
    np.testing.assert_allclose(grad(grad(lambda k: by_name(k, 2.0)))(3.0), 8.0)
    table = {"log": log, "scaled": scaled(2.0)}

    def found(name: str, x: float) -> Any:
        return table[name](x)

    assert grad(lambda x: found("log", x) + found("scaled", x))(2.0) == 2.5
