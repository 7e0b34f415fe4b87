"""Rules of `np.random`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient
from adjoint.calculus import pushforward
from adjoint.errors import NoRuleError
from adjoint.rules.registry import find_rules

NEW = [np.random.default_rng, np.random.RandomState]


@pytest.mark.parametrize("name", ["normal", "laplace", "logistic", "gumbel", "uniform"])
@pytest.mark.parametrize(("a", "b", "size"), [(0.5, 2.5, None), (np.array([0.5, 1.0]), 2.5, (3, 2)), (0.5, 2.5, 3)])
@pytest.mark.parametrize("new", NEW)
def test_location_and_scale(new: Any, name: str, a: Any, b: Any, size: Any) -> None:
    draw = getattr(type(new(0)), name)
    call = find_rules(draw).select((type(new(0)), type(a), type(b), type(size))).call  # type: ignore[union-attr]
    y, back = call(new(0), a, b, size)
    assert np.array_equal(y, draw(new(0), a, b, size))
    y_bar = np.ones(np.shape(y)) if np.ndim(y) else 1.0
    _, a_bar, b_bar = back(y_bar)
    h = 1e-6
    of_a = (draw(new(0), a + h, b, size) - draw(new(0), a - h, b, size)) / (2 * h)
    of_b = (draw(new(0), a, b + h, size) - draw(new(0), a, b - h, size)) / (2 * h)
    assert np.isclose(np.sum(a_bar), np.sum(of_a), rtol=1e-6) and np.isclose(b_bar, np.sum(of_b), rtol=1e-6)
    assert np.shape(a_bar) == np.shape(a)


SMOOTH: dict[str, tuple[float, ...]] = {
    **{"lognormal": (0.3, 0.7), "triangular": (0.5, 1.5, 3.5)},
    **dict.fromkeys(("weibull", "pareto", "power", "rayleigh", "exponential"), (1.5,)),
}


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("new", NEW)
@pytest.mark.parametrize("seed", range(4))
def test_draws_that_are_smooth_in_their_parameters(new: Any, name: str, seed: int) -> None:
    def f(*args: float) -> Any:
        return getattr(new(seed), name)(*args, size=20).sum()

    args = SMOOTH[name]
    for i, (bar, x) in enumerate(zip(gradient(f, *args), args, strict=True)):
        higher, lower = [f(*args[:i], x + h, *args[i + 1 :]) for h in (1e-6, -1e-6)]
        assert np.isclose(bar, (higher - lower) / 2e-6, rtol=1e-6)


@pytest.mark.parametrize("name", ["normal", "laplace", "logistic", "gumbel", "lognormal"])
@pytest.mark.parametrize("new", NEW)
def test_nothing_is_lost_at_small_scales(new: Any, name: str) -> None:
    def f(loc: float, scale: float) -> Any:
        return getattr(new(3), name)(loc, scale, 3).sum()

    assert np.allclose(gradient(f, 1.0, 0.0), gradient(f, 1.0, 1e-6), rtol=1e-3)


@pytest.mark.parametrize("new", NEW)
def test_nothing_is_lost_at_the_scale_0_of_one_parameter(new: Any) -> None:
    for f in (
        lambda s: new(3).exponential(s),
        lambda s: new(3).rayleigh(s, 2)[1],
        lambda s: new(3).gamma(2.5, s),
        lambda s: new(3).uniform(1.0, 1.0 + s),
    ):
        assert np.isclose(grad(f)(0.0), grad(f)(1e-3), rtol=1e-6)


@pytest.mark.parametrize("mode", [1.0, 2.0])
def test_a_triangle_whose_mode_is_at_an_end(mode: float) -> None:
    def f(a: float, m: float, b: float) -> Any:
        return np.random.default_rng(0).triangular(a, m, b, 4).sum()

    inner = 1e-9 if mode == 1.0 else -1e-9
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.allclose(gradient(f, 1.0, mode, 2.0), gradient(f, 1.0, mode + inner, 2.0), rtol=1e-6)


def test_draws_that_underflow_or_overflow() -> None:
    assert grad(lambda a: np.random.default_rng(0).lognormal(-1e4, a))(1.0) == 0.0
    assert grad(lambda a: np.random.default_rng(0).lognormal(1e4, a))(1.0) == np.inf
    assert gradient(lambda a: np.random.default_rng(0).weibull(a, (0,)).sum(), 1.0) == (0.0,)


JUMPS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("standard_gamma", "chisquare", "standard_t"), (2.5,)),
    **dict.fromkeys(("beta", "f", "wald", "noncentral_chisquare"), (2.5, 1.5)),
    "noncentral_f": (2.5, 1.5, 0.5),
    "dirichlet": (np.array([1.5, 2.5]),),
}


@pytest.mark.parametrize("new", NEW)
@pytest.mark.parametrize("name", JUMPS)
def test_draws_that_jump_are_refused_by_the_parameters_that_move(new: Any, name: str) -> None:
    args = JUMPS[name]

    def f(*args: Any) -> Any:
        return np.sum(getattr(new(0), name)(*args))

    for i, x in enumerate(args):
        with pytest.raises(NoRuleError, match=f"of `{name}` is asked for.*\n(.*\n)*.*draw by quantiles"):
            grad(f, i)(*args)
        with pytest.raises(NoRuleError, match=f"of `{name}` is asked for"):
            pushforward(f, args, tuple([np.ones_like(x) if i == j else None for j in range(len(args))]))
        if np.ndim(x) == 0:
            with pytest.raises(NoRuleError, match=f"of `{name}` is asked for"):
                grad(f, i)(*[3] * len(args))  # integers stand for real numbers here


@pytest.mark.parametrize("new", NEW)
@pytest.mark.parametrize("name", JUMPS)
def test_draws_by_constant_parameters_are_constants(new: Any, name: str) -> None:
    args = JUMPS[name]

    def f(x: Any) -> Any:
        return x * getattr(new(0), name)(*args)

    def of_lists(x: Any) -> Any:  # what makes its parameters is recorded
        return np.sum(x * getattr(new(0), name)(*[np.array([p, p]) if np.ndim(p) == 0 else p.tolist() for p in args]))

    for g in (lambda x: np.sum(f(x)), of_lists):
        assert np.isclose(grad(g)(2.0), g(1.0))
        assert np.isclose(pushforward(g, (2.0,), (1.0,))[1], g(1.0))


@pytest.mark.parametrize("new", NEW)
def test_other_parameters_of_a_draw_that_jumps(new: Any) -> None:
    def gamma(shape: float, scale: float) -> Any:
        return new(0).gamma(shape=shape, scale=scale, size=3).sum()

    def vonmises(mu: float, kappa: float) -> Any:
        return new(0).vonmises(mu, kappa, 3).sum()

    assert np.isclose(grad(gamma, 1)(2.5, 1.5), gamma(2.5, 1.0))
    assert np.isclose(pushforward(gamma, (2.5, 1.5), (None, 1.0))[1], gamma(2.5, 1.0))
    assert grad(vonmises)(0.3, 2.0) == 3.0
    for f in (gamma, vonmises):
        with pytest.raises(NoRuleError, match="`(shape|kappa)` of `(gamma|vonmises)` is asked for"):
            gradient(f, 2.5, 1.5)


@pytest.mark.parametrize("scale", [1.5, 0.0])
@pytest.mark.parametrize("new", NEW)
def test_a_slope_that_jumps(new: Any, scale: float) -> None:
    def slope(shape: float) -> Any:
        return grad(lambda scale: new(0).gamma(shape, scale))(scale)

    assert np.isclose(slope(2.5), new(0).gamma(2.5, 1.0))
    with pytest.raises(NoRuleError, match="`shape` of `gamma`"):
        grad(slope)(2.5)
    with pytest.raises(NoRuleError, match="`shape` of `gamma`"):
        pushforward(slope, (2.5,), (1.0,))


class Walker:
    def __init__(self, df: float) -> None:
        self.df, self.step, self.rng = df, 2.0, np.random.default_rng(0)

    def walk(self, x: float) -> Any:
        return x + self.step * self.rng.standard_t(3.0)

    def walk_by_own(self, x: float) -> Any:
        return x + self.step * self.rng.standard_t(self.df)


def test_a_generator_in_an_object() -> None:
    z = np.random.default_rng(0).standard_t(3.0)
    assert gradient(Walker.walk, Walker(3.0), 1.0) == (
        adjoint.Tangent(Walker, {"df": 0.0, "step": z, "rng": None}),
        1.0,
    )
    assert grad(lambda x: Walker(3.0).walk_by_own(x))(1.0) == 1.0
    with pytest.raises(NoRuleError, match="`df` of `standard_t`"):
        gradient(Walker.walk_by_own, Walker(3.0), 1.0)


def test_a_draw_into_an_array() -> None:
    def f(a: float, shape: float) -> Any:
        out = np.empty(3)
        np.random.default_rng(0).standard_gamma(shape, out=out)
        return (a * out).sum()

    assert np.isclose(grad(f)(2.0, 3.0), f(1.0, 3.0))
    with pytest.raises(NoRuleError, match="`shape` of `standard_gamma`"):
        grad(f, 1)(2.0, 3.0)


def test_draws_in_single_precision() -> None:
    def f(a: Any) -> Any:
        rng = np.random.default_rng(0)
        y = rng.standard_gamma(2.0, 3, np.float32) + rng.standard_normal(3, np.float32) + rng.random(3, np.float32)
        return a * y

    a = np.full(3, 2.0, np.float32)
    a_bar = gradient(lambda a: f(a).sum(), a)[0]
    assert a_bar.dtype == np.float32 and np.array_equal(a_bar, f(np.float32(1.0)))


@pytest.mark.parametrize("options", [{}, {"method": "svd"}, {"method": "eigh"}])
def test_a_covariance_that_is_taken_apart_with_signs(options: Any) -> None:
    def f(mean: Any, cov: Any) -> Any:
        return np.random.default_rng(0).multivariate_normal(mean, cov, **options).sum()

    assert np.array_equal(grad(f)(np.zeros(2), np.eye(2)), np.ones(2))
    with pytest.raises(NoRuleError, match='`cov` of `multivariate_normal`(.*\n)*.*say `method="cholesky"`'):
        grad(f, 1)(np.zeros(2), np.eye(2))


@pytest.mark.parametrize("name", ["poisson", "zipf", "geometric", "binomial", "logseries", "multinomial"])
@pytest.mark.parametrize("new", NEW)
def test_counts_are_constant_piece_by_piece(new: Any, name: str) -> None:
    before = {"binomial": (5,), "multinomial": (5,)}.get(name, ())

    def f(p: Any) -> Any:
        chance = np.array([p, 1 - p]) if name == "multinomial" else p + 1 if name == "zipf" else p
        return np.sum(getattr(new(0), name)(*before, chance))

    assert grad(f)(0.4) == 0.0 and pushforward(f, (0.4,), (1.0,))[1] in (None, 0.0)


@pytest.mark.parametrize("new", NEW)
def test_entries_in_a_random_order(new: Any) -> None:
    x = np.array([1.5, 2.5, 3.5])

    def chosen(x: Any, p: Any) -> Any:
        return (new(0).choice(x, 2, p=p) * np.array([1.0, 10.0])).sum()

    def shuffled(x: Any) -> Any:
        y = x * 1.0
        new(0).shuffle(y)
        return (y * np.arange(3)).sum()

    p = np.array([0.2, 0.3, 0.5])
    for f in (lambda x: chosen(x, p), shuffled, lambda x: (new(0).permutation(x) * np.arange(3)).sum()):
        expected = [(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
        assert np.allclose(grad(f)(x), expected) and np.isclose(pushforward(f, (x,), (p,))[1], expected @ p)
    assert np.array_equal(grad(chosen, 1)(x, p), np.zeros(3))


def test_a_draw_into_an_array_is_drawn_once() -> None:
    """The rule drew again from the same generator, which went on from another state."""

    def gammas(x: Any, rng: Any) -> Any:
        a = np.zeros(3)
        rng.standard_gamma(2.0, out=a)
        return (a * x).sum() + rng.random()

    def permuted(x: Any, rng: Any) -> Any:
        a = np.arange(4.0) * x
        b = rng.permuted(a, out=np.zeros(4))
        rng.permuted(a, out=a)
        return ((a + 3.0 * b) * np.arange(4)).sum()

    for f in (gammas, permuted):
        plain, rng = np.random.default_rng(3), np.random.default_rng(3)
        y = f(0.7, plain)
        expected = (f(1.7, np.random.default_rng(3)) - f(0.7, np.random.default_rng(3))) / 1.0
        assert adjoint.pullback(lambda x, f=f, rng=rng: f(x, rng), 0.7)[0] == y
        assert rng.bit_generator.state == plain.bit_generator.state
        assert np.isclose(grad(lambda x, f=f: f(x, np.random.default_rng(3)))(0.7), expected)
        pair = pushforward(lambda x, f=f: f(x, np.random.default_rng(3)), (0.7,), (1.0,))
        assert np.isclose(pair[0], y) and np.isclose(pair[1], expected)
