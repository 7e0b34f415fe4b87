"""quantecon, whose functions under `@njit` store into arrays they are handed."""

from __future__ import annotations

from typing import Any

import numpy as np
import quantecon as qe
from quantecon.quad import qnwlege
from realworld.programs import check, refused

# mypy: disable-error-code="import-untyped, no-untyped-call"


def test_systems() -> None:
    check(lambda p: qe.solve_discrete_lyapunov(np.array([[p[0], 0.1], [0.0, 0.3]]), np.eye(2)).sum(), 0.5)

    def mean(p: Any) -> Any:
        system = qe.LinearStateSpace(np.array([[p[0], 0.1], [0.0, 0.8]]), np.eye(2), np.array([[1.0, 0.0]]))
        return system.stationary_distributions()[0].sum()

    check(mean, 0.5)


def test_chains() -> None:
    check(lambda p: qe.markov.tauchen(5, p[0], 1.0).state_values.sum(), 0.5)


def test_quadrature() -> None:
    nodes, weights = qnwlege(5, 0.0, 1.0)
    check(lambda p: (np.exp(p[0] * nodes) * weights).sum(), 0.5)

    def integral(p: Any) -> Any:
        nodes, weights = qnwlege(5, 0.0, p[0])
        return (np.exp(nodes) * weights).sum()

    refused(integral, "(?s)a ufunc that Numba compiles.*compiled code, and no rule looks into it", np.array([0.5]))
