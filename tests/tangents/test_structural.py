"""The cotangent of a record: fields of any name, immutable, to be pickled; zeros, ownership, one sweep's state."""

import pickle
import threading
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint.tangents import Tangent, densify, one_like, release, zeros_like
from adjoint.tangents.structural import class_of, fields_of

Pair = namedtuple("Pair", "a b")


@dataclass
class Layer:
    """A record with what carries a derivative and what does not."""

    w: Any
    name: str = "layer"


class Slotted:
    """A record with slots."""

    __slots__ = ("v",)

    def __init__(self, v: Any) -> None:
        self.v = v


def test_fields_are_read_as_attributes_and_items() -> None:
    t = Tangent(Layer, {"w": 1.0, "name": None})
    assert (t.w, t["w"], t.name, len(t), list(t), "w" in t) == (1.0, 1.0, None, 2, ["w", "name"], True)
    assert repr(t) == "Tangent(Layer)(w=1.0, name=None)"
    with pytest.raises(AttributeError, match="no field 'v'.*w, name"):
        _ = t.v
    with pytest.raises(AttributeError, match="immutable"):
        t.w = 2.0


def test_fields_may_be_called_anything() -> None:
    t = Tangent(Layer, {"_cls": 1.0, "_fields": 2.0, "items": 3.0, "keys": 4.0})
    assert (t["_cls"], t["_fields"], t.items, t.keys) == (1.0, 2.0, 3.0, 4.0)
    assert class_of(t) is Layer and set(fields_of(t)) == {"_cls", "_fields", "items", "keys"}


def test_equality_sum_and_pickle() -> None:
    t = Tangent(Layer, {"w": 1.0})
    assert t == Tangent(Layer, {"w": 1.0}) and t != Tangent(Slotted, {"w": 1.0}) and t != 1.0
    assert t + t == Tangent(Layer, {"w": 2.0})
    assert pickle.loads(pickle.dumps(t)) == t
    with pytest.raises(TypeError):
        hash(t)


ZEROS: list[tuple[Any, Any]] = [
    (2.0, 0.0),
    (2, 0.0),
    (True, None),
    (1j, 0j),
    ("s", None),
    (None, None),
    ((1.0, "s"), (0.0, None)),
    (Pair(1.0, [2]), Pair(0.0, [0.0])),
    ({"a": 1.0}, {"a": 0.0}),
    (Layer(2.0), Tangent(Layer, {"w": 0.0, "name": None})),
    (Slotted(2.0), Tangent(Slotted, {"v": 0.0})),
    (len, None),
    (range(3), None),
]


@pytest.mark.parametrize(("x", "zero"), ZEROS, ids=lambda x: repr(x).partition(" object at")[0])
def test_zeros(x: Any, zero: Any) -> None:
    assert zeros_like(x) == zero and type(zeros_like(x)) is type(zero)
    assert densify(None, x) == zero


def test_zeros_of_arrays() -> None:
    assert zeros_like(np.ones(2, np.float32)).dtype == np.float32
    assert zeros_like(np.ones(2, int)).dtype == np.float64
    assert zeros_like(np.array([True])) is None and type(zeros_like(np.float32(1))) is np.float32


def test_zeros_only_where_nothing_flowed() -> None:
    assert densify((1.0, None), (2.0, 3.0)) == (1.0, 0.0)
    assert densify({"a": 1.0}, {"a": 2.0, "b": [3.0]}) == {"a": 1.0, "b": [0.0]}
    assert densify(Tangent(Layer, {"w": None}), Layer([1.0])) == Tangent(Layer, {"w": [0.0], "name": None})
    assert release(Tangent(Layer, {}), Layer(1.0), {}, zeros=False) == Tangent(Layer, {"w": None, "name": None})


@pytest.mark.parametrize(("y", "kind"), [(2, float), (2.0, float), (np.float32(2), np.float32), (True, float)])
def test_seeds(y: Any, kind: type) -> None:
    assert one_like(y) == 1 and type(one_like(y)) is kind
    assert one_like(np.ones((), np.float32)).dtype == np.float32
    assert one_like(np.ones((), int)).dtype == np.float64


def test_what_is_handed_out_shares_no_memory() -> None:
    given, fresh = np.ones(4), np.ones(4)
    taken = {id(given): given}
    d = (given, [fresh], {"k": fresh}, Tangent(Layer, {"w": given}), fresh[:2])
    x = (given, [fresh], {"k": fresh}, Layer(given), fresh[:2])
    first, second = release(fresh, np.zeros(4), taken), release(d, x, taken)
    assert first is fresh
    arrays = [second[0], second[1][0], second[2]["k"], second[3].w, second[4], first, given]
    assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])


def test_cotangents_of_shared_variables_belong_to_one_sweep_of_one_thread() -> None:
    from adjoint.tangents import add_at_location, take_at_location
    from adjoint.tangents.sweep import in_sweep

    here, there = object(), []

    def elsewhere() -> None:
        in_sweep(lambda: there.append(take_at_location(here)))

    def sweep() -> list[Any]:
        add_at_location(here, 1.0)
        add_at_location(here, None)
        add_at_location(here, 2.0)
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return [in_sweep(lambda: take_at_location(here)), take_at_location(here), take_at_location(here)]

    assert in_sweep(sweep) == [None, 3.0, None] and there == [None]
    with pytest.raises(RuntimeError):
        add_at_location(here, 1.0)


@pytest.mark.parametrize(
    "factor", [0.5, np.float64(0.5), np.float32(0.5), np.array(0.5), np.int64(2), np.complex128(1j)]
)
def test_numbers_of_numpy_scale(factor: Any) -> None:
    g = Tangent(Layer, {"weight": np.ones(2), "bias": 2.0, "name": None})
    for scaled in (factor * g, g * factor, g / (1 / factor)):
        assert type(scaled) is Tangent and scaled.name is None
        np.testing.assert_allclose(scaled.weight, factor * np.ones(2))
        np.testing.assert_allclose(scaled.bias, factor * 2.0)


def test_arrays_with_an_axis_scale_no_cotangent() -> None:
    g = Tangent(Layer, {"weight": np.ones(2)})
    for scale in (lambda: np.ones(2) * g, lambda: g * np.ones(2), lambda: np.float64(1.0) + g):
        with pytest.raises(TypeError):
            scale()
