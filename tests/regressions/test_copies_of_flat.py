"""What is read from `a.flat` is a copy, except for its items; `np.array(a.flat)` may be a view."""

import operator

import numpy as np
import pytest

from adjoint import gradient, withgradient
from adjoint.calculus import pushforward

from .differences import check

COPIES = {
    "copy": lambda a: a.flat.copy(),
    "copy by its class": lambda a: np.flatiter.copy(a.flat),
    "copy by name": lambda a: operator.methodcaller("copy")(a.flat),
    "ellipsis": lambda a: a.flat[...],
    "ellipsis in a tuple": lambda a: a.flat[...,],
    "slice in a tuple": lambda a: a.flat[(slice(None),)],
    "ellipsis by operator": lambda a: operator.getitem(a.flat, ...),
    "nothing": lambda a: a.flat[()],
    "slice": lambda a: a.flat[:],
    "list": lambda a: a.flat[[0, 1]],
    "of a transposed array": lambda a: a.reshape(1, 2).T.flat.copy(),
    "array": lambda a: np.array(a.flat),
    "array made again": lambda a: a.flat.__array__(),
    "asarray": lambda a: np.asarray(a.flat),
}


if np.shares_memory(FLAT := np.zeros(2), FLAT.flat[()]):  # before NumPy 2.2 that is the array itself
    del COPIES["nothing"], COPIES["ellipsis in a tuple"]  # and that an error


def recorded(f):
    """The function, reversed by recording."""

    def run(a):
        try:
            return f(a)
        except ZeroDivisionError:
            return a

    return run


@pytest.mark.parametrize("way", [lambda f: f, recorded], ids=["", "recorded"])
@pytest.mark.parametrize("name", COPIES)
def test_what_flat_gives_and_its_array_change_apart_as_they_do_plainly(name, way):
    copy = COPIES[name]

    def store_after(a):
        y = a * a
        b = copy(y)
        y[0] = 5.0 * a[1]
        return b[0] * a[1] + y[0]

    def store_into(a):
        y = a * a
        b = copy(y)
        if b.flags.writeable:
            b[0] = 9.0 * a[1]
        return b[0] * a[1] + (y * y).sum()

    for f in (way(store_after), way(store_into)):
        check(f, np.array([1.2, 0.7]))
        a, ȧ = np.array([1.2, 0.7]), np.array([1.0, 0.5])
        y, ẏ = pushforward(f, (a,), (ȧ,))
        assert y == f(a)
        assert ẏ == pytest.approx(gradient(f, a)[0] @ ȧ)


@pytest.mark.parametrize("name", [name for name in COPIES if "array" not in name])
def test_a_store_into_a_copy_of_flat_leaves_the_argument_as_it_was(name):
    copy = COPIES[name]

    def f(a):
        b = copy(a)
        b[0] = 9.0
        return (a * a).sum()

    a = np.array([1.2, 0.7])
    y, (ā,) = withgradient(f, a)
    assert y == pytest.approx(1.93)
    assert ā.tolist() == [2.4, 1.4]
    assert a.tolist() == [1.2, 0.7]


def test_parts_of_flat_of_an_array_without_axes():
    def f(x):
        y = np.array(x * x)
        b = y.flat[...]
        y[...] = 3.0
        return b[0] * x

    check(f, 1.3)
