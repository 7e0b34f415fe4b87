"""`vmap` by objects: their arrays are mapped, all lanes share their numbers; derivatives are those of the loop."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, hvp, jacobian, jvp, vmap
from adjoint.finite.structure import leaves
from adjoint.nn import Dense, tree_map
from adjoint.tangents.structural import Tangent, class_of, fields_of


@dataclasses.dataclass
class Scaled:
    w: Any
    scale: Any = 2.0


@dataclasses.dataclass
class Holder:
    inner: Scaled
    numbers: list[float]
    named: dict[str, Any]
    b: Any


ROWS = np.array([[0.5, 2.0], [1.25, 0.75], [2.0, 1.0]])


def scaled() -> Scaled:
    return Scaled(ROWS.copy(), 2.0)


def holder() -> Holder:
    return Holder(Scaled(ROWS * 0.5, 1.5), [2.0, 3.0], {"k": 0.5, "m": ROWS + 1.0}, np.float64(0.25))


def of_scaled(q: Any) -> Any:
    return q.scale**2 * np.sin(q.w).sum()


def of_holder(h: Any) -> Any:
    part = of_scaled(h.inner) + h.named["k"] * np.sum(h.named["m"] ** 2)
    return part * h.numbers[0] + np.exp(-h.numbers[1]) * h.b**3


def diverges(q: Any) -> Any:
    return of_scaled(q) * (2.0 if q.w[0] > 1.0 else 3.0)


def lane(x: Any, axis: Any, i: int) -> Any:
    """What the loop gives the function."""
    if axis is None:
        return x
    if isinstance(axis, (tuple, dict)):
        keys = axis if isinstance(axis, dict) else range(len(axis))
        found = {k: lane(x[k], axis[k], i) for k in keys}
        return found if isinstance(axis, dict) else tuple(found.values())
    if isinstance(x, np.ndarray):
        return x[i] if axis == 0 else x[:, i]
    if isinstance(x, Scaled):
        return Scaled(lane(x.w, axis, i), x.scale)
    if isinstance(x, Holder):
        named = {"k": x.named["k"], "m": lane(x.named["m"], axis, i)}
        return Holder(lane(x.inner, axis, i), x.numbers, named, x.b)
    return {k: lane(v, axis, i) for k, v in x.items()} if isinstance(x, dict) else tuple([lane(v, axis, i) for v in x])


CASES: dict[str, tuple[Callable[..., Any], Any, Any, int]] = {
    "shared number": (of_scaled, scaled, 0, 3),
    "other axis": (of_scaled, scaled, 1, 2),
    "as the loop": (diverges, scaled, 0, 3),
    "nested": (of_holder, holder, 0, 3),
    "in a tuple": (lambda t: of_scaled(t[0]) * np.sum(t[1]), lambda: (scaled(), ROWS * 1.0), 0, 3),
    "by a tree of axes": (lambda t: of_scaled(t[0]) * np.sum(t[1]), lambda: (scaled(), ROWS[0]), ((0, None),), 3),
    "by names": (lambda d: of_scaled(d["q"]) * d["c"], lambda: {"q": scaled(), "c": 3.0}, ({"q": 0, "c": None},), 3),
    "array that is a number": (of_scaled, lambda: Scaled(ROWS.copy(), np.float64(2.0)), 0, 3),
    "float32": (of_scaled, lambda: Scaled(ROWS.astype(np.float32), 2.0), 0, 3),
}  # fmt: skip


def both(name: str, chunk_size: int | None = None) -> tuple[Any, Any, Any]:
    f, make, axes, n = CASES[name]
    axis = axes[0] if isinstance(axes, tuple) else axes

    def by_vmap(x: Any) -> Any:
        return np.sum(vmap(f, axes, chunk_size=chunk_size)(x) ** 2)

    def by_loop(x: Any) -> Any:
        return sum(f(lane(x, axis, i)) ** 2 for i in range(n))

    return by_vmap, by_loop, make()


def check(got: Any, want: Any, rtol: float = 1e-10) -> None:
    a, b = dict(leaves(got)), dict(leaves(want))
    assert a.keys() == b.keys()
    for path, leaf in b.items():
        assert np.shape(a[path]) == np.shape(leaf), path
        assert np.asarray(a[path]).dtype == np.asarray(leaf).dtype
        np.testing.assert_allclose(a[path], leaf, rtol=rtol)


def tol(name: str) -> float:
    return 1e-5 if name == "float32" else 1e-10


@pytest.mark.parametrize("chunk_size", [None, 2])
@pytest.mark.parametrize("name", CASES)
def test_the_gradient_by_an_object_is_that_of_the_loop(name: str, chunk_size: int | None) -> None:
    by_vmap, by_loop, x = both(name, chunk_size)
    check(by_vmap(x), by_loop(x), tol(name))
    check(grad(by_vmap)(x), grad(by_loop)(x), tol(name))


@pytest.mark.parametrize("name", CASES)
def test_derivatives_forward_and_of_second_order(name: str) -> None:
    by_vmap, by_loop, x = both(name)
    d = grad(by_loop)(x)  # a direction of the form of the argument
    check(jvp(by_vmap, (x,), (d,)), jvp(by_loop, (x,), (d,)), tol(name))
    if name != "float32":
        check(hvp(by_vmap, (x,), (d,)), hvp(by_loop, (x,), (d,)))


def test_what_lanes_share_gets_the_sum() -> None:
    found = grad(lambda q: np.sum(vmap(lambda p: p.scale * p.w.sum())(q)))(Scaled(np.ones((3, 2))))
    assert found.scale == 6.0
    assert np.shape(found.scale) == ()
    np.testing.assert_array_equal(found.w, np.full((3, 2), 2.0))


def test_gradients_within_lanes_are_of_each() -> None:
    found = vmap(grad(of_scaled))(scaled())
    each = [grad(of_scaled)(lane(scaled(), 0, i)) for i in range(3)]
    assert class_of(found) is Scaled
    for key, got in fields_of(found).items():
        np.testing.assert_allclose(got, np.stack([fields_of(one)[key] for one in each]))
    assert isinstance(found, Tangent)


def test_an_object_by_keyword() -> None:
    def of(v: Any, *, q: Any) -> Any:
        return np.sum(v * q.w) * q.scale

    found = grad(lambda q: np.sum(vmap(of)(ROWS, q=q)))(scaled())
    assert found.scale == np.sum(ROWS**2)
    np.testing.assert_allclose(found.w, 2.0 * ROWS)


def test_several_models_at_once() -> None:
    ones = [Dense(2, 1, np.tanh, rng=np.random.default_rng(i)) for i in range(3)]
    several = tree_map(lambda *ws: np.stack(ws), *ones)

    def of(model: Any, x: Any) -> Any:
        return np.sum(model(x) ** 2)

    found = grad(lambda m: np.sum(vmap(of)(m, ROWS) ** 2))(several)
    each = [grad(lambda m, x=x: of(m, x) ** 2)(one) for one, x in zip(ones, ROWS, strict=True)]
    for (_, got), parts in zip(leaves(found), zip(*[leaves(one) for one in each], strict=True), strict=True):
        np.testing.assert_allclose(got, np.stack([leaf for _, leaf in parts]), rtol=1e-12)


def outer(m: Any, scales: Any) -> Any:
    return vmap(lambda w, s: np.sum(vmap(of_scaled)(Scaled(w, s)) ** 2))(m, scales)


def test_an_object_that_is_mapped_twice() -> None:
    m, scales = np.stack([ROWS, ROWS * 2]), np.array([2.0, 3.0])

    def by_loop(m: Any, scales: Any) -> Any:
        return np.stack([sum(of_scaled(Scaled(v, s)) ** 2 for v in w) for w, s in zip(m, scales, strict=True)])

    np.testing.assert_allclose(outer(m, scales), by_loop(m, scales))
    for i in range(2):
        want = jacobian(by_loop, m, scales)[i]
        np.testing.assert_allclose(jacobian(outer, m, scales)[i], want, rtol=1e-10)
    both = vmap(vmap(of_scaled))(Scaled(m, 2.0))
    np.testing.assert_allclose(both, [[of_scaled(Scaled(v, 2.0)) for v in w] for w in m])
    mixed = vmap(lambda w: vmap(lambda h: np.sum(h.inner.w * h.b) * h.inner.scale)(Holder(Scaled(ROWS), [], {}, w)))(m)
    np.testing.assert_allclose(mixed, [[np.sum(a * b) * 2.0 for a, b in zip(ROWS, w, strict=True)] for w in m])
