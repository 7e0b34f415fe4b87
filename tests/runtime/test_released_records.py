"""Cotangents of records that are handed over as they were made, and plans that look into records by their classes."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, grad, gradient, pullback
from adjoint.tangents import release


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any
    note: Any = None


class Plain:
    def __init__(self, first: Any, second: Any) -> None:
        self.first = first
        self.second = second


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a: Any, b: Any) -> None:
        self.a = a
        self.b = b


def product(p: Any) -> Any:
    return p.b * p.a * p.a


def swapped(p: Any) -> Any:
    return p.second * p.first


def test_fields_are_all_there_in_the_order_of_the_object() -> None:
    for _ in range(4):
        found = grad(product)(Pair(2.0, 3.0, "text"))
        assert [*found] == ["a", "b", "note"] and found == Tangent(Pair, {"a": 12.0, "b": 4.0, "note": None})
        assert [*grad(swapped)(Plain(2.0, 3.0))] == ["first", "second"]
        assert grad(product)(Pair(2.0, 3.0, 1.0)).note == 0.0
        assert grad(product)(Slotted(2.0, 3.0)) == Tangent(Slotted, {"a": 12.0, "b": 4.0})
    turned = Pair(2.0, 3.0)
    vars(turned)["a"] = vars(turned).pop("a")
    assert [*grad(product)(turned)] == ["b", "note", "a"]
    del turned.note
    turned.more = 4.0  # type: ignore[attr-defined]
    assert [*grad(product)(turned).__reduce__()[1][1].items()] == [("b", 4.0), ("a", 12.0), ("more", 0.0)]


def test_a_seed_stays_the_users_own() -> None:
    fields = {"a": 1.0, "b": 2.0, "note": None}
    seed = Tangent(Pair, fields)
    for _ in range(4):
        _, back = pullback(lambda p: p, Pair(2.0, 3.0))
        _, given = back(seed)
        fields["a"] = 5.0
        assert given == Tangent(Pair, {"a": 1.0, "b": 2.0, "note": None})


def test_arrays_are_its_own() -> None:
    seed = np.ones(2)
    shared = Tangent(Pair, {"a": seed, "b": seed, "note": None})
    x = Pair(np.zeros(2), np.zeros(2))
    found = release(Tangent(Plain, {"first": shared, "second": shared}), Plain(x, x), {id(seed): seed})
    arrays = [seed, *[inner[name] for inner in (found.first, found.second) for name in ("a", "b")]]
    assert len({id(a) for a in arrays}) == 5
    inner = Pair(np.zeros(2), 1.0)
    for _ in range(4):
        found = grad(lambda p: (p.first.a + p.second.a).sum() * p.first.b)(Plain(inner, inner))
        found.first.a[0] = 7.0
        assert found.second.a.tolist() == [1.0, 1.0]


PLAIN = Tangent(Plain, {"first": 1.0, "second": 2.0})


@pytest.mark.parametrize(
    ("inner", "bar"), [([1.0, 2.0], [3.0, 4.0]), ({"k": 1.0}, {"k": 3.0}), ([Plain(1.0, 2.0)], [PLAIN])]
)
def test_containers_are_its_own(inner: Any, bar: Any) -> None:
    held = Tangent(Pair, {"a": bar, "b": 1.0, "note": None})
    assert release(held, Pair(inner, 1.0), {}).a is not bar


def test_cotangents_as_they_are_kept_and_given_again() -> None:
    kept = Tangent(Pair, {"a": 1.0, "b": Tangent(Pair, {"a": 2.0, "b": 3.0, "note": None}), "note": None})
    x = Pair(1.0, Pair(1.0, 1.0))
    assert release(kept, x, {}) is kept
    assert release(kept, Pair(1.0, Pair(1.0, 1.0, 2)), {}).b.note == 0.0
    assert release(kept, Pair(np.float32(1.0), Pair(1.0, 1.0)), {}).a.dtype == np.float32
    assert release(kept, Pair(1.0, Pair(1.0, 1.0), [1.0]), {}).note == [0.0]
    assert release(kept, x, {}, False) is kept and release(None, x, {}, False) is None


def test_what_holds_itself() -> None:
    x = SimpleNamespace(a=2.0, inner=None)
    x.inner = x
    found = gradient(lambda x: x.a * x.inner.a * x.inner.inner.a, x)[0]
    assert found == Tangent(SimpleNamespace, {"a": 12.0, "inner": None})
    d = Tangent(SimpleNamespace, {"a": 1.0, "inner": Tangent(SimpleNamespace, {"a": 2.0, "inner": None})})
    assert release(d, x, {}).a == 3.0


class Noting:
    def __init__(self, n: int) -> None:
        self.n = n

    def __lt__(self, other: Any) -> bool:
        self.n += 1
        return False


def noted(p: Any) -> Any:
    return p.a * (p.b < 1.0) + p.a * getattr(p.b, "n", 2)


@pytest.mark.parametrize("kind", [Pair, Slotted])
def test_a_field_comes_to_hold_an_object_whose_comparison_stores(kind: Any) -> None:
    x = kind(3.0, 2.0)
    for _ in range(4):
        assert grad(noted)(x).a == 2.0
    for held in (Noting(4), 2.0, Noting(6), 2.0):
        x.b = held
        assert grad(noted)(x).a == getattr(held, "n", 2)


def test_the_class_of_a_record_comes_to_store() -> None:
    @dataclasses.dataclass
    class Own:
        a: Any
        n: int = 0

    x = Own(3.0)
    smaller = lambda p: p.a * (p < 1.0) + p.a * p.n  # noqa: E731
    Own.__lt__ = lambda self, other: True  # type: ignore[operator]
    for _ in range(4):
        assert grad(smaller)(x).a == 1.0

    def storing(self: Any, other: Any) -> bool:
        self.n += 1
        return False

    Own.__lt__ = storing  # type: ignore[operator]
    for i in range(1, 5):
        assert grad(smaller)(x).a == i and x.n == i
