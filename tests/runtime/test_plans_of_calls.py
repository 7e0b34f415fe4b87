"""Plans of calls whose arguments do not stand as the parameters of a function do: methods, objects, partial functions,
names, defaults and stars. The answers are those of the general way, and of finite differences."""

from __future__ import annotations

import collections
import functools

import numpy as np
import pytest

import adjoint
from adjoint import Tangent, grad, gradient, hessian, hvp, jvp, pullback, value_and_grad
from adjoint.calculus import pushforward
from adjoint.errors import NotDifferentiableError


def scaled(x, scale=1.5, *rest, shift=0.25, **named):
    total = scale * x * x + shift * x
    for r in rest:
        total = total + r * x
    for value in named.values():
        total = total * value
    return total


def by_name_only(x, *, power=2.0):
    return x**power


class Model:
    """Fields, a method with a default, and `__call__`."""

    def __init__(self, weight, bias):
        self.weight = weight
        self.bias = bias

    def loss(self, x, scale=2.0):
        return scale * self.weight * x * x + self.bias * x

    def __call__(self, x, *, gain=1.0):
        return gain * self.weight * x**3 + self.bias

    @classmethod
    def made(cls, x):
        return cls(x, 1.0).loss(x)

    @staticmethod
    def plain(x):
        return x * x


class Inherited(Model):
    def loss(self, x, scale=2.0):
        return super().loss(x, scale) * self.weight


class Pair(collections.namedtuple("Pair", "a b")):
    def product(self, x):
        return self.a * self.b * x


MODEL = Model(1.25, -0.5)
CALLS = [
    ("default", scaled, (2.0,), {}),
    ("by position", scaled, (2.0, 3.0), {}),
    ("name", scaled, (2.0,), {"scale": 3.0}),
    ("two names", scaled, (2.0,), {"shift": 1.0, "scale": 3.0}),
    ("all by name", scaled, (), {"x": 2.0, "scale": 3.0}),
    ("star", scaled, (2.0, 3.0, 0.5, 0.75), {}),
    ("names of a star", scaled, (2.0,), {"other": 3.0}),
    ("by name only", by_name_only, (2.0,), {}),
    ("by name only, given", by_name_only, (2.0,), {"power": 3.0}),
    ("method", MODEL.loss, (2.0,), {}),
    ("method by name", MODEL.loss, (2.0,), {"scale": 3.0}),
    ("method, full", MODEL.loss, (2.0, 3.0), {}),
    ("inherited", Inherited(1.25, -0.5).loss, (2.0,), {}),
    ("object", MODEL, (2.0,), {}),
    ("object by name", MODEL, (2.0,), {"gain": 3.0}),
    ("class method", Model.made, (2.0,), {}),
    ("static method", MODEL.plain, (2.0,), {}),
    ("function of the class", Model.loss, (MODEL, 2.0), {}),
    ("method of a tuple", Pair(2.0, 3.0).product, (2.0,), {}),
    ("partial", functools.partial(scaled, 2.0), (3.0,), {}),
    ("partial by name", functools.partial(scaled, scale=3.0), (2.0,), {}),
    ("partial, overridden", functools.partial(scaled, scale=3.0, shift=1.0), (2.0,), {"scale": 4.0}),
    ("partial of a method", functools.partial(MODEL.loss, scale=3.0), (2.0,), {}),
    ("partial of a partial", functools.partial(functools.partial(scaled, 2.0), shift=1.0), (3.0,), {}),
    ("partial of an object", functools.partial(MODEL, gain=2.0), (2.0,), {}),
]


def numbers(args, kwargs):
    return [("position", i) for i, x in enumerate(args) if isinstance(x, float)] + [("name", name) for name in kwargs]


@pytest.mark.parametrize(("f", "args", "kwargs"), [case[1:] for case in CALLS], ids=[case[0] for case in CALLS])
def test_gradients_by_each_argument_are_those_of_differences(f, args, kwargs):
    for kind, which in numbers(args, kwargs):

        def at(x, kind=kind, which=which):
            if kind == "name":
                return f(*args, **{**kwargs, which: x})
            return f(*args[:which], x, *args[which + 1 :], **kwargs)

        x = kwargs[which] if kind == "name" else args[which]
        expected = (at(x + 1e-6) - at(x - 1e-6)) / 2e-6
        slope = grad(f, which)
        for _ in range(4):  # the general way, a run that observes, and the plan
            assert slope(*args, **kwargs) == pytest.approx(expected, rel=1e-7)
            value, d = value_and_grad(f, which)(*args, **kwargs)
            assert value == f(*args, **kwargs) and d == slope(*args, **kwargs)


