"""`x ** 0.5` of a negative number is complex, where the types of the program say that it is a float."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import by_recording, check_everywhere, slope

from adjoint import grad, value_and_grad
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call
from adjoint.errors import UnsupportedSyntaxError
from adjoint.inspect import code_adjoint
from adjoint.runtime.powers import only_real

PROGRAMS: list[Callable[[float], Any]] = []


def program(f: Callable[[float], Any]) -> Callable[[float], Any]:
    PROGRAMS.append(f)
    return f


@program
def its_size(x):
    return abs(x**0.5)


@program
def its_size_by_numpy(x):
    return float(np.abs(x**0.5))


@program
def of_a_product(x):
    return abs(x**1.5 * 1j)


@program
def its_parts(x):
    y = x**0.5
    return y.real**2 + y.imag


@program
def conjugated(x):
    z = (x - 1.0) ** 0.5
    return (z * z.conjugate()).real


@program
def in_a_loop(x):
    s = 0.0
    for i in range(3):
        s = s + abs((x - i) ** 0.3)
    return s


@program
def by_the_builtin(x):
    return abs(pow(x, 0.3)) + abs((x - 1.0) ** (1 / 3))


@program
def in_a_branch(x):
    y = x * 2.0
    if x < 1.0:
        y = y ** (x + 2.5)
    return abs(y)


@program
def in_a_helper(x):
    def root(v):
        return v**0.5

    return abs(root(x) + root(2.0 - x))


@program
def never_negative(x):
    r = (x * x + abs(x)) ** 0.5
    return r**1.5 + (x**2) ** 0.25 + 2.0**x


@pytest.mark.parametrize("x", [-0.7, 0.7])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f: Any, x: float) -> None:
    d = slope(f, x)
    for _ in range(3):
        value, found = value_and_grad(f)(x)
        assert (type(value), value) == (type(f(x)), f(x))
        assert found == pytest.approx(d, rel=1e-6)
    assert pushforward(f, (x,), (1.0,))[1] == pytest.approx(d, rel=1e-6)
    assert by_recording(f, x)[1] == pytest.approx(d, rel=1e-6)
    assert grad(grad(f))(x) == pytest.approx(slope(grad(f), x), rel=1e-4, abs=1e-6)


def test_first_a_positive_number_and_then_a_negative_one() -> None:
    def f(x: float) -> Any:
        return abs(x**0.5) * x

    for x in (0.7, 0.6, -0.7, 0.5, -0.6, 0.4):
        assert grad(f)(x) == pytest.approx(slope(f, x), rel=1e-6)


def test_what_is_never_negative_is_not_asked() -> None:
    assert is_structured_call(never_negative, (0.7,))
    assert "only_real" not in code_adjoint(never_negative, 0.7)
    assert "only_real" in code_adjoint(lambda x: abs(x**0.5), 0.7)


def test_what_has_been_printed_is_not_done_again(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: float) -> Any:
        print("once")
        return abs(x**0.5)

    assert grad(f)(0.7) == pytest.approx(slope(lambda x: abs(x**0.5), 0.7))
    try:
        assert grad(f)(-0.7) == pytest.approx(slope(lambda x: abs(x**0.5), -0.7))
    except UnsupportedSyntaxError as error:
        assert "complex" in str(error)
    assert capsys.readouterr().out == "once\n" * 2


def test_without_the_question_it_would_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjoint.runtime.asking.asking_for_real", lambda typed: typed)

    def f(x: float) -> Any:
        return abs(x**1.5 * 1j)

    assert grad(f)(-0.7) != pytest.approx(slope(f, -0.7), rel=1e-3)


def test_compiled() -> None:
    assert check_everywhere(never_negative, 0.7) == []
    only_real(1.0)
    with pytest.raises(UnsupportedSyntaxError, match="complex"):
        only_real(1j)
