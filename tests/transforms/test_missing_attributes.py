"""Attributes that numbers and arrays do not have: `try` of them is decided by its handler, and nothing is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import slope

from adjoint import grad, value_and_grad
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call
from adjoint.testing import check_gradient


def named(x):
    y = np.clip(x * x, -1.0, 9.0)
    try:  # noqa: SIM105
        y.name = "projection"  # of a table it is stored
    except AttributeError:
        pass
    return y * x


def filled(x):
    ratio = x / 3.0
    try:
        ratio.fillna(0, inplace=True)
    except AttributeError:
        ratio = np.where(np.isnan(ratio), 0.0, ratio * ratio)
    return float(ratio) * x if isinstance(ratio, float) else (ratio * x).sum()


def behind_it(x):
    try:
        y = x.values * 0.0
        y = np.sin(y) + x.index
    except AttributeError:
        y = x * 3.0
    return y * x


def in_rounds(x):
    y = x * 2.0
    for i in range(3):
        try:
            y.name = i
            y = y * 0.0
        except AttributeError as error:
            y = y * (len(str(error)) > 3) * x
    return y


def in_a_helper(x):
    def label(v):
        v.label = "v"
        return v * 0.0

    try:
        return label(x)
    except AttributeError:
        return x * x


def last(x):
    y = 1.0
    try:
        x.name = "x"
    except AttributeError:
        y = x * x
    else:
        y = 0.0
    finally:
        y = y * x
    return y


def of_an_array(x):
    a = np.array([x, x * x])
    try:
        a.columns = ["a", "b"]
    except AttributeError:
        a = a * x
    return a.sum()


def two_classes(x):
    try:
        x.name.lower()
    except (KeyError, AttributeError):
        return x * x
    return x


def handler_of_another(x):
    try:
        try:
            x.name = 1
        except KeyError:
            return x * 7.0
    except AttributeError:
        return x * x
    return x


PROGRAMS = [named, filled, behind_it, in_rounds, in_a_helper, last, of_an_array, two_classes, handler_of_another]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("x", [1.5, np.float64(1.5)], ids=["float", "float64"])
def test_it_is_reversed_in_its_structure(f: Callable[[Any], Any], x: Any) -> None:
    value, d = value_and_grad(f)(x)
    assert value == f(x)
    assert d == pytest.approx(slope(f, x), rel=1e-6)
    assert is_structured_call(f, (x,))
    assert pushforward(f, (x,), (1.0,))[1] == pytest.approx(d, rel=1e-9)
    assert grad(grad(f))(x) == pytest.approx(slope(grad(f), x), rel=1e-5)


@pytest.mark.parametrize("f", [named, behind_it, in_rounds, two_classes])
def test_the_same_of_arrays(f: Callable[[Any], Any]) -> None:
    check_gradient(lambda x: np.sum(f(x)), np.array([0.5, 1.2]))
    assert is_structured_call(f, (np.array([0.5, 1.2]),))


def counted(x, done):
    done.append(1)
    try:
        x.name = done.append(2)
        done.append(3)
    except AttributeError:
        done.append(4)
    return x * x


def test_what_stands_before_is_done_once() -> None:
    done: list[int] = []
    assert grad(lambda x: counted(x, done))(3.0) == 6.0
    assert done == [1, 2, 4]


def stored(x):
    x.name = "x"
    return x


def read(x):
    return x.name * x


@pytest.mark.parametrize("f", [stored, read])
def test_the_error_is_that_of_python(f: Callable[[Any], Any]) -> None:
    with pytest.raises(AttributeError) as plain:
        f(1.0)
    with pytest.raises(AttributeError) as found:
        grad(f)(1.0)
    assert str(found.value) == str(plain.value)
    assert (found.value.name, found.value.obj) == (plain.value.name, plain.value.obj)


class Labelled(np.ndarray):
    """An array that takes a name."""

    name: str


def test_an_array_of_a_class_takes_it() -> None:
    x = np.array([0.5, 1.2]).view(Labelled)

    def f(x):
        y = x * 1.0
        try:
            y.name = "y"
        except AttributeError:
            return (x * 5.0).sum()
        return (x * x).sum()

    np.testing.assert_allclose(np.asarray(grad(f)(x)), 2 * np.asarray(x))
    np.testing.assert_allclose(grad(f)(np.array([0.5, 1.2])), 5.0)
