"""`with` of a manager that lets all pass, in an `__init__`: the object is its fields all the same."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

import numpy as np
import pytest
from ways import slope

from adjoint import grad, value_and_grad
from adjoint.derivatives.choice import is_structured_call
from adjoint.errors import AdjointError


class Process:
    """Its coefficients, converted without warnings."""

    def __init__(self, ar: Any, order: Any = None) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            self.ar = ar * 2.0
            self.ma = np.log(ar - 1.0) if order == "log" else ar + 1.0
        self.coefs = -self.ar * self.ma

    def total(self) -> Any:
        return np.sum(self.coefs * self.ma)


class Checked:
    """One that raises within."""

    def __init__(self, x: Any) -> None:
        self.x = x
        with np.errstate(all="raise"):
            self.y = x * x
            if x > 3.0:
                raise ValueError("too large")
            self.x = self.x * self.y
        self.z = self.x + self.y


class Suppressing:
    """One whose manager takes an exception."""

    def __init__(self, x: Any) -> None:
        self.y = x
        with contextlib.suppress(ValueError):
            self.y = x * 2.0
            if x > 1.0:
                raise ValueError
            self.y = x * 3.0


SEEN: list[Any] = []


class Registered:
    """One that others see while it is made."""

    def __init__(self, x: Any) -> None:
        with np.errstate(all="ignore"):
            self.x = x * 2.0
            SEEN.append(self)
            self.y = SEEN[-1].x * x
            for i in range(3):
                with np.errstate(all="raise"):
                    self.y = self.y * x + i


def by_process(x):
    return Process(x * x).total() + Process(x, "log").coefs


def by_checked(x):
    return Checked(x).z * Checked(x * 0.5).x


@pytest.mark.parametrize("f", [by_process, by_checked])
def test_it_is_its_fields(f: Any) -> None:
    before = [*warnings.filters]
    for _ in range(2):
        value, d = value_and_grad(f)(1.5)
        assert value == f(1.5)
        assert d == pytest.approx(slope(f, 1.5), rel=1e-6)
    assert is_structured_call(f, (1.5,))
    assert warnings.filters == before
    assert grad(grad(f))(1.5) == pytest.approx(slope(grad(f), 1.5), rel=1e-5)


def test_what_is_raised_within_leaves() -> None:
    before = np.geterr()
    with pytest.raises(ValueError, match="too large"):
        grad(by_checked)(4.0)
    assert np.geterr() == before


def test_a_manager_that_takes_exceptions() -> None:
    f = lambda x: Suppressing(x).y * x  # noqa: E731
    for x in (0.5, 1.5):
        try:
            assert grad(f)(x) == pytest.approx(slope(f, x), rel=1e-6)
        except AdjointError:
            assert not is_structured_call(f, (x,))


def test_others_see_it_while_it_is_made() -> None:
    f = lambda x: Registered(x).y * SEEN[-1].x  # noqa: E731
    assert grad(f)(1.5) == pytest.approx(slope(f, 1.5), rel=1e-6)
    SEEN.clear()
    assert value_and_grad(f)(1.5)[0] == f(1.5)
    assert len(SEEN) == 2
