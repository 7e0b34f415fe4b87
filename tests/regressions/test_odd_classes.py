"""Classes and objects that say otherwise than others what they are, or what is done with them."""

from __future__ import annotations

import copy
import functools
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, value_and_grad, withgradient
from adjoint.errors import CompileFallbackWarning, NoRuleError, UnsupportedSyntaxError

# mypy: disable-error-code="no-untyped-def"


class Every(type):
    def __instancecheck__(cls, x):
        return True


class Anything(metaclass=Every):
    pass


def asking(x):
    s = 0.0
    for _ in range(3):
        s += 2.0 * x if isinstance(x, Anything) else 5.0 * x
    return s


def test_instances_by_a_metaclass() -> None:
    assert withgradient(asking, 2.0) == (12.0, (6.0,))
    pytest.importorskip("numba")
    with pytest.warns(CompileFallbackWarning, match="whose metaclass says what its instances are"):
        assert value_and_grad(asking, compile=True)(2.0) == (12.0, 6.0)


class Tenfold(float):
    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        return 10 * getattr(ufunc, method)(*[float(a) if isinstance(a, Tenfold) else a for a in args], **kwargs)


class Listed(list):  # type: ignore[type-arg]
    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        return 10 * getattr(ufunc, method)(*[list(a) if isinstance(a, Listed) else a for a in args], **kwargs)


HOOKED: list[Any] = [
    lambda x: np.add(x, Tenfold(2.0)),
    lambda x: np.hypot(x, Tenfold(2.0)),
    lambda x: np.float64(x) * Tenfold(2.0),
    lambda x: (np.array([x, x]) * Tenfold(2.0)).sum(),
    lambda x: np.add(np.array([x, x]), Listed([1.0, 2.0])).sum(),
    lambda x: (np.array([x, x]) - Listed([1.0, 2.0])).sum(),
]


@pytest.mark.parametrize("f", HOOKED)
def test_a_class_that_takes_over_functions_of_numpy_is_refused(f: Any) -> None:
    def stored(x):
        a = [0.0]
        a[0] = x
        return f(a.pop())

    for g in (f, stored):
        with pytest.raises((NoRuleError, UnsupportedSyntaxError), match="has a `__array_ufunc__`|.__array_ufunc__`"):
            gradient(g, 2.0)


def test_where_it_takes_nothing_over_its_rules_hold() -> None:
    assert withgradient(lambda x: x * Tenfold(2.0), 3.0) == (6.0, (2.0,))
    assert withgradient(lambda x: np.exp(Tenfold(0.0)) * x, 3.0) == (30.0, (10.0,))


class Callable:
    def __call__(self, y):
        return self.a * y


TARGETS = []


def test_what_is_stored_into_a_callable_proxy() -> None:
    wrapt = pytest.importorskip("wrapt")
    target = Callable()
    outside = wrapt.CallableObjectProxy(target)

    def made_inside(x):
        proxy = wrapt.CallableObjectProxy(Callable())
        proxy.a = x * x
        return proxy(3.0)

    def by_proxy(x):
        outside.a = x * x
        return target(3.0)

    def by_target(x):
        target.a = x * x
        return outside(3.0)

    def by_global(x):
        TARGETS[0].a = x * x
        return TARGETS[1](3.0)

    TARGETS[:] = [target, outside]
    for f in (made_inside, by_proxy, by_target, by_global):
        with pytest.raises(UnsupportedSyntaxError, match="stands for an object of another class"):
            gradient(f, 2.0)


def test_decorators_of_wrapt() -> None:
    wrapt = pytest.importorskip("wrapt")

    @wrapt.decorator
    def same(wrapped, instance, args, kwargs):
        return wrapped(*args, **kwargs)

    @same
    class Held:
        def __init__(self, a):
            self.a = a

    assert withgradient(lambda x: Held(x).a * x, 3.0) == (9.0, (6.0,))

    @same
    def squared(x):
        return x**2

    for f in (squared, functools.lru_cache(squared), functools.partial(squared)):
        assert withgradient(f, 3.0) == (9.0, (6.0,))

    def decorated_inside(x):
        @wrapt.decorator
        def twice(wrapped, instance, args, kwargs):
            return 2 * wrapped(*args, **kwargs)

        return twice(lambda y: y * y)(x)

    with pytest.raises(UnsupportedSyntaxError, match="stands for an object of another class"):
        gradient(decorated_inside, 2.0)


