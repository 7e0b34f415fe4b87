"""What values lead to: the owners of arrays, by references, without asking the objects on the way."""

from __future__ import annotations

import weakref

import numpy as np

from adjoint.runtime.owners import owner_of, reached


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
