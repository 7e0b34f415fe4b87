"""Maps over models of every form."""

import enum
from collections import OrderedDict, namedtuple
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pytest

from adjoint import gradient, jvp
from adjoint.nn import Chain, Dense, leaves, relu, tree_map

Pair = namedtuple("Pair", "left right")


@dataclass(frozen=True, slots=True)
class Frozen:
    weight: float
    name: str = "frozen"


@dataclass
class Checked:
    weight: float
    twice: float = field(init=False)

    def __post_init__(self):
        self.twice = 2 * self.weight


class Plain:
    def __init__(self, weight):
        self.weight = weight
        self.children = [1.0, {"a": 2.0}]
        self.function = relu

    @cached_property
    def square(self):
        return self.weight**2


class Slotted:
    __slots__ = ("weight", "__secret", "unset")

    def __init__(self):
        self.weight, self.__secret = 1.0, 2.0

    def secret(self):
        return self.__secret


class Colour(enum.Enum):
    RED = 1.0


def double(x):
    return 2 * x


@pytest.mark.parametrize(
    ("model", "doubled"),
    [
        (1.5, 3.0),
        ((1.0, [2, 3.0]), (2.0, [4, 6.0])),
        ({"a": 1.0, "b": None}, {"a": 2.0, "b": None}),
        (OrderedDict(a=1.0), OrderedDict(a=2.0)),
        (Pair(1.0, "x"), Pair(2.0, "x")),
        (Frozen(1.0), Frozen(2.0)),
        ([True, "text", None, len, Colour.RED], [True, "text", None, len, Colour.RED]),
    ],
)
def test_every_form(model, doubled):
    mapped = tree_map(double, model)
    assert mapped == doubled
    assert type(mapped) is type(doubled)


def test_derived_fields_are_mapped_not_derived_again():
    mapped = tree_map(lambda x: x + 1, Checked(1.0))
    assert (mapped.weight, mapped.twice) == (2.0, 3.0)


def test_plain_objects():
    model = Plain(np.array([1.0, 2.0]))
    assert model.square[1] == 4.0
    mapped = tree_map(double, model)
    assert mapped.weight.tolist() == [2.0, 4.0] and mapped.children == [2.0, {"a": 4.0}] and mapped.function is relu
    assert mapped.square[1] == 16.0, "a cached property belongs to the old numbers"
    assert model.weight.tolist() == [1.0, 2.0] and model.children == [1.0, {"a": 2.0}]


def test_slots():
    mapped = tree_map(double, Slotted())
    assert (mapped.weight, mapped.secret()) == (2.0, 4.0)


def test_attributes_of_functions_are_left_alone():
    def function():
        pass

    function.count = 1.0
    assert tree_map(double, [function]) == [function]
    assert function.count == 1.0


def test_what_does_not_change_is_shared():
    model = {"a": [1.0], "b": [2.0]}
    mapped = tree_map(lambda x: x if x == 1.0 else 0.0, model)
    assert mapped["a"] is model["a"] and mapped["b"] == [0.0]


def test_arrays_of_no_axis_stay_arrays_and_tied():
    w = np.array(1.0)
    new = tree_map(lambda p: 2 * p, {"a": w, "b": [w], "c": 1.0})
    assert new["a"] is new["b"][0] and isinstance(new["a"], np.ndarray) and type(new["c"]) is float
    assert type(tree_map(np.sum, {"a": np.ones(2)})["a"]) is np.float64
    assert type(tree_map(lambda p: p > 0, {"a": w})["a"]) is np.bool_

    def f(w):
        new = tree_map(lambda p: p**3, {"a": w, "b": [w]})
        return new["a"] * new["b"][0]

    assert gradient(f, np.array(2.0))[0] == 6 * 2.0**5
    assert gradient(lambda w: gradient(f, w)[0], np.array(2.0))[0] == 30 * 2.0**4
    assert jvp(f, (np.array(2.0),), (np.array(1.0),))[1] == 6 * 2.0**5


def test_several_models_at_once():
    model, other = Chain(Dense(1, 1), relu), Chain(Dense(1, 1), relu)
    total = tree_map(lambda p, q: p + q, model, other)
    assert total[0].weight == model[0].weight + other[0].weight and total[1] is relu


def test_none_stands_for_everything_below_it():
    seen = []
    tree_map(lambda p, g: seen.append(g), {"a": (1.0, [2.0]), "b": Frozen(3.0)}, {"a": None, "b": Frozen(4.0)})
    assert seen == [None, None, 4.0]


def test_leaves():
    layer = Dense(2, 3, relu)
    found = list(leaves([layer, {"rate": 0.5, "name": "x"}, True]))
    assert found[0] is layer.weight and found[1] is layer.bias and found[2:] == [0.5]
