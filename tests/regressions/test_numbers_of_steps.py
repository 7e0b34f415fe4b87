"""A number that is stored at each call, along with what is made of it, tells of no result of an earlier call."""

from __future__ import annotations

from typing import Any

import pytest

from adjoint import gradient, jvp, pullback
from adjoint.errors import AdjointError
from adjoint.recording.entry import recorded
from adjoint.runtime.remembering import kept_in

from . import numbers_of_steps as programs

POINTS = (1.5, 1.5, 1.5, 2.25, 1.5)


def _by_pullback(f: Any, x: float) -> tuple[Any, Any]:
    y, back = pullback(f, x)
    return y, back(1.0)[1]


def _recorded(f: Any, x: float) -> tuple[Any, Any]:
    y, back, _ = recorded(f, x)
    return y, back(1.0)[1]


WAYS = [_by_pullback, _recorded, lambda f, x: jvp(f, (x,), (1.0,)), lambda f, x: _by_pullback(lambda z: f(z) * 1.0, x)]


@pytest.mark.parametrize("way", WAYS, ids=["pullback", "recorded", "jvp", "within"])
@pytest.mark.parametrize("make", programs.STEADY)
def test_as_the_plain_program(make: Any, way: Any) -> None:
    f, plain = make(), make()
    for at in POINTS:
        y, dy = way(f, at)
        known = plain(at)
        sticks = make is programs.Friction and known == 3.0 * at
        slope = 3.0 if sticks else 1.0 + 2.0 * at if make is programs.Clock else 2.0 * known / at
        assert (y, dy) == pytest.approx((known, slope))
        assert vars(f) == vars(plain)
    assert not kept_in(make).latest


@pytest.mark.parametrize("make", programs.REMEMBERING)
def test_results_beside_it_are_computed_anew_or_refused(make: Any) -> None:
    f = make()
    assert kept_in(type(getattr(f, "detector", f))).latest
    for at in POINTS:
        try:
            assert gradient(f, at) == pytest.approx((2.0 * at,))
            assert _recorded(f, at) == pytest.approx((at * at, 2.0 * at))
        except AdjointError:
            f = make()  # refused, and not zero
