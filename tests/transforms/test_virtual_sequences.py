"""Lists and tuples of objects of several classes that a program makes for itself: they are their items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from transforms.objects_in_sequences import FOLLOWED, OTHERS, appended, areas, in_net, in_steps, left, of_functions

from adjoint import gradient, hvp, ir, jvp, pullback
from adjoint.derivatives.choice import was_recorded
from adjoint.inspect import code_primal
from adjoint.runtime.tables import TABLES


@pytest.mark.parametrize("x", [0.7, 0.3])
@pytest.mark.parametrize("f", [*FOLLOWED, *OTHERS], ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[Any], Any], x: float) -> None:
    h = 1e-6
    slope = (f(x + h) - f(x - h)) / (2 * h)
    y, back = pullback(f, x)
    assert y == f(x) and back(1.0) == back(1.0)
    for _ in range(2):
        assert gradient(f, x)[0] == pytest.approx(slope, rel=1e-6, abs=1e-8)
    assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2.0 * slope, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("f", [areas, in_net, in_steps, left, appended, of_functions], ids=lambda f: f.__name__)
def test_second_derivatives(f: Callable[[Any], Any]) -> None:
    x, h = 0.7, 1e-5
    slope = (gradient(f, x + h)[0] - gradient(f, x - h)[0]) / (2 * h)
    assert hvp(f, (x,), (1.0,))[0] == pytest.approx(slope, rel=1e-5)


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_no_object_is_made(f: Callable[[Any], Any]) -> None:
    TABLES.clear()  # what earlier calls have shown is forgotten
    gradient(f, 0.7)
    assert not was_recorded(f)
    code = str(code_primal(f, 0.7))
    assert not any(word in code for word in ("object_of", "located", "recorded")), code


def test_typed_programs_as_data() -> None:
    assert ir.run(ir.of(in_steps, 0.7), 0.7) == pytest.approx(in_steps(0.7))
