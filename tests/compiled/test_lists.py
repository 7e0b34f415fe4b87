"""Lists in compiled programs: what they hold, what is stored into them, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from compiled.lists import COMPILED, REFUSED, shortest_path

import adjoint
from adjoint.compiled import entry, programs
from adjoint.errors import CompileError

X = np.array([0.7, -0.4, 1.3, 0.2])
W = np.array([[0.0, 1.2, 3.0, 9.0], [1.0, 0.0, 0.7, 4.1], [2.0, 2.0, 0.0, 1.1], [1.0, 1.0, 1.0, 0.0]])


@pytest.fixture(autouse=True)
def _by_python(monkeypatch):
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_lists_do_and_arrays_do_not_is_refused(f):
    with pytest.raises(CompileError):
        adjoint.value_and_grad(f, compile="strict")(X.copy())
    with pytest.warns(adjoint.errors.CompileFallbackWarning):
        assert adjoint.compile(f)(X.copy()) == f(X.copy())


@pytest.mark.parametrize("f", [*COMPILED, shortest_path], ids=lambda f: f.__name__)
def test_lists_of_numbers_and_tables(f):
    x = W if f is shortest_path else X
    value, found = adjoint.value_and_grad(f, compile="strict")(x.copy())
    plain, expected = adjoint.value_and_grad(f)(x.copy())
    assert value == plain == f(x.copy())
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
