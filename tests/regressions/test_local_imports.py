"""Imports within functions: what is imported is known, as long as it stays what it is."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient, hvp, withgradient
from adjoint.inspect import code_adjoint


def of_library(x):
    import adjoint as ours

    return ours.gradient(lambda y: y * y * y, x)[0] * x


def by_name(x):
    from math import sin as s

    from numpy import linalg

    return s(x) * linalg.norm(np.array([x, 2 * x]))


def of_a_submodule(x):
    import os.path

    import numpy.linalg as algebra

    return algebra.norm(np.array([x, 2 * x])) * len(os.sep)


@pytest.mark.parametrize("f", [of_library, by_name, of_a_submodule])
def test_what_has_been_loaded_is_reversed_by_its_structure(f):
    h = 1e-6
    assert "_rrule" in code_adjoint(f, 1.5)
    y, (d,) = withgradient(f, 1.5)
    assert y == f(1.5)
    assert d == pytest.approx((f(1.5 + h) - f(1.5 - h)) / (2 * h), 1e-6)


def test_second_order():
    assert hvp(of_library, (3.0,), (1.0,)) == (54.0,)
    assert grad(grad(of_library))(3.0) == 54.0


def test_another_module_under_the_name():
    module = types.ModuleType("adjoint_test_of_imports")
    module.factor = lambda x: 2 * x

    def f(x):
        import adjoint_test_of_imports as m

        return m.factor(x) * x

    def g(x):
        from adjoint_test_of_imports import factor

        return factor(x) * x

    try:
        sys.modules[module.__name__] = module
        assert gradient(f, 3.0) == gradient(g, 3.0) == (12.0,)
        module.factor = lambda x: 3 * x
        assert gradient(f, 3.0) == gradient(g, 3.0) == (18.0,)
        other = sys.modules[module.__name__] = types.ModuleType(module.__name__)
        other.factor = lambda x: 5 * x
        assert gradient(f, 3.0) == gradient(g, 3.0) == (30.0,)
    finally:
        del sys.modules[module.__name__]
    for h in (f, g):
        with pytest.raises(ModuleNotFoundError):
            gradient(h, 3.0)


def test_what_a_module_does_not_have():
    def f(x):
        from math import of_nobody

        return of_nobody(x)

    with pytest.raises(ImportError, match="cannot import name 'of_nobody'"):
        gradient(f, 1.0)
    assert adjoint.pullback(of_library, 3.0)[0] == 81.0
