"""Programs that are too long to be compiled are given up at once, and Numba that is missing or was interrupted."""

from __future__ import annotations

import importlib.abc
import subprocess
import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint import grad
from adjoint.compiled import entry, numba_cache, programs
from adjoint.errors import CompileError, CompileFallbackWarning

from ..regressions.counting import calls


class Neuron:
    def __init__(self, n: int, scale: float) -> None:
        self.weights = [0.1 * scale * (i + 1) for i in range(n)]
        self.bias = 0.1 * scale

    def __call__(self, x: Any) -> Any:
        s = self.bias
        for w, v in zip(self.weights, x, strict=True):
            s = s + w * v
        return s / (1 + s * s)


class Layers:
    def __init__(self, *sizes: int) -> None:
        self.layers = [[Neuron(n, j + 1.0) for j in range(m)] for n, m in zip(sizes[:-1], sizes[1:], strict=True)]

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = [neuron(x) for neuron in layer]
        return x[0]


def loss(network: Any, points: Any, values: Any) -> Any:
    total = 0.0
    for x, y in zip(points, values, strict=True):
        d = network(x) - y
        total = total + d * d
    return total


@dataclass
class Tree:
    value: float
    left: Any
    right: Any


def total(t: Any) -> Any:
    if t is None:
        return 0.0
    return t.value * t.value + total(t.left) * total(t.right) + total(t.left)


def tree_of(levels: int) -> Any:
    return None if levels == 0 else Tree(0.5, tree_of(levels - 1), tree_of(levels - 1))


def data(n: int) -> Any:
    return Layers(3, 8, 8, 1), [[0.1 * i, 0.2, 0.3] for i in range(n)], [0.5] * n


def refuse_numba(name: str, text: str) -> Any:
    """What Numba is handed, without compiling it."""
    numba_cache.check_length(text)
    return programs.as_python(name, text)


@pytest.fixture
def without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [refuse_numba])


@pytest.mark.usefixtures("without_compiling")
@pytest.mark.parametrize(("f", "args"), [(loss, data(40)), (total, (tree_of(9),))], ids=["perceptron", "tree"])
def test_too_long_a_program_runs_plainly_at_once(f: Any, args: Any) -> None:
    found = []
    with pytest.warns(CompileFallbackWarning, match="written out one by one"):
        given_up = calls(lambda: found.append(grad(f, compile=True)(*args)))
    right = grad(f)(*args)
    plain = calls(grad(f), *args)
    assert given_up < 60 * plain
    assert repr(found) == repr([right])
    with pytest.raises(CompileError, match="written out one by one") as error:
        grad(f, compile="strict")(*args)
    assert "arrays" in error.value.way_out
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is said once, and nothing is made again
        grad(f, compile=True)(*args)
        assert calls(grad(f, compile=True), *args) < 2 * plain


@pytest.mark.usefixtures("without_compiling")
@pytest.mark.parametrize(("f", "args"), [(loss, data(1)), (total, (tree_of(5),))], ids=["perceptron", "tree"])
def test_what_is_short_is_compiled(f: Any, args: Any) -> None:
    assert np.allclose(numbers(grad(f, compile="strict")(*args)), numbers(grad(f)(*args)))


def numbers(d: Any) -> list[float]:
    if isinstance(d, float | None):
        return [d or 0.0]
    items = d if isinstance(d, list) else [d[name] for name in d]
    return [x for item in items for x in numbers(item)]


def test_float32_says_what_to_do() -> None:
    for x in (np.ones(3, np.float32), np.float32(2.0)):
        with pytest.raises(CompileError, match="float32") as error:
            grad(lambda a: np.sum(a * a), compile="strict")(x)
        assert "astype(float)" in error.value.way_out


class Missing(importlib.abc.MetaPathFinder):
    """An import of Numba that does not come to its end."""

    def __init__(self, at: str, error: BaseException) -> None:
        self.at = at
        self.error = error

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == self.at:
            raise self.error


def test_where_numba_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "numba"]:
        monkeypatch.delitem(sys.modules, name)
    absent = ModuleNotFoundError("No module named 'numba'", name="numba")
    monkeypatch.setattr(sys, "meta_path", [Missing("numba", absent), *sys.meta_path])
    f = lambda a: np.sum(a * a * a)  # noqa: E731
    with pytest.warns(CompileFallbackWarning, match="cannot be compiled: Numba is not installed"):
        assert np.array_equal(grad(f, compile=True)(np.ones(2)), [3.0, 3.0])
    with pytest.raises(CompileError, match="Numba is not installed") as error:
        grad(f, compile="strict")(np.ones(2))
    assert "pip install" in error.value.way_out


def test_where_numba_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """The LLVM of 0.61 aborts at a hidden Markov model."""
    numba = pytest.importorskip("numba")
    monkeypatch.setattr(numba, "version_info", (0, 61, 2))
    f = lambda a: np.sum(a * a * a * a)  # noqa: E731
    with pytest.warns(CompileFallbackWarning, match="cannot be compiled: Numba .* is too old"):
        assert np.array_equal(grad(f, compile=True)(np.ones(2)), [4.0, 4.0])


INTERRUPTED = """
import sys
import numpy as np
from adjoint import grad

class Once:
    def find_spec(self, name, path=None, target=None):
        if name == {at!r} and not self.done:
            self.done = True
            raise KeyboardInterrupt
    done = False

sys.meta_path.insert(0, Once())
f = lambda a: np.sum(a * a * a)
try:
    grad(f, compile="strict")(np.ones(2))
except KeyboardInterrupt:
    print("interrupted")
print(grad(f, compile="strict")(np.ones(2)))
"""


@pytest.mark.parametrize("at", ["numba.core.types", "numba.np.ufunc"])
def test_an_import_of_numba_that_is_interrupted(at: str, tmp_path: Any) -> None:
    pytest.importorskip("numba")
    program = tmp_path / "program.py"
    program.write_text(INTERRUPTED.format(at=at))
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=300)
    assert ran.stdout.split("\n")[:2] == ["interrupted", "[3. 3.]"], ran.stderr
