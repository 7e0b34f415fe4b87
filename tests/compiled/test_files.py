"""Modules that are written need neither this library nor Numba, and say what they were made for."""

from __future__ import annotations

import ast
import copy
import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled import named_alike
from compiled.needs import needs_numba

from adjoint import gradient, value_and_grad
from adjoint.calculus import to_file
from adjoint.errors import CompileError

SCALE = 1.7
TABLE = np.array([1.0, 2.0])


def bent(a: float, b: float) -> float:
    return math.sin(a) * b


def loss(x: Any, a: float, n: int, flag: bool = True) -> Any:
    out = np.zeros(len(x))
    out[0] = a
    for i in range(1, len(x)):
        out[i] = bent(x[i], out[i - 1]) + SCALE
    return np.sum(out**n) if flag else a


def uses_table(x: Any) -> Any:
    return np.sum(x * TABLE)


def reader(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(text, space)
    return space


def test_the_module_has_value_and_gradients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    x, file = np.array([0.3, -0.8, 1.1]), tmp_path / "loss.py"
    to_file(file, loss, x, 0.7, 2)
    value_and_grad = reader(file.read_text())["value_and_grad"]
    for y in (x, np.linspace(-1.0, 1.0, 7)):
        value, (dx, da) = value_and_grad(y, 0.9, 3, True)
        assert np.isclose(value, loss(y, 0.9, 3))
        expected = gradient(loss, y, 0.9, 3, True)
        assert np.allclose(dx, expected[0]) and np.isclose(da, expected[1])
    with pytest.raises(ValueError, match="generated for flag=True"):
        value_and_grad(x, 0.9, 3, False)
    with pytest.raises(TypeError, match="made for an array `.*` of float64"):
        value_and_grad(np.ones(3, np.float32), 0.9, 3, True)
    with pytest.raises(TypeError, match="n, not 1"):
        value_and_grad(np.ones(1), 0.9, 3, True)


def test_the_module_needs_no_other(tmp_path: Path) -> None:
    file = tmp_path / "loss.py"
    to_file(file, loss, np.ones(3), 0.7, 2)
    blocked = "import sys; sys.modules['adjoint'] = sys.modules['numba'] = None\n"
    shown = "import numpy as np; from loss import value_and_grad; print(value_and_grad(np.ones(3), 0.5, 2, True)[0])"
    run = subprocess.run(
        [sys.executable, "-c", blocked + shown], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert np.isclose(float(run.stdout), loss(np.ones(3), 0.5, 2))


def test_arguments_that_are_stored_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def f(a, b):
        for i in range(1, len(a)):
            a[i] = a[i - 1] * b[i]
        return np.sum(a)

    monkeypatch.setitem(sys.modules, "numba", None)
    file = tmp_path / "f.py"
    to_file(file, f, np.ones(3), np.ones(3))
    value_and_grad = reader(file.read_text())["value_and_grad"]
    a, b = np.array([0.5, 2.0, 3.0, 1.0]), np.array([1.0, 2.0, 0.5, 4.0])
    c = a.copy()
    expected = gradient(f, c, b)
    value, found = value_and_grad(a, b)
    assert np.allclose(a, c) and np.isclose(value, a.sum())
    assert all(np.allclose(x, y) for x, y in zip(found, expected, strict=True))
    with pytest.raises(ValueError, match="may share memory"):
        value_and_grad(a, a)


def test_errors_of_the_program_are_told(tmp_path: Path) -> None:
    file = tmp_path / "root.py"
    to_file(file, lambda x: math.sqrt(x), 2.0)
    value_and_grad = reader(file.read_text())["value_and_grad"]
    assert np.isclose(value_and_grad(4.0)[1][0], 0.25)
    with pytest.raises((ArithmeticError, ValueError), match="raises for these arguments|math domain error"):
        value_and_grad(-1.0)


@pytest.mark.parametrize(
    ("f", "args", "why"),
    [
        (lambda pair: pair[0] * pair[1], ((1.0, 2.0),), "the argument `pair`, which is a tuple"),
        (uses_table, (np.ones(2),), "uses arrays from outside"),
        (lambda x: print(x), (1.0,), "`print`"),
    ],
)
def test_what_is_refused_is_not_written(f: Any, args: tuple[Any, ...], why: str, tmp_path: Path) -> None:
    with pytest.raises(CompileError, match=why):
        to_file(tmp_path / "none.py", f, *args)
    assert not (tmp_path / "none.py").exists()


def test_defaults_stay_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)

    def f(x, a, c=math.inf, scale=3.0, flag=True):
        return np.sum(x * x) * a * scale if flag else c * a

    file = tmp_path / "f.py"
    to_file(file, f, np.ones(3), 2.0)
    assert "def value_and_grad(x, a, c, scale=3.0, flag=True):" in file.read_text()
    y, bars = reader(file.read_text())["value_and_grad"](np.ones(4), 2.0, 1.0)
    assert y == 24.0 and bars[1] == 12.0 and bars[3] == 8.0


RUN = """
import importlib, pickle, sys
{blocked}
got = []
for k, (args, kwargs) in enumerate(pickle.load(open("calls", "rb"))):
    got.append(importlib.import_module(f"written_{{k}}").value_and_grad(*args, **kwargs))
pickle.dump(got, open("got", "wb"))
"""


def run_alone(folder: Path, blocked: str) -> list[Any]:
    """What the modules in a folder give in a process of their own."""
    subprocess.run([sys.executable, "-c", RUN.format(blocked=blocked)], cwd=folder, check=True)
    found: list[Any] = pickle.loads((folder / "got").read_bytes())
    return found


def write_all(folder: Path) -> list[Any]:
    """Write the modules of all functions with confusing names; what each must give."""
    expected = []
    for k, (f, args, kwargs) in enumerate(named_alike.PROGRAMS):
        to_file(folder / f"written_{k}.py", f, *copy.deepcopy(args), **kwargs)
        wanted = [i for i, x in enumerate(args) if isinstance(x, float | np.ndarray)]
        expected.append(value_and_grad(f, tuple(wanted))(*copy.deepcopy(args), **kwargs))
    calls = [copy.deepcopy((args, kwargs)) for _, args, kwargs in named_alike.PROGRAMS]  # some store into them
    (folder / "calls").write_bytes(pickle.dumps(calls))
    return expected


@pytest.mark.parametrize("numba", [False, pytest.param(True, marks=needs_numba)])
def test_names_and_texts_are_never_confused(numba: bool, tmp_path: Path) -> None:
    expected = write_all(tmp_path)
    blocked = "sys.modules['adjoint'] = None" + ("" if numba else "; sys.modules['numba'] = None")
    for (f, _, _), (y, bars), (right, given) in zip(
        named_alike.PROGRAMS, expected, run_alone(tmp_path, blocked), strict=True
    ):
        bars = bars if isinstance(bars, tuple) else (bars,)
        assert np.isclose(y, right), f.__name__
        assert all(np.allclose(a, b) for a, b in zip(bars, given, strict=False)), f.__name__


def test_a_module_keeps_the_kinds_of_parameters(tmp_path: Path) -> None:
    to_file(tmp_path / "f.py", named_alike._array, np.ones(3), k=3.0)
    text = (tmp_path / "f.py").read_text()
    assert "def value_and_grad(x, n=2, /, *, scale=2.0, k):" in text


@pytest.mark.parametrize(
    "name", ['"""', 'a"b', "a\nraise SystemExit", "{x}", "\\", "\ud800", '"""\nraise SystemExit\n"""', ""]
)
def test_names_of_functions_stay_texts(name: str, tmp_path: Path) -> None:
    def f(x: float) -> float:
        return x * x

    f.__name__ = f.__qualname__ = f.__doc__ = name
    to_file(tmp_path / "f.py", f, 3.0)
    text = (tmp_path / "f.py").read_text(encoding="utf-8")
    assert [type(s).__name__ for s in ast.parse(text).body].count("FunctionDef") == 3  # ours, the program and `_array`
    assert reader(text)["value_and_grad"](3.0) == (9.0, (6.0,))
