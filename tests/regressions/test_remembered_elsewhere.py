"""Results of earlier calls that other functions find than those that store them, in lists, or nearly by chance."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback, stop_gradient
from adjoint.errors import AdjointError

from . import kept_between_calls
from . import remembering_elsewhere as programs

WORDS = "the result of an earlier call|what was there before"


@pytest.mark.parametrize("make", [programs.by_key, programs.by_default, programs.among_keys])
@pytest.mark.parametrize("key", programs.KEYS)
def test_a_key_that_the_caller_makes_is_that_of_the_number(make: Any, key: Any) -> None:
    f = make(key)
    f(2.5)
    assert [gradient(f, x) for x in (2.5, 3.0, 3.0, 2.5)] == [(5.0,), (6.0,), (6.0,), (5.0,)]
    assert jvp(f, (3.0,), (1.0,)) == (9.0, 6.0)
    assert f(3.0) == 9.0


@pytest.mark.parametrize("make", [programs.by_methods, programs.by_special_methods])
@pytest.mark.parametrize("key", programs.METHOD_KEYS)
def test_what_methods_find_under_a_text_of_the_number_is_refused(make: Any, key: Any) -> None:
    _check_refused(make(key))


@pytest.mark.parametrize("make", programs.LISTS)
def test_what_is_found_in_lists_is_refused(make: Any) -> None:
    _check_refused(make(), order=1 if make is programs.as_pairs else 2)


@pytest.mark.parametrize("make", programs.LATEST)
def test_the_latest_result_is_computed_anew_or_refused(make: Any) -> None:
    _check_refused(make(), anew=True)


def _check_refused(f: Any, anew: bool = False, order: int = 2) -> None:
    """Check that gradients are right, or refused where an earlier call had the same number."""
    assert gradient(f, 3.0) == (6.0,)
    assert gradient(f, 4.0) == (8.0,)
    for _ in range(3):
        assert f(4.0) == 16.0
        for run in (lambda: gradient(f, 4.0), lambda: (jvp(f, (4.0,), (1.0,))[1],)):
            try:
                found = run()
            except AdjointError as error:
                assert any([words in str(error) for words in WORDS.split("|")])
            else:
                assert anew
                assert found == (8.0,)
    try:
        assert order < 2 or grad(grad(f))(4.0) == 2.0
    except AdjointError as error:
        assert any([words in str(error) for words in WORDS.split("|")])
    assert f(4.0) == 16.0


@pytest.mark.parametrize("make", [programs.in_lists, programs.run_through, programs.as_pairs, programs.in_entries])
def test_what_the_same_call_has_stored_is_found(make: Any) -> None:
    f = make()
    assert gradient(lambda x: f(x) + f(2.0 * x) + 3.0 * f(x), 1.5) == (4 * 3.0 + 8 * 1.5,)
    y, back = pullback(f, 7.0)
    assert (y, back(1.0)[1], back(2.0)[1]) == (49.0, 14.0, 28.0)


@pytest.mark.parametrize("make", kept_between_calls.ORDINARY)
@pytest.mark.parametrize("calls", [0, 1, 2])
def test_what_is_kept_besides_is_followed(make: Any, calls: int) -> None:
    model = make()
    f = lambda x: model(x)  # noqa: E731
    for _ in range(calls):
        f(3.0)
    for _ in range(2):
        plain, h = copy.deepcopy(model), 1e-6
        value, ahead, behind = plain(3.0), copy.deepcopy(model)(3.0 + h), copy.deepcopy(model)(3.0 - h)
        y, back = pullback(f, 3.0)
        assert y == value
        if make is not kept_between_calls.Bounded and make is not kept_between_calls.Spline:
            np.testing.assert_allclose(back(1.0)[1], (ahead - behind) / (2 * h), rtol=1e-4)
        assert vars(model) == vars(plain)


def test_texts_of_numbers_that_are_not_differentiated_are_labels() -> None:
    table = {"1.5": 2.0, "2.5": 3.0}
    scale = 1.5

    def f(x: Any) -> Any:
        return table[str(scale)] * x + table[f"{stop_gradient(x):.1f}"] * x

    for _ in range(3):
        assert gradient(f, 2.5) == (5.0,)
