"""Compiled programs do to their arguments what the plain ones do, and have their derivatives."""

from __future__ import annotations

import copy
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled.arguments import PROGRAMS, RESULTS, SPD, State, V, W, st_cholesky, st_entries, st_out, st_shape

import adjoint
from adjoint import grad, gradient, hessian, hvp, jacobian, pullback
from adjoint.compiled import entry, numba_cache, programs
from adjoint.errors import CompileError, CompileFallbackWarning
from adjoint.finite.differences import random_like
from adjoint.finite.structure import cotangent_like
from adjoint.tangents import densify
from adjoint.tangents.blocks import parts

Program = Callable[..., Any]
RUNNERS = {"python": programs.as_python}
if importlib.util.find_spec("numba") is not None:
    RUNNERS["numba"] = numba_cache.by_numba
needs_numba = pytest.mark.skipif("numba" not in RUNNERS, reason="numba is not installed")


CASES = [
    pytest.param(runner, f, id=f"{runner}-{f.__name__}")
    for k, f in enumerate(PROGRAMS)
    for runner in RUNNERS
    if runner == "python" or k % 3 == 0
]


@pytest.fixture
def as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def numbers(x: Any) -> np.ndarray:
    return np.concatenate([*[np.ravel(part) for part in parts(x)], np.zeros(0)])


