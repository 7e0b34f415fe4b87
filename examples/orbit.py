"""
An orbit
========

Find the orbit of a double star from where its companion was seen in half of one turn. Kepler's equation has no solution
in formulae: a loop solves it, and the gradient goes through the loop.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import least_squares

from adjoint.demos.pictures import OUTPUT, draw_orbit, run
from adjoint.optimize import Residuals

NAMES = ("period", "passage", "eccentricity", "size", "tilt", "node", "peak")
TRUTH = dict(zip(NAMES, (50.1, 1994.3, 0.59, 7.5, 2.38, 0.77, 2.56), strict=True))


def anomaly(mean, eccentricity):
    """E of Kepler's equation E - e sin E = M, by Newton's method."""
    E = mean + eccentricity * np.sin(mean)
    for _ in range(8):
        E = E - (E - eccentricity * np.sin(E) - mean) / (1.0 - eccentricity * np.cos(E))
    return E


def places(p, years):
    """North and east of the star, in seconds of arc."""
    e = p["eccentricity"]
    E = anomaly(2.0 * np.pi * (years - p["passage"]) / p["period"], e)
    x, y = p["size"] * (np.cos(E) - e), p["size"] * np.sqrt(1.0 - e**2) * np.sin(E)
    along = x * np.cos(p["peak"]) - y * np.sin(p["peak"])
    across = (x * np.sin(p["peak"]) + y * np.cos(p["peak"])) * np.cos(p["tilt"])
    north = along * np.cos(p["node"]) - across * np.sin(p["node"])
    return np.array([north, along * np.sin(p["node"]) + across * np.cos(p["node"])])


def main(steps: int = 100, output=OUTPUT, seed: int = 0):
    """Fit the orbit to places that were seen, and draw others that fit as well."""
    rng = np.random.default_rng(seed)
    seen, noise = np.sort(rng.uniform(1985.0, 2010.0, 25)), 0.15
    data = places(TRUTH, seen) + noise * rng.normal(size=(2, seen.size))
    start = dict(zip(NAMES, (45.0, 1993.0, 0.4, 7.0, 2.2, 0.6, 2.4), strict=True))

    misfit = Residuals(lambda p: np.ravel(places(p, seen) - data) / noise, like=start)
    options = {"x_scale": "jac", "max_nfev": steps}
    found = least_squares(misfit.fun, misfit.x0, jac=misfit.jac, **options)
    best, cov = misfit.unravel(found.x), np.linalg.inv(found.jac.T @ found.jac)
    errors = misfit.unravel(np.sqrt(np.diag(cov)))
    for name in best:
        print(f"{name:<13} {best[name]:9.3f} ± {errors[name]:.3f}, truth {TRUTH[name]}")
    others = [misfit.unravel(x) for x in rng.multivariate_normal(found.x, cov, 40)]
    turn = np.linspace(0.0, 1.0, 200)
    curves = [places(p, p["passage"] + p["period"] * turn) for p in (TRUTH, best, *others)]
    draw_orbit(data, *curves[:2], curves[2:], output, "orbit")
    return best, errors


if __name__ == "__main__":
    run(main)
