"""Several seeds at once: the same as one after the other, in one run where that can be."""

from __future__ import annotations

import math
import pickle
import threading
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import checkpoint, grad, gradient, hvp, jacobian, jvp, linearize, pullback, rule, vjp
from adjoint.calculus import ggnvp, pushforward, seeds
from adjoint.errors import CotangentError
from adjoint.tangents import lane_runs
from adjoint.tangents.lanes import Lanes, current
from adjoint.testing import GradientMismatch
from adjoint.testing.lanes import check_lanes

M = np.arange(12.0).reshape(3, 4) / 7
X = np.linspace(0.1, 1.0, 6)
Point = namedtuple("Point", "x y")


def branches(x: Any, n: int) -> Any:
    s = 0.0
    for i in range(n):
        if s < 1.5:
            s = s + x[i] * np.sin(s + 1)
            continue
        s = s - x[i]
    return s


def recurrence(x: Any) -> Any:
    out = np.zeros(len(x))
    for i in range(1, len(x)):
        out[i] = x[i] * out[i - 1] + np.sin(x[i])
    return out


def likelihood(w: Any, x: Any, labels: Any) -> Any:
    z = x @ w
    return np.sum(np.logaddexp(0.0, z) - labels * z)


def chemistry(t: Any, y: Any) -> Any:
    return np.array([y[0] * y[1], -y[1] + t, math.exp(y[0])])


def softmax(a: Any) -> Any:
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


TOGETHER = {
    "elementwise": (lambda x: np.sin(x) * x / 3, (X,)),
    "scalars": (lambda x, y: math.exp(x) * y**2, (0.3, 2.0)),
    "branches": (branches, (X, 6)),
    "stores": (recurrence, (X,)),
    "products": (likelihood, (np.ones(4), M, np.ones(3))),
    "np.array": (chemistry, (0.3, X)),
    "matrices": (lambda a, b: a @ b, (M, M.T.copy())),
    "matrix and vector": (lambda a, b: a @ b, (M, np.ones(4))),
    "vector and matrix": (lambda a, b: b @ a, (M, np.ones(3))),
    "vectors": (lambda a, b: a @ b, (X, X + 1)),
    "stacks of matrices": (lambda a, b: a @ b, (np.ones((2, 3, 4)) + X[:4], np.ones((4, 2)))),
    "outer": (np.outer, (X, X[:3])),
    "einsum": (lambda a, b: np.einsum("ij,kj->ik", a, b), (M, M + 1)),
    "tensordot": (lambda a, b: np.tensordot(a, b, (1, 1)), (M, M + 1)),
    "sums": (lambda a: a.sum(axis=1) / a.mean() + np.sum(a, axis=(0, 1)), (M,)),
    "broadcasting": (lambda a, b, c: a * b + c, (M, X[:4], 2.0)),
    "norm": (np.linalg.norm, (M,)),
    "solve": (lambda a, b: np.linalg.solve(a @ a.T + np.eye(3), b), (M, np.ones(3))),
    "softmax": (softmax, (M,)),
    "shapes": (lambda a: a.T.reshape(2, -1)[::-1].ravel(), (M,)),
    "concatenate": (lambda a, b: np.concatenate([a[1:], b[:, None][:3] * a])[::2], (M, X)),
    "stack": (lambda a: np.stack([a, a * a], axis=1), (X,)),
    "masks": (lambda a: a[a > 0.5] * 2, (M,)),
    "integer arrays": (lambda a: a[[0, 0, 1]][:, [1, 2]], (M,)),
    "arrays of indices with dots": (lambda a: a[..., [0, 0, 1]], (M,)),
    "where": (lambda a: np.where(a > 0.5, a * a, np.cos(a)), (M,)),
    "infinite partials": (np.sqrt, (M,)),
    "scans": (lambda a: np.cumsum(a, axis=1), (M,)),
    "dicts": (lambda p: {"u": p["a"] * p["b"], "v": [p["b"] ** 2]}, ({"a": 2.0, "b": 3.0},)),
    "lists": (lambda xs: [v * v for v in xs], ([1.0, 2.0],)),
    "named tuples": (lambda p: Point(p.y * p.x, p.y), (Point(1.0, X),)),
    "objects": (lambda p: p.x * p.y, (SimpleNamespace(x=2.0, y=X),)),
    "single precision": (lambda a: (a * a).sum(axis=0), (M.astype(np.float32),)),
    "complex": (lambda z: z * z.conj() * 1j, (M + 1j,)),
    "gradients": (grad(likelihood), (np.ones(4), M, np.ones(3))),
    "checkpoints": (checkpoint(lambda x: np.sin(x).sum()), (X,)),
    "recorded": (lambda xs: sum(sorted([x * x for x in xs])), ([3.0, 1.0],)),
}
"""Programs that are run for all lanes together."""

IN_TURN = {
    "Fourier": (lambda a: abs(np.fft.fft(a)), (X,)),
    "eigenvalues": (lambda a: np.linalg.eigvalsh(a @ a.T), (M,)),
    "median": (lambda a: np.median(a, axis=0), (M,)),
}
"""Programs that call functions lane by lane."""


