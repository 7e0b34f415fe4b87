"""What forward mode, higher derivatives and functions of SciPy cost, in runs of the plain program."""

from __future__ import annotations

from measure import Table, installed, medians  # before NumPy: it sets the number of threads

import math  # isort: skip
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import grad, hessian, hvp, jvp
from adjoint.calculus import implicit, numeric

ROUNDS = 9


def steps(x, y):
    """A loop over numbers."""
    s = x
    for _ in range(200):
        s = 0.9 * s + 0.01 * math.sin(y * s)
    return s


def arrays(x):
    """A loop over arrays of 1,000."""
    y = x
    for _ in range(20):
        y = y + 0.01 * np.sin(y * x)
    return np.sum(y)


def valley(x):
    """Rosenbrock's function."""
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def root(y, a):
    """A residual, of which `y` is the root."""
    return y**3 + a * y - 1.0


@implicit(root)
def solved(a):
    """The root, by iteration."""
    y = 1.0
    for _ in range(40):
        y = y - (y**3 + a * y - 1.0) / (3.0 * y**2 + a)
    return y


@numeric
def black_box(x):
    """A function without a derivative."""
    return float(np.sum(np.sin(x)))


def carried_value(x):
    """Values that come with exceptions."""
    s = 0.0
    for i in range(100):
        try:
            if i % 3 == 0:
                raise ValueError(x * i)
            s += math.sqrt(x)
        except ValueError as e:
            s += e.args[0]
    return s


def carried_text(x):
    """The text of exceptions of the library."""
    s = 0.0
    for i in range(100):
        try:
            s += math.sqrt(x - i % 3)
        except ValueError as e:
            s += x * len(str(e))
    return s


LOG = deque([[0.0]])


def logged(x):
    """A loop that stores into a slice of a list which a deque of the module holds: it is recorded."""
    y = 1.0
    for _ in range(50):
        y = 0.9 * x * y
        LOG[0][:1] = [y]
    return y


LONG = np.linspace(0.1, 0.9, 1000)
LOOP: tuple[Any, tuple[Any, ...]] = (steps, (0.3, 0.7))
Cases = dict[str, tuple[Callable[..., Any], tuple[Any, ...], Callable[..., Any]]]


def scipy_cases() -> Cases:
    """Functions of SciPy: the program, its arguments, and its gradient by the first."""
    from scipy import fft, integrate, interpolate, linalg, ndimage, optimize, signal, sparse, special, stats

    rng = np.random.default_rng(0)
    a, kernel, knots = rng.standard_normal((50, 50)) + 9.0 * np.eye(50), np.ones(9) / 9.0, np.linspace(0.0, 1.0, 20)
    b, image, points = rng.standard_normal(50), rng.standard_normal((40, 40)), rng.uniform(0.0, 1.0, 200)
    band = sparse.diags_array([np.full(199, -1.0), np.full(200, 4.0), np.full(199, -1.0)], offsets=[-1, 0, 1]).tocsr()

    def prey(t, z, p):
        return [p * z[0] - z[0] * z[1], z[0] * z[1] - z[1]]

    programs: dict[str, tuple[Callable[..., Any], Any]] = {
        "special, 1,000 numbers": (lambda x: np.sum(special.gammaln(x)), LONG),
        "linalg.solve, 50 × 50": (lambda b: np.sum(linalg.solve(a, b)), b),
        "sparse.linalg.spsolve, 200 × 200": (lambda b: np.sum(sparse.linalg.spsolve(band, b)), np.ones(200)),
        "integrate.quad": (lambda p: integrate.quad(lambda t: math.exp(-p * t), 0.0, 1.0)[0], 0.7),
        "integrate.solve_ivp": (lambda p: integrate.solve_ivp(prey, (0.0, 2.0), [1.0, 0.5], args=(p,)).y[0, -1], 1.1),
        "optimize.brentq": (lambda p: optimize.brentq(lambda t: t**3 + p * t - 1.0, 0.0, 1.0), 0.7),
        "interpolate.CubicSpline": (lambda y: np.sum(interpolate.CubicSpline(knots, y)(points)), np.sin(knots)),
        "signal.fftconvolve, 1,000": (lambda x: np.sum(signal.fftconvolve(x, kernel) ** 2), LONG),
        "ndimage.gaussian_filter, 40 × 40": (lambda x: np.sum(ndimage.gaussian_filter(x, 1.0) ** 2), image),
        "fft.rfft, 1,000": (lambda x: np.sum(np.abs(fft.rfft(x)) ** 2), LONG),
        "stats.norm.logpdf, 1,000": (lambda x: np.sum(stats.norm.logpdf(x, 0.1, 1.2)), LONG),
    }
    return {name: (f, (x,), grad(f)) for name, (f, x) in programs.items()}


def cases() -> Cases:
    """The programs by name, with arguments, and what is taken of each."""
    found: Cases = {
        "jvp, numbers in a loop": (*LOOP, lambda x, y: jvp(steps, (x, y), (1.0, 0.0))),
        "jvp, arrays in a loop": (arrays, (LONG,), lambda x: jvp(arrays, (x,), (LONG,))),
        "second derivative, numbers in a loop": (*LOOP, grad(grad(steps))),
        "third derivative, numbers in a loop": (*LOOP, grad(grad(grad(steps)))),
        "hvp of 10 numbers": (valley, (LONG[:10],), lambda x: hvp(valley, (x,), (x,))),
        "hessian by 10 numbers": (valley, (LONG[:10],), lambda x: hessian(valley, x)),
        "handlers that read `e.args[0]`": (carried_value, (1.5,), grad(carried_value)),
        "handlers that read `str(e)`": (carried_text, (1.5,), grad(carried_text)),
        "gradient of a recorded loop": (logged, (1.5,), grad(logged)),
        "hvp of a recorded loop": (logged, (1.5,), lambda x: hvp(logged, (x,), (1.0,))),
        "implicit(residual), 40 iterations": (solved, (0.7,), grad(solved)),
        "numeric(f), 10 numbers": (black_box, (LONG[:10],), grad(black_box)),
    }
    return found | (scipy_cases() if installed("scipy") else {})


def main() -> int:
    """Measure and write the table; nothing has a limit."""
    table = Table(
        "costs",
        "What other derivatives cost",
        f"In runs of the plain program, warm; medians of {ROUNDS} rounds in which both take turns.",
    )
    table.details += ["| what | plain, µs | derivative, µs |", "| --- | ---: | ---: |"]
    for name, (f, args, derivative) in cases().items():
        t = medians(
            ROUNDS,
            plain=lambda f=f, args=args: f(*args),
            derivative=lambda derivative=derivative, args=args: derivative(*args),
        )
        table.report(name, t["derivative"] / t["plain"])
        table.details.append(f"| {name} | {t['plain'] * 1e6:.3g} | {t['derivative'] * 1e6:.4g} |")
    return 0 if table.write() else 1


if __name__ == "__main__":
    raise SystemExit(main())
