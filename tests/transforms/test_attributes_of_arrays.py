"""Attributes of arrays, of each kind of numbers: what they show is of the kind that is said."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import withgradient
from adjoint.ir.types import Array
from adjoint.transforms import attributes

Z = np.array([[1 + 2j, 0.3 - 1j], [0.5j, 0.7 + 0.1j]])
WEIGHTS = np.arange(1, 9) * 0.37
DTYPES = ["f8", "c16", "f4", "c8", ">f8", ">c16", "g", "G"]

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "T": lambda x: np.exp(x.T) * x,
    "mT": lambda x: np.exp(x.mT) * x,
    "mT and T": lambda x: x.mT @ x.T.conj(),
    "items of flat": lambda x: x.flat[0] * x.flat[1],
    "parts of flat": lambda x: np.exp(x.flat[1:]) * x.flat[0],
    "places of flat": lambda x: np.exp(x.flat[[0, 2]]) * x.flat[1],
    "list of flat": lambda x: np.array(list(x.flat)) ** 2,
    "round flat": lambda x: sum([v * v for v in x.flat]),
    "numbered flat": lambda x: sum([np.exp(v) * v * i for i, v in enumerate(x.flat)]),
    "real": lambda x: np.exp(x.real) * x,
    "imag": lambda x: np.exp(x.imag) * x,
    "real of T": lambda x: np.exp(x.T.real) * x.imag.T,
    "real of an item": lambda x: x[0, 0].real * x,
    "imag of an item": lambda x: x[0, 0].imag * x,
    "T of an item": lambda x: np.exp(x[0, 0].T) * x,
    "array of rank 0": lambda x: np.exp(np.asarray(x[0, 0]).T) * x,
    "rows": lambda x: sum([np.exp(r) * r[::-1] for r in x]),
    "items of rows": lambda x: sum([np.exp(v) * v for r in x for v in r]),
    "items": lambda x: np.exp(x[0, 1]) * x[1, 0],
    "numbers": lambda x: np.exp(x.item(1)) * x.item(2),
    "conj": lambda x: np.exp(x.conj()) * x.conjugate(),
    "shape of T": lambda x: x * x * x.T.shape[0] * x.mT.ndim * x.flat[0].size,
    "by name": lambda x: np.exp(getattr(x, "mT")) * getattr(x, "real"),  # noqa: B009
    "functions": lambda x: np.real(x) * x.imag + np.imag(x) * x,
}


def structured(x: Any, program: Any) -> Any:
    y = np.asarray(program(x)).ravel()
    return np.real(np.sum(y * WEIGHTS[: y.size] * (1 + 0.5j)))


def recorded(x: Any, program: Any) -> Any:
    try:
        y = np.asarray(program(x)).ravel()
    except ZeroDivisionError:
        y = np.zeros(1)
    return np.real(np.sum(y * WEIGHTS[: y.size] * (1 + 0.5j)))


def differences(f: Any, x: Any, h: float) -> Any:
    result = np.zeros(x.shape, complex)
    for i in np.ndindex(x.shape):
        for step in (h, h * 1j) if x.dtype.kind == "c" else (h,):
            up, down = x.copy(), x.copy()
            up[i] += step
            down[i] -= step
            result[i] += complex(f(up) - f(down)) / (2 * h) * (step / h)
    return result


@pytest.mark.parametrize("tier", [structured, recorded])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_attributes_of_each_kind(name: str, dtype: str, tier: Any) -> None:
    x = (Z if np.dtype(dtype).kind == "c" else Z.real + 0.1).astype(dtype)
    single = dtype in ("f4", "c8")

    def f(x: Any) -> Any:
        return tier(x, PROGRAMS[name])

    y, (bar,) = withgradient(f, x)
    close = {"rtol": 1e-6, "atol": 0} if single else {"rtol": 1e-15, "atol": 0}
    np.testing.assert_allclose(y, f(x), **close)
    loose = 5e-2 if single else 1e-5
    np.testing.assert_allclose(bar, differences(f, x, 3e-3 if single else 1e-6), rtol=loose, atol=loose)


def test_products_of_items() -> None:
    def f(z: Any) -> Any:
        return np.real(z.flat[0] * z.flat[1])

    def g(z: Any) -> Any:
        return np.real(np.sum(np.exp(z.mT)))

    assert withgradient(f, Z)[1][0].tolist() == [[0.3 + 1j, 1 - 2j], [0, 0]]
    np.testing.assert_allclose(withgradient(g, Z)[1][0], np.exp(Z).conj())


def test_a_kind_that_is_not_right_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attributes, "_part", lambda t, name: Array("f", "", t.ndim, t.scalar))
    with pytest.raises(AssertionError):
        assert withgradient(lambda z: np.real(np.sum(np.exp(z.mT))), Z)[1][0].tolist() == np.exp(Z).conj().tolist()
