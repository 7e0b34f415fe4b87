"""What functions of NumPy write into arrays that others may have: `ufunc.at`, `out=` of all kinds, `np.copyto`."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import MutationError
from adjoint.rules.numpy import writing
from adjoint.tangents import located as shadows

from .held_to_python import hold, hold_errors, hold_to_recorded


def two() -> tuple[Any, ...]:
    return np.linspace(0.3, 1.7, 6), np.linspace(1.2, 0.4, 6)


def matrix() -> tuple[Any, ...]:
    return np.linspace(-0.5, 1.7, 12).reshape(3, 4).copy(), np.linspace(1.2, 0.4, 4)


def at_places(u: Any, w: Any) -> Any:
    np.subtract.at(u, [1, 1, 3], w[:3] * u[0])
    np.multiply.at(u, [2, 0, 2, 2], w[:4])
    np.divide.at(u, np.array([4, 0, 4]), w[:3])
    np.negative.at(u, [0, 0, 1])
    np.add.at(u, [5, 5], w[4])
    np.power.at(w, [2, 2, 3], 2.0)
    return float((u**2 * w).sum() + u[1] * w[0])


def extremes(u: Any, w: Any) -> Any:
    np.maximum.at(u, [0, 1, 0, 3], 1.1 * w[2:])
    np.minimum.at(u, np.array([5, 5, 4, 2]), w[:4] * w[0])
    return float((u**3).sum() + (u * w).sum())


def at_places_of_two(a: Any, v: Any) -> Any:
    np.multiply.at(a, ([0, 2, 0], [1, 1, 1]), v[:3])
    np.subtract.at(a, (slice(None), [0, 0]), v[:2] * a[1, 2])
    np.subtract.at(a, 1, v)
    np.multiply.at(a[:, 1:], [0, 0], v[0])
    return float((a**2).sum())


def of_its_own_items(u: Any, w: Any) -> Any:
    """NumPy reads what is added before it stores any."""
    np.multiply.at(u, [1, 1, 3], u[:3])
    np.add.at(u, [0, 1, 2], u[:3])
    np.subtract.at(u, [0, 0, 2], u[1:4])
    return float((u**2 * w).sum())


def into_tuples(a: Any, v: Any) -> Any:
    np.subtract(a[:, 0], v[:3], out=(a[:, 2],))
    np.multiply(a[0], v, out=(v,))
    return float((a**2).sum() + v.sum())


def chosen(a: Any, v: Any) -> Any:
    np.sum(a, axis=0, where=a > 0.2, out=v)
    np.prod(a, axis=0, where=a > 0, initial=2.0, out=a[1])
    a.mean(axis=0, where=np.array([[True], [False], [True]]), out=a[0])
    np.add.reduce(a, axis=0, initial=0.5, where=a > 0.1, out=a[2])
    return float((a * v).sum() ** 2)


def accumulated(u: Any, w: Any) -> Any:
    np.maximum.accumulate(u * w, out=u)
    np.add.accumulate(u[:4], out=w[2:])
    np.multiply.accumulate(w, out=w)
    np.cumsum(u[::-1], out=u[::-1])
    return float((u**2 * w).sum())


def joined(u: Any, w: Any) -> Any:
    out = np.empty(12)
    np.concatenate([u, w * w], out=out)
    both = np.zeros((2, 6))
    np.stack((u, w), out=both)
    np.concatenate([both[0, :3], u[3:]], out=w)
    np.take(out, [7, 0, 4, 4, 1, 2], out=u)
    return float((out**2).sum() * u[0] + (u * w).sum() + both[1] @ w)


def joined_into_itself(u: Any, w: Any) -> Any:
    np.concatenate([u[3:], w[:3]], out=u)
    return float((u**2 * w).sum())


def copied(a: Any, v: Any) -> Any:
    np.copyto(a, v, where=a > 0.4)
    np.copyto(a[0], 2.0, where=np.array([False, True, False, True]))
    np.copyto(a[1:], v * a[0, 0], where=[True, False, True, True])
    return float((a**2).sum() + (v**3).sum())


def told_by_name(a: Any, v: Any) -> Any:
    np.copyto(src=v * a[0, 1], dst=a[1])
    np.copyto(where=a > 0.4, dst=a, src=v)
    np.put(a, v=v[:2] * a[2, 0], ind=[0, 7])
    np.putmask(a, values=v[:1], mask=a > 1.2)
    return float((a**2).sum() + (v**3).sum())


CASES = [
    *((at_places, two), (extremes, two), (at_places_of_two, matrix), (of_its_own_items, two)),
    *((into_tuples, matrix), (chosen, matrix), (accumulated, two), (joined, two), (copied, matrix)),
    (told_by_name, matrix),
]


@pytest.mark.parametrize(("f", "make"), CASES)
def test_programs(f: Any, make: Any) -> None:
    hold(f, make)


def test_a_list_that_is_written_into() -> None:
    """NumPy stores before it has read all: what it leaves depends on how far it has come."""
    with pytest.raises(MutationError, match="stores into memory that it reads"):
        gradient(joined_into_itself, *two())


def test_an_error_half_way() -> None:
    def f(u: Any, w: Any) -> Any:
        np.multiply.at(u, [0, 1], 2.0)
        np.subtract.at(w, [0, 99], u[:2])
        return u.sum()

    hold_errors(f, two, IndexError)


def test_one_array_by_two_names() -> None:
    def f(rows: Any) -> Any:
        np.multiply.at(rows[0], [0, 1, 0], rows[2])
        np.copyto(rows[1], rows[0], where=rows[2] > 0.5)
        return float((rows[0] * rows[1]).sum() + rows[2][0])

    def make() -> tuple[Any, ...]:
        a = np.array([0.3, 1.2, 0.7])
        return ([a, np.array([1.5, 0.2, 0.6]), a],)

    hold_to_recorded(f, make)


def test_planted(monkeypatch: Any) -> None:
    """Places that are named again in one turn, and what a store leaves of what has come to it, are found."""
    u, w = two()
    right = gradient(at_places, u.copy(), w.copy())
    monkeypatch.setattr(writing.turns, "__code__", (lambda places: [np.arange(places.size)]).__code__)
    assert not np.allclose(right[0], gradient(at_places, u.copy(), w.copy())[0])
    monkeypatch.undo()
    np.testing.assert_allclose(right[0], gradient(at_places, u.copy(), w.copy())[0])
    kept = inspect.getsource(shadows.take_from_window)
    assert "window[key] = 0.0" in kept
    space: dict[str, Any] = {}
    exec(kept.replace("window[key] = 0.0", "pass"), vars(shadows) | {"__name__": "planted"}, space)  # noqa: S102
    monkeypatch.setattr(shadows.take_from_window, "__code__", space["take_from_window"].__code__)
    assert not np.allclose(right[0], gradient(at_places, u.copy(), w.copy())[0])
