"""What values lead to: the owners of arrays, by references, without asking the objects on the way."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from adjoint import pullback
from adjoint.runtime.owners import DEEP, owner_of, reached


class Model:
    pass


def test_arrays_are_found_behind_containers_and_views() -> None:
    a, b = np.ones(3), np.ones(2)
    owners, seen = reached([{"a": a[1:]}, (b,)])
    assert {id(owner_of(a)), id(owner_of(b))} <= owners and id(a) not in seen - owners


def test_a_proxy_whose_object_is_gone_is_not_asked() -> None:
    model = Model()
    held = [weakref.proxy(model), np.ones(2)]
    del model
    assert id(held[1]) in reached(held)[0]


class Equal(type):
    """A class of classes that are equal and have no hash."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(cls, other: object) -> bool:
        return True


class Unhashable(metaclass=Equal):
    held = np.ones(2)


def test_a_class_without_a_hash_leads_to_what_it_holds() -> None:
    owners, _ = reached([Unhashable], closed=DEEP, methods=False)
    assert id(Unhashable.held) in owners


def test_who_has_such_a_class_has_gradients() -> None:
    known = {"class": Unhashable, "factor": np.array([2.0, 3.0])}

    def f(x: Any) -> Any:
        known["product"] = known["factor"] * x
        return known["product"]

    y, back = pullback(f, np.array([1.0, 2.0]))
    assert y is known["product"] and back(np.ones(2))[1].tolist() == [2.0, 3.0]
