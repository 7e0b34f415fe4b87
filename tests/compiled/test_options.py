"""Options that are known only when a program runs, or are given in another way: as without `compile`, or refused."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint import compile, value_and_grad
from adjoint.compiled import entry, programs
from adjoint.compiled.values import CannotCompile, option
from adjoint.compiled.writer import Writer
from adjoint.errors import CompileError, CompileFallbackWarning

V = np.array([0.3, -0.7, 1.4, 0.9, -0.2])
M = np.random.default_rng(0).normal(size=(3, 4))
S = M[:, :3] + 2.0 * np.eye(3)
ORDER, AXIS, KEEP = 3, 1, 1
SHORT = np.int64(2)


@dataclass
class Settings:
    order: Any = 1
    axis: int = 0
    keep: int = 1


def in_global(x):
    return np.linalg.norm(x, ORDER)


def in_field(x, s):
    return np.linalg.norm(x, s.order)


def axis_in_field(x, s):
    return np.sum(np.linalg.norm(x, axis=s.axis) ** 2)


def of_loop(x):
    total = 0.0
    for p in range(1, 4):
        total += np.linalg.norm(x, p)
    return total


def in_closure(p):
    def inner(x):
        return np.linalg.norm(x, p)

    return inner


UNKNOWN: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    ("norm", lambda x, p: np.linalg.norm(x, p), (V, 3)),
    ("norm_1", lambda x, p: np.linalg.norm(x, ord=p), (V, 1)),
    ("norm_float", lambda x, p: np.linalg.norm(x, p), (V, 2.5)),
    ("norm_of_matrix", lambda x, p: np.linalg.norm(x, p), (M, 2)),
    ("norm_computed", lambda x: np.linalg.norm(x, 1 + (x[0] > 0.0)), (V,)),
    ("norm_keeps", lambda x, k: np.sum(np.linalg.norm(x, axis=0, keepdims=k > 0) * x), (M, 1)),
    ("norm_global", in_global, (V,)),
    ("norm_field", in_field, (V, Settings())),
    ("norm_axis_field", axis_in_field, (M, Settings())),
    ("norm_in_loop", of_loop, (V,)),
    ("norm_in_closure", in_closure(3), (V,)),
    ("sum_axis", lambda x, k: np.sum(np.sum(x, axis=k) ** 2), (M, 1)),
    ("sum_axes", lambda x, k: np.sum(np.sum(x, axis=(0, k)) ** 2), (M, 1)),
    ("sum_global", lambda x: np.sum(np.sum(x, axis=AXIS) ** 2), (M,)),
    ("sum_keeps", lambda x, k: np.sum(np.sum(x, axis=0, keepdims=k) * x), (M, 1)),
    ("sum_keeps_global", lambda x: np.sum(np.sum(x, axis=0, keepdims=KEEP) * x), (M,)),
    ("sum_keeps_computed", lambda x: np.sum(np.sum(x, axis=0, keepdims=bool(x[0, 0] < 9.0)) * x), (M,)),
    ("max_keeps", lambda x, k: np.sum(np.max(x, axis=0, keepdims=k) * x), (M, 1)),
    ("mean_axis", lambda x, k: np.sum(np.mean(x, k) ** 2), (M, 1)),
    ("var_keeps", lambda x, k: np.sum(np.var(x, axis=0, keepdims=k) * x), (M, 1)),
    ("any_keeps", lambda x, k: np.sum(np.any(x > 0.0, axis=0, keepdims=k) * x), (M, 1)),
    ("argmax_keeps", lambda x, k: np.sum(np.argmax(x, axis=0, keepdims=k) * x), (M, 1)),
    ("median_keeps", lambda x, k: np.sum(np.median(x, axis=0, keepdims=k) * x), (M, 1)),
    ("argsort", lambda x, k: x[np.argsort(x, stable=k > 0)[0]], (V, 1)),
    ("cumsum", lambda x, k: np.sum(np.cumsum(x, axis=k) ** 2), (M, 1)),
    ("concatenate", lambda x, k: np.sum(np.concatenate((x, x), axis=k)[0] ** 2), (M, 1)),
    ("swapaxes", lambda x, k: np.sum(np.swapaxes(x, 0, k)[0] ** 2), (M, 1)),
    ("diff", lambda x, n: np.sum(np.diff(x, n=n) ** 2), (V, 2)),
    ("round", lambda x, n: np.sum(np.round(x, n) * x), (V, 1)),
    ("matrix_power", lambda x, n: np.sum(np.linalg.matrix_power(x, n)), (S, 2)),
    ("split", lambda x, n: np.sum(np.split(x, n)[0] ** 2), (M, 3)),
    ("tensordot", lambda x, n: np.sum(np.tensordot(x, x.T, n) ** 2), (M, 1)),
    ("zip", lambda x, n: sum([a * b for a, b in zip(x, x, strict=n > 0)]), (V, 1)),
]


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


@pytest.mark.parametrize(("name", "f", "args"), UNKNOWN, ids=[case[0] for case in UNKNOWN])
def test_what_is_known_only_at_run_time(name: str, f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    with pytest.raises(CompileError, match="known only when the program runs"):
        value_and_grad(f, compile="strict")(*args)
    with pytest.raises(CompileError, match="known only when the program runs"):
        compile(f, strict=True)(*args)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileFallbackWarning)
        y, slope = value_and_grad(f, compile=True)(*args)
    expected, plain = value_and_grad(f)(*args)
    assert y == expected and np.array_equal(slope, plain)


def test_numbers_are_no_options() -> None:
    """What enters arithmetic only may be known as late as it likes."""
    for f, args in (
        (lambda x, n: np.var(x, ddof=n), (V, 1)),
        (lambda x, n: np.sum(np.roll(x, n) * x), (V, 2)),
        (lambda x, n: np.sum(np.diag(x, n)), (V, 2)),
        (lambda x, n: np.sum(np.vander(x, n) ** 2), (V, 3)),
        (lambda x, n: np.sum(np.repeat(x, n)[2:7] * x), (V, 3)),
        (lambda x, q: np.quantile(x, q), (V, 0.3)),
        (lambda x, n: np.sum(np.linspace(x[0], x[1], n) ** 2), (V, 3)),
    ):
        y, slope = value_and_grad(f, compile="strict")(*args)
        expected, plain = value_and_grad(f)(*args)
        assert np.isclose(y, expected, rtol=1e-12) and np.allclose(slope, plain, rtol=1e-9)


SPELLED: list[tuple[str, Callable[..., Any], Any]] = [
    ("dtype_of_sum", lambda x: np.sum(np.sum(x, 0, int) * x[0]), M),
    ("dtype_of_method", lambda x: np.sum(x.sum(0, int) * x[0]), M),
    ("dtype_of_prod", lambda x: np.sum(np.prod(x, 0, int) * x[0]), M),
    ("out", lambda x: np.sum(np.max(x, 0, None) * x[0]), M),
    ("average_axis", lambda x: np.sum(np.average(x, 0) * x[0]), M),
    ("average_weights", lambda x: np.sum(np.average(x, 0, x[:, 0] ** 2) * x[0]), M),
    ("average_axis_named", lambda x: np.sum(np.average(x, axis=1, weights=x[0] ** 2)), M),
    ("norm_2_of_axes", lambda x: np.linalg.norm(x, 2, (0, 1)), M),
    ("norm_1_of_axes", lambda x: np.linalg.norm(x, 1, (0, 1)), M),
    ("norm_inf_of_axes", lambda x: np.linalg.norm(x, np.inf, axis=(1, 0)), M),
    ("norm_fro_of_axes", lambda x: np.linalg.norm(x, "fro", axis=(1, 0)), M),
    ("norm_of_axes", lambda x: np.linalg.norm(x, axis=(0, 1)), M),
    ("norm_of_one_axis", lambda x: np.sum(np.linalg.norm(x, 1, (0,))), M),
    ("slice_of_numpy", lambda x: np.sum(x[:SHORT] ** 2), V),
    ("variance_dtype", lambda x: np.sum(np.var(x, 0, None, None, 1)), M),
    ("copied", lambda x: np.sum(x.copy("F") * x), M),
    ("flattened", lambda x: np.sum(x.flatten("F") * x.ravel()), M),
    ("reshaped", lambda x: np.sum(np.reshape(x, 12, "F") * x.ravel()), M),
]


@pytest.mark.parametrize(("name", "f", "x"), SPELLED, ids=[case[0] for case in SPELLED])
def test_by_position_and_of_other_types(name: str, f: Callable[..., Any], x: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileFallbackWarning)
        y, slope = value_and_grad(f, compile=True)(x)
    expected, plain = value_and_grad(f)(x)
    assert np.isclose(y, expected, rtol=1e-12) and np.allclose(slope, plain, rtol=1e-9, atol=1e-12)


RAISING: list[Callable[..., Any]] = [
    lambda x: np.sum(np.sum(x, axis=5)),
    lambda x: np.sum(np.sum(x, axis=(0, 0))),
    lambda x: np.sum(np.mean(x, axis=-3)),
    lambda x: np.sum(np.linalg.norm(x, "fro", axis=0)),
    lambda x: np.sum(np.sort(x, kind="nonsense")),
    lambda x: np.sum(np.max(x, axis=2)),
]


@pytest.mark.parametrize("k", range(len(RAISING)))
def test_what_raises_without_compiling(k: int) -> None:
    with pytest.raises(Exception) as plain:
        RAISING[k](M)
    with pytest.warns(CompileFallbackWarning), pytest.raises(type(plain.value)):
        compile(RAISING[k])(M)


def test_options_that_are_no_constants_are_refused() -> None:
    """The one function that reads options takes no number that a program computes."""
    with pytest.raises(CannotCompile, match="known only"):
        option(Writer().size(object(), 0))  # type: ignore[arg-type]