def moving(args: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple([i for i, x in enumerate(args) if not (isinstance(x, np.ndarray) and x.dtype.kind == "i")])


def same(found: Any, expected: Any) -> None:
    assert np.allclose(numbers(found), numbers(expected), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("runner", "f"), CASES)
def test_value_and_gradient(runner: str, f: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [RUNNERS[runner]])
    places = moving(PROGRAMS[f])
    plain, ours, third = (copy.deepcopy(PROGRAMS[f]) for _ in range(3))
    y, bars = adjoint.value_and_grad(f, places)(*plain)
    for _ in range(2):
        y_, bars_ = adjoint.value_and_grad(f, places, compile="strict")(*ours)
        assert type(y_) is type(y) and np.allclose(y_, y, rtol=1e-12)
        for bar, bar_, x in zip(bars, bars_, [plain[i] for i in places], strict=True):
            same(densify(bar_, x), densify(bar, x))
        assert str(ours) == str(plain)
        ours = copy.deepcopy(PROGRAMS[f])
    assert np.allclose(adjoint.compile(f, strict=True)(*third), y, rtol=1e-12)
    assert str(third) == str(plain)


@pytest.mark.parametrize("f", [f for f in PROGRAMS if all(isinstance(x, np.ndarray) for x in PROGRAMS[f])])
@pytest.mark.usefixtures("as_python")
def test_gradients_are_those_of_finite_differences(f: Program) -> None:
    places, h = moving(PROGRAMS[f]), 1e-6
    bars = grad(f, places, compile="strict")(*copy.deepcopy(PROGRAMS[f]))
    for i, bar in zip(places, bars, strict=True):
        v = np.random.default_rng(i).normal(size=bar.shape)
        ends = []
        for step in (h, -h):
            args = copy.deepcopy(PROGRAMS[f])
            args[i][...] += step * v
            ends.append(f(*args))
        assert np.isclose(np.sum(bar * v), (ends[0] - ends[1]) / (2 * h), rtol=1e-6, atol=1e-8)


@pytest.mark.usefixtures("as_python")
@pytest.mark.parametrize("f", {**PROGRAMS, **RESULTS}, ids=lambda f: f.__name__)
def test_pullbacks(f: Program) -> None:
    """`back` runs again, also when the arguments have been changed since."""
    given = {**PROGRAMS, **RESULTS}[f]
    if len(moving(given)) < len(given):
        pytest.skip("pullbacks are by all arguments")
    plain, ours = copy.deepcopy(given), copy.deepcopy(given)
    y, back = pullback(f, *plain)
    y_bar = cotangent_like(y, lambda leaf: random_like(leaf, np.random.default_rng(0)))
    expected = back(y_bar)
    y_, back = pullback(f, *ours, compile="strict")
    same(y_, y)
    assert str(ours) == str(plain)
    for _ in range(2):
        for bar, bar_, x in zip(expected[1:], back(y_bar)[1:], given, strict=True):
            same(densify(bar_, x), densify(bar, x))


@pytest.mark.usefixtures("as_python")
@pytest.mark.parametrize("f", {**PROGRAMS, **RESULTS}, ids=lambda f: f.__name__)
def test_many_directions(f: Program) -> None:
    given = {**PROGRAMS, **RESULTS}[f]
    places = moving(given)
    plain = copy.deepcopy(given)
    expected = jacobian(f, *plain, argnums=places)
    for mode in ("forward", "reverse"):
        ours = copy.deepcopy(given)
        found = jacobian(f, *ours, argnums=places, mode=mode, compile="strict")
        same(found, expected)
        assert str(ours) == str(plain)
    if f in PROGRAMS:
        ours = copy.deepcopy(given)
        found = hessian(f, *ours, argnums=places, compile="strict")
        same(found, hessian(f, *copy.deepcopy(given), argnums=places))
        assert str(ours) == str(plain)


@pytest.mark.usefixtures("as_python")
def test_products_with_hessians() -> None:
    x, z = V.copy(), V.copy()
    same(hvp(st_entries, (x,), (W,), compile="strict"), hvp(st_entries, (z,), (W,)))
    assert np.array_equal(x, z) and not np.array_equal(x, V)


@pytest.mark.usefixtures("as_python")
def test_back_does_not_see_what_becomes_of_the_arrays() -> None:
    expected = pullback(st_entries, V.copy())[1](1.0)[1]
    x = V.copy()
    _, back = pullback(st_entries, x, compile="strict")
    x[:] = 7.0
    assert np.allclose(back(1.0)[1], expected) and np.allclose(back(2.0)[1], 2.0 * expected)
    assert np.array_equal(x, np.full(4, 7.0))
    x, out = V.copy(), np.zeros(4)
    backs = [pullback(st_out, s * x, out, compile="strict")[1] for s in (1.0, 2.0)]
    for back, s in zip(backs, (1.0, 2.0), strict=True):
        fresh = np.zeros(4) if s == 1.0 else _after(V)
        assert np.allclose(back(1.0)[1], pullback(st_out, s * V, fresh)[1](1.0)[1])


def _after(x: Any) -> Any:
    out = np.zeros(4)
    st_out(x.copy(), out)
    return out


@pytest.mark.usefixtures("as_python")
def test_a_result_that_is_an_argument_is_that_array() -> None:
    def f(a, b):
        a[0] = b[1] * 2.0
        return a, b[0]

    x = V.copy()
    assert pullback(f, x, W, compile="strict")[0][0] is x
    assert adjoint.compile(f, strict=True)(x, W)[0] is x


@pytest.mark.usefixtures("as_python")
def test_arrays_that_share_memory_are_refused() -> None:
    def f(a, b):
        a[0] = a[1] * b[1]
        b[2] = a[0] ** 2
        return np.sum(a) * np.sum(b)

    long = np.concatenate([V, W])
    for x, y in ((long[:4], long[:4]), (long[:4], long[2:6]), (long[::2], long[3:7])):
        before = long.copy()
        with pytest.raises(CompileError, match="shares memory"):
            grad(f, compile="strict")(x, y)
        assert np.array_equal(long, before)
    ours, plain = long.copy(), long.copy()
    with pytest.warns(CompileFallbackWarning, match="shares memory"):
        found = grad(f, (0, 1), compile=True)(ours[:4], ours[2:6])
    same(found, grad(f, (0, 1))(plain[:4], plain[2:6]))
    assert np.array_equal(ours, plain)
    found = grad(f, (0, 1), compile="strict")(ours[::2], ours[1::2])
    same(found, grad(f, (0, 1))(plain[::2], plain[1::2]))
    assert np.array_equal(ours, plain)
    windows = np.lib.stride_tricks.sliding_window_view(long, 4, writeable=True)
    with pytest.raises(CompileError, match="shares memory"):
        grad(st_shape, compile="strict")(windows)
    with pytest.raises(CompileError, match="shares memory"):
        grad(lambda xs: f(xs[0], xs[1]), compile="strict")([long, long])


@pytest.mark.usefixtures("as_python")
def test_arrays_that_are_read_only_raise_what_the_plain_program_raises() -> None:
    x = V.copy()
    x.flags.writeable = False
    for run in (grad(st_entries, compile="strict"), adjoint.compile(st_entries, strict=True)):
        with pytest.raises(ValueError, match="read-only"):
            run(x)
    with pytest.raises(ValueError, match="read-only"):
        jacobian(st_entries, x, compile="strict")

    def seldom(a, flag):
        if flag > 0.0:
            a[0] = 1.0
        return a[0] * a[1]

    with pytest.raises(CompileError, match="a store into a read-only array"):
        grad(seldom, compile="strict")(x, -1.0)
    with pytest.warns(CompileFallbackWarning, match="a store into a read-only array"):
        assert np.array_equal(grad(seldom, compile=True)(x, -1.0), [x[1], x[0], 0.0, 0.0])


@pytest.mark.usefixtures("as_python")
def test_exceptions_leave_what_the_plain_program_leaves() -> None:
    def f(a):
        a[0] = a[1] * 2.0
        for i in range(6):
            a[i] = a[i] + 1.0
        return a[0]

    x, z = V.copy(), V.copy()
    with pytest.raises(IndexError):
        gradient(f, z)
    for run in (grad(f, compile="strict"), adjoint.compile(f, strict=True), lambda x: pullback(f, x, compile="strict")):
        x = V.copy()
        with pytest.raises(IndexError):
            run(x)
        assert np.array_equal(x, z)
    with pytest.raises(ValueError, match="math domain|nonnegative"):
        grad(st_cholesky, compile="strict")(-SPD.copy() + 0.0)


@pytest.mark.usefixtures("as_python")
def test_layouts() -> None:
    turned = np.asfortranarray(SPD)
    same(grad(st_cholesky, compile="strict")(turned), gradient(st_cholesky, SPD.copy()))
    plain = SPD.copy()
    st_cholesky(plain)
    assert np.allclose(turned, plain) and turned.flags.f_contiguous
    wide = np.zeros((8, 8))
    wide[::2, ::-2] = SPD
    same(grad(st_cholesky, compile="strict")(wide[::2, ::-2]), gradient(st_cholesky, SPD.copy()))
    assert np.allclose(wide[::2, ::-2], plain) and not wide[1].any()
    with pytest.raises(CompileError, match="another shape"):  # NumPy stores into a copy
        grad(st_shape, compile="strict")(np.asfortranarray(SPD))
    assert grad(st_entries, compile="strict")(np.ones(3)).shape == (3,)


@pytest.mark.usefixtures("as_python")
def test_what_a_function_captures() -> None:
    out = np.zeros(4)

    def f(x):
        for i in range(len(x)):
            out[i] += x[i] ** 2
        return np.sum(out)

    assert np.allclose(grad(f, compile="strict")(V), 2.0 * V) and np.allclose(out, V**2)
    assert np.allclose(adjoint.compile(f, strict=True)(V), 2.0 * np.sum(V**2)) and np.allclose(out, 2.0 * V**2)


@pytest.mark.usefixtures("as_python")
def test_arguments_for_others_than_floats() -> None:
    def f(a, n):
        n[0] = 3
        n[1] = n[1] + 1
        return a[n[0]] * a[n[1]]

    n = np.array([0, 1])
    assert np.allclose(grad(f, compile="strict")(V, n), [0.0, 0.0, V[3], V[2]]) and list(n) == [3, 2]


@needs_numba
def test_functions_of_numba() -> None:
    import numba

    @numba.njit
    def inner(a):
        a[0] = 2.0 * a[0] * a[1]
        a[2] += a[0]
        return a.sum()

    def outer(a):
        b = a * 1.0
        return inner(b) + b[0]

    x, z = V.copy(), V.copy()
    expected = gradient(inner.py_func, z)[0]
    for run in (lambda x: gradient(inner, x)[0], grad(inner), lambda x: jacobian(inner, x)[0]):
        x = V.copy()
        assert np.allclose(run(x), expected) and np.array_equal(x, z)
    x, z = V.copy(), V.copy()
    same(hvp(inner, (x,), (W,)), hvp(inner.py_func, (z,), (W,)))
    x = V.copy()
    y, back = pullback(inner, x)
    assert np.array_equal(x, z) and np.allclose(back(1.0)[1], expected)
    of_both = expected + gradient(lambda a: 2.0 * a[0] * a[1], V)[0]
    with pytest.warns(CompileFallbackWarning, match="not compiled"):
        assert np.allclose(gradient(outer, V)[0], of_both)  # what it stores its caller sees: it is followed
    assert np.allclose(grad(outer, compile="strict")(V), of_both)


LIBRARY = """
import numba

@numba.njit
def inner(a):
    a[0] = 2.0 * a[0] * a[1]
    return a.sum()
"""


@needs_numba
def test_nothing_is_said_of_what_a_library_compiles_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages" / "library_of_loops.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(tmp_path / "site-packages")
    library = importlib.import_module("library_of_loops")

    def outer(a):
        b = a * 1.0
        return library.inner(b) + b[0]

    of_both = gradient(library.inner.py_func, V.copy())[0] + gradient(lambda a: 2.0 * a[0] * a[1], V)[0]
    assert np.allclose(gradient(outer, V)[0], of_both)  # where nobody asked for compiled programs, no warning


@pytest.mark.usefixtures("as_python")
def test_objects_keep_their_arrays() -> None:
    def f(s):
        s.x[0] = s.v[1] ** 2
        return s.x[0] * s.v[0]

    s = State(V.copy(), W.copy())
    x = s.x
    d = grad(f, compile="strict")(s)
    assert s.x is x and x[0] == W[1] ** 2
    assert np.allclose(d["v"], [W[1] ** 2, 2.0 * W[0] * W[1], 0.0, 0.0]) and not d["x"].any()
