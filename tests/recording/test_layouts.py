"""The value of a recorded program is the plain one to the last bit, however its operands lie in memory."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import pullback
from adjoint.recording.operations import ruled

N = 37
RNG = np.random.default_rng(3)
B = RNG.normal(size=(N, N))
V = RNG.normal(size=N)
Z = B + 1j * RNG.normal(size=(N, N))
BIG = RNG.normal(size=(3 * N, 3 * N))
CUBE = RNG.normal(size=(N, N, 4))
RECORDS = np.zeros((N, N), [("a", "i4"), ("b", "f8")])
RECORDS["b"] = B

LAYOUTS: dict[str, Any] = {
    "C": B,
    "Fortran": np.asfortranarray(B),
    "transposed": B.T,
    "imag": Z.imag,
    "real": Z.real,
    "real, transposed": Z.T.real,
    "every second": BIG[: 2 * N : 2, : 2 * N : 2],
    "every third": BIG[::3, ::3],
    "rows": BIG[: 2 * N : 2, :N],
    "columns": BIG[:N, : 2 * N : 2],
    "turned": B[::-1],
    "columns turned": B[:, ::-1],
    "both turned": B[::-1, ::-1],
    "repeated rows": np.broadcast_to(B[0], (N, N)),
    "repeated columns": np.broadcast_to(B[:, :1], (N, N)),
    "part": BIG[1 : N + 1, 2 : N + 2],
    "part, transposed": BIG[1 : N + 1, 2 : N + 2].T,
    "slice of a cube": CUBE[:, :, 1],
    "axes of a cube": CUBE.transpose(2, 1, 0)[2],
    "windows": np.lib.stride_tricks.sliding_window_view(BIG[0], N)[:N],
    "single precision": Z.imag.astype("f4").T,
}
OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "x @ v": lambda x: x @ V,
    "v @ x": lambda x: V @ x,
    "x @ x": lambda x: x @ x,
    "x.T @ x": lambda x: x.T @ x,
    "np.dot": lambda x: np.dot(x, x),
    "method dot": lambda x: x.dot(V),
    "rows": lambda x: x[3] @ x[5],
    "columns": lambda x: x[:, 3] @ x[:, 5],
    "a row and a column": lambda x: x[:, 3] @ x[4],
    "parts": lambda x: x[::2, 1] @ x[0, ::2],
    "sum": lambda x: x.sum(),
    "sum of rows": lambda x: x.sum(0),
    "sum of columns": lambda x: x.sum(1),
    "prod": lambda x: np.prod(x, axis=1),
    "mean": lambda x: x.mean(0),
    "std": lambda x: x.std(),
    "cumsum": lambda x: x.cumsum(0),
    "nansum": lambda x: np.nansum(x, 1),
    "add.reduce": lambda x: np.add.reduce(x, 1),
    "logaddexp.reduce": lambda x: np.logaddexp.reduce(x, 1),
    "einsum with a vector": lambda x: np.einsum("ij,j->i", x, V),
    "einsum": lambda x: np.einsum("ij,ij->", x, x),
    "einsum of matrices": lambda x: np.einsum("ij,kj->ik", x, x),
    "inner": lambda x: np.inner(x, x),
    "vdot": lambda x: np.vdot(x, x),
    "tensordot": lambda x: np.tensordot(x, x, ([0], [0])),
    "multi_dot": lambda x: np.linalg.multi_dot([x, x, V]),
    "norm": lambda x: np.linalg.norm(x, axis=1),
    "exp": lambda x: np.exp(x).sum(1),
    "squares": lambda x: (x * x).sum(0),
    "trace": lambda x: np.trace(x),
    "average": lambda x: np.average(x, axis=0, weights=V),
    "stack": lambda x: np.stack([x, x]) @ x,
    "flat": lambda x: np.dot(x.flat, x.flat),
    "cov": lambda x: np.cov(x),
}


def structured(x: Any, operation: Any) -> Any:
    return operation(x)


def recorded(x: Any, operation: Any) -> Any:
    try:
        y = operation(x)
    except* ZeroDivisionError:
        y = 0.0
    return y


@pytest.mark.parametrize("tier", [structured, recorded])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_values_to_the_last_bit(layout: str, tier: Any) -> None:
    x = LAYOUTS[layout]
    for name, operation in OPERATIONS.items():
        y, back = pullback(tier, x, operation)
        assert np.asarray(y).tobytes() == np.asarray(operation(x)).tobytes(), name
        bar = back(np.ones_like(y))[1]
        assert bar is None or np.shape(bar) == x.shape


def test_a_copy_that_lies_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruled, "is_otherwise", lambda method, values, copies: False)
    with pytest.raises(AssertionError):
        for layout in ("imag", "real", "every third", "columns", "C"):
            test_values_to_the_last_bit(layout, recorded)


def test_functions_that_are_handed_are_called_once() -> None:
    calls = []

    def f(x: Any) -> Any:
        try:
            y = np.vectorize(counted, otypes=[float])(x[::2])
        except ZeroDivisionError:
            y = x
        return y.sum()

    def counted(v: Any) -> Any:
        calls.append(1)
        return v * v

    pullback(f, np.arange(6.0))
    assert len(calls) == 3


def test_draws_are_made_once() -> None:
    def f(x: Any, rng: Any) -> Any:
        try:
            y = rng.normal(x[::2], 1.0)
        except ZeroDivisionError:
            y = x
        return y.sum() + rng.normal()

    expected = f(np.arange(6.0), np.random.default_rng(1))
    assert pullback(f, np.arange(6.0), np.random.default_rng(1))[0] == expected
