"""Far out: distribution functions of `scipy.stats` where next to nothing is left of them."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.calculus import derivative, elementwise_grad

stats = pytest.importorskip("scipy.stats")
CONTINUOUS = importlib.import_module("rules.samples.scipy_stats").CONTINUOUS

OTHERS: list[tuple[str, tuple[float, ...]]] = [
    ("skewnorm", (-1.5,)), ("skewnorm", (8.0,)), ("exponnorm", (0.2,)), ("gennorm", (0.6,)), ("invgauss", (5.0,)),
    ("ncx2", (3.5, 2.5)), ("nct", (5.5, 1.3)), ("genextreme", (-0.3,)), ("genpareto", (-0.3,)), ("pearson3", (-0.4,)),
    ("pearson3", (0.02,)), ("gamma", (80.0,)), ("beta", (0.4, 30.0)), ("t", (40.0,)), ("vonmises", (1.7,)),
    ("truncnorm", (5.0, 9.0)), ("gengamma", (1.7, -1.3)), ("norminvgauss", (1.7, 0.4)), ("burr", (0.7, 4.0)),
]  # fmt: skip
WITHOUT_SHAPES = {"vonmises", "norminvgauss", "nct", "ncx2"}
EXACT = 1e-3


@pytest.mark.parametrize(
    "name, shapes", [*CONTINUOUS.items(), *OTHERS], ids=lambda v: v if isinstance(v, str) else "-".join(map(str, v))
)
def test_slopes_in_the_tails(name: str, shapes: tuple[float, ...]) -> None:
    """By the point they are those of SciPy's density; by the shapes those of differences, where these are steady."""
    d: Any = getattr(stats, name)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for p in (1e-6, 1e-16, 1e-30):
            for quantile, tail, sign in ((d.ppf, "cdf", 1.0), (d.isf, "sf", -1.0)):
                x = float(quantile(p, *shapes))
                low, high = d.support(*shapes)
                if np.isfinite(x) and min(x - low, high - x) > 1e-12 * abs(x):
                    check(d, tail, sign, x, shapes)


def check(d: Any, tail: str, sign: float, x: float, shapes: tuple[float, ...]) -> None:
    """The plain and the logarithmic function of one side, at one point."""
    density, log = d.logpdf(x, *shapes), getattr(d, f"log{tail}")(x, *shapes)
    for method, slope in ((tail, np.exp(density)), (f"log{tail}", np.exp(density - log))):
        f: Any = getattr(d, method)
        by_shape = d.name not in WITHOUT_SHAPES
        got = gradient(f, x, *shapes) if by_shape else gradient(lambda x, f=f: f(x, *shapes), x)
        if np.isfinite(log) and np.isfinite(slope) and np.isfinite(density):
            assert np.isclose(got[0], sign * slope, rtol=2e-6, atol=0.0), (method, x)
        elif log == -np.inf and method != tail and tail not in CLOSED.get(d.name, ()):
            assert not np.isfinite(got[0]), (method, x)
        for i, bar in enumerate(got[1:]):
            near, far = differences(f, x, shapes, i, 1e-3), differences(f, x, shapes, i, 2e-4)
            if near != 0.0 and abs(near - far) < 1e-5 * abs(near):
                assert np.isclose(bar, near, rtol=EXACT, atol=0.0), (method, x, i)


CLOSED = {"fisk": ("cdf", "sf")}
"""Where the logarithm has a formula of its own which goes on where SciPy's value is -inf."""


def differences(f: Any, x: float, shapes: tuple[float, ...], i: int, h: float) -> float:
    """By a shape, of the fourth order."""

    def at(t: float) -> float:
        return float(f(x, *shapes[:i], shapes[i] * (1 + t), *shapes[i + 1 :]))

    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h * shapes[i])


def test_quantiles_in_the_tails() -> None:
    """1 / p, also where the distribution function is a difference of numbers that are larger by far."""
    for d, q in ((stats.skewnorm(3.0), 1e-12), (stats.exponnorm(0.5), 1e-12), (stats.gennorm(1.4), 1e-30)):
        got = gradient(lambda q, d=d: d.ppf(q), q)[0]
        assert np.isclose(got * d.pdf(d.ppf(q)), 1.0, rtol=1e-6)


def test_far_out_of_a_skewed_one() -> None:
    """Where its distribution function is 1e-50 and less."""
    for x in (-5.0, -8.0):
        slope = gradient(lambda x: stats.skewnorm.logcdf(x, 1.5), x)[0]
        assert np.isclose(slope, np.exp(stats.skewnorm.logpdf(x, 1.5) - stats.skewnorm.logcdf(x, 1.5)))
    slope, by_shape = gradient(lambda x, K: stats.exponnorm.logsf(x, K), 100.0, 1.5)
    assert np.isclose(slope, -1 / 1.5) and np.isclose(by_shape, 100.0 / 1.5**2 - 1 / 1.5**3)
    for d, x in ((stats.wald(), 60.0), (stats.ncx2(3.0, 0.5), 30.0)):
        ahead, behind = d.logsf(x + 1e-3), d.logsf(x - 1e-3)
        assert np.isclose(gradient(lambda x, d=d: d.logsf(x), x)[0], (ahead - behind) / 2e-3, rtol=1e-5)


def test_where_nothing_is_left_no_slope_is_made_up() -> None:
    """SciPy's value is -inf inside the support: the slope is not a number that one could go on with."""
    assert stats.uniform.logsf(1.0) == -np.inf
    with np.errstate(all="ignore"):
        for d, x in ((stats.moyal(), 2000.0), (stats.gennorm(1.4), 1e4), (stats.chi2(3.0), 2e4)):
            assert d.logsf(x) == -np.inf
            assert not np.isfinite(gradient(lambda x, d=d: d.logsf(x), x)[0])


def test_a_small_skew() -> None:
    """Pearson's third type is the normal distribution at 0, and smooth there."""
    z = 1.3
    near, at = (gradient(lambda s: stats.pearson3.logpdf(z, s), s)[0] for s in (1e-4, 0.0))
    assert np.isclose(near, at, rtol=1e-3) and np.isclose(at, (z**3 - 3 * z) / 6)


def test_curvature_far_out_of_the_normal_distribution() -> None:
    """References by the continued fraction of the Mills ratio with 80 digits."""
    special: Any = pytest.importorskip("scipy.special")
    functions: list[Any] = [special.log_ndtr, stats.norm.logcdf, lambda x: stats.norm.logsf(-x)]
    for x, second, third in NORMAL_TAIL:
        for f in functions:
            assert np.isclose(derivative(f, 2)(x), second, rtol=1e-14, atol=0.0), x
        assert np.isclose(derivative(special.log_ndtr, 3)(x), third, rtol=1e-12, atol=0.0), x
    got = elementwise_grad(elementwise_grad(special.log_ndtr))(np.array([-1e9, -4.0, 1.0, 40.0]))
    assert np.allclose(got, [-1.0, NORMAL_TAIL[2][1], -0.370313714, 0.0], rtol=1e-7)


NORMAL_TAIL = [
    (-1.9, -0.8795832671408604, 0.06344702327254967),
    (-2.1, -0.8914641405422639, 0.055555763167189624),
    (-4.0, -0.9533271616025774, 0.017856339307658425),
    (-6.0, -0.9760123632108332, 0.0069535374991643115),
    (-30.0, -0.9988962284881099, 7.309993015784438e-05),
    (-1e5, -0.9999999999, 1.9999999976e-15),
    (-1e7, -0.99999999999999, 1.99999999999976e-21),
    (-1e9, -1.0, 2e-27),
]
