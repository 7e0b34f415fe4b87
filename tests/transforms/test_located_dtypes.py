"""Arrays of complex numbers and of single precision that others may have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from adjoint import jvp, pullback
from adjoint.derivatives import choice
from adjoint.finite.structure import identical
from adjoint.tangents import located as shadows


def spectrum() -> tuple[Any, ...]:
    return np.array([1.0 + 0.5j, -0.3 + 1.2j, 0.7 - 0.2j, 0.4 + 0.9j]), np.array([0.6, -0.8, 1.1, 0.3]), 0.7


def in_place(z: Any, w: Any, x: Any) -> Any:
    z *= w
    z[1:] += x * z[:-1]
    z[0] = z[1] * 1j
    z[2] = x
    z[w > 0.5] *= 2.0 - 1j
    z /= 1.0 + abs(z[3])
    z -= w
    return float((abs(z) ** 2).sum() + z[1].real * z[2].imag)


def parts(z: Any, w: Any, x: Any) -> Any:
    re, im = z.real, np.imag(z)
    re *= x
    im[:2] = w[:2] * re[1:3]
    z *= z
    z.real[0] = x**2
    np.real(z)[1:] -= im[:3] * z.imag[0]
    z.imag *= w
    return float((abs(z) ** 2).sum() + re[1] * im[2])


def halves_assigned(z: Any, w: Any, x: Any) -> Any:
    z.imag = z.real * x
    z.real = w
    z[1:3].imag += z[0].real
    z.real = z.imag
    z.imag = 2.0 * x
    w.real = abs(z) ** 2
    return float((z**2).imag.sum() + (w * z.real).sum())


def picked(z: Any, w: Any, x: Any) -> Any:
    v, u = z[::-1], w[:]
    v[[3, 1]] += z[1] * 1j
    z[[3, 1, 3]] = w[:3] * z[0]
    z[np.array([1, 2])] *= x + 1j
    u[[0, 0]] = v[2:].imag
    return float((abs(z) ** 2 * w).sum() + (z * z).imag.sum())


def rotated(z: Any, w: Any, x: Any) -> Any:
    for k in range(3):
        np.multiply(z, np.exp(1j * k * x), out=z)
        np.add(z[1:], z[:-1], out=z[1:])
        np.multiply(w, x, out=w)
        z.T[0] += w[k]
        z[::-1] *= w
        w[k] = abs(z[k])
    np.copyto(z, w, where=w > 0.9)
    return float((z * z).real.sum() + w.sum())


def transformed(z: Any, w: Any, x: Any) -> Any:
    """A step of a spectral method."""
    k = np.fft.fftfreq(4)
    for _ in range(3):
        z[:] = np.fft.fft(z) * np.exp(-x * k**2)
        z[:] = np.fft.ifft(z)
        z *= np.exp(0.1j * np.abs(z) ** 2)
        z.real[:] += w
    return float((abs(z) ** 2 * w).sum())


def real_in_complex(z: Any, w: Any, x: Any) -> Any:
    """What is read of an array of floats goes on in complex numbers: only the real part comes back."""
    w *= x
    z[0] = w[1]
    y = w * z
    w[1:3] = y.real[:2] * (w[0] * 1j * z[1]).imag
    z[1] = w[2]
    return float((w * z).imag.sum() + (abs(z * w[3]) ** 2).sum())


COMPLEX = [in_place, parts, halves_assigned, picked, rotated, transformed, real_in_complex]


@pytest.mark.parametrize("f", COMPLEX)
def test_complex(f: Any) -> None:
    choice.forget()
    check(f, *spectrum(), order=2)
    plain, args = spectrum(), spectrum()
    y = f(*plain)
    z_bar, w_bar, x_bar = pullback(f, *args)[1](1.0)[1:]
    tangents = np.array([0.3 - 0.2j, 0.1j, 0.5, -0.4 + 0.7j]), np.array([0.2, -0.1, 0.4, 0.9]), 0.3
    args = spectrum()
    value, along = jvp(f, args, tangents)
    assert identical(value, y)
    assert identical(args, plain)
    slope = np.vdot(z_bar, tangents[0]).real + w_bar @ tangents[1] + x_bar * tangents[2]
    np.testing.assert_allclose(along, slope, rtol=1e-9)
    assert not choice.was_recorded(f), "it was recorded"


def single() -> tuple[Any, ...]:
    return np.array([0.7, -1.2, 1.5, 0.4], np.float32), np.array([0.6, -0.8, 1.1, 0.3]), 0.7


def of_two_precisions(u: Any, w: Any, x: Any) -> Any:
    u *= w
    u[1:] += x * u[:-1]
    u[0] = w[1] * x
    out = np.zeros(4, np.float32)
    np.multiply(u, x, out=out, casting="same_kind")
    np.multiply(w, u, out=u, casting="same_kind")
    np.add(u, u, out=w)
    u[2:] = w[:2] * out[1]
    return float((u * out).sum() + w.sum())


def in_single_alone(u: Any, w: Any, x: Any) -> Any:
    for _ in range(3):
        np.tanh(u, out=u)
        u[1:-1] = 0.5 * (u[:-2] + u[2:])
        u.reshape(2, 2)[0] *= 0.9
    return u.sum()


@pytest.mark.parametrize("f", [of_two_precisions, in_single_alone])
def test_single(f: Any) -> None:
    choice.forget()
    plain, args = single(), single()
    y = f(*plain)
    value, back = pullback(f, *args)
    assert identical(value, y)
    assert identical(args, plain)
    bars = back(1.0)[1:]
    assert identical(back(1.0)[1:], bars)
    assert not choice.was_recorded(f), "it was recorded"
    u, w, x = single()
    wide = pullback(f, u.astype(float), w, x)[1](1.0)[1:]
    for bar, expected in zip(bars, wide, strict=True):
        if bar is None:
            assert expected is None
            continue
        np.testing.assert_allclose(bar, expected, rtol=1e-5, atol=1e-6)
    assert bars[0].dtype == np.float32
    assert bars[1] is None or bars[1].dtype == np.float64
    tangents = (np.array([0.3, -0.2, 0.1, 0.5], np.float32), np.array([0.2, -0.1, 0.4, 0.9]), 0.3)
    args = single()
    value, along = jvp(f, args, tangents)
    assert identical(value, y)
    assert identical(args, plain)
    parts = [0.0 if b is None else float(np.vdot(b, t)) for b, t in zip(bars, tangents, strict=True)]
    np.testing.assert_allclose(along, sum(parts), rtol=1e-5)
    assert not choice.was_recorded(f), "it was recorded"


def test_planted(monkeypatch: Any) -> None:
    """The imaginary part of what came to a real number that was stored is found."""
    right = pullback(rotated, *spectrum())[1](1.0)
    monkeypatch.setattr(shadows, "unbroadcast", lambda d, like: np.conj(d))
    assert not np.allclose(right[1], pullback(rotated, *spectrum())[1](1.0)[1])
