"""Masked programs, whose branches that are not taken are singular: compiled as without, value and two derivatives."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled.arithmetic import as_compiled
from compiled.needs import needs_numba

from adjoint import hvp, value_and_grad
from adjoint.compiled import entry, numba_cache

special = pytest.importorskip("scipy.special")
X, D = np.array([0.0, 2.0, 1.0, -1.0, 0.5]), np.array([0.0, 1.0, -2.0, 0.0, 3.0])


def quotient(x: Any, d: Any) -> Any:
    return np.sum(np.where(d == 0, 0, x / d))


def squared_quotient(x: Any, d: Any) -> Any:
    return np.sum(np.where(d == 0, 0.0, x / d) ** 2)


def logarithm(x: Any, d: Any) -> Any:
    return np.sum(np.where(d > 0, np.log(d), 0.0) * x)


def root(x: Any, d: Any) -> Any:
    return np.sum(np.where(d > 0, np.sqrt(d), 0.0) * x)


def power(x: Any, d: Any) -> Any:
    return np.sum(np.where(d > 0, d**0.3, 0.0) * x)


def singular_power(x: Any, d: Any) -> Any:
    return np.sum(np.where(d != 0, d**-1.5, 0.0) * x)


def inverse(x: Any, d: Any) -> Any:
    return np.sum(np.where(d != 0, d**-1, 0.0) * x)


def angle(x: Any, d: Any) -> Any:
    return np.sum(np.where(d != 0, np.arctan2(d, x * d), 0.0))


def hypotenuse(x: Any, d: Any) -> Any:
    return np.sum(np.where(d != 0, np.hypot(d, x * d), 0.0))


def power_of_size(x: Any, d: Any) -> Any:
    return np.sum((d != 0) * np.abs(d) ** x)


def masked_root(x: Any, d: Any) -> Any:
    return np.sum((d > 0) * np.sqrt(np.abs(d)) * x)


def numbers_for_nan(x: Any, d: Any) -> Any:
    return np.sum(np.nan_to_num(x / d))


def clipped(x: Any, d: Any) -> Any:
    return np.sum(np.clip(x / d, -1.0, 1.0))


def larger(x: Any, d: Any) -> Any:
    return np.sum(np.maximum(x / d, 0.5))


def smaller(x: Any, d: Any) -> Any:
    return np.sum(np.minimum(np.log(np.abs(d)), 0.5) * x)


def logsumexp_of_nothing(x: Any, d: Any) -> Any:
    return special.logsumexp(x * 0 - np.inf)


def logsumexp_of_some(x: Any, d: Any) -> Any:
    return special.logsumexp(np.where(d == 0, -np.inf, x))


def softmax_of_some(x: Any, d: Any) -> Any:
    return np.sum(special.softmax(np.where(d == 0, -np.inf, x)) * d)


def log_softmax_of_some(x: Any, d: Any) -> Any:
    return np.sum(special.log_softmax(np.where(d == 0, -5.0, x)) * d)


def norm_of_zeros(x: Any, d: Any) -> Any:
    return np.linalg.norm(np.where(d == 0, 0 * x, 0 * x)) + np.sum(x)


def arccosine(x: Any, d: Any) -> Any:
    return np.sum(np.where(d == 0, 0.0, np.arccos(x / d)))


def exponential(x: Any, d: Any) -> Any:
    return np.sum(np.where(d == 0, 0.0, np.exp(1.0 / d) * x))


def in_a_loop(x: Any, d: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        s += np.where(d[i] == 0, 0.0, x[i] / d[i])
    return s


def xlogy(x: Any, d: Any) -> Any:
    return np.sum(special.xlogy(d, x))


def logsumexp_of_a_part(x: Any, d: Any) -> Any:
    return special.logsumexp(np.array([-np.inf, -np.inf]) + 0 * x[1:3])


def logaddexp_of_nothing(x: Any, d: Any) -> Any:
    return np.logaddexp(-np.inf + 0.0 * x[0], -np.inf + 0.0 * x[1])


def softmax_of_nothing(x: Any, d: Any) -> Any:
    return np.sum(special.softmax(x * 0 - np.inf))


def log_softmax_of_nothing(x: Any, d: Any) -> Any:
    return np.sum(special.log_softmax(x * 0 - np.inf))


def logsumexp_infinite(x: Any, d: Any) -> Any:
    return special.logsumexp(x + np.array([np.inf, 0, 0, 0, 0]))


def reciprocal(x: Any, d: Any) -> Any:
    return np.sum(np.where(d == 0, 0.0, np.tan(np.pi / 2) * np.reciprocal(d) * x))


def nansum(x: Any, d: Any) -> Any:
    return np.nansum(x / d) + np.nanmean(x / d)


def nanmax(x: Any, d: Any) -> Any:
    return np.nanmax(x / d) + np.nanmin(x / d)


def by_a_mask(x: Any, d: Any) -> Any:
    return np.sum((x / d)[d != 0])


def stored_by_a_mask(x: Any, d: Any) -> Any:
    y = x / d
    y[d == 0] = 0.0
    return np.sum(y * y)


def select(x: Any, d: Any) -> Any:
    return np.sum(np.select([d > 0, d < 0], [np.log(d) * x, np.log(-d) * x], 0.0))


def where_finite(x: Any, d: Any) -> Any:
    return np.sum(np.where(np.isfinite(x / d), x / d, x))


def std_of_equal(x: Any, d: Any) -> Any:
    return np.std(0.0 * x) + np.var(x)


def cube_root(x: Any, d: Any) -> Any:
    return np.sum(np.where(d == 0, 0.0, np.cbrt(d) * x))


def product(x: Any, d: Any) -> Any:
    return np.prod(np.where(d == 0, 1.0, x / d))


def x_log_x(x: Any, d: Any) -> Any:
    return np.sum(np.where(d == 0, 0.0, d * np.log(np.abs(d))) * x)


def largest(x: Any, d: Any) -> Any:
    return np.max(np.where(d == 0, -np.inf, x / d))


def sinc(x: Any, d: Any) -> Any:
    return np.sum(np.where(d == 0, 1.0, np.sinc(d) * np.sin(d) / d))


def powers(x: Any, d: Any) -> Any:
    return np.sum(np.where(d == 0, 1.0, np.power(np.abs(d), x)))


def root_of_square(x: Any, d: Any) -> Any:
    return np.sum(np.where(d == 0, 1.0, (x * x) ** 0.5 / d))


def two_branches(x: Any, d: Any) -> Any:
    return np.sum(np.where(x > 0, x / np.sqrt(x), np.expm1(x) / np.abs(d) * 0.0))


CASES: list[Callable[..., Any]] = [
    quotient,
    squared_quotient,
    logarithm,
    root,
    power,
    singular_power,
    inverse,
    angle,
    hypotenuse,
    power_of_size,
    masked_root,
    numbers_for_nan,
    clipped,
    larger,
    smaller,
    logsumexp_of_nothing,
    logsumexp_of_some,
    softmax_of_some,
    log_softmax_of_some,
    norm_of_zeros,
    arccosine,
    exponential,
    in_a_loop,
    xlogy,
    logsumexp_of_a_part,
    logaddexp_of_nothing,
    softmax_of_nothing,
    log_softmax_of_nothing,
    logsumexp_infinite,
    reciprocal,
    nansum,
    nanmax,
    by_a_mask,
    stored_by_a_mask,
    select,
    where_finite,
    std_of_equal,
    cube_root,
    product,
    x_log_x,
    largest,
    sinc,
    powers,
    root_of_square,
    two_branches,
]


def check(f: Callable[..., Any], directions: int = 3) -> None:
    rng = np.random.default_rng(0)
    along = [(rng.normal(size=5), rng.normal(size=5)), (np.ones(5), np.zeros(5)), (np.zeros(5), np.ones(5))]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y, slopes = value_and_grad(f, (0, 1), compile="strict")(X, D)
        expected, plain = value_and_grad(f, (0, 1))(X, D)
        assert np.allclose(y, expected, rtol=1e-12, atol=1e-14, equal_nan=True)
        for found, d in zip(slopes, plain, strict=True):
            assert np.allclose(found, d, rtol=1e-9, atol=1e-12, equal_nan=True)
        for v in along[:directions] if np.isfinite(y) else []:
            for found, h in zip(hvp(f, (X, D), v, compile="strict"), hvp(f, (X, D), v), strict=True):
                finite = np.isfinite(h)
                assert np.allclose(found[finite], h[finite], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("f", [pytest.param(f, id=f.__name__) for f in CASES])
def test_as_without_compiling(f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [as_compiled])
    check(f)


@needs_numba
@pytest.mark.parametrize("f", [squared_quotient, logsumexp_of_a_part])
def test_by_numba(f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    check(f, 1)
