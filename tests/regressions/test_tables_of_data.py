"""Tables that are no tables of earlier results are left as they are, and what was not computed anew is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, jvp, pullback
from adjoint.errors import AdjointError
from adjoint.recording.entry import recorded

from . import tables_of_data as programs

POINTS = (1.5, 1.5, 2.25, 1.5)


def _recorded(f: Any, x: float) -> tuple[Any, Any]:
    y, back, _ = recorded(f, x)
    return y, back(1.0)[1]


def _pulled(f: Any, x: float) -> tuple[Any, Any]:
    y, back = pullback(f, x)
    return y, back(1.0)[1]


WAYS: list[Callable[[Any, float], tuple[Any, Any]]] = [
    _recorded,
    _pulled,
    lambda f, x: jvp(f, (x,), (1.0,)),
    lambda f, x: _pulled(lambda z: f(z) * 1.0, x),
]


def _difference(make: Any, before: tuple[float, ...], x: float) -> float:
    """The difference quotient of a program that has been called at some numbers and at this one."""
    ys = []
    for h in (1e-6, -1e-6):
        f = make()
        for at in before:
            f(at)
        ys.append(f(x + h))
    return float(ys[0] - ys[1]) / 2e-6


@pytest.mark.parametrize("way", WAYS, ids=["recorded", "pullback", "jvp", "within"])
@pytest.mark.parametrize("make", programs.MAKERS)
def test_as_the_plain_program(make: Any, way: Any) -> None:
    f, plain = make(), make()
    for at in POINTS:
        y, dy = way(f, at)
        known = plain(at)
        assert y == pytest.approx(known)
        if make is not programs._counted:  # which counts another number, a little further
            assert dy == pytest.approx(_difference(make, (), at), rel=1e-5)
        else:
            assert dy == pytest.approx(2.0 * known / at)
        assert getattr(f, "rates", None) == getattr(plain, "rates", None)
        assert getattr(f, "counts", None) == getattr(plain, "counts", None)


@pytest.mark.parametrize("way", WAYS, ids=["recorded", "pullback", "jvp", "within"])
def test_lists_are_made_anew(way: Any) -> None:
    f = programs.Lists()
    f(1.5)
    for at in POINTS:
        assert way(f, at) == pytest.approx((at * at, 2.0 * at))
    assert f.found == {1.5: [2.25], 2.25: [5.0625]}


def test_what_is_not_computed_anew_is_refused() -> None:
    f = programs.Sparse()
    assert gradient(lambda x: f(2.0, x), 3.0) == (5.0,)
    f.put(2.0, 1.0)
    assert gradient(lambda x: f(2.0, x), 3.0) == (1.0,)
    with pytest.raises(AdjointError, match="result of an earlier call"):
        recorded(f, 2.0, 3.0)
