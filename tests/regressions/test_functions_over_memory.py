"""Inner functions that store into what they capture or have as defaults: value, state and derivatives are those of the
plain program, and of the recorded one."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from storing_plans import without_plans

from adjoint import gradient, hvp, jvp
from adjoint.derivatives import choice
from adjoint.finite.structure import identical

from .differences import check
from .functions_over_memory import CASES, RECORDED, Case, fibonacci, smoothed
from .test_shared_objects import close, named


@pytest.mark.parametrize("case", CASES, ids=named)
def test_functions_that_store_into_what_they_hold(case: Case, structured: list[bool]) -> None:
    f, make = case
    for _ in range(3):
        check(f, *make())
    assert structured and all(structured), "it was recorded"


@pytest.mark.parametrize("case", RECORDED, ids=named)
def test_functions_that_are_recorded(case: Case) -> None:
    f, make = case
    check(f, *make())


@pytest.mark.parametrize("case", CASES, ids=named)
def test_gradients_are_those_of_the_recorded_program(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    f, make = case
    found = gradient(f, *make())
    without_plans(monkeypatch)
    monkeypatch.setattr("adjoint.derivatives.shared_call", lambda *args: None)
    expected = gradient(f, *make())
    choice.forget()
    assert close(found, expected), f"{found}, recorded {expected}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_tangents_are_those_of_the_gradient(case: Case) -> None:
    check_tangents(case)


def check_tangents(case: Case) -> None:
    """Values, changes to the arguments and tangents are those of the plain program and of the gradient."""
    f, make = case
    rng = np.random.default_rng(0)
    seeds = tuple([_seed(x, rng) for x in make()])
    slope = sum([_along(d, v) for d, v in zip(gradient(f, *make()), seeds, strict=True)])
    for _ in range(3):
        args, plain = make(), make()
        y, dy = jvp(f, args, seeds)
        assert y == f(*plain) and identical(args, plain)
        np.testing.assert_allclose(dy, slope, rtol=1e-10)


def _seed(x: Any, rng: np.random.Generator) -> Any:
    """A tangent of an argument."""
    if isinstance(x, float):
        return float(rng.normal())
    if isinstance(x, list):
        return [_seed(item, rng) for item in x]
    if isinstance(x, dict):
        return {key: _seed(item, rng) for key, item in x.items()}
    return rng.normal(size=x.shape) if isinstance(x, np.ndarray) else None


def _along(d: Any, v: Any) -> float:
    """The product of a cotangent and a tangent."""
    if d is None or v is None:
        return 0.0
    if isinstance(d, dict):
        return sum([_along(d[key], v[key]) for key in d])
    if isinstance(d, list):
        return sum(map(_along, d, v))
    return float(np.sum(d * v))


def test_second_derivatives() -> None:
    h = 1e-5
    slope = (gradient(fibonacci, 0.7 + h, 8)[0] - gradient(fibonacci, 0.7 - h, 8)[0]) / (2 * h)
    np.testing.assert_allclose(hvp(fibonacci, (0.7, 8), (1.0, None))[0], slope, rtol=1e-6)
    a = np.array([0.3, 0.5, 0.7, 1.1])
    v = np.array([1.0, 0.5, -0.3, 0.2])
    sides = [gradient(smoothed, a + by * v, 2)[0] for by in (h, -h)]
    np.testing.assert_allclose(hvp(smoothed, (a, 2), (v, None))[0], (sides[0] - sides[1]) / (2 * h), rtol=1e-6)


def test_an_error_half_way_is_that_of_python() -> None:
    def f(xs: list[float], x: float) -> float:
        def fill(n: int) -> float:
            xs[n] = x
            return x if n == 0 else fill(n - 1) + xs[n + 1]

        return fill(1) + fill(len(xs) - 1)

    plain, given = [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]
    with pytest.raises(IndexError):
        f(plain, 0.5)
    for _ in range(3):
        with pytest.raises(IndexError):
            gradient(f, given, 0.5)
        assert given == plain
        given = [1.0, 2.0, 3.0]


def test_functions_made_outside_keep_what_they_hold() -> None:
    """What a function of the module holds is not put back, so that a program with an error has stored there once."""
    held: list[float] = []

    def make() -> Any:
        def keep(x: float, n: int) -> float:
            held.append(x)
            return x if n == 0 else keep(x * x, n - 1)

        return keep

    keep = make()

    def f(x: float) -> float:
        return keep(x, 2) * sum(held)

    plain, expected = copy.copy(held), 0.7 + 0.7**2 + 0.7**4
    for _ in range(3):
        held[:] = plain
        x = 0.7
        total = x + x**2 + x**4
        np.testing.assert_allclose(gradient(f, x)[0], 4 * x**3 * total + x**4 * (1 + 2 * x + 4 * x**3), rtol=1e-10)
        np.testing.assert_allclose(sum(held), expected)
        assert len(held) == 3
