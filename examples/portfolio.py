"""
A portfolio
===========

Spread money over eight assets so that the bad months cost least, for each return that one may wish for. The risk is the
mean of the worst months, and its gradient goes through the sort that finds them.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from adjoint import value_and_grad
from adjoint.demos.pictures import OUTPUT, draw_frontier, run


def months(seed: int, n: int = 2000, assets: int = 8):
    """Returns in percent, (n, assets): three causes that assets share, with heavy tails, and one of their own."""
    rng = np.random.default_rng(seed)
    causes = rng.standard_t(4, size=(n, 3)) @ rng.normal(size=(3, assets))
    risky = np.linspace(0.3, 2.0, assets)
    return 0.2 + 0.3 * risky + risky * (causes + rng.normal(size=(n, assets)))


def main(steps: int = 100, output=OUTPUT, seed: int = 0):
    """Find the portfolio of least risk for each return, and draw how risk and return go together."""
    returns = months(seed)
    expected, worst = returns.mean(axis=0), len(returns) // 20

    def shortfall(weights):
        """The mean loss in the worst twentieth of the months."""
        return -np.mean(np.sort(returns @ weights)[:worst])

    weights = np.full(expected.size, 1.0 / expected.size)
    frontier, shares = [], []
    for target in np.linspace(expected.min(), expected.max(), 20)[1:-1]:
        all_of_it = {"type": "eq", "fun": lambda w: np.sum(w) - 1.0, "jac": np.ones_like}
        enough = {"type": "ineq", "fun": lambda w, r=target: expected @ w - r, "jac": lambda w: expected}
        found = minimize(
            value_and_grad(shortfall), weights, jac=True, method="SLSQP", bounds=[(0.0, 1.0)] * expected.size,
            constraints=[all_of_it, enough], options={"maxiter": steps},
        )  # fmt: skip
        weights = found.x
        risk, slope = value_and_grad(shortfall)(weights)
        frontier.append((risk, expected @ weights))
        shares.append(weights * slope / risk)
    alone = [shortfall(one) for one in np.eye(expected.size)]
    print(f"least risk {min(frontier)[0]:.2f}, of the best single asset {min(alone):.2f}")
    print(f"shares of the risk sum to {sum(shares[0]):.6f}")
    draw_frontier(np.array(frontier), np.array([alone, expected]).T, np.array(shares), output, "portfolio")
    return np.array(frontier), np.array(shares), np.array(alone)


if __name__ == "__main__":
    run(main)