@pytest.mark.parametrize("name", [*TOGETHER, *IN_TURN])
def test_lanes_are_what_single_seeds_are(name: str) -> None:
    f, args = (TOGETHER | IN_TURN)[name]
    check_lanes(f, args, {}, (), 0)


@pytest.mark.parametrize("name", TOGETHER)
def test_one_run_serves_all(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No lane is taken out of what has several."""

    def refused(d: Any, i: int) -> Any:
        raise AssertionError("one by one")

    f, args = TOGETHER[name]
    y, back = pullback(f, *args)
    found = lane_runs.joined_tangents([ones(y)] * 3)
    monkeypatch.setattr(lane_runs, "lane_of_tangent", refused)
    back(seeds(lane_runs.unlaned(found, 3)))


def ones(y: Any) -> Any:
    from adjoint.tangents import zeros_like
    from adjoint.tangents.vectors import dimension, unravel

    return zeros_like(y) if not dimension(y) else unravel(np.ones(dimension(y)), y)


def test_pushforward_runs_the_program_once() -> None:
    runs = []

    def f(x: Any) -> Any:
        runs.append(1)
        return np.sin(x) * 2

    y, push = linearize(f, X)
    assert len(runs) == 1
    assert np.allclose(push(seeds(np.eye(6))), np.diag(2 * np.cos(X)))
    assert len(runs) == 1
    y, found = pushforward(lambda x: np.sin(x) * 2, (X,), (seeds(np.eye(6)),))
    assert np.array_equal(y, np.sin(X) * 2)
    assert np.allclose(found, np.diag(2 * np.cos(X)))


def test_parts_may_be_seeds() -> None:
    """What is no seed is the same for all, and None is zero."""
    f = lambda x, y: x * y  # noqa: E731
    _, found = pushforward(f, (3.0, 4.0), (seeds([1.0, 2.0]), 10.0))
    assert np.array_equal(found, [4.0 + 30.0, 8.0 + 30.0])
    _, found = pushforward(f, (3.0, 4.0), (seeds([1.0, 2.0]), None))
    assert np.array_equal(found, [4.0, 8.0])
    _, back = pullback(lambda x: (x * x, 3 * x), X)
    together = back((seeds(np.eye(6)), np.ones(6)))[1]
    assert np.allclose(together, np.diag(2 * X) + 3.0)


def test_other_products_take_seeds() -> None:
    f = lambda x: np.sum(x**3)  # noqa: E731
    eye = np.eye(6)
    assert np.allclose(hvp(f, (X,), (seeds(eye),))[0], np.diag(6 * X))
    assert np.allclose(jvp(np.cumsum, (X,), (seeds(eye),))[1], np.tri(6).T)
    y, back = vjp(lambda x, unused: x * x, X, 5.0)
    x_bar, zero = back(seeds(eye))
    assert np.allclose(x_bar, np.diag(2 * X)) and np.array_equal(zero, np.zeros(6))


def test_results_belong_to_the_caller() -> None:
    given = np.eye(6)
    y, back = pullback(lambda x: x, X)
    found = back(seeds(given))[1]
    assert not np.shares_memory(found, given)
    found[...] = 7
    assert np.array_equal(back(seeds(given))[1], np.eye(6))
    assert np.array_equal(given, np.eye(6))


@pytest.mark.parametrize(
    "wrong", [2.0, np.ones((3, 5)), [1.0, 2.0], np.zeros((0, 6)), (np.ones((2, 6)), np.ones((2, 6)))]
)
def test_wrong_seeds_are_refused(wrong: Any) -> None:
    _, back = pullback(np.sin, X)
    with pytest.raises(CotangentError):
        back(seeds(wrong))
    with pytest.raises(CotangentError):
        pushforward(np.sin, (X,), (seeds(wrong),))


def test_lengths_have_to_agree() -> None:
    with pytest.raises(CotangentError, match="lengths 2 and 3"):
        pushforward(lambda x, y: x * y, (1.0, 2.0), (seeds([1.0, 2.0]), seeds([1.0, 2.0, 3.0])))
    _, back = pullback(lambda x: (x, x * x), 1.0)
    with pytest.raises(CotangentError, match="first axes"):
        back(seeds(([1.0, 2.0], [1.0, 2.0, 3.0])))


def test_results_of_other_shapes_are_refused() -> None:
    with pytest.raises(CotangentError, match="more than its numbers"):
        lane_runs.in_lanes(lambda d: np.ones(int(d)), Lanes(np.array([1.0, 2.0])))


def test_seeds_within_what_is_differentiated_are_refused() -> None:
    with pytest.raises(adjoint.errors.AdjointError, match="seeds|one tangent after the other"):
        gradient(lambda x: pushforward(np.sin, (x,), (seeds(np.eye(6)),))[1].sum(), X)


def test_users_rules_see_one_seed_at_a_time() -> None:
    def area(r: float, w: Any) -> Any:
        return math.pi * r**2 * w.sum()

    @rule(area)
    def area_rule(r: float, w: Any) -> Any:
        def area_back(d: Any) -> Any:
            if isinstance(d, np.ndarray):
                raise AssertionError("no array")
            return float(d) * 2 * math.pi * r * w.sum(), np.full(w.shape, d * math.pi * r**2)

        return area(r, w), area_back

    _, back = pullback(lambda x: area(x[0], x[1:]) * 2, np.ones(3))
    found = back(seeds([1.0, 2.0]))[1]
    assert np.allclose(found, np.outer([1.0, 2.0], 2 * math.pi * np.array([4.0, 1.0, 1.0])))


def test_jacobians_are_the_same_however_many_lanes() -> None:
    u = np.linspace(0.0, 1.0, 90)
    f = lambda x: np.sin(x) * np.roll(x, 1) + x.sum()  # noqa: E731
    by_hand = np.diag(np.cos(u) * np.roll(u, 1)) + np.roll(np.diag(np.sin(u)), -1, axis=1) + 1.0
    for mode in ("forward", "reverse"):
        assert np.allclose(jacobian(f, u, mode=mode)[0], by_hand)


def test_threads_have_lanes_of_their_own() -> None:
    _, back = pullback(recurrence, X)
    expected = back(seeds(np.eye(6)))[1]
    found: list[Any] = [None] * 8

    def run(i: int) -> None:
        found[i] = back(seeds(np.eye(6)))[1] if i % 2 else back(np.eye(6)[1])[1]

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(8):
        assert np.array_equal(found[i], expected if i % 2 else expected[1])


def test_the_check_sees_what_differs() -> None:
    """A rule of the library that takes lanes for one array."""
    from adjoint.rules.registry import rule as own_rule

    def total(x: Any) -> Any:
        return x.sum()

    def total_rule(x: Any) -> Any:
        return x.sum(), lambda d: (np.full(x.shape, d) if isinstance(d, float) else np.ones(x.shape) * 2,)

    total_rule.__module__ = "adjoint.rules.planted"
    own_rule(total)(total_rule)
    with pytest.raises(GradientMismatch, match="lanes"):
        check_lanes(total, (X,), {}, (), 0)


def test_seeds_can_be_pickled_and_shown() -> None:
    assert repr(pickle.loads(pickle.dumps(seeds([1.0, 2.0])))) == "seeds([1.0, 2.0])"


def test_seeds_that_are_integers_or_booleans_are_numbers() -> None:
    for given in ([1, 1], [True, True], [1, 2], [True, False], np.array([True, False])):
        wanted = 4.0 * np.asarray(given, float)
        assert np.array_equal(pushforward(lambda x: x * x, (2.0,), (seeds(given),))[1], wanted)
        assert np.array_equal(pullback(lambda x: x * x, 2.0)[1](seeds(given))[1], wanted)
    assert pushforward(lambda x: x * x, (2.0,), (np.True_,)) == (4.0, 4.0)
    assert pullback(lambda x: x * x, 2.0)[1](np.True_)[1] == 4.0


def test_products_with_gauss_newton_matrices_take_seeds() -> None:
    def f(x: Any, w: Any) -> Any:
        return {"a": np.sin(x) * w, "b": x[0] * w}

    def loss(y: Any) -> Any:
        return np.sum(y["a"] ** 2) * np.exp(y["b"])

    x, w, v = np.array([0.3, -0.7]), 1.5, np.random.default_rng(0).standard_normal((3, 2))
    together = ggnvp(f, loss, (x, w), (seeds(v), None))
    for i, row in enumerate(v):
        alone = ggnvp(f, loss, (x, w), (row, None))
        assert np.allclose(together[0][i], alone[0]) and np.allclose(together[1][i], alone[1])


def test_a_rule_of_the_user_runs_lane_by_lane_within_a_run_of_all() -> None:
    def cube(x: Any) -> Any:
        return x**3

    @rule(cube)
    def cube_rule(x: Any) -> Any:
        return x**3, lambda d: (3.0 * d * x**2,)

    def f(x: Any) -> Any:
        return cube(x) * 2.0

    for x, v in ((1.5, np.ones(3)), (np.array([1.5, 2.0]), np.ones((3, 2)))):
        current.refused = None
        assert np.allclose(pullback(f, x)[1](seeds(v))[1], 6.0 * x**2 * v)
        assert current.refused is None


def test_a_pullback_that_a_rule_of_the_library_takes_stays_in_lanes() -> None:
    _, back = pullback(np.sin, X)
    bars = np.ones((2, 6))
    within = back(Lanes(bars))[1]
    assert type(within) is Lanes and np.array_equal(within.data, back(seeds(bars))[1])


def test_lanes_have_the_precision_of_their_primals() -> None:
    x = np.ones(2, np.float32)
    y, back = pullback(lambda x: np.mean(x, where=[True, False]) + np.sum(x, dtype=np.float64), x)
    assert back(seeds(np.ones(3)))[1].dtype == back(1.0)[1].dtype == np.float32
