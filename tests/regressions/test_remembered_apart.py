"""Results of earlier calls that a program asks for in one place and stores in another: computed anew, or refused."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback
from adjoint.errors import AdjointError
from adjoint.frontend import Kept
from adjoint.recording import answers

from . import remembering_apart as programs
from .differences import check


def _name(f: Any) -> str:
    return str(getattr(f, "__qualname__", type(f).__name__))


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Iterator[None]:
    yield
    for held in (programs.LAST, programs.TABLE, programs.CACHE, programs.STORE.found, programs.MADE._made):
        held.clear()
    for items in (programs.XS, programs.YS, programs.PAIRS):
        items.clear()


@pytest.mark.parametrize("f", programs.ANEW, ids=_name)
def test_computed_anew(f: Any) -> None:
    for at in (3.0, 4.0):
        assert f(at) == at * at
    for at in (4.0, 4.0, 3.0, 5.0, 5.0):
        assert gradient(f, at) == pytest.approx((2.0 * at,))
        assert gradient(lambda x: f(x) * 1.0, at) == pytest.approx((2.0 * at,))  # noqa: B023
        y, back = pullback(f, at)
        assert (y, back(1.0)[1], back(2.0)[1]) == pytest.approx((at * at, 2.0 * at, 4.0 * at))
        assert f(at) == at * at


@pytest.mark.parametrize("f", programs.ANEW, ids=_name)
def test_twice_in_one_call_and_at_two_numbers(f: Any) -> None:
    f(2.0)
    for at in (2.0, 2.0, 1.5):
        assert gradient(lambda x: f(x) * f(x), at) == pytest.approx((4.0 * at**3,))
        assert gradient(lambda x: f(x) + f(2.0 * x) + f(x), at) == pytest.approx((12.0 * at,))


@pytest.mark.parametrize("f", programs.ANEW, ids=_name)
def test_forward_mode_and_second_derivatives(f: Any) -> None:
    f(1.5)
    assert [jvp(f, (1.5,), (1.0,)) for _ in range(2)] == [pytest.approx((2.25, 3.0))] * 2
    with contextlib.suppress(AdjointError):  # refused, and not zero
        assert [grad(grad(f))(1.75) for _ in range(2)] == pytest.approx([2.0, 2.0])


@pytest.mark.parametrize("f", programs.AMONG, ids=_name)
def test_refused_where_it_is_found(f: Any) -> None:
    assert gradient(f, 3.0) == (6.0,)
    for _ in range(2):
        with pytest.raises(AdjointError, match="results of earlier calls"):
            gradient(f, 3.0)
        with pytest.raises(AdjointError, match="results of earlier calls"):
            gradient(lambda x: f(x) * 1.0, 3.0)
        with pytest.raises(AdjointError, match="results of earlier calls"):
            jvp(f, (3.0,), (1.0,))
    assert gradient(lambda x: f(x) + f(x), 4.0) == (16.0,)
    assert f(5.0) == 25.0
    with pytest.raises(AdjointError, match="results of earlier calls"):
        gradient(f, 5.0)


@pytest.mark.parametrize("f", programs.ORDINARY, ids=_name)
def test_others_stay_as_they_are(f: Any) -> None:
    for _ in range(3):
        check(f, 1.25)
    y = f(1.25)
    assert pullback(f, 1.25)[0] == y


def test_a_sample_is_held() -> None:
    held = programs.Held()
    assert gradient(held, 3.0) == (6.0,)
    assert held(3.25) == 9.0
    assert gradient(held, 3.25) == (0.0,)


def test_counts_tell_of_what_was_computed_again() -> None:
    f = programs.AsksByMethod()
    f(3.0)
    gradient(lambda x: f(x) * 1.0, 3.0)
    assert f._x == 3.0
    assert f.y == 9.0
    assert f.count in (1, 2)


def test_a_planted_error_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class that is said to remember nothing gives a zero."""
    f = programs.Entries()
    gradient(f, 3.0)
    monkeypatch.setattr(answers, "kept_in", lambda cls: Kept())
    assert gradient(f, 3.0) == (0.0,)


def test_arrays() -> None:
    f = programs.OfArray()
    f(2.0)
    np.testing.assert_allclose(gradient(f, 2.0)[0], 4.0)
