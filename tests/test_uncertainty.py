"""Standard errors, and what becomes of uncertainty in what is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint.errors import NotDifferentiableError, SingularError
from adjoint.stats import covariance, propagate, standard_errors

DATA = np.random.default_rng(0).normal(3.0, 2.0, 50)


@dataclass
class Normal:
    mean: float
    log_sd: float


def nll(p: Any) -> Any:
    z = (DATA - p["mean"]) / np.exp(p["log_sd"])
    return np.sum(0.5 * z**2 + p["log_sd"])


BEST = {"mean": float(DATA.mean()), "log_sd": float(np.log(DATA.std()))}


def test_standard_errors() -> None:
    errors = standard_errors(nll, BEST)
    assert errors["mean"] == pytest.approx(DATA.std() / np.sqrt(50)) and errors["log_sd"] == pytest.approx(0.1)
    by_record = standard_errors(lambda m: nll({"mean": m.mean, "log_sd": m.log_sd}), Normal(**BEST))
    assert by_record.mean == pytest.approx(errors["mean"])
    np.testing.assert_allclose(covariance(nll, BEST), np.diag([errors["mean"] ** 2, 0.01]), atol=1e-12)
    assert standard_errors(lambda x: 2.0 * x * x, 0.0) == 0.5
    scales = np.array([1e-9, 1.0, 1e9])
    np.testing.assert_allclose(standard_errors(lambda x: 0.5 * np.sum((x / scales) ** 2), np.zeros(3)), scales)


def test_singular_information() -> None:
    with pytest.raises(SingularError, match=r"does not change along \+1·params\['a'\] -1·params\['b'\]\[0\]") as e:
        standard_errors(lambda p: (p["a"] + p["b"][0]) ** 2 + p["c"] ** 2, {"a": 0.0, "b": [0.0], "c": 0.0})
    assert "not determined" in e.value.why or "do not determine" in e.value.why
    assert "static" not in e.value.way_out, "a dict has no fields to mark"
    with pytest.raises(SingularError, match="does not change") as e:
        standard_errors(lambda m: (m.mean + m.log_sd) ** 2, Normal(0.0, 0.0))
    assert "mark a field that stays `static`" in e.value.way_out
    with pytest.raises(ArithmeticError, match=r"does not change along \+1·params\[1\]"):
        standard_errors(lambda x: x[0] ** 2, np.zeros(2))
    with pytest.raises(SingularError, match=r"falls along") as e:
        standard_errors(lambda x: x[0] ** 2 - x[1] ** 2, np.zeros(2))
    assert "not a minimum" in e.value.why
    with pytest.raises(SingularError, match="not finite"), np.errstate(all="ignore"):
        standard_errors(lambda x: np.sum(x**2) * np.exp(1000.0 * x[0]), np.ones(2))


def test_not_at_the_minimum() -> None:
    with pytest.warns(UserWarning, match="standard errors away") as caught:
        standard_errors(nll, {**BEST, "mean": BEST["mean"] + 0.1})
    assert caught[0].filename == __file__


def test_propagate() -> None:
    rng = np.random.default_rng(0)
    a, x = rng.standard_normal((2, 3)), rng.standard_normal(3)
    root = rng.standard_normal((3, 3))
    sigma = root @ root.T
    y, cov = propagate(lambda x: a @ x, x, sigma)
    np.testing.assert_allclose(y, a @ x)
    np.testing.assert_allclose(cov, a @ sigma @ a.T)
    y, variance = propagate(lambda x: float(np.prod(x)), x, np.diag(sigma))
    assert isinstance(variance, float)
    assert variance == pytest.approx(sum((y / x) ** 2 * np.diag(sigma)))
    assert propagate(lambda x: 3.0 * x, 2.0, 4.0) == (6.0, 36.0)
    assert propagate(lambda p: p["a"] * p["b"], {"a": 2.0, "b": 3.0}, [0.01, 0.04])[1] == pytest.approx(0.25)
    grid, cov = propagate(lambda x: np.outer(x[:2], x), x, sigma)
    assert grid.shape == (2, 3) and cov.shape == (2, 3, 2, 3)
    y, cov = propagate(lambda x: {"sum": np.sum(x), "all": x}, x.reshape(1, 3), sigma.reshape(1, 3, 1, 3))
    assert cov.shape == (4, 4) and cov[0, 0] == pytest.approx(sigma.sum())
    many = propagate(lambda x: np.concatenate([x] * 4), x, sigma)[1]
    np.testing.assert_allclose(many[3:6, 6:9], sigma)


def test_sampling_agrees() -> None:
    rng = np.random.default_rng(0)
    x, sigma = np.array([1.0, 2.0]), np.array([[1e-4, 5e-5], [5e-5, 2e-4]])
    f = lambda v: np.array([v[0] * v[1], np.sin(v[0])])  # noqa: E731
    samples = np.array([f(v) for v in rng.multivariate_normal(x, sigma, 20_000)])
    np.testing.assert_allclose(propagate(f, x, sigma)[1], np.cov(samples.T), rtol=0.05)


@pytest.mark.parametrize(
    ("cov", "what"),
    [
        (np.ones(2), "has the shape"),
        (1.0, "has the shape"),
        ([[1.0, 2.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], "not symmetric"),
        ([1.0, -1.0, 1.0], "negative variance"),
        (np.ones((3, 3)) + 4.0 * (1.0 - np.eye(3)), "negative variance"),
    ],
)
def test_what_is_no_covariance(cov: Any, what: str) -> None:
    with pytest.raises(NotDifferentiableError, match=what):
        propagate(lambda x: x, np.ones(3), cov)
    with pytest.raises(NotDifferentiableError, match="not real numbers"):
        propagate(lambda x: x, "text", 1.0)
