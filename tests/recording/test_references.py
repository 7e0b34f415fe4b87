"""Weak references, and attributes that are read without running anything: they lead to objects that are in sight."""

import inspect
import types
import weakref

import pytest

from adjoint import Tangent, gradient, hvp
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError
from adjoint.testing import check_gradient

# mypy: disable-error-code="no-untyped-def"


class Model:
    scale = 2.0

    def __init__(self, w):
        self.w = w

    def square(self):
        return self.w * self.w


def of_a_field(x):
    return inspect.getattr_static(Model(x), "w") * x


def of_a_class(x):
    return inspect.getattr_static(Model(x), "scale") * x * x


def of_a_default(x):
    return inspect.getattr_static(Model(x), attr="absent", default=x * x) * x


def of_a_stored_class_attribute(x):
    Model.stored = x
    try:
        return inspect.getattr_static(Model, "stored") * x
    finally:
        del Model.stored


def by_a_reference(x):
    model = Model(x)
    return weakref.ref(model)().w * x


def by_values(x):
    model, known = Model(x), weakref.WeakValueDictionary()
    known["a"] = model
    model.w = x * x
    return sum(v.w for v in known.values()) * known["a"].w


def by_keys(x):
    model, known = Model(x), weakref.WeakKeyDictionary()
    known[model] = x
    return known[model] * x


def by_a_set(x):
    model, known = Model(x), weakref.WeakSet()
    known.add(model)
    return sum(m.w for m in known) * x


def by_a_proxy(x):
    model = Model(x)
    proxy = weakref.proxy(model)
    proxy.w = x * x
    return model.w * proxy.w


def by_a_method(x):
    model = Model(x)
    return weakref.WeakMethod(model.square)()() * x


PROGRAMS = [
    of_a_field, of_a_class, of_a_default, of_a_stored_class_attribute, by_a_reference, by_values, by_keys, by_a_set,
    by_a_proxy, by_a_method,
]  # fmt: skip


def recorded(f):
    def in_try(x):
        try:
            return f(x)
        except KeyError:
            return x

    return in_try


@pytest.mark.parametrize("f", PROGRAMS)
def test_they_are_followed(f):
    check_gradient(f, 1.5)
    check_gradient(recorded(f), 1.5)
    (slope,) = gradient(f, 1.5)
    assert pushforward(f, (1.5,), (1.0,))[1] == pytest.approx(slope)
    (step,) = hvp(f, (1.5,), (1e-4,))
    assert gradient(f, 1.5001)[0] - slope == pytest.approx(step, rel=1e-3)


@pytest.mark.parametrize(
    "f", [lambda m: inspect.getattr_static(m, "w") * 2.0, lambda m: weakref.ref(m)().w * 2.0], ids=["static", "weak"]
)
def test_of_an_argument(f):
    assert gradient(f, Model(3.0))[0].w == 2.0
    assert pushforward(f, (Model(3.0),), (Tangent(Model, {"w": 1.0}),)) == (6.0, 2.0)


class Method(weakref.ref):
    __slots__ = ("made",)

    def __new__(cls, model):
        self = weakref.ref.__new__(cls, model)
        self.made = types.MethodType
        return self

    def __call__(self):
        return self.made(Model.square, super().__call__())


def test_a_reference_of_a_class_of_its_own_is_refused():
    def f(x):
        model = Model(x)
        return Method(model)()()

    with pytest.raises(AdjointError):
        gradient(f, 1.5)
