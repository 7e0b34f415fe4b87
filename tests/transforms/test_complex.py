"""Complex numbers of Python's: partials are written out, and real numbers get real cotangents."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_calls, slopes

from adjoint import grad, gradient, pullback
from adjoint.codegen.names import literal
from adjoint.inspect import code_adjoint
from adjoint.ir.lattice import join
from adjoint.ir.types import COMPLEX, FLOAT, INT, MIXED
from adjoint.runtime.typeof import contradicted
from adjoint.testing import check_gradient

PROGRAMS: list[Callable[[float, float], Any]] = []


def program(f: Callable[[float, float], Any]) -> Callable[[float, float], Any]:
    PROGRAMS.append(f)
    return f


@program
def parts(x, y):
    z = complex(x, y)
    return (z * z).real * z.imag - z.real * z.conjugate().imag


@program
def quotients(x, y):
    z = x + 1j * y
    w = (z - 2.0) / (1.0 + z) - x / z + z / y - (-z) / 3
    return w.real + 2.0 * w.imag


@program
def powers(x, y):
    z = complex(x, y)
    return abs(z**2 + z**-1 * y - z**0.5 + z**x + 2.0**z)


@program
def parts_of_complex_numbers(x, y):
    z = complex(complex(x, y), complex(y, 2.0))
    return abs(z) + complex(x).real + complex(x, 1).imag * y


@program
def in_a_loop(x, y):
    z, c, total = complex(0.0, 0.0), complex(x, y), 0.0
    for _ in range(8):
        z = z * z + c
        if abs(z) > 0.5:
            z = z / abs(z)
        total += z.real * z.real + 0.5 * z.imag
    return total


@program
def real_at_first(x, y):
    z, total = x, 0
    for k in range(4):
        total += z * z * (1.0 + 1j * k)
        z = z * z + 0.1j * y
    return abs(z) + abs(total)


@program
def real_in_one_branch(x, y):
    total = 0.0
    for k in range(5):
        z = x * y if k % 2 else complex(x, k)
        w = z * z + z
        total += abs(w * (1.0 + 2.0j)) + (z * 1j).imag
    return total


@program
def in_lists_and_tuples(x, y):
    z = complex(x, y)
    pair, several, total = (x, z), [x, z, 2j], y
    for k in range(2):
        total = total + abs(pair[k] * pair[k] * (1 + 1j))
    for q in several:
        total = total + abs(q * q * (2 - 1j))
    return total + abs(sum([z, z * z])) + abs(several[0] * 1j)


@program
def that_a_function_gives(x, y):
    def either(v, flag):
        return v if flag else v * 1j

    return abs(either(x, True) * (1 + 1j) + y) * abs(either(x * y, False) * (1 + 1j) + y)


@program
def through_functions(x, y):
    z = cmath.exp(complex(x, y)) * np.exp(complex(y, x))
    return np.real(z) * np.imag(z) + np.abs(z) + cmath.phase(z) + (np.conj(z) * z).real


@program
def of_a_negative_number(x, y):
    w = (x - 2.0) ** 0.5  # a complex number, that nobody would tell from the types
    return abs(w * (1.0 + 2.0j) + y) + (w * 2j).real * (1j * w).imag


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    if f is of_a_negative_number:
        value, back = pullback(f, 0.6, 0.7)
        assert value == f(0.6, 0.7)
        assert [d.real for d in back(1.0)[1:]] == pytest.approx(slopes(f, 0.6, 0.7), rel=1e-6)
        return
    check_calls(f, 0.6, 0.7, near=1e-9)
    assert [type(d) for d in gradient(f, 0.6, 0.7)] == [float, float]
    for i in (0, 1):
        second = grad(grad(f, i), (0, 1))(0.6, 0.7)
        assert second == pytest.approx(slopes(grad(f, i), 0.6, 0.7), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("f", [parts, quotients, powers, in_a_loop, real_at_first], ids=lambda f: f.__name__)
def test_the_conditions_of_a_pullback(f: Any) -> None:
    check_gradient(f, 0.6, 0.7)


HOLOMORPHIC = [
    lambda z: z * z - 2.0 * z + 1j / z,
    lambda z: z.conjugate() * z + z.conjugate() / 2,
    lambda z: abs(z) * z,
    lambda z: z.real * 1j + z.imag * z,
    lambda z: z**3 + z**0.5,
]


@pytest.mark.parametrize("f", HOLOMORPHIC)
def test_complex_arguments_and_results(f: Any) -> None:
    z, h = 0.6 + 0.7j, 1e-6
    y, back = pullback(f, z)
    assert y == f(z)
    for y_bar in (1.0 + 0.0j, 1j, 2.0 - 3.0j):
        along = [((f(z + h * d) - f(z - h * d)) / (2 * h) * y_bar.conjugate()).real for d in (1.0, 1j)]
        z_bar = back(y_bar)[1]
        assert z_bar == back(y_bar)[1]
        assert (z_bar.real, z_bar.imag) == pytest.approx(along, rel=1e-6, abs=1e-8)


def test_partials_are_written_out() -> None:
    text = str(code_adjoint(in_a_loop, 0.6, 0.7))
    assert "apply_partial" not in text
    assert "_rule(" not in text
    assert "unbroadcast(c_bar * -1j, y)" in text


def test_at_the_origin_and_beyond() -> None:
    assert gradient(lambda x, y: abs(complex(x, y)), 0.0, -0.0) == (0.0, 0.0)
    assert gradient(lambda x: (complex(x, math.inf) * 2.0).real, 1.0) == (2.0,)
    assert math.isnan(gradient(lambda x: abs(complex(x, math.nan)), 1.0)[0])
    assert gradient(lambda n: abs(complex(n, 4)), 3) == (0.6,)
    assert gradient(lambda x: (x * True * 1j).imag, 2.0) == (1.0,)
    with pytest.raises(ZeroDivisionError):
        gradient(lambda x: abs(1j / complex(x, 0.0)), 0.0)


def test_types_of_what_may_be_real() -> None:
    assert join(FLOAT, COMPLEX) == join(COMPLEX, INT) == join(MIXED, COMPLEX) == join(FLOAT, MIXED) == MIXED
    assert join(COMPLEX, COMPLEX) == COMPLEX
    assert join(FLOAT, INT) == FLOAT


def test_a_rule_that_says_complex_of_what_is_real_is_noticed() -> None:
    assert contradicted("complex", (1.0 + 2.0j,), (), 1.0)
    assert not contradicted("complex", (1.0 + 2.0j,), (), 1.0j)
    assert not contradicted("elementwise", (1.0 + 2.0j,), (), 1.0)


def test_a_partial_that_is_not_conjugated_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjoint.transforms.splice.conjugate", lambda p, builder: p)

    def f(x, y):
        z = complex(x, y)
        return (z * z).imag

    with pytest.raises(AssertionError):
        check_calls(f, 0.6, 0.7)


@pytest.mark.parametrize("value", [2j, -2j, 1 + 2j, 2 - 0j, complex(0.0, -0.0), complex(0, math.inf)])
def test_literals_are_exact(value: complex) -> None:
    text = literal(value)
    assert text is None or repr(eval(text[0])) == repr(value)


def test_real_arguments_have_real_gradients_where_a_program_becomes_complex_by_itself() -> None:
    def root(x, p):
        return (x**p).real * 2 + (x**p).imag

    def angle(x):
        return cmath.phase(x) * x

    for _ in range(3):
        bars = gradient(root, -2.0, 0.5)
        assert [type(bar) for bar in bars] == [float, float]
        h = 1e-6
        assert bars[0] == pytest.approx((root(-2.0 + h, 0.5) - root(-2.0 - h, 0.5)) / (2 * h))
        assert bars[1] == pytest.approx((root(-2.0, 0.5 + h) - root(-2.0, 0.5 - h)) / (2 * h))
        assert grad(angle)(-1.5) == pytest.approx(cmath.pi)
        assert type(grad(angle)(1.5)) is float
