"""Containers and arrays with fields besides what they hold: followed where they are made, refused as arguments."""

from collections import OrderedDict, deque, namedtuple
from functools import cached_property

import numpy as np
import pytest
from recording.derivatives import check_recorded

from adjoint import grad, gradient, jacobian, stop_gradient
from adjoint.calculus import pushforward
from adjoint.errors import NoRuleError
from adjoint.recording.entry import recorded

# mypy: disable-error-code="no-untyped-def"


class List(list):
    pass


class Dict(dict):
    pass


class Ordered(OrderedDict):
    pass


class Queue(deque):
    pass


class Tuple(tuple):
    pass


class Named(namedtuple("Named", "a b")):
    @property
    def total(self):
        return self.a * self.b

    @cached_property
    def kept(self):
        return self.a * self.b


class Slotted(list):
    __slots__ = ("scale",)


class Array(np.ndarray):
    pass


class Items(dict):
    """Its items are its attributes."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


class Asked(dict):
    """Its items are its attributes."""

    def __getattr__(self, name):
        return self[name]


class Itself(dict):
    """Its items are its attributes."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


class Scaled(list):
    def __init__(self, items, scale):
        super().__init__(items)
        self.scale = scale

    def total(self):
        return self.scale * sum(self)


def given(cls, *args):
    x = cls(*args)
    x.scale = 3.0
    return x


GIVEN = [
    given(List, [1.0, 2.0]), given(Dict, {0: 1.0, 1: 2.0}), given(Ordered, {0: 1.0}), given(Queue, [1.0]),
    given(Tuple, (1.0, 2.0)), given(Named, 1.0, 2.0), given(Slotted, [1.0]),
    given(lambda: np.ones(2).view(Array)),
]  # fmt: skip


def structured(p):
    return p.scale * p[0]


def stored(p):
    kept = [p[0]]
    kept[0] *= p.scale
    return kept[0]


def by_dict(p):
    return p[0] * (p.__dict__["scale"] if not isinstance(p, Slotted) else p.scale)


def by_vars(p):
    return p[0] * (vars(p)["scale"] if not isinstance(p, Slotted) else p.scale)


def only_the_field(p):
    return p.scale * 2.0


@pytest.mark.parametrize("p", GIVEN, ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("f", [structured, stored, by_dict, by_vars, only_the_field])
def test_a_field_of_an_argument_is_refused(f, p):
    for call in (
        lambda: gradient(f, p),
        lambda: gradient(lambda q: f(q[0]) * q[1], [p, 2.0]),
        lambda: gradient(lambda q: f(q["p"]) * q["x"], {"p": p, "x": 2.0}),
        lambda: float(recorded(f, p)[1](1.0)[1]),
        lambda: jacobian(lambda p: np.array([f(p)]), p, mode="forward"),
        lambda: jacobian(lambda p: np.array([f(p)]), p, mode="reverse"),
    ):
        with pytest.raises(NoRuleError, match=f"the attribute `scale` of a `{type(p).__name__}`") as e:
            call()
        assert "stop_gradient" in e.value.way_out


@pytest.mark.parametrize("p", GIVEN, ids=lambda p: type(p).__name__)
def test_a_field_that_is_not_differentiated(p):
    def fixed(p):
        return stop_gradient(p.scale) * p[0]

    def stored_fixed(p):
        kept = [p[0]]
        kept[0] *= stop_gradient(p.scale)
        return kept[0]

    for f in (structured, stored):
        assert grad(lambda x, p: x * f(p), argnums=0)(1.0, p) == 3.0  # noqa: B023
        assert gradient(lambda x: x * f(p), 1.0) == (3.0,)  # noqa: B023
    for f in (fixed, stored_fixed):
        bar = gradient(f, p)[0]
        assert bar[0] == 3.0
        assert isinstance(recorded(f, p)[1](1.0)[1], tuple | list | dict | np.ndarray)
    assert gradient(lambda p: p[0] * 2.0, p)[0][0] == 2.0


def test_a_tangent_that_leaves_a_field_unsaid():
    with pytest.raises(NoRuleError, match="the attribute `scale` of a `List`"):
        pushforward(structured, (GIVEN[0],), ([1.0, 0.0],))
    assert pushforward(lambda p: stop_gradient(p.scale) * p[0], (GIVEN[0],), ([1.0, 0.0],)) == (3.0, 3.0)


def test_fields_of_what_is_made_there():
    def scaled(x):
        s = Scaled([x, x * x], 2.0 * x)
        s.scale *= x
        return s.scale * s[1] + s.total()

    def changed(x):
        t = given(List, [x, 2.0])
        t.scale = t[0] * x
        return t.scale * t[0]

    for f in (scaled, changed):
        check_recorded(f)


def test_properties_of_named_tuples():
    def kept(p):
        return p.kept * p.a

    assert gradient(lambda p: p.total * p.a, Named(2.0, 3.0)) == (Named(12.0, 4.0),)
    assert gradient(kept, Named(2.0, 3.0)) == (Named(12.0, 4.0),)
    assert recorded(kept, Named(2.0, 3.0))[1](1.0)[1] == Named(12.0, 4.0)


@pytest.mark.parametrize("cls", [Items, Asked, Itself])
def test_items_that_are_attributes(cls):
    def read(p):
        return p.scale * p["a"] + p.a

    def read_and_stored(p):
        kept = [p.scale]
        kept.append(kept[0] * p["a"] + p.a)
        return kept[1]

    def made(x):
        p = cls(a=x, scale=2.0 * x)
        p["b"] = x
        return p.scale * p["a"] * p.b

    def changed(x):
        p = cls(a=x, b=1.0)
        if cls is not Asked:
            p.a = p["a"] * x
            p.c = p.a
            del p.b
        return p["a"] * p.a + len(p)

    for f in (read, read_and_stored):
        assert gradient(f, cls(a=1.5, scale=3.0)) == ({"a": 4.0, "scale": 1.5},)
        assert recorded(f, cls(a=1.5, scale=3.0))[1](1.0)[1] == {"a": 4.0, "scale": 1.5}
    assert jacobian(read, cls(a=1.5, scale=3.0), mode="forward")[0] == {"a": 4.0, "scale": 1.5}
    for f in (made, changed):
        check_recorded(f)
