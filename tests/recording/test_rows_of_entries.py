"""`a.flat`, and other attributes of arrays: stored into, read, handed to functions."""

import linecache
from typing import Any

import numpy as np
import pytest

from adjoint import pullback, withgradient
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError

A = np.array([[1.2, 0.7], [0.4, 1.9]])

STORES = {
    "flat": "y = np.zeros(x.shape); y.flat = x.flat",
    "flat of an array": "y = np.zeros(x.shape); y.flat = x * x",
    "flat, transposed": "y = np.zeros(x.shape); y.flat = x.T.flat",
    "flat of a number": "y = np.zeros(x.shape); y.flat = x[0, 0]",
    "flat of a list": "y = np.zeros(x.shape); y.flat = [x[0, 0], x[0, 1]]",
    "flat of a transposed array": "y = np.zeros(x.shape); y.T.flat = x",
    "an item of flat": "y = np.zeros(x.shape); y.flat[1] = x[0, 0] * x[0, 1]",
    "a part of flat": "y = np.zeros(x.shape); y.flat[1:3] = x.flat[0:2]",
    "all of flat": "y = np.zeros(x.shape); y.flat[:] = x.flat",
    "places of flat": "y = np.zeros(x.shape); y.flat[[0, 3]] = x[0]",
    "a mask of flat": "y = np.zeros(x.shape); y.flat[y.flat == 0] = x[0, 0] * x[1, 1]",
    "flat of a row": "y = np.zeros(x.shape); y[0].flat = x[1]",
    "an item, in place": "y = x.copy(); y.flat[0] += x[1, 1] * x[0, 0]",
    "all, in place": "y = x.copy(); y.flat[:] *= x.ravel()",
    "flat, in place": "y = x.copy(); y.flat *= x.ravel()",
    "T": "y = np.zeros(x.shape); y.T[...] = x * x",
    "a row of T": "y = np.zeros(x.shape); y.T[0] = x[0]",
    "mT, in place": "y = x.copy(); y.mT[...] += x",
    "real": "y = np.zeros(x.shape, complex); y.real = x; y = np.abs(y) ** 2",
    "imag": "y = np.zeros(x.shape, complex); y.imag = x * x; y = np.abs(y) ** 2",
    "items of imag": "y = np.zeros(x.shape, complex); y.imag[...] = x * x; y = np.abs(y + 1) ** 2",
    "real, in place": "y = x * (1 + 1j); y.real += x; y = np.abs(y) ** 2",
    "imag, in place": "y = x * (1 + 1j); y.imag *= x; y = np.abs(y) ** 2",
    "a row of real": "y = x * (1 + 1j); y.real[0] = x[1]; y = np.abs(y) ** 2",
    "real of real numbers": "y = x.copy(); y.real = x * x",
    "by setattr": 'y = np.zeros(x.shape); setattr(y, "flat", x.flat)',
    "one of two": "y = np.zeros(x.shape); y.flat, k = x.flat, 2",
    "an iterator kept": "y = np.zeros(x.shape); f = y.flat; f[0] = x[0, 0]; f[1:3] = x[1]",
    "an iterator moved": "y = np.zeros(x.shape); f = y.flat; f[0] = x[0, 0]; y[1, 1] = next(f) * x[0, 1]",
    "items of an array": "y = np.zeros(4); y[:] = x.flat",
}
READS = {
    "sum": "y = x * np.sum(x.flat)",
    "prod": "y = x * np.prod(x.flat)",
    "max": "y = x * np.max(x.flat)",
    "dot": "y = x * np.dot(x.flat, x.flat)",
    "product": "y = x.flat * x.ravel()",
    "ufunc": "y = np.power(x.flat, 2)",
    "array": "y = np.array(x.flat)",
    "asarray": "y = np.asarray(x.T.flat) * x.ravel()",
    "copy": "y = x.T.flat.copy() * x.flat.copy()",
    "concatenate": "y = np.concatenate([x.flat, x.T.flat]) * 2",
    "stack": "y = np.stack((x.flat, x.flat)) * 2",
    "zip": "y = x * sum([a * b for a, b in zip(x.flat, x.T.flat)])",
    "loop": "y = 0.0\n    for i, v in enumerate(x.T.flat): y = y + v * v * i",
    "partly drawn": "f = x.T.flat; next(f); y = x * sum([v * v for v in f])",
    "star": "y = np.array([*x.T.flat])",
    "sorted": "y = np.array(sorted(x.T.flat))",
    "map": "y = np.array(list(map(np.sin, x.T.flat)))",
    "fromiter": "y = np.fromiter(x.T.flat, float)",
    "flat of a number": "y = x[0, 0].flat[0] * x",
}
REFUSED = {
    "shape": "y = x.copy(); y.shape = (4,)",
    "dtype": "y = x.copy(); y.dtype = int",
    "strides": "y = x.copy(); y.strides = (8, 16)",
}


def made(body: str, recorded: bool) -> Any:
    text = f"def f(x):\n    {body}\n"
    if recorded:
        text += "    try:\n        pass\n    except ValueError:\n        pass\n"
    text += "    return (np.arange(1, 1 + np.size(y)).reshape(np.shape(y)) * y * y).sum()\n"
    name = f"<rows {body} {recorded}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]


def differences(f: Any) -> Any:
    result = np.zeros(A.shape)
    for i in np.ndindex(A.shape):
        up, down = A.copy(), A.copy()
        up[i] += 1e-6
        down[i] -= 1e-6
        result[i] = (f(up) - f(down)) / 2e-6
    return result


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("body", [*STORES.values(), *READS.values()], ids=[*STORES, *(f"{n} of flat" for n in READS)])
def test_rows_of_entries(body: str, recorded: bool) -> None:
    f, x = made(body, recorded), A.copy()
    y, (bar,) = withgradient(f, x)
    assert y == f(A.copy())
    assert x.tolist() == A.tolist()
    np.testing.assert_allclose(bar, differences(f), atol=1e-5)
    value, back = pullback(f, A.copy())
    assert back(1.0)[-1].tolist() == back(1.0)[-1].tolist() == bar.tolist()
    forward = [pushforward(f, (A.copy(),), (e.reshape(2, 2),))[1] for e in np.eye(4)]
    np.testing.assert_allclose(np.reshape(forward, (2, 2)), differences(f), atol=1e-5)


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("body", REFUSED.values(), ids=[*REFUSED])
@pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")
def test_attributes_that_say_what_memory_means(body: str, recorded: bool) -> None:
    with pytest.raises(AdjointError, match="what its memory means"):
        withgradient(made(body, recorded), A.copy())
