"""Results that an earlier call has stored, found by what is differentiated: they have no derivative in this call, which
computes them anew or is refused."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback, stop_gradient, vmap
from adjoint.errors import AdjointError

from . import remembering as programs
from .differences import check


def _name(f: Any) -> str:
    return str(getattr(f, "__qualname__", "partial"))


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Iterator[None]:
    yield
    for table in (programs.TABLE, programs.ORDERED, programs.MISSING, programs.DRAWN):
        table.clear()  # type: ignore[attr-defined]


@pytest.mark.parametrize("f", programs.SQUARES, ids=_name)
def test_what_an_earlier_gradient_has_stored_is_computed_anew(f: Any) -> None:
    assert [gradient(f, 3.0) for _ in range(3)] == [(6.0,)] * 3
    assert f(3.0) == 9.0


@pytest.mark.parametrize("f", programs.SQUARES, ids=_name)
def test_what_a_plain_call_has_stored_is_computed_anew(f: Any) -> None:
    assert f(2.5) == 6.25
    y, back = pullback(f, 2.5)
    assert (y, back(1.0)[1], back(2.0)[1]) == (6.25, 5.0, 10.0)


@pytest.mark.parametrize("f", programs.SQUARES, ids=_name)
def test_forward_mode_and_second_derivatives_compute_anew(f: Any) -> None:
    f(1.5)
    assert [jvp(f, (1.5,), (1.0,)) for _ in range(2)] == [(2.25, 3.0)] * 2
    assert [grad(grad(f))(1.75) for _ in range(2)] == [2.0, 2.0]


@pytest.mark.parametrize("f", programs.SUMS, ids=_name)
def test_results_of_arrays_are_computed_anew(f: Any) -> None:
    a = np.array([1.0, -2.0])
    for _ in range(3):
        np.testing.assert_array_equal(gradient(f, a)[0], 2.0 * a)
        assert jvp(f, (a,), (np.ones(2),)) == (5.0, -2.0)
        assert f(a) == 5.0


def test_lanes_have_results_of_their_own() -> None:
    xs = np.array([0.5, 1.5, 7.0])
    for _ in range(2):
        np.testing.assert_array_equal(vmap(grad(programs.asked_first))(xs), 2.0 * xs)


def test_integers_are_differentiated_where_there_is_nothing_else() -> None:
    assert [gradient(programs.asked_first, 4) for _ in range(2)] == [(8.0,)] * 2


def test_recursion_finds_what_the_same_call_has_stored() -> None:
    f = functools.partial(programs.climbed, n=5)
    found = [gradient(f, 1.25) for _ in range(3)]
    assert found[0] == found[1] == found[2]
    check(lambda x: programs.climbed(x, 5), 1.25)


def test_the_table_of_the_user_keeps_what_it_has() -> None:
    x, y = 3.0, np.array([3.0, 9.0])
    programs.TABLE.update({x: y, 1.0: y})
    before = copy.copy(programs.TABLE)
    assert gradient(programs.of_array, x) == (6.0,)
    assert list(programs.TABLE) == list(before)
    assert programs.TABLE[x] is y
    assert gradient(programs.of_array, 2.0) == (4.0,)
    np.testing.assert_array_equal(programs.TABLE[2.0], [2.0, 4.0])


@pytest.mark.parametrize("name", ["value", "returned"])
def test_counts_are_those_of_the_plain_program(name: str) -> None:
    latest = programs.Latest()
    f = getattr(latest, name)
    assert f(5.0) == 25.0
    assert gradient(lambda x: f(x), 5.0) == (10.0,)
    assert gradient(lambda x: f(x) * latest.count, 5.0) == (10.0,)
    assert latest.count == 1
    assert gradient(lambda x: 0.0 * f(x) + f(x) + f(2.0 * x), 5.0) == (50.0,)
    assert latest.count == 2


@pytest.mark.parametrize("f", programs.ORDINARY, ids=_name)
def test_other_tables_stay_as_they_are(f: Any) -> None:
    programs.TOTALS.clear()
    first = gradient(f, 1.5)
    assert gradient(f, 1.5) == first
    if f is not programs.summed_up:
        check(f, 1.5)


@pytest.mark.parametrize(("f", "message"), programs.REFUSED, ids=_name)
def test_what_cannot_be_computed_anew_is_refused(f: Any, message: str) -> None:
    gradient(f, 3.0)
    for _ in range(2):
        with pytest.raises(AdjointError, match=message):
            gradient(f, 3.0)
    with pytest.raises(AdjointError, match=message):
        jvp(f, (3.0,), (1.0,))
    assert gradient(f, 4.0) != (0.0,)


def test_data_under_numbers_are_looked_up_where_no_derivative_is_asked() -> None:
    data = {1.0: 2.0, 3.0: 5.0}
    with pytest.raises(AdjointError, match="a dict holds under a number that is differentiated"):
        gradient(lambda x: data[x] * x, 3.0)
    assert gradient(lambda x: data[stop_gradient(x)] * x, 3.0) == (5.0,)
    assert gradient(lambda x: data[3.0] * x, 3.0) == (5.0,)


def test_a_missing_method_has_the_derivative_by_the_key() -> None:
    found = programs.Squares()
    assert gradient(lambda x: found[x] * 2.0, 3.0) == (12.0,)
    assert gradient(lambda x: programs.Squares()[x] * 2.0, 3.0) == (12.0,)
