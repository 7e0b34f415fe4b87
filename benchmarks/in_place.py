"""Programs that store into arrays: a recurrence, Cholesky by three loops, a simulation that updates in place."""

from __future__ import annotations

import math

from measure import Table, installed, medians  # before NumPy: it sets the number of threads

import numpy as np  # isort: skip

from adjoint import withgradient

ROUNDS = 31
SIZES = 2_000, 20_000
ORDER = 30
STEPS, PARTICLES = 1_000, 1_000


def recurrence(x):
    """The sum over `outᵢ = xᵢ outᵢ₋₁ + sin xᵢ`."""
    out = np.zeros(len(x))
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = x[i] * out[i - 1] + math.sin(x[i])
    return np.sum(out)


def recurrence_by_hand(x):
    """Value and gradient of `recurrence` as one would write them."""
    n = len(x)
    out = np.zeros(n)
    out[0] = x[0]
    for i in range(1, n):
        out[i] = x[i] * out[i - 1] + math.sin(x[i])
    x_bar, out_bar = np.zeros(n), np.ones(n)
    for i in range(n - 1, 0, -1):
        d = out_bar[i]
        x_bar[i] = d * (out[i - 1] + math.cos(x[i]))
        out_bar[i - 1] += d * x[i]
    x_bar[0] = out_bar[0]
    return np.sum(out), x_bar


def log_determinant(a):
    """log det a, for a positive definite matrix, by Cholesky's three loops."""
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                low[i, i] = math.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    total = 0.0
    for i in range(n):
        total += 2.0 * math.log(low[i, i])
    return total


def log_determinant_in_place(a):
    """The same, where the factor takes the place of the matrix."""
    a = a.copy()
    n = a.shape[0]
    total = 0.0
    for i in range(n):
        for j in range(i + 1):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            if i == j:
                a[i, i] = math.sqrt(a[i, i])
                total += 2.0 * math.log(a[i, i])
            else:
                a[i, j] /= a[j, j]
    return total


def simulation(pos, vel):
    """The potential energy of springs after many steps of a symplectic Euler scheme, all of them in place."""
    pos, vel = pos.copy(), vel.copy()
    for _ in range(STEPS):
        vel -= 0.01 * pos
        pos += 0.01 * vel
    return 0.5 * np.sum(pos * pos)


def simulation_by_hand(pos, vel):
    """Value and gradient of `simulation` as one would write them."""
    pos, vel = pos.copy(), vel.copy()
    for _ in range(STEPS):
        vel -= 0.01 * pos
        pos += 0.01 * vel
    pos_bar, vel_bar = pos.copy(), np.zeros(len(vel))
    for _ in range(STEPS):
        vel_bar += 0.01 * pos_bar
        pos_bar -= 0.01 * vel_bar
    return 0.5 * np.sum(pos * pos), pos_bar, vel_bar


def by_torch(a):
    """The gradient of the log determinant by PyTorch, with nested lists: it refuses the stores into a matrix."""
    import torch

    torch.set_num_threads(1)
    n = a.shape[0]

    def run():
        t = torch.tensor(a, requires_grad=True)
        low = [[None] * n for _ in range(n)]
        total = torch.zeros((), dtype=torch.float64)
        for i in range(n):
            for j in range(i + 1):
                s = t[i, j]
                for k in range(j):
                    s = s - low[i][k] * low[j][k]
                low[i][j] = torch.sqrt(s) if i == j else s / low[j][j]
            total = total + 2.0 * torch.log(low[i][i])
        total.backward()
        return t.grad.numpy()

    return run


def measure_recurrence(table: Table) -> None:
    functions = {}
    for n in SIZES:
        x = np.random.default_rng(0).uniform(0.1, 0.9, n)
        value, (x_bar,) = withgradient(recurrence, x)
        assert value == recurrence(x)
        np.testing.assert_allclose(x_bar, recurrence_by_hand(x)[1], rtol=1e-10)
        functions[f"plain {n}"] = lambda x=x: recurrence(x)
        functions[f"hand {n}"] = lambda x=x: recurrence_by_hand(x)
        functions[f"adjoint {n}"] = lambda x=x: withgradient(recurrence, x)
    t = medians(ROUNDS, **functions)
    for n in SIZES:
        table.at_most(f"recurrence, n = {n:,}: value and gradient / plain", t[f"adjoint {n}"] / t[f"plain {n}"], 6)
        table.report("written by hand / plain", t[f"hand {n}"] / t[f"plain {n}"])
    small, large = SIZES
    per_element = (t[f"adjoint {large}"] / large) / (t[f"adjoint {small}"] / small)
    table.at_most(f"cost per element, n = {large:,} / n = {small:,}", max(per_element, 1 / per_element), 1.5)


def measure_cholesky(table: Table) -> None:
    b = np.random.default_rng(0).standard_normal((ORDER, ORDER))
    a = b @ b.T + ORDER * np.eye(ORDER)
    for f in (log_determinant, log_determinant_in_place):
        value, (a_bar,) = withgradient(f, a)
        assert math.isclose(value, np.linalg.slogdet(a)[1])
        # Only the lower triangle is read; the derivative by the symmetric matrix is its inverse.
        np.testing.assert_allclose((a_bar + a_bar.T) / 2, np.linalg.inv(a), rtol=1e-8, atol=1e-12)
    t = medians(
        ROUNDS,
        plain=lambda: log_determinant(a),
        adjoint=lambda: withgradient(log_determinant, a),
        plain_in_place=lambda: log_determinant_in_place(a),
        adjoint_in_place=lambda: withgradient(log_determinant_in_place, a),
    )
    what = f"Cholesky {ORDER}×{ORDER}"
    table.at_most(f"{what}: value and gradient / plain loops", t["adjoint"] / t["plain"], 10)
    table.at_most(f"{what} in place: the same", t["adjoint_in_place"] / t["plain_in_place"], 10)
    if installed("torch"):
        rival = medians(5, adjoint=lambda: withgradient(log_determinant, a), torch=by_torch(a))
        table.at_least(f"{what}: PyTorch with nested lists / adjoint", rival["torch"] / rival["adjoint"], 1)
    else:
        table.skip("PyTorch")


def measure_simulation(table: Table) -> None:
    rng = np.random.default_rng(0)
    pos, vel = rng.standard_normal(PARTICLES), rng.standard_normal(PARTICLES)
    value, bars = withgradient(simulation, pos, vel)
    by_hand = simulation_by_hand(pos, vel)
    assert value == by_hand[0]
    for a, b in zip(bars, by_hand[1:], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)
    t = medians(
        ROUNDS,
        plain=lambda: simulation(pos, vel),
        hand=lambda: simulation_by_hand(pos, vel),
        adjoint=lambda: withgradient(simulation, pos, vel),
    )
    what = f"simulation, {STEPS:,} steps of {PARTICLES:,}"
    table.at_most(f"{what}: value and gradient / plain", t["adjoint"] / t["plain"], 3)
    table.report("written by hand / plain", t["hand"] / t["plain"])


def main() -> bool:
    """Measure and write the table."""
    table = Table(
        "in_place",
        "Programs that store into arrays",
        "Value and gradient of `out[i] = x[i] * out[i-1] + sin(x[i])`, of the log determinant by Cholesky's loops, and "
        f"of a simulation with `pos += dt * vel` in place; medians of {ROUNDS} interleaved rounds.",
    )
    measure_recurrence(table)
    measure_cholesky(table)
    measure_simulation(table)
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