def test_a_method_of_plum_that_is_bound() -> None:
    plum = pytest.importorskip("plum")

    class Scale:
        k = 3.0

        @plum.dispatch
        def scale(self, y: float):
            return 2 * y * self.k

        @plum.dispatch
        def scale(self, y: int):  # noqa: F811
            return 30 * y

    assert withgradient(Scale().scale, 2.0) == (12.0, (6.0,))
    assert withgradient(Scale().scale, 2) == (60, (30.0,))


class Squared:
    def __init__(self, a):
        self.a = a

    @property
    def value(self):
        return self.a**2


@pytest.mark.parametrize(
    "f",
    [
        lambda x: Squared.value.__get__(Squared(x), Squared),
        lambda x: Squared.__dict__["value"].__get__(Squared(x)),
        lambda x: Squared.value.fget(Squared(x)),  # type: ignore[attr-defined]
        lambda x: Squared.value.__get__(None, Squared).fget(Squared(x)),
    ],
)
def test_a_property_that_is_asked_by_its_own_method(f: Any) -> None:
    assert withgradient(f, 3.0) == (9.0, (6.0,))


class Unhashable(type):
    __hash__ = None  # type: ignore[assignment]

    def __eq__(cls, other):
        return cls is other


class Plain(metaclass=Unhashable):
    def __init__(self, a):
        self.a = a


def test_a_class_that_is_not_hashable_is_refused() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="the class `Plain` is not hashable"):
        gradient(lambda x: Plain(x).a * x, 2.0)


@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (lambda x: x.__int__() * x, 2.0),
        (lambda x: x.__trunc__() * x, 2.0),
        (lambda x: x.__floor__() * x, 2.0),
        (lambda x: x.__ceil__() * x, 3.0),
        (lambda x: x.__round__() * x, 2.0),
        (lambda x: x.__round__(1) * x, 2.5),
        (lambda x: x.__float__() * x, 5.0),
    ],
)
def test_conversions_by_their_methods(f: Any, slope: float) -> None:
    for g in (f, lambda x: f([x].pop())):
        assert withgradient(g, 2.5) == (f(2.5), (slope,))


class Copied:
    def __init__(self, v):
        self.v = v

    def __copy__(self):
        made = Copied(self.v)
        made.v = made.v * 2
        return made


def test_a_copy_is_made_by_its_own_method_alone() -> None:
    assert withgradient(lambda x: copy.copy(Copied(x)).v * x, 3.0) == (18.0, (12.0,))
    assert withgradient(lambda x: copy.deepcopy(Copied(x)).v * x, 3.0) == (9.0, (6.0,))


class Taking:
    """What takes over functions of NumPy."""

    def __init__(self, v):
        self.v = v

    def __array_function__(self, f, types, args, kwargs):
        return self.v * 3.0

    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        return self.v * 2.0


class TakingAndStoring(Taking):
    def __array_function__(self, f, types, args, kwargs):
        SEEN[0] = self.v * self.v
        return 1.0


SEEN = [0.0]
CONSTANT = Taking(1.0)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.zeros(3, like=Taking(x)) * x,
        lambda x: np.array([1.0], like=Taking(x)) * x,
        lambda x: np.add(1.0, 2.0, out=Taking(x)) * x,
        lambda x: np.copyto(Taking(x), 1.0) * x,
        lambda x: np.block([[Taking(x)], [1.0]]) * x,
        lambda x: np.concatenate(arrays=[Taking(x), 1.0]) * x,
        lambda x: np.exp(Taking(x)) * x,
        lambda x: (np.sum(TakingAndStoring(x)), SEEN[0] * x)[1],
    ],
)
def test_an_object_that_takes_over_functions_of_numpy_is_refused(f: Any) -> None:
    for g in (f, lambda x: f([x].pop())):
        with pytest.raises(UnsupportedSyntaxError, match="may run `Taking.*`"):
            gradient(g, 1.5)


@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (lambda x: np.sum(CONSTANT) * x, 3.0),
        (lambda x: np.add(CONSTANT, 1.0) * x, 2.0),
        (lambda x: np.zeros(3, like=CONSTANT) * x, 3.0),
    ],
)
def test_where_nothing_flows_into_it_it_runs(f: Any, slope: float) -> None:
    for g in (f, lambda x: f([x].pop())):
        assert withgradient(g, 1.5) == (f(1.5), (slope,))
