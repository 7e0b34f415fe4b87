"""Which argument: by any integer that is one, and by no flag; and what is said where the value is no number."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from adjoint import grad, gradient, hessian, jacobian, pullback, value_and_grad
from adjoint.calculus import derivative, elementwise_grad
from adjoint.errors import AdjointError, CompileError, NotDifferentiableError, NotScalarError
from adjoint.sparse import find_sparsity


def product(x, y):
    return x * x * y


FACE = {
    "grad": lambda argnums: grad(product, argnums)(2.0, 3.0),
    "value_and_grad": lambda argnums: value_and_grad(product, argnums)(2.0, 3.0)[1],
    "elementwise_grad": lambda argnums: elementwise_grad(product, argnums)(2.0, 3.0),
    "jacobian": lambda argnums: jacobian(product, 2.0, 3.0, argnums=argnums),
    "hessian": lambda argnums: hessian(lambda x, y: product(x, y) ** 2, 2.0, 3.0, argnums=argnums),
    "find_sparsity": lambda argnums: (
        find_sparsity(lambda x, y: x * y[:1], np.ones(2), np.ones(2), argnums=argnums).shape
    ),
    "in a program": lambda argnums: grad(lambda x, y: grad(product, argnums)(x, y) ** 2)(2.0, 3.0),
}


@pytest.mark.parametrize("called", FACE)
def test_integers_of_numpy(called):
    for place in (0, 1, -1):
        right = FACE[called](place)
        for argnums in (np.int64(place), np.int8(place)):
            assert FACE[called](argnums) == right
    if called not in ("in a program", "hessian"):
        assert np.array_equal(FACE[called](np.array([0, 1])), FACE[called]((0, 1)))


@pytest.mark.parametrize("called", FACE)
@pytest.mark.parametrize("argnums", [True, False, (True,), [0, False], 2.0, np.ones(2), np.bool_(True)], ids=repr)
def test_what_is_no_place(called, argnums):
    with pytest.raises(NotDifferentiableError, match="`argnums` is") as error:
        FACE[called](argnums)
    assert ("(f)(x)`" in error.value.way_out) == (not isinstance(argnums, bool))
    if called in ("elementwise_grad", "jacobian", "hessian", "find_sparsity") and not isinstance(argnums, bool):
        verb = "grad" if called == "find_sparsity" else called
        assert f"`{verb}(f)(x)`" in error.value.way_out


def test_orders():
    assert derivative(lambda x: x**3, np.int64(2))(2.0) == 12.0
    for n in (True, 1.5, -1, np.bool_(True)):
        with pytest.raises(NotDifferentiableError):
            derivative(lambda x: x**3, n)


@pytest.mark.parametrize(
    ("f", "way_out"),
    [
        (lambda x: None, "return loss"),
        (lambda x: x > 1, "return the number"),
        (lambda x: str(x), "return the number"),
        (lambda x: [x, x], "adjoint.pullback"),
        (lambda x: np.array([x, x]), "adjoint.jacobian"),
    ],
)
def test_ways_out_of_results(f, way_out):
    for called in (gradient, lambda f, x: grad(f)(x), hessian):
        with pytest.raises(NotScalarError) as error:
            called(f, 2.0)
        assert way_out in error.value.way_out


def test_ways_out_that_are_followed():
    with pytest.raises(NotDifferentiableError) as error:
        gradient(lambda a: a[0] * a[1], np.array([2.0, 3.0], object))
    assert "astype(float)" in error.value.way_out and "tolist()" in error.value.way_out
    assert np.array_equal(gradient(lambda a: a[0] * a[1], np.array([2.0, 3.0], object).astype(float))[0], [3.0, 2.0])
    assert gradient(lambda a: a[0] * a[1], np.array([2.0, 3.0], object).tolist()) == ([3.0, 2.0],)
    records = np.array([(2.0, 1)], dtype=[("x", float), ("n", int)])
    with pytest.raises(NotDifferentiableError) as error:
        gradient(lambda a: a["x"].sum(), records)
    assert "a['x'].copy()" in error.value.way_out
    assert gradient(lambda x: x.sum(), records["x"].copy())[0] == [1.0]
    with pytest.raises(NotDifferentiableError) as error:
        jacobian(lambda x: None, 2.0)
    assert "let it return numbers" in error.value.way_out


def test_a_library_function_with_a_rule():
    norm = pytest.importorskip("scipy.stats").norm
    with pytest.raises(CompileError, match="a function of `scipy.stats.*`, whose derivative is by a rule"):
        grad(norm.logpdf, compile="strict")(1.0)


@dataclass
class Record:
    a: float
    b: float
    text: str


class Slots:
    __slots__ = ("a", "b")


class Property:
    def __init__(self):
        self.a = 3.0

    @property
    def b(self):
        return self.a * self.a


Pair = namedtuple("Pair", "a b")


def test_getattr():
    slots = Slots()
    slots.a, slots.b = 1.0, 2.0
    for x in (Record(1.0, 2.0, "t"), slots, Pair(1.0, 2.0)):
        y, back = pullback(getattr, x, "b")
        f_bar, x_bar, name_bar = back(3.0)
        assert (y, f_bar, name_bar) == (2.0, None, None)
        assert (x_bar.a, x_bar.b) == (None, 3.0)
        assert gradient(getattr, x, "b")[0].a == 0.0
    assert pullback(getattr, Property(), "b")[1](1.0)[1].a == 6.0
    assert pullback(getattr, slots, "c", 5.0)[1](1.0) == (None, None, None, 1.0)
    with pytest.raises(AttributeError):
        pullback(getattr, slots, "c")
    with pytest.raises(AdjointError):
        gradient(getattr, Record(1.0, 2.0, "t"), "text")
