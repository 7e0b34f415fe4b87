"""`prange`: parts of loops that run side by side, against the plain program and against every order of the parts."""

from __future__ import annotations

import runpy
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled.needs import needs_numba
from compiled.side_by_side import IN_ORDER, PROGRAMS, M, W, rows, sums

from adjoint import compile, grad, value_and_grad
from adjoint.calculus import to_file
from adjoint.compiled import entry, intrinsics, numba_cache
from adjoint.compiled.programs import as_python
from adjoint.inspect import code_adjoint

ALL = [pytest.param(f, args, id=f.__name__) for f, args in [*PROGRAMS, *IN_ORDER]]
Program = tuple[Any, tuple[Any, ...]]


def agrees(f: Any, args: tuple[Any, ...]) -> None:
    before = [np.copy(a) for a in args]
    value, gradients = value_and_grad(f, (0, 1), compile="strict")(*args)
    expected, plain = value_and_grad(f, (0, 1))(*args)
    assert value == pytest.approx(expected, rel=1e-12)
    for g, p in zip(gradients, plain, strict=True):
        np.testing.assert_allclose(g, p, rtol=1e-11, atol=1e-13)
    assert all(np.array_equal(a, b) for a, b in zip(args, before, strict=True))


@needs_numba
@pytest.mark.parametrize(("f", "args"), ALL)
@pytest.mark.parametrize("parts", [1, 4])
def test_any_order_of_parts(f: Any, args: tuple[Any, ...], parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [as_python])
    monkeypatch.setitem(intrinsics.IN_PYTHON, "threads", lambda: parts)
    monkeypatch.setitem(intrinsics.IN_PYTHON, "prange", lambda n: reversed(range(n)))
    agrees(f, args)


@needs_numba
@pytest.mark.parametrize(("f", "args"), ALL)
def test_by_numba(f: Any, args: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    agrees(f, args)


@needs_numba
@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda x: getattr(x, "__name__", ""))
def test_side_by_side(f: Any, args: tuple[Any, ...]) -> None:
    source = code_adjoint(f, *args, compile=True)
    assert "prange(" in source
    assert "`prange` is `range` here" not in source


@needs_numba
@pytest.mark.parametrize(("f", "args"), IN_ORDER, ids=lambda x: getattr(x, "__name__", ""))
def test_in_order(f: Any, args: tuple[Any, ...]) -> None:
    source = code_adjoint(f, *args, compile=True)
    assert "`prange` is `range` here: on one core" in source


@needs_numba
def test_a_round_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    with pytest.raises(IndexError):
        grad(rows, compile=True)(M, W[:2])
    with pytest.raises(ValueError, match="math domain error"):
        grad(sums, compile=True)(np.array([1.0, np.inf, 2.0]), 1.0)


@needs_numba
def test_of_functions_of_numba_in_threads() -> None:
    import numba

    compiled = numba.njit(parallel=True)(rows)
    expected = grad(rows)(M, W)
    found: list[Any] = []
    g = grad(compiled, compile="strict")
    g(M, W)
    threads = [threading.Thread(target=lambda: found.append(g(M, W))) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 4
    assert all(np.allclose(x, expected) for x in found)
    assert compile(compiled)(M, W) == pytest.approx(rows(M, W))


@needs_numba
@pytest.mark.parametrize("installed", [True, False])
def test_as_a_module(installed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.py"
    to_file(path, rows, M, W)
    if not installed:
        monkeypatch.setitem(sys.modules, "numba", None)
    module = runpy.run_path(str(path))
    value, (by_m, by_w) = module["value_and_grad"](M, W)
    monkeypatch.undo()
    expected, (plain_m, plain_w) = value_and_grad(rows, (0, 1))(M, W)
    assert value == pytest.approx(expected)
    np.testing.assert_allclose(by_m, plain_m)
    np.testing.assert_allclose(by_w, plain_w)
