"""Changes of what only the run shows to be an array: items of lists of parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, withgradient


def biased(p: Any) -> Any:
    h = p[0] * 1.0
    h += p[1]
    return h.sum() * p[0][0]


def normalised(p: Any) -> Any:
    h = np.exp(p[0])
    h /= h.sum()
    return (h * p[1]).sum()


def copied(p: Any) -> Any:
    h = p[0].copy()
    h[0] = p[1][0]
    return (h * h).sum()


def copied_by_numpy(p: Any) -> Any:
    h, z = np.array(p[0]), np.zeros_like(p[1])
    h[0] = p[1][0] * 2
    for i in range(len(z)):
        z[i] = h[i] * p[0][i]
    return (h * z).sum()


def items_in_place(p: Any) -> Any:
    h = p[0].copy()
    h[0] += p[1][1]
    h[p[0] > 0.5] *= p[1]
    h[:1] -= h[1] * p[0][0]
    return (h * h).sum()


def added_up(p: Any) -> Any:
    h = np.zeros_like(p[0])
    for i in range(len(h)):
        h[i] += p[1][0] * p[0][i]
        h[0] += h[i] * p[0][1]
    return (h * h).sum()


def as_integers(p: Any) -> Any:
    h = p[0].astype(int)
    h[0] = p[1][0] * 2.7
    return (h * p[0]).sum()


def in_branches(p: Any) -> Any:
    h = p[0].copy() if p[1][0] > 0 else p[0] * 2.0
    if p[1][1] > 0:
        h[0] = p[1][0]
    else:
        h[1] = p[1][0]
    return (h * h).sum()


def lists_of_lists(p: Any) -> Any:
    rows = [[v * 1.0 for v in q] for q in p]
    h = rows[0] + rows[1]
    h[0] = h[1] * h[2]
    return h[0] * h[3]


def item_of_a_sum_of_lists(p: Any) -> Any:
    rows = [[v] for v in p]
    h = rows[0] + rows[1]
    h[0][0] = p[1][0] * 5
    return h[0][0] * rows[0][0][0]


def view_of_a_copy(p: Any) -> Any:
    h = p[0].copy()
    r = h[:1]
    r[0] = p[1][0]
    return (h * h).sum()


def view_kept(p: Any) -> Any:
    h = p[0].copy()
    r = h[:1]
    h[0] = p[1][0]
    return r.sum() * h.sum()


def rows_of_a_copy(p: Any) -> Any:
    h = np.stack([p[0], p[1]])
    g = [h.copy(), h][0]
    for row in g:
        row[0] = p[1][0]
    return (g * g).sum()


class Holding:
    def __init__(self, v: Any) -> None:
        self.v = v

    def copy(self) -> Any:
        return self.v

    def __add__(self, other: Any) -> Any:
        return self.v


def own_copy(p: Any) -> Any:
    boxes = [Holding(p[0]), Holding(p[1])]
    h = boxes[0].copy()
    h[0] = p[1][0] * 3
    return h[0] * p[0][0]


def own_copy_in_loop(p: Any) -> Any:
    total = 0.0
    for box in [Holding(p[0]), Holding(p[1])]:
        h = box + box
        h[0] = p[1][0] * 3
        total += h[0] * p[0][0]
    return total


def list_of_arrays(p: Any) -> Any:
    h = [p[0] * 1.0, p[1]] + [p[0]]
    h[1] += p[0]
    return (h[1] * p[1]).sum()


def array_kept_in_list(p: Any) -> Any:
    q = [p, p][0]
    h = q + q
    h[0] += q[1]
    return (h[0] * q[0]).sum()


def summed(p: Any) -> Any:
    s = 0.0
    for v in p:
        s += v
    return (s * s).sum()


def item_itself(p: Any) -> Any:
    t = p[0]
    t += p[1]
    return t.sum()


def two_names(p: Any) -> Any:
    t = p[0] * 2
    u = t
    t += p[1]
    return (u * t).sum()


def view_before(p: Any) -> Any:
    t = p[0] * 2
    u = t[:1]
    t += p[1]
    return (u.sum() * t).sum()


def held_in_list(p: Any) -> Any:
    t = p[0] * 2
    items = [t]
    t += p[1]
    return (items[0] * t).sum()


def method_between(p: Any) -> Any:
    t = p[0] * 2
    s = (t * t).sum()
    t *= p[1]
    t -= t.mean()
    return s * (t * t * p[0]).sum()


def numbers_in_list(p: Any) -> Any:
    xs = [p[0].sum()]
    xs += [p[1].sum()]
    return xs[0] * xs[1]


def copy_of_list(p: Any) -> Any:
    xs = p[:]
    xs += [p[0] * 2]
    return (xs[2] * xs[1]).sum() * len(p)


def numbers(p: Any) -> Any:
    a = p[0][0]
    a += p[1][0]
    b = a
    a *= 2
    return a * b


def in_loop(p: Any) -> Any:
    h = p[0] * 1.0
    for _ in range(2):
        h += p[1] * h
    return h.sum()


def in_branch(p: Any) -> Any:
    h = p[0] * 1.0
    g = h
    if p[0][0] > 0:
        h += p[1]
    return (g * h).sum()


def from_closure(p: Any) -> Any:
    f = lambda: p[0]  # noqa: E731
    t = f()
    t += 1.0
    return (t * p[0]).sum()


def held_in_dict(p: Any) -> Any:
    w = {"a": p[0] * 1.0}
    w["a"] += p[1]
    return (w["a"] * p[0]).sum()


class A:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __iadd__(self, o: Any) -> Any:
        self.v = self.v + o
        return self

    def __add__(self, o: Any) -> Any:
        return A(self.v + o)


def own_class(p: Any) -> Any:
    items = [A(p[0].sum())]
    a = items[0]
    a += p[1].sum()
    return a.v * items[0].v


def with_itself(p: Any) -> Any:
    t = p[0] * 1
    t += p[1]
    t += t
    return (t * t).sum()


def made_in_list(p: Any) -> Any:
    t = [p[0] * 1, p[1]]
    u = t[0]
    u += p[1]
    return (t[0] * u).sum()


class Showing:
    """Its operator gives an array that the object keeps."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def __mul__(self, k: Any) -> Any:
        return self.v

    __radd__ = __mul__


