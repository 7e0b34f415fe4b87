"""The Hessian of a logistic log-likelihood, and a sparse Jacobian, in gradients and runs of the function."""

from __future__ import annotations

from measure import Table, medians  # before NumPy: it sets the number of threads

import numpy as np  # isort: skip

from adjoint import gradient, hessian, hvp, jacobian
from adjoint.sparse import find_sparsity

ROUNDS = 9
POINTS, PARAMETERS = 10_000, 50
CELLS = 20_000


def likelihood():
    """The negative log-likelihood of labels of random points, and parameters."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((POINTS, PARAMETERS))
    weights = 0.1 * rng.standard_normal(PARAMETERS)
    labels = (rng.random(POINTS) < 1 / (1 + np.exp(-x @ weights))).astype(float)

    def nll(w):
        z = x @ w
        return np.sum(np.logaddexp(0.0, z) - labels * z)

    p = 1 / (1 + np.exp(-x @ weights))
    return nll, weights, lambda: x.T @ (x * (p * (1 - p))[:, None])


def diffusion(u):
    """A nonlinear equation on a line, by differences."""
    return (u[2:] - 2 * u[1:-1] + u[:-2]) * np.exp(u[1:-1]) + u[1:-1] ** 2


def main() -> bool:
    """Measure and write the table."""
    nll, w, by_hand = likelihood()
    np.testing.assert_allclose(hessian(nll, w), by_hand(), rtol=1e-9, atol=1e-9)
    v = np.ones(PARAMETERS)
    t = medians(
        ROUNDS,
        plain=lambda: nll(w),
        gradient=lambda: gradient(nll, w),
        product=lambda: hvp(nll, (w,), (v,)),
        hessian=lambda: hessian(nll, w),
        by_hand=by_hand,
    )
    u = np.linspace(0.0, 1.0, CELLS)
    pattern = find_sparsity(diffusion, u)
    s = medians(
        ROUNDS,
        plain=lambda: diffusion(u),
        search=lambda: find_sparsity(diffusion, u),
        entries=lambda: jacobian(diffusion, u, sparsity=pattern),
    )
    table = Table(
        "hessian",
        "All derivatives",
        f"A logistic log-likelihood of {PARAMETERS} parameters on {POINTS:,} points; a tridiagonal system of {CELLS:,} "
        f"equations; float64; medians of {ROUNDS} interleaved rounds.",
    )
    table.at_most("Hessian / gradient", t["hessian"] / t["gradient"], 80)
    table.report("Hessian / by its formula in NumPy", t["hessian"] / t["by_hand"])
    table.report("product with the Hessian / gradient", t["product"] / t["gradient"])
    table.report("gradient", t["gradient"] * 1e3, " ms")
    table.report("gradient / plain", t["gradient"] / t["plain"])
    table.report("sparse Jacobian, the pattern known / plain", s["entries"] / s["plain"])
    table.report("finding the pattern / plain", s["search"] / s["plain"])
    table.report("plain", s["plain"] * 1e3, " ms")
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
