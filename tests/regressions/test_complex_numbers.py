"""Cotangents of complex numbers are complex, also where only the real part flowed."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint import gradient, hvp, pullback, value_and_grad

FUNCTIONS = {
    "real": lambda z: z.real,
    "imag": lambda z: z.imag,
    "abs": lambda z: abs(z),
    "np.real": lambda z: np.real(z),
    "np.imag": lambda z: np.imag(z),
    "np.abs": lambda z: np.abs(z),
    "np.angle": lambda z: np.angle(z),
    "squares": lambda z: z.real**2 + z.imag**2,
    "one part, squared": lambda z: z.real**3,
    "constant": lambda z: 3.0,
}


def recorded(f):
    def g(z):
        try:
            return f(z)
        except ZeroDivisionError:
            return 0.0

    return g


def differences(f, z, h=1e-6):
    return (f(z + h) - f(z - h)) / (2 * h) + 1j * (f(z + 1j * h) - f(z - 1j * h)) / (2 * h)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("way", [lambda f: f, recorded], ids=["", "recorded"])
def test_a_complex_number(name, way):
    f, z = way(FUNCTIONS[name]), 1.0 + 2.0j
    (d,) = gradient(f, z)
    assert type(d) is complex
    assert d == pytest.approx(differences(f, z), 1e-6, 1e-8)
    assert type(value_and_grad(f)(z)[1]) is complex
    (in_list,) = gradient(lambda zs: f(zs[0]) * 2.0, [z, 1j])
    assert [type(item) for item in in_list] == [complex, complex]
    if name != "constant":
        assert type(pullback(f, z)[1](1.0)[1]) is complex


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("way", [lambda f: f, recorded], ids=["", "recorded"])
@pytest.mark.parametrize("along", [1.0 + 0.0j, 1j, 2.0 - 3.0j])
def test_second_order(name, way, along):
    f, z, h = way(FUNCTIONS[name]), 1.0 + 2.0j, 1e-6
    (d,) = hvp(f, (z,), (along,))
    assert isinstance(d, complex)
    assert d == pytest.approx((gradient(f, z + h * along)[0] - gradient(f, z - h * along)[0]) / (2 * h), 1e-4, 1e-6)


def test_a_field():
    class Wave:
        def __init__(self, amplitude):
            self.amplitude = amplitude

    (d,) = gradient(lambda w: w.amplitude.real, Wave(1.0 + 2.0j))
    assert type(d.amplitude) is complex and d.amplitude == 1.0


@pytest.mark.parametrize("z", [np.complex128(1 + 2j), np.array(1 + 2j), np.array([1 + 2j, 3 - 1j])], ids=repr)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_arrays(z, name):
    def f(z):
        return np.sum(FUNCTIONS[name](z))

    (d,) = gradient(f, z)
    assert np.asarray(d).dtype == complex and np.shape(d) == np.shape(z)
    (second,) = hvp(f, (z,), (z * 0 + 1j,))
    assert np.asarray(second).dtype == complex and np.shape(second) == np.shape(z)
