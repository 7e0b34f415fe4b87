"""A scalar loop with a branch, 10,000 rounds: value and gradient against the plain function and against rivals."""

from __future__ import annotations

import math

from measure import Table, installed, medians

from adjoint import withgradient

ROUNDS = 31
N = 10_000


def loop(x, r, n):
    """The logistic map, with a branch that a quarter of the rounds take at r = 3.3."""
    y = x
    for _ in range(n):
        if y > 0.5:
            y = r * y * (1 - y)
        else:
            y = math.sin(y) + 0.1 * r
    return y


def by_hand(x, r, n):
    """Value and gradient of `loop` as one would write them."""
    ys = []
    y = x
    for _ in range(n):
        ys.append(y)
        y = r * y * (1 - y) if y > 0.5 else math.sin(y) + 0.1 * r
    y_bar, r_bar = 1.0, 0.0
    for y_in in reversed(ys):
        if y_in > 0.5:
            r_bar += y_bar * y_in * (1 - y_in)
            y_bar *= r * (1 - 2 * y_in)
        else:
            r_bar += y_bar * 0.1
            y_bar *= math.cos(y_in)
    return y, (y_bar, r_bar)


def rivals(x, r):
    """{name: value and gradient of the same loop}, for those that are installed."""
    found = {}
    if installed("torch"):
        import torch

        torch.set_num_threads(1)

        def by_torch():
            a = torch.tensor(x, dtype=torch.float64, requires_grad=True)
            b = torch.tensor(r, dtype=torch.float64, requires_grad=True)
            y = a
            for _ in range(N):
                y = b * y * (1 - y) if y > 0.5 else torch.sin(y) + 0.1 * b
            y.backward()
            return y.item(), (a.grad.item(), b.grad.item())

        found["PyTorch"] = by_torch
    if installed("autograd"):
        import autograd
        import autograd.numpy as anp

        def traced(a, b):
            y = a
            for _ in range(N):
                y = b * y * (1 - y) if y > 0.5 else anp.sin(y) + 0.1 * b
            return y

        found["autograd"] = lambda: autograd.value_and_grad(traced, argnum=(0, 1))(x, r)
    return found


def main() -> bool:
    """Measure and write the table."""
    x, r = 0.3, 3.3
    value, (x_bar, r_bar, _) = withgradient(loop, x, r, N)
    assert value == loop(x, r, N)
    for a, b in zip((x_bar, r_bar), by_hand(x, r, N)[1], strict=True):
        assert math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-300), (a, b)

    ours = {
        "plain": lambda: loop(x, r, N),
        "hand": lambda: by_hand(x, r, N),
        "adjoint": lambda: withgradient(loop, x, r, N),
    }
    t = medians(ROUNDS, **ours)
    table = Table(
        "scalar_loop",
        "Scalar loop with a branch",
        f"Value and gradient of {N:,} rounds of `r*y*(1-y)` or `sin(y) + 0.1*r`, a quarter of them the latter; "
        f"medians of {ROUNDS} interleaved rounds.",
    )
    table.at_most("value and gradient / plain function", t["adjoint"] / t["plain"], 4)
    table.report("written by hand / plain function", t["hand"] / t["plain"])
    table.report("value and gradient", t["adjoint"] * 1e3, " ms")
    opponents = rivals(x, r)
    for name in ("PyTorch", "autograd"):
        if name in opponents:
            slow = medians(3, adjoint=ours["adjoint"], rival=opponents[name])
            table.at_least(f"{name} / adjoint", slow["rival"] / slow["adjoint"], 50)
        else:
            table.skip(name)
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
