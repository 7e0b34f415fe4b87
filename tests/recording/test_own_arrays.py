"""Objects of which NumPy makes arrays by their `__array__`: that is followed where it is the only method asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, pullback
from adjoint.errors import NoRuleError


class Of:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.v, dtype=dtype)


class Twice:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.v * 2


class Counting:
    def __init__(self, v: Any) -> None:
        self.v, self.n = v, 0

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        self.n += 1
        return np.array([self.v, self.v * self.n])


def counted(x: Any) -> Any:
    c = Counting(x)
    return (np.asarray(c) + np.add(c, 1.0)).sum() * x * c.n


PROGRAMS = {
    "asarray": (lambda x: np.sum(np.asarray(Of([x, 2 * x]))), 3.0),
    "array": (lambda x: np.sum(np.array(Of([x, x * x])) * x), 2 * 1.5 + 3 * 1.5**2),
    "ufunc": (lambda x: np.sin(Of(x)), np.cos(1.5)),
    "one of two": (lambda x: np.sum(np.multiply(Of([x, 2 * x]), x)), 9.0),
    "of an array": (lambda x: np.sum(np.asarray(Twice(x * np.ones(2))) * x), 12.0),
    "counted": (counted, 34.0),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_method_is_followed(name: str) -> None:
    f: Any = PROGRAMS[name][0]
    x, h = 1.5, 1e-6
    d = (f(x + h) - f(x - h)) / (2 * h)
    y, back = pullback(f, x)
    assert y == f(x)
    assert back(1.0)[1] == pytest.approx(d) and back(1.0)[1] == pytest.approx(gradient(f, x)[0])
    assert jvp(f, (x,), (1.0,))[1] == pytest.approx(d)


def test_with_a_dtype_the_refusal_says_what_to_call() -> None:
    with pytest.raises(NoRuleError, match="an array is made of a `Of` by its `__array__`"):
        gradient(lambda x: np.sum(np.asarray(Of([x]), dtype=np.float32) * x), 1.5)
    assert gradient(lambda x: np.sum(np.asarray(Of([x]).__array__()) * x), 1.5) == (3.0,)