@pytest.mark.parametrize(("f", "args", "kwargs"), [case[1:] for case in CALLS], ids=[case[0] for case in CALLS])
def test_pullbacks_are_the_same_each_time(f, args, kwargs):
    first = pullback(f, *args, **kwargs)
    for _ in range(4):
        y, back = pullback(f, *args, **kwargs)
        assert y == f(*args, **kwargs)
        assert back(1.0) == first[1](1.0) and back(2.0) == first[1](2.0)
        assert len(back(1.0)) == 1 + len(args)


@pytest.mark.parametrize(("f", "args", "kwargs"), [case[1:] for case in CALLS], ids=[case[0] for case in CALLS])
def test_no_run_after_some_goes_the_general_way(f, args, kwargs, monkeypatch):
    packed = len(args) > 2 and f is scaled  # what a star packs has no plan by position
    slope = grad(f) if args else grad(f, "x")
    several = lambda: gradient(f, *args, **kwargs) if args and not packed else None  # noqa: E731
    for _ in range(4):
        expected = slope(*args, **kwargs), several()

    def general(*call):
        raise AssertionError("this call has a plan")

    monkeypatch.setattr("adjoint.gradients.value_and_bars", general)
    monkeypatch.setattr("adjoint.api.value_and_bars", general)
    assert (slope(*args, **kwargs), several()) == expected


def test_what_a_method_and_a_partial_hold_has_its_cotangent():
    for _ in range(4):
        _, back = pullback(MODEL.loss, 2.0)
        held, x_bar = back(1.0)
        assert held["__self__"] == Tangent(Model, {"weight": 8.0, "bias": 2.0}) and x_bar == 9.5
        _, back = pullback(MODEL, 2.0)
        assert back(1.0) == (Tangent(Model, {"weight": 8.0, "bias": 1.0}), 15.0)
        _, back = pullback(functools.partial(scaled, 2.0, shift=1.0), 3.0)
        held, x_bar = back(1.0)
        assert held["args"] == (13.0,) and held["keywords"] == {"shift": 2.0} and x_bar == 4.0


def test_a_default_that_is_changed_is_the_new_one():
    def f(x, scale=2.0, *, power=2.0):
        return scale * x**power

    slope = grad(f)
    assert [slope(3.0) for _ in range(4)] == [12.0] * 4
    f.__defaults__ = (5.0,)
    assert slope(3.0) == 30.0
    f.__kwdefaults__ = {"power": 3.0}
    assert slope(3.0) == 135.0
    f.__kwdefaults__ = None
    with pytest.raises(TypeError, match="power"):
        slope(3.0)


def test_a_tuple_is_not_taken_for_what_a_star_packs():
    def f(x, *rest):
        return x * sum([sum(r) if isinstance(r, tuple) else 10.0 * r for r in rest])

    slope = grad(f)
    for _ in range(4):
        assert slope(1.0, 2.0, 3.0) == 50.0
        assert slope(1.0, (2.0, 3.0)) == 5.0


def test_the_class_of_an_object_may_get_another_method():
    class Thing:
        def __init__(self):
            self.w = 2.0

        def area(self, x):
            return self.w * x

        def __call__(self, x):
            return self.w * x

    thing = Thing()
    assert [grad(thing)(3.0) for _ in range(4)] == [2.0] * 4
    assert [grad(thing.area)(3.0) for _ in range(4)] == [2.0] * 4
    Thing.__call__ = lambda self, x: self.w * x * x
    Thing.area = lambda self, x: self.w * x * x
    assert grad(thing)(3.0) == 12.0 and grad(thing.area)(3.0) == 12.0
    thing.w = np.array([1.0, 2.0])
    thing.area = lambda x: x**3
    assert grad(thing.area)(3.0) == 27.0