def given_by_an_operator(p: Any) -> Any:
    held = [Showing(p[0])]
    t = held[0] * 2
    t += p[1]
    return (t * held[0].v).sum()


def given_by_a_sum(p: Any) -> Any:
    held = [Showing(p[0])]
    t: Any = sum(held)
    t += p[1]
    return (t * held[0].v).sum()


def reshaped(p: Any) -> Any:
    t = p[0] * 2
    u = t.reshape(1, 2)
    t += p[1]
    return (u * t).sum()


def reduced(p: Any) -> Any:
    t = p[0] * 2
    u = t.mean()
    v = t.max()
    t *= p[1]
    return (u * v * t).sum()


def transposed(p: Any) -> Any:
    t = p[0] * 2
    u = t.T
    t *= p[1]
    return (u * t).sum()


def softmax(p: Any) -> Any:
    e = np.exp(p[0] - p[0].max())
    e /= e.sum()
    return (e * p[1]).sum()


def copied_by_method(p: Any) -> Any:
    t = p[0] * 1
    m = t.copy()
    t += p[1]
    return (m * t).sum()


def not_copied(p: Any) -> Any:
    t = p[0] * 1
    u = t.astype(float, copy=False)
    t += p[1]
    return (u * t).sum()


class Keeping:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __mul__(self, k: Any) -> Any:
        return Keeping(self.v * k)

    def __add__(self, o: Any) -> Any:
        return Keeping(self.v + o.v)

    def same(self) -> Any:
        return self


def of_objects(p: Any) -> Any:
    items = [Keeping(p[0]), Keeping(p[1])]
    t = items[0] * 2.0
    u = t.same()
    t += items[1]
    return (u.v * t.v).sum()


FOLLOWED: list[Any] = [
    copied,
    copied_by_numpy,
    items_in_place,
    added_up,
    as_integers,
    lists_of_lists,
    normalised,
    method_between,
    reduced,
    softmax,
    copied_by_method,
    of_objects,
    biased,
    summed,
    numbers_in_list,
    copy_of_list,
    numbers,
    in_loop,
    with_itself,
]
HELD: list[Any] = [
    in_branches,
    item_of_a_sum_of_lists,
    view_of_a_copy,
    view_kept,
    rows_of_a_copy,
    own_copy,
    own_copy_in_loop,
    list_of_arrays,
    array_kept_in_list,
    reshaped,
    transposed,
    not_copied,
    normalised,
    item_itself,
    two_names,
    view_before,
    held_in_list,
    method_between,
    in_branch,
    from_closure,
    held_in_dict,
    own_class,
    made_in_list,
    given_by_an_operator,
    given_by_a_sum,
]
Y, D = np.array([1.3, 0.7, 0.4, 1.1]), np.array([1.0, -0.5, 0.3, 0.7])


def halves(y: Any) -> list[Any]:
    return [y[:2].copy(), y[2:].copy()]


def check(f: Any) -> None:
    h = 1e-6
    value, (found,) = withgradient(f, halves(Y))
    assert value == f(halves(Y))
    expected = [(f(halves(Y + h * e)) - f(halves(Y - h * e))) / (2 * h) for e in np.eye(4)]
    np.testing.assert_allclose(np.concatenate(found), expected, rtol=1e-6, atol=1e-6)

    def line(t: Any) -> Any:
        return f([Y[:2] + t * D[:2], Y[2:] + t * D[2:]])

    second = (grad(line)(h) - grad(line)(-h)) / (2 * h)
    assert grad(grad(line))(0.0) == pytest.approx(second, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("f", FOLLOWED)
def test_what_nobody_else_can_hold(f: Any) -> None:
    check(f)


@pytest.mark.parametrize("f", HELD)
def test_what_others_may_hold(f: Any) -> None:
    try:
        check(f)
    except adjoint.errors.MutationError:
        return
