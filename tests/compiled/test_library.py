"""Functions of NumPy that are ordinary programs in compiled ones: the same values and derivatives, at edges, too."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled.needs import needs_numba

from adjoint import gradient, value_and_grad
from adjoint.compiled import entry, numba_cache, programs
from adjoint.errors import CompileError

Program = Callable[..., Any]
V = np.array([0.3, -0.7, 1.4, 0.9, -0.2])
M = np.random.default_rng(0).normal(size=(4, 5))
S = M[:, :4] + 0.1
T = np.random.default_rng(1).normal(size=(2, 3, 4))
GAP = np.array([1.0, np.nan, 2.0])
P = np.array([0.1, 0.5, 0.2])
X, Y = np.array([0.0, 0.4, 1.0, 1.5]), np.array([1.0, -0.5, 0.7, 0.2])


def stored_by_lists(x):
    y = np.zeros((4, 5))
    y[:, [0, 2]] = x[:, [1, 1]]
    y[[0, 1], 1:] += x[[1, 2], :4] * 2.0
    return np.sum(y**2 * x)


CASES: list[tuple[str, Program, tuple[Any, ...]]] = [
    ("var", lambda x: np.var(x), (V,)),
    ("var_axis", lambda x: np.sum(np.sin(np.var(x, axis=0, ddof=1))), (M,)),
    ("var_kept", lambda x: np.sum(x * np.var(x, axis=1, keepdims=True)), (M,)),
    ("std", lambda x: np.std(x) * np.std(x, ddof=1), (V,)),
    ("std_axis", lambda x: np.sum(np.std(x, axis=1)), (M,)),
    ("std_of_equal", lambda x: np.std(x * 0.0) + np.sum(x), (V,)),
    ("method_std", lambda x: x.std() + x.var(), (V,)),
    ("average", lambda x: np.average(x) + np.average(x, weights=x * x), (V,)),
    ("ptp", lambda x: np.ptp(x) ** 2, (V,)),
    ("norm", lambda x: np.linalg.norm(x), (V,)),
    ("norm_of_zero", lambda x: np.linalg.norm(x), (0.0 * V,)),
    ("norm_1", lambda x: np.linalg.norm(x, 1), (V,)),
    ("norm_inf", lambda x: np.linalg.norm(x, np.inf), (V,)),
    ("norm_fro", lambda x: np.linalg.norm(x, "fro") + np.linalg.norm(x), (M,)),
    ("norm_axis", lambda x: np.sum(np.linalg.norm(x, axis=1) ** 3), (M,)),
    ("norm_ord", lambda x: np.sum(np.linalg.norm(x, ord=1, axis=0) ** 2), (M,)),
    ("trace", lambda x: np.trace(x) ** 2, (M,)),
    ("diagonal", lambda x: np.sum(np.sin(np.diagonal(x)) + np.diagonal(x, 1)[:4]), (M,)),
    ("diag", lambda x: np.sum(np.diag(x) @ np.diag(x, 1)[:5]), (V,)),
    ("diag_of", lambda x: np.sum(np.diag(x) * np.diag(x, -1)[0]), (M,)),
    ("tril", lambda x: np.sum(np.tril(x) * np.triu(x, 1).T[:4, :4].sum() + np.tril(x, -1)), (S,)),
    ("diff", lambda x: np.sum(np.diff(x) ** 3) + np.sum(np.diff(x, n=2) ** 2), (V,)),
    ("diff_2", lambda x: np.sum(np.diff(x) ** 3), (M,)),
    ("cumprod", lambda x: np.sum(np.cumprod(x) * x), (V,)),
    ("cumprod_0", lambda x: np.sum(np.cumprod(x) * x), (np.array([1.0, 0.0, 2.0, 0.0, 3.0]),)),
    ("roll", lambda x: np.sum(np.roll(x, 2) * x) + np.roll(x, -1)[0], (V,)),
    ("flip", lambda x: np.sum(np.flip(x) * x), (M,)),
    ("inner", lambda x: np.inner(x[0], x[1]) + np.sum(np.inner(x, x)), (M,)),
    ("vdot", lambda x: np.vdot(x, np.sin(x)), (M,)),
    ("cross", lambda x: np.sum(np.cross(x[:3], np.sin(x[1:4])) * x[2:]), (V,)),
    ("kron", lambda x: np.sum(np.kron(x, x[:2, :2]) ** 2), (M,)),
    ("trapezoid", lambda x: np.trapezoid(x) + np.trapezoid(x, dx=0.5) + np.trapezoid(x * x, x), (V,)),
    ("polyval", lambda p, x: np.polyval(p, 0.7) + np.sum(np.polyval(p, x)), (P, V)),
    ("interp", lambda x, xp, fp: np.interp(0.7, xp, fp) + np.sum(np.interp(x, xp, fp) ** 2), (V, X, Y)),
    ("interp_at_points", lambda x, xp, fp: np.sum(np.interp(x, xp, fp) * x), (X.copy(), X, Y)),
    ("degrees", lambda x: np.sum(np.degrees(x) * np.radians(x)) + math.degrees(x[0]) * math.radians(x[1]), (V,)),
    ("reciprocal", lambda x: np.sum(np.reciprocal(x)), (V,)),
    ("sinc", lambda x: np.sum(np.sinc(x)) + np.sinc(x[0]), (V,)),
    ("sinc_0", lambda x: np.sum(np.sinc(x)), (0.0 * V,)),
    ("arctanh", lambda x: np.sum(np.arctanh(x * 0.5)) + math.atanh(x[0]), (V,)),
    ("arccosh", lambda x: np.sum(np.arccosh(2.0 + x)) + math.acosh(2.0 + x[0]), (V,)),
    ("einsum_product", lambda x: np.sum(np.einsum("ij,kj->ik", x, x) ** 2), (M,)),
    ("einsum_implicit", lambda x: np.einsum("ij,ij", x, np.sin(x)), (M,)),
    ("einsum_trace", lambda x: np.einsum("ii", x) * np.sum(np.einsum("ii->i", x) ** 2), (S,)),
    ("einsum_three", lambda x, t: np.sum(np.einsum("ai,aij,kj->k", x[:2, :3], t, x[:, :4])), (M, T)),
    ("einsum_transposed", lambda x: np.sum(np.einsum("ij->ji", x)[0] * np.einsum("ji", x)[:, 0][0]), (M,)),
    ("sort", lambda x: np.sum(np.sort(x) * np.array([1.0, 2.0, 3.0, 4.0, 5.0])), (V,)),
    ("sort_ties", lambda x: np.sum(np.sort(x)[1:] * x[:4]), (np.array([1.0, 0.5, 1.0, 0.5, 1.0]),)),
    ("sort_nothing", lambda x: np.sum(np.sort(x[:0])) + x[0], (V,)),
    ("argsort", lambda x: np.sum(x[np.argsort(x)] ** 2 * np.array([1.0, 2.0, 3.0, 4.0, 5.0])), (V,)),
    ("argsort_stable", lambda x: x[np.argsort(x, kind="stable")][0] ** 2, (np.array([2.0, 1.0, 1.0]),)),
    (
        "sort_axis",
        lambda x: np.sum(np.sort(x, axis=0) * np.sort(x)[::-1]) + np.sum(np.sort(x[0], axis=-1)[:2] ** 2),
        (M,),
    ),
    ("sort_flat", lambda x: np.sum(np.sort(x, axis=None)[3:7] ** 2), (M,)),
    ("argsort_axis", lambda x: np.sum(x[0, np.argsort(x, axis=1)[1]] * x[1]), (M,)),
    ("median_axis", lambda x: np.sum(np.median(x, axis=0) * x) + np.median(x), (M,)),
    ("median_axis_kept", lambda x: np.sum(np.median(x, axis=1, keepdims=True) * x), (M,)),
    ("cumsum_axis", lambda x: np.sum(np.cumsum(x, axis=0) * x) + np.sum(np.cumsum(x, axis=-1) ** 2), (M,)),
    ("cumsum_flat", lambda x: np.sum(np.cumsum(x)[2:8] ** 2) + np.cumsum(np.arange(4))[2] * x[0, 0], (M,)),
    ("cumsum_of_stack", lambda x: np.sum(np.cumsum(x, axis=1) ** 2), (T,)),
    ("cumprod_axis", lambda x: np.sum(np.cumprod(x, axis=0) * x) + np.sum(np.cumprod(x, axis=1)), (M,)),
    ("quantile", lambda x, q: np.quantile(x, q) ** 2 + np.percentile(x, 30) * np.quantile(x, 0.8), (V, 0.4)),
    ("quantile_ends", lambda x: np.quantile(x, 0.0) + np.quantile(x, 1.0) * 2 + np.quantile(x, 0.25) * x[0], (V,)),
    ("quantile_axis", lambda x: np.sum(np.quantile(x, 0.3, axis=0) * x) + np.quantile(x, 0.5), (M,)),
    (
        "argmax_axis",
        lambda x: np.sum(x[0, np.argmax(x[:3], axis=0)]) + x[0, np.argmin(x[0])] + x[1, np.argmax(x) % 5],
        (M,),
    ),
    ("argmax_nan", lambda x: x[np.argmax(x) - 1] * 2.0 + x[np.argmin(x) + 1] * 3.0, (GAP,)),
    ("nanmax", lambda x: np.nanmax(x) * 2.0 + np.nanmin(x * x), (GAP,)),
    (
        "nanmax_axis",
        lambda x: np.sum(np.nanmax(x, axis=0) * x[0]) + np.sum(np.nanmin(x, axis=1, keepdims=True) * x),
        (M,),
    ),
    (
        "append",
        lambda x: np.sum(np.append(x, x[0])[1:] * x) + np.sum(np.append(x.reshape(1, -1), [2.0, x[1]]) ** 2),
        (V,),
    ),
    ("insert", lambda x: np.sum(np.insert(x, 1, x[0] ** 2)[1:] * x) + np.insert(x, -1, 2.0 * x[1])[4], (V,)),
    ("pad", lambda x: np.sum(np.pad(x, 2)[1:6] * x) + np.sum(np.pad(x, (1, 0), constant_values=x[0])[:5] * x), (V,)),
    ("pad_matrix", lambda x: np.sum(np.pad(x, 1)[1:5, :5] * x), (M,)),
    ("gradient", lambda x: np.sum(np.gradient(x) ** 2) + np.sum(np.gradient(x, 0.5) * x), (V,)),
    ("bincount", lambda x: np.sum(np.bincount(np.array([0, 2, 0, 2, 5]), weights=x) ** 2), (V,)),
    ("bincount_minlength", lambda x: np.sum(np.bincount(np.array([0, 2]), weights=x[:2], minlength=5) * x), (V,)),
    ("squeeze", lambda x: np.sum(np.squeeze(x[None, :, None]) * x) + np.squeeze(x[None], 0)[1], (V,)),
    ("expand_dims", lambda x: np.sum(np.expand_dims(x, 1) * np.expand_dims(x, -2)), (V,)),
    ("broadcast_to", lambda x: np.sum(np.broadcast_to(x, (3, 5)) * np.broadcast_to(x[0], (5,))), (V,)),
    ("split", lambda x: np.sum(np.split(x, 2)[0] * np.split(x, 2)[1] ** 2), (M,)),
    ("tensordot", lambda x, t: np.sum(np.tensordot(t, x[:, :2], 1) ** 2) + np.tensordot(x, x), (M, T)),
    ("select", lambda x: np.sum(np.select([x > 1.0, x > 0.0], [x * x, 2.0 * x], 0.5) * x), (V,)),
    ("matrix_power", lambda x: np.sum(np.linalg.matrix_power(x, 3)) + np.linalg.matrix_power(x, 6)[0, 1], (S,)),
    (
        "ufunc_reduce",
        lambda x: np.sum(np.add.reduce(x) * np.multiply.reduce(x, axis=0)) + np.maximum.reduce(x[0]),
        (M,),
    ),
    ("ufunc_reduce_all", lambda x: np.add.reduce(x, axis=None) ** 2 + np.sum(np.minimum.reduce(x, axis=1) ** 2), (M,)),
    ("ufunc_accumulate", lambda x: np.sum(np.add.accumulate(x) * x) + np.sum(np.multiply.accumulate(x, axis=1)), (M,)),
    ("ufunc_outer", lambda x: np.sum(np.multiply.outer(x, x[:2]) ** 2), (V,)),
    ("median", lambda x: np.median(x) ** 2 + np.median(x[:4]), (V,)),
    ("median_ties", lambda x: np.median(x) ** 2 + np.median(x[:4]), (np.array([1.0, 0.5, 1.0, 0.5, 1.0]),)),
    ("convolve", lambda x, y: np.sum(np.convolve(x, y) ** 2) + np.sum(np.convolve(y, x, "full")[1:3]), (V, P)),
    ("convolve_same", lambda x, y: np.sum(np.convolve(x, y, mode="same") * x) + np.convolve(y, x, "same")[0], (V, P)),
    ("convolve_even", lambda x, y: np.sum(np.convolve(x, y[:2], mode="same") * x), (V, P)),
    ("convolve_valid", lambda x, y: np.sum(np.convolve(x, y, "valid") ** 2) + np.convolve(y, x, "valid")[0], (V, P)),
    ("repeat", lambda x: np.sum(np.repeat(x, 3)[2:7] * x), (V,)),
    ("tile", lambda x: np.sum(np.tile(x, 3)[2:7] * x), (V,)),
    ("vander", lambda x: np.sum(np.vander(x) @ x) + np.sum(np.vander(x, 3, increasing=True) ** 2), (V,)),
    ("nansum", lambda x: np.nansum(x * x) + np.sum(np.nansum(x.reshape(1, -1), axis=0)), (GAP,)),
    ("nanmean", lambda x: np.nanmean(x * x), (GAP,)),
    ("nan_to_num", lambda x: np.sum(np.nan_to_num(x) ** 2), (V,)),
    ("heaviside", lambda x, h: np.sum(np.heaviside(x, h) * x) + np.heaviside(0.0, h) ** 2, (V, 0.5)),
    ("searchsorted", lambda x: x[np.searchsorted(np.sort(x), 0.5)] ** 2, (V,)),
    ("searchsorted_of_equal", lambda x: x[np.searchsorted(x * 0.0, 0.0, side="left")] ** 2, (V,)),
    ("searchsorted_nan", lambda x: x[np.searchsorted(x, np.nan) - 1] ** 2, (GAP[[0, 2, 1]],)),
    ("searchsorted_right", lambda x: x[np.searchsorted(x, x[1], side="right")] ** 2, (np.array([1.0, 2.0, 2.0, 3.0]),)),
    ("meshgrid", lambda x, y: sum([np.sum(np.sin(g) * i) for i, g in enumerate(np.meshgrid(x, y), 1)]), (V, P)),
    ("meshgrid_ij", lambda x, y: np.sum(np.meshgrid(x, y, indexing="ij")[0] ** 2 * np.meshgrid(y, x)[0]), (V, P)),
    ("divmod", lambda x: divmod(x[0], 0.07)[1] ** 2 + np.sum(np.divmod(x, 0.5)[1]), (V,)),
    ("modf", lambda x: np.sum(np.modf(3.0 * x)[0] * x) + np.modf(x[2])[1], (V,)),
    ("erfc", lambda x: math.erfc(x[0]) * math.erf(x[1]), (V,)),
    ("cbrt", lambda x: np.sum(np.cbrt(x)), (V,)),
    ("fmax", lambda x: np.sum(np.fmax(x, 0.2) * np.fmin(x, x[::-1])), (V,)),
    ("fmax_nan", lambda x: np.sum(np.fmax(x, np.array([np.nan, 1.0, 0.5]))), (np.array([1.0, np.nan, 2.0]),)),
    ("round", lambda x: np.sum(np.round(x) * x) + np.sum(np.round(x, 1) * x) + np.sum(x.round(-1) + x), (7.0 * V,)),
    ("round_of_number", lambda x: round(x[0] * 7.3) * x[0] + math.trunc(x[2] * 3.0) * x[1], (V,)),
    ("lgamma", lambda x: math.lgamma(x[0]) * math.lgamma(x[1]) + math.lgamma(x[2] + 20.0), (V,)),
    ("gamma", lambda x: math.gamma(x[0]) * math.gamma(x[1]) + math.gamma(x[2] + 5.0) * math.gamma(x[4] - 1.0), (V,)),
    ("math_fmod", lambda x: math.fmod(x[0], 0.07) * math.exp2(x[1]), (V,)),
    ("fmod", lambda x: np.sum(np.fmod(x, 0.4) * np.fmod(3.0, x)), (V,)),
    ("logaddexp2", lambda x: np.sum(np.logaddexp2(x, x[::-1]) * x), (V,)),
    ("einsum_outer", lambda x: np.sum(np.einsum("i,j->ij", x, x) ** 2) + np.einsum("i->", x), (V,)),
]


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def check(f: Program, args: tuple[Any, ...]) -> None:
    every = tuple(range(len(args)))
    y, grads = value_and_grad(f, every, compile="strict")(*args)
    assert np.isclose(y, f(*args), rtol=1e-12, atol=1e-14)
    for d, expected in zip(grads, gradient(f, *args), strict=True):
        assert np.allclose(d, expected, rtol=1e-9, atol=1e-12, equal_nan=True)


@pytest.mark.parametrize(("name", "f", "args"), CASES, ids=[case[0] for case in CASES])
def test_as_without_compiling(name: str, f: Program, args: tuple[Any, ...]) -> None:
    check(f, args)


BY_NUMBA = (
    *("std_axis", "norm_axis", "interp", "einsum_three", "arctanh", "arccosh", "sort_ties", "modf", "quantile_axis"),
    *("argmax_nan", "cumsum_of_stack"),
)


@needs_numba
def test_by_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    for name, f, args in CASES:
        if name in BY_NUMBA:
            check(f, args)


REFUSED: list[tuple[str, Program, Any]] = [
    ("integers", lambda x: np.var(np.arange(3)) * x[0], V),
    ("norm", lambda x: np.linalg.norm(x, 1), M),
    ("nuclear", lambda x: np.linalg.norm(x, "nuc"), M),
    ("norm_3", lambda x: np.linalg.norm(x, 3), V),
    ("ellipsis", lambda x: np.sum(np.einsum("...i->...", x)), M),
    ("axis", lambda x: np.sum(np.roll(x, 1, axis=0)), M),
    ("offset", lambda x: np.trace(x, 1), M),
    ("sort_of_integers", lambda x: x[0] * np.sort(np.array([2, 1]))[0], V),
    ("several_quantiles", lambda x: np.sum(np.quantile(x, [0.1, 0.2])), V),
    ("quantile_method", lambda x: np.quantile(x, 0.3, method="lower"), V),
    ("median_kept", lambda x: np.sum(np.median(x, keepdims=True)), M),
    ("pad_mode", lambda x: np.sum(np.pad(x, 1, mode="edge")), V),
    ("insert_several", lambda x: np.sum(np.insert(x, [1, 2], x[0])), V),
    ("split_at", lambda x: np.sum(np.split(x, [1, 3])[0]), V),
    ("bincount", lambda x: np.bincount(np.array([0, 1]))[0] * x[0], V),
    ("tensordot_axes", lambda x: np.sum(np.tensordot(x, x, axes=([0], [0]))), M),
    ("undefined", lambda x: x[0] * no_such_name, V),  # noqa: F821
    ("repeat_each", lambda x: np.sum(np.repeat(x, np.array([1, 2, 0, 1, 1]))), V),
    ("tile_rows", lambda x: np.sum(np.tile(x, (2, 1))), V),
    ("convolve_mode", lambda x: np.sum(np.convolve(x, x, "f")), V),
    ("searchsorted_side", lambda x: x[np.searchsorted(x, 0.3, side="r")], V),
    ("searchsorted_many", lambda x: np.sum(x[np.searchsorted(x[:3], x)]), V),
    ("searchsorted_order", lambda x: x[np.searchsorted(x, 0.3, sorter=np.argsort(x))], V),
    ("nan_to_num", lambda x: np.sum(np.nan_to_num(x, nan=1.0)), V),
]


@pytest.mark.parametrize(("name", "f", "x"), REFUSED, ids=[case[0] for case in REFUSED])
def test_what_has_no_form(name: str, f: Program, x: Any) -> None:
    with pytest.raises(CompileError):
        value_and_grad(f, compile="strict")(x)
