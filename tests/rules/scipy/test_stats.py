"""`scipy.stats`: supports, tails, what is refused, distributions with parameters as values."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback
from adjoint.calculus import pushforward
from adjoint.errors import NoRuleError
from adjoint.testing import check_gradient

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize(
    "f, expected",
    [
        (lambda x: stats.expon.logpdf(x).sum(), [0.0, -1.0, -1.0]),
        (lambda x: stats.expon.cdf(x).sum(), [0.0, 1.0, np.exp(-2.0)]),
        (lambda x: stats.uniform.pdf(x).sum(), [0.0, 0.0, 0.0]),
        (lambda x: stats.gamma.pdf(x, 3.0).sum(), [0.0, 0.0, np.exp(-2.0) * (2.0 - 2.0)]),
        (lambda x: stats.genpareto.sf(x, -1.0).sum(), [0.0, -1.0, 0.0]),
    ],
)
def test_outside_of_the_support_nothing_flows(f: Callable[..., Any], expected: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.allclose(gradient(f, np.array([-1.0, 0.0, 2.0]))[0], expected)


def test_points_at_infinity_are_constant() -> None:
    x = np.array([-np.inf, 0.5, np.inf])
    assert np.allclose(gradient(lambda x: stats.norm.cdf(x).sum(), x)[0], [0.0, stats.norm.pdf(0.5), 0.0])


def test_tails_keep_their_digits() -> None:
    assert np.isclose(gradient(lambda x: stats.norm.logsf(x), 1e4)[0], -1e4, rtol=1e-7)
    assert np.isclose(gradient(lambda x: stats.truncnorm.logpdf(20.5, x, 30.0), 20.0)[0], 20.05, rtol=1e-2)
    assert np.isclose(gradient(lambda x: stats.logistic.logcdf(x), -800.0)[0], 1.0)


def test_extreme_values_where_the_shape_is_zero() -> None:
    near = gradient(lambda z, c: stats.genextreme.logpdf(z, c), 0.7, 1e-3)
    at = gradient(lambda z, c: stats.genextreme.logpdf(z, c), 0.7, 0.0)
    assert np.allclose(near, at, rtol=1e-2) and np.isclose(at[0], gradient(lambda z: stats.gumbel_r.logpdf(z), 0.7)[0])


@pytest.mark.parametrize(
    "f, x, name",
    [
        (lambda x: stats.kappa4.pdf(x, 0.1, 0.2), 0.5, "kappa4.pdf"),
        (lambda k: stats.vonmises.cdf(0.5, k), 1.5, "the shape `kappa` of `vonmises`"),
        (lambda k: stats.norminvgauss.ppf(0.3, k, 0.5), 1.5, "the shape `a` of `norminvgauss`"),
        (lambda p: stats.betabinom.cdf(1, 5, p, 1.0), 0.5, "betabinom.cdf"),
        (lambda x: stats.cauchy.mean(x), 0.5, "cauchy.mean"),
        (lambda x: stats.norm(x).stats()[0], 0.5, "stats"),
        (lambda x: stats.multivariate_normal.cdf(x, np.zeros(2)), np.ones(2), "cdf"),
        (
            lambda x: stats.multivariate_normal.logpdf(x, np.zeros(2), np.ones((2, 2)), True),
            np.ones(2),
            "multivariate_normal",
        ),
        (lambda x: stats.zscore(x, nan_policy="omit").sum(), np.ones(3), "zscore"),
        (lambda x: stats.tmean(x, (0.0, 2.0)), np.ones(3), "tmean"),
        (lambda x: stats.boxcox(x)[1], np.array([0.5, 1.0, 3.0]), "boxcox"),
    ],
)
def test_refused_by_name(f: Callable[..., Any], x: Any, name: str) -> None:
    with pytest.raises(NoRuleError, match=name), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gradient(f, x)


def test_a_user_s_own_distribution_is_refused() -> None:
    class Own(stats.rv_continuous):  # type: ignore[misc, name-defined]
        def _pdf(self, x: Any) -> Any:
            return np.exp(-x * x) / np.sqrt(np.pi)

    own = Own(name="own")
    assert np.isfinite(own.pdf(0.5))
    with pytest.raises(NoRuleError, match=r"own\.pdf"):
        gradient(lambda x: own.pdf(x), 0.5)


def test_a_frozen_distribution_is_a_value() -> None:
    def likelihood(p: dict[str, Any], x: Any) -> Any:
        prior, noise = stats.norm(0.0, scale=2.0), stats.t(p["df"], loc=p["m"], scale=np.exp(p["s"]))
        return prior.logpdf(p["m"]) + sum([d.logpdf(v) for d in (noise,) for v in x]) + noise.logpdf(x).mean()

    p = {"df": 3.5, "m": 0.3, "s": -0.2}
    x = np.array([0.5, -1.0, 2.0])
    got = grad(likelihood)(p, x)
    for key, value in p.items():
        h = 1e-6
        slope = (likelihood({**p, key: value + h}, x) - likelihood({**p, key: value - h}, x)) / (2 * h)
        assert np.isclose(got[key], slope, rtol=1e-6)


def test_a_frozen_distribution_that_is_captured() -> None:
    prior = stats.gamma(2.5, scale=1.5)
    assert np.isclose(gradient(lambda x: prior.logpdf(x), 0.7)[0], 1.5 / 0.7 - 1 / 1.5)
    assert np.isclose(gradient(prior.logpdf, 0.7)[0], 1.5 / 0.7 - 1 / 1.5)


def test_a_parameter_without_derivative_is_named() -> None:
    with pytest.raises(NoRuleError, match="degrees of freedom"):
        gradient(lambda df: stats.ncx2.cdf(1.5, df, 0.5), 2.5)
    assert np.isfinite(gradient(lambda x: stats.ncx2.cdf(x, 2.5, 0.5), 1.5)[0])


def test_counts_carry_no_derivative() -> None:
    _, back = pullback(lambda k, m: stats.poisson.logpmf(k, m), 2.0, 1.5)
    assert back(1.0)[1:] == (None, pytest.approx(2.0 / 1.5 - 1))


def test_kernel_density_made_outside() -> None:
    kde = stats.gaussian_kde(np.array([0.0, 1.0, 3.0]))
    got = gradient(lambda x: kde(x)[0], 0.7)[0]
    assert np.isclose(got, (kde(0.7 + 1e-6)[0] - kde(0.7 - 1e-6)[0]) / 2e-6, rtol=1e-5)


@pytest.mark.parametrize(
    "f, x, slope",
    [
        (lambda z: stats.laplace.cdf(z), 0.0, 0.5),
        (lambda z: stats.laplace.sf(z), 0.0, -0.5),
        (lambda z: stats.laplace.logsf(z), 0.0, -1.0),
        (lambda p: stats.laplace.ppf(p), 0.5, 2.0),
        (lambda m: np.sum(stats.laplace.logcdf(np.array([1.0, 2.0, 3.0]), m)), 2.0, -2 - 1 / (2 * math.e - 1)),
        (lambda k: stats.vonmises.logpdf(0.3, k), 0.0, math.cos(0.3)),
        (lambda b: stats.rice.logpdf(3.0, b), 0.0, 0.0),
        (lambda b: stats.rice.logpdf(3.0, b), 0.5, None),
        (lambda k: stats.vonmises.logpdf(0.3, k), 4.0, None),
    ],
)
def test_where_pieces_join_and_at_borders(f: Any, x: float, slope: float | None) -> None:
    """Distributions whose formulas have a kink where they themselves have none."""
    if slope is None:
        slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    assert abs(gradient(f, x)[0] - slope) < 1e-7


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: sum(stats.linregress(x, y)),
        lambda x, y: stats.linregress(x, y).slope,
        lambda x, y: stats.pearsonr(x, y).statistic + stats.pearsonr(x, y).pvalue,
    ],
)
def test_statistics_of_two_samples(f: Any) -> None:
    x, y = np.array([1.0, 2.0, 4.0, 3.0, 0.5]), np.array([0.3, 1.0, 2.5, 2.1, 0.4])
    for i, bar in enumerate(gradient(f, x, y)):
        for j in range(5):
            step = 1e-6 * np.eye(5)[j]
            ahead, behind = [f(*((x + s, y) if i == 0 else (x, y + s))) for s in (step, -step)]
            assert np.isclose(bar[j], (ahead - behind) / 2e-6, rtol=1e-5, atol=1e-8)


def test_values_of_a_few_eigenvectors() -> None:
    linalg = pytest.importorskip("scipy.sparse.linalg")
    A = np.diag(np.arange(1.0, 7.0)) + 0.1
    w, v = np.linalg.eigh(A)
    for bar in (
        gradient(lambda A: linalg.eigsh(A, k=1)[0].sum(), A)[0],
        gradient(lambda A: linalg.eigsh(A, k=1, return_eigenvectors=False).sum(), A)[0],
        gradient(lambda A: linalg.svds(A, k=1)[1].sum(), A)[0],
    ):
        assert np.allclose(bar, np.outer(v[:, -1], v[:, -1]))
    with pytest.raises(NoRuleError, match="vectors are used"):
        gradient(lambda A: linalg.eigsh(A, k=1)[1].sum(), A)


@pytest.mark.parametrize("method", ["linear", "quadratic", "logarithmic", "hyperbolic"])
def test_a_chirp(method: str) -> None:
    signal = pytest.importorskip("scipy.signal")

    def f(f0: float, t1: float, f1: float) -> Any:
        return signal.chirp(np.linspace(0, 1.3, 5), f0, t1, f1, method) @ np.arange(5.0)

    at = np.array([1.2, 0.9, 2.3])
    for bar, step in zip(gradient(f, *at), 1e-6 * np.eye(3), strict=True):
        assert np.isclose(bar, (f(*(at + step)) - f(*(at - step))) / 2e-6, rtol=1e-5)


@pytest.mark.parametrize("x", [np.ma.masked_array([1.0, 2.0], mask=[0, 1])])
def test_arrays_of_another_kind(x: Any) -> None:
    with pytest.raises(NoRuleError, match="of NumPy is differentiated"):
        gradient(lambda x: np.sum(np.sin(x)), x)


def test_a_matrix() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = np.matrix([[1.0, 2.0]])
        with pytest.raises(NoRuleError, match="of NumPy is differentiated"):
            gradient(lambda x: np.sum(np.sin(x)), x)


# ---- draws


def test_draws_at_the_scale_0() -> None:
    def f(loc: Any, scale: Any) -> Any:
        return stats.norm.rvs(loc, scale, size=2, random_state=5).sum()

    z = stats.norm.rvs(size=2, random_state=5)
    assert np.allclose(gradient(f, 1.0, 0.0), (2.0, z.sum()))
    assert np.allclose(gradient(f, 1.0, np.array([0.0, 1e-9]))[1], z, rtol=1e-12)
    np.random.seed(5)
    by_state_of_numpy = gradient(lambda s: stats.norm.rvs(0.0, s, size=2).sum(), 1e-30)
    assert np.allclose(by_state_of_numpy, z.sum())


@pytest.mark.parametrize("a", [2.5, 2])
@pytest.mark.parametrize(
    "f", [lambda a: stats.gamma.rvs(a, random_state=5), lambda a: stats.gamma(a).rvs(random_state=5)]
)
def test_a_shape_by_which_draws_jump(f: Callable[..., Any], a: Any) -> None:
    with pytest.raises(NoRuleError, match=r"the shape `a` of `scipy.stats.gamma.rvs`(.*\n)*.*gamma.ppf\(rng.unif"):
        grad(f)(a)
    assert grad(lambda x: x * f(a))(0.5) == f(a)


def test_a_slope_of_draws_that_jumps() -> None:
    def slope(a: float) -> Any:
        return grad(lambda scale: stats.gamma.rvs(a, scale=scale, random_state=5))(1.5)

    assert np.isclose(slope(2.5), stats.gamma.rvs(2.5, random_state=5))
    with pytest.raises(NoRuleError, match="the shape `a` of `scipy.stats.gamma.rvs`"):
        grad(slope)(2.5)


def test_draws_of_counts_are_constants() -> None:
    for f in (
        lambda m: stats.poisson.rvs(m, random_state=1),
        lambda m: stats.poisson(m).rvs(4, random_state=1).sum(),
        lambda m: stats.binom(5, m / 5).rvs(random_state=1),
    ):
        assert grad(f)(2.5) == 0.0 and grad(lambda m, f=f: m * f(m))(2.5) == f(2.5)


def test_draws_of_a_distribution_of_the_users() -> None:
    class Exponential(stats.rv_continuous):  # type: ignore[misc, name-defined]
        def _cdf(self, x: Any, a: Any) -> Any:
            return 1 - np.exp(-a * x)

    own = Exponential(a=0, name="own")
    assert grad(lambda loc: own.rvs(2.0, loc=loc, random_state=1))(1.0) == 1.0
    with pytest.raises(NoRuleError, match="the shape `a` of `own.rvs`"):
        grad(lambda a: own.rvs(a, random_state=1))(1.0)


def test_draws_of_a_histogram() -> None:
    h = stats.rv_histogram(np.histogram([1.0, 2.0, 3.0, 2.0], bins=3))
    found = gradient(lambda loc, scale: h.rvs(loc=loc, scale=scale, random_state=1), 0.5, 2.0)
    assert np.allclose(found, (1.0, h.rvs(random_state=1)))


def test_many_variables() -> None:
    with pytest.raises(NoRuleError, match="`alpha` of `dirichlet.rvs`") as error:
        grad(lambda a: stats.dirichlet.rvs(a, random_state=1)[0, 0])(np.array([1.5, 2.5]))
    assert "stop_gradient(alpha)" in error.value.way_out


VECTORS = {
    "multivariate_normal": lambda m, s, **options: stats.multivariate_normal.rvs(m, s, **options),
    "multivariate_t": lambda m, s, **options: stats.multivariate_t.rvs(loc=m, shape=s, df=4, **options),
    "frozen normal": lambda m, s, **options: stats.multivariate_normal(m, s).rvs(**options),
    "frozen t": lambda m, s, **options: stats.multivariate_t(m, s, 4).rvs(**options),
    "matrix_normal": lambda m, s, **options: stats.matrix_normal.rvs(np.outer(m, m), s, s, **options),
}


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("size", [1, 3, (2, 2)])
def test_vectors_move_with_their_location(name: str, size: Any) -> None:
    mean, spread = np.array([1.0, 2.0]), np.array([[2.0, 0.3], [0.3, 1.0]])
    if name == "matrix_normal" and isinstance(size, tuple):
        size = 4

    def f(m: Any) -> Any:
        return (VECTORS[name](m, np.array([[2.0, 0.3], [0.3, 1.0]]), size=size, random_state=1) ** 2).sum()

    check_gradient(f, mean, order=2)
    with pytest.raises(NoRuleError, match="of `"):
        gradient(lambda s: VECTORS[name](mean, s, size=size, random_state=1).sum(), spread)


def test_the_exponent_of_a_truncated_distribution_may_be_negative() -> None:
    found = gradient(lambda z, b, c: stats.truncpareto.logpdf(z, b, c), 2.0, -2.0, 5.0)
    h = 1e-6
    if np.isnan(stats.truncpareto.logpdf(2.0, -2.0, 5.0)):
        pytest.skip("SciPy 1.15 takes no such exponent")
    assert np.isclose(found[1], (stats.truncpareto.logpdf(2, h - 2, 5) - stats.truncpareto.logpdf(2, -h - 2, 5)) / 2e-6)


def test_distributions_without_formulas_are_constants_where_nothing_flows_into_them() -> None:
    """They were refused as soon as one of their methods was called."""
    histogram = stats.rv_histogram((np.array([1.0, 2.0, 3.0]), np.arange(4.0)))
    frozen = stats.genhyperbolic(1.0, 2.0, 0.5)

    def factor() -> Any:
        return histogram.mean() + histogram.pdf(1.5) + frozen.var() + frozen.cdf(0.3) + frozen.ppf(0.4)

    def recorded(x: float) -> Any:
        a = np.zeros(1)
        a[0] = x
        return factor() * a[0]

    for f in (lambda x: factor() * x, recorded):
        assert np.isclose(gradient(f, 0.7)[0], factor())
        assert np.isclose(pushforward(f, (0.7,), (1.0,))[1], factor())
    for f in (lambda x: histogram.pdf(x), lambda x: frozen.cdf(x), lambda x: stats.genhyperbolic.mean(1.0, x, 0.5)):
        with pytest.raises(NoRuleError, match="its derivative is not known"):
            gradient(f, 0.7)
        with pytest.raises(NoRuleError, match="its derivative is not known"):
            pushforward(f, (0.7,), (1.0,))


def test_rules_with_options_by_name_give_more_cotangents_than_arguments() -> None:
    """What a rule gives for its keyword-only parameters comes behind those of the arguments, in any call."""
    x, y = np.array([1.0, 2.0, 4.0, 3.0, 0.5]), np.array([0.3, 1.0, 2.5, 2.1, 0.4])
    h = 1e-6
    for _ in range(3):
        for i, bar in enumerate(gradient(lambda x, y: stats.pearsonr(x, y)[0] * 2.0, x, y)):
            for k in range(5):
                e = h * np.eye(5)[k]
                up = [x + e, y] if i == 0 else [x, y + e]
                down = [x - e, y] if i == 0 else [x, y - e]
                expected = (stats.pearsonr(*up)[0] - stats.pearsonr(*down)[0]) / h
                assert np.isclose(bar[k], expected, rtol=1e-6, atol=1e-9)