def test_methods_that_store_leave_what_the_plain_program_leaves():
    class Counter:
        def __init__(self):
            self.total = 0.0

        def add(self, x, scale=2.0):
            self.total = self.total + scale * x
            return self.total * x

    plain, ours = Counter(), Counter()
    for k in range(6):
        y, d = value_and_grad(ours.add)(1.0 + k)
        assert y == plain.add(1.0 + k)
        assert ours.total == plain.total
        assert d == pytest.approx(ours.total + 2.0 * (1.0 + k))


def test_who_is_asked_for_is_found_as_python_finds_it():
    slope = grad(functools.partial(scaled, scale=3.0), "scale")
    for _ in range(3):
        assert slope(2.0) == 4.0
    with pytest.raises((NotDifferentiableError, TypeError)):
        grad(MODEL.loss, "self")(2.0)
    assert grad(Model.loss, -1)(MODEL, 2.0) == 9.5
    for _ in range(3):
        assert grad(Model.loss, -2)(MODEL, 2.0) == Tangent(Model, {"weight": 8.0, "bias": 2.0})
        with pytest.raises(NotDifferentiableError):
            grad(MODEL.loss, -2)(2.0)


def test_rules_of_a_method_win_over_its_plan():
    class Ruled:
        def f(self, x):
            return x * x

    thing = Ruled()
    assert [grad(thing.f)(3.0) for _ in range(4)] == [6.0] * 4
    adjoint.rule(Ruled.f)(lambda self, x: (x * x, lambda d: (None, 100.0 * d)))
    assert grad(thing.f)(3.0) == 100.0


BY_NUMBER = [case for case in CALLS if case[2] and isinstance(case[2][0], float)]


@pytest.mark.parametrize(("f", "args", "kwargs"), [c[1:] for c in BY_NUMBER], ids=[c[0] for c in BY_NUMBER])
def test_tangents_and_second_derivatives_are_those_of_differences(f, args, kwargs):
    h = 1e-4
    moved = [f(args[0] + k * h, *args[1:], **kwargs) for k in (-1, 0, 1)]
    first, second = (moved[2] - moved[0]) / (2 * h), (moved[2] - 2 * moved[1] + moved[0]) / h**2
    dots = (1.0, *(0.0,) * (len(args) - 1))
    for _ in range(4):
        y, y_dot = jvp(f, args, dots, **kwargs)
        assert y == f(*args, **kwargs) and y_dot == pytest.approx(first, rel=1e-6)
        products = hvp(f, args, dots, **kwargs)
        assert len(products) == len(args)
        assert products[0] == pytest.approx(second, rel=1e-5, abs=1e-6)
        assert hessian(f)(*args, **kwargs) == pytest.approx(second, rel=1e-5, abs=1e-6)
        assert grad(grad(f))(*args, **kwargs) == pytest.approx(second, rel=1e-5, abs=1e-6)
        all_of_them = hessian(f, *args, **kwargs)
        corner = all_of_them[0][0] if len(args) > 1 else all_of_them
        assert corner == pytest.approx(second, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(("f", "args", "kwargs"), [case[1:] for case in CALLS], ids=[case[0] for case in CALLS])
def test_tangents_and_pullbacks_are_adjoint(f, args, kwargs):
    dots = tuple([0.3 + 0.2 * i if isinstance(x, float) else None for i, x in enumerate(args)])
    for _ in range(4):
        _, y_dot = jvp(f, args, dots, **kwargs)
        bars = pullback(f, *args, **kwargs)[1](1.5)[1:]
        pairs = [(bar, dot) for bar, dot in zip(bars, dots, strict=True) if dot is not None]
        assert 1.5 * y_dot == pytest.approx(sum([bar * dot for bar, dot in pairs]))


def test_what_a_method_holds_moves_along_a_tangent_of_its_own():
    direction = Tangent(type(MODEL.loss), {"__self__": Tangent(Model, {"weight": 1.0, "bias": 0.0})})
    for _ in range(3):
        assert jvp(lambda m, x: m.loss(x), (MODEL, 2.0), (direction["__self__"], 0.0))[1] == 8.0
        assert pushforward(MODEL.loss, (2.0,), (direction, 0.0))[1] == 8.0
        assert pushforward(MODEL.loss, (2.0,), (None, 1.0))[1] == 9.5
