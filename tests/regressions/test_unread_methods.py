"""Methods of what may be an array or an item of one, and keywords of ufuncs that say nothing: plain calls have them."""

import numpy as np
import pytest

from adjoint import gradient
from adjoint.calculus import pushforward

A = np.array([0.5, 0.7, 0.2])


def unread_sum(a):
    _ = a[[0, 2, 1]][1].sum()
    return a.sum()


def unread_conjugate(a):
    _ = (a[[0, 2, 1]] * (0.5 + 0.3j))[1].conjugate().imag
    return a.sum()


def unread_clip(a):
    _ = a[[0, 2, 1]][1].clip(0.1, 0.9)
    return a.sum()


def unread_copy(a):
    _ = a[[0, 2, 1]][1].copy().astype(float).item()
    return a.sum()


@pytest.mark.parametrize("f", [unread_sum, unread_conjugate, unread_clip, unread_copy])
def test_a_method_of_an_item_that_nobody_reads(f):
    assert (gradient(f, A)[0] == 1.0).all()
    assert pushforward(f, (A,), (A,))[1] == A.sum()


@pytest.mark.parametrize("casting", ["unsafe", "same_kind", "safe", "no"])
def test_a_dtype_of_none(casting):
    def f(a):
        return np.add(np.abs(a), 2.0, dtype=None, casting=casting).sum()

    assert (gradient(f, A)[0] == 1.0).all()
    assert pushforward(f, (A,), (A,))[1] == A.sum()
    assert (gradient(lambda a: np.multiply(a, a, casting=casting).sum(), A)[0] == 2 * A).all()
