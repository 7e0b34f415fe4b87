"""Calls that are like one before, of which little is asked."""

import math
import threading
from typing import Any

import numpy as np
import pytest
from runtime.either_way import adding_one, caught

from adjoint import gradient, pullback
from adjoint.derivatives.plans import PULLBACK, planned
from adjoint.errors import CotangentError, NotDifferentiableError
from adjoint.rules import opt_out, scalar_rule


def made(k: Any) -> Any:
    return lambda x: k * x * x


def test_a_second_call_is_known() -> None:
    f = made(1.0)
    assert planned(f, PULLBACK, (2.0,)) is None
    assert pullback(f, 2.0)[1](1.0)[1] == 4.0
    assert planned(f, PULLBACK, (3.0,)) is not None
    assert planned(f, PULLBACK, (np.ones(2),)) is None
    assert planned(f, PULLBACK, (3.0, 4.0)) is None


def test_arguments_of_other_kinds_in_turns() -> None:
    f = made(3.0)
    x = np.array([1.0, 2.0])
    for _ in range(3):
        assert pullback(f, 2.0)[1](1.0)[1] == 12.0
        np.testing.assert_array_equal(pullback(f, x)[1](np.ones(2))[1], 6 * x)
        np.testing.assert_array_equal(pullback(f, x.reshape(1, 2))[1](np.ones((1, 2)))[1], 6 * x.reshape(1, 2))
        assert pullback(f, x.astype(np.float32))[1](np.ones(2))[1].dtype == np.float32
        assert pullback(f, 2 + 1j)[1](1.0)[1] == (6 * (2 + 1j)).conjugate()


def test_what_is_captured_counts() -> None:
    for k in (2.0, np.array([1.0, 2.0]), 3, 1j):
        y, back = pullback(made(k), 2.0)
        assert np.all(y == k * 4.0)


def test_numbers_that_can_not_be_differentiated_after_those_that_can() -> None:
    f = made(2.0)
    pullback(f, np.ones(2))
    pullback(f, np.ones(2))
    with pytest.raises(NotDifferentiableError, match="objects"):
        pullback(f, np.ones(2, object))


def test_a_rule_that_comes_later() -> None:
    def cube(x: float) -> float:
        return x**3

    for _ in range(2):
        assert pullback(cube, 2.0)[1](1.0)[1] == 12.0

    @scalar_rule(cube)
    def cube_partial(x, y):  # type: ignore[no-untyped-def]
        return 100.0

    try:
        assert pullback(cube, 2.0)[1](1.0)[1] == 100.0
    finally:
        opt_out(cube)
    assert pullback(cube, 2.0)[1](1.0)[1] == 12.0


SCALE = 2.0


def scaled(x: float) -> float:
    return SCALE * math.sin(x)


def test_a_global_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    for scale in (2.0, 3.0, np.float32(2.0), 5):
        monkeypatch.setattr(f"{__name__}.SCALE", scale)
        assert pullback(scaled, 0.0)[1](1.0)[1] == scale


def test_what_is_recorded_stays_so() -> None:
    """The same code, reversed by its structure with one function and recorded with another."""
    for g in (math.sin, caught, math.cos, caught):
        for _ in range(2):
            y, back = pullback(adding_one(g), 0.5)
            assert y == g(0.5) + 1.0
            assert back(1.0)[1] == pytest.approx(gradient(g, 0.5)[0])


def test_cotangents_are_held_to_their_form() -> None:
    f = made(1.0)
    for _ in range(2):
        y, back = pullback(f, np.ones(3))
        for wrong in (np.ones(4), np.ones((3, 1)), 1.0, np.ones(3, complex), "a", np.ones(3, object)):
            with pytest.raises(CotangentError):
                back(wrong)
        assert back(None) == (None, None)
        np.testing.assert_array_equal(back([1, 2, 3])[1], [2.0, 4.0, 6.0])
        np.testing.assert_array_equal(back(np.array([1, 2, 3]))[1], [2.0, 4.0, 6.0])


@pytest.mark.parametrize("f", [lambda x, w: x + w, lambda x, w: (x + w)[::-1], lambda x, w: x.reshape(2, 1) + w])
def test_cotangents_share_no_memory(f: Any) -> None:
    x, w = np.ones(2), np.ones(2)
    for _ in range(2):
        y, back = pullback(f, x, w)
        d = np.ones(y.shape)
        bars = [*back(d)[1:], *back(d)[1:]]
        for i, bar in enumerate(bars):
            for other in (*bars[:i], x, w, y, d):
                assert not np.shares_memory(bar, other)


def test_from_several_threads() -> None:
    f, wrong = made(2.0), []

    def work(x: Any) -> None:
        for _ in range(200):
            if not np.all(pullback(f, x)[1](np.ones_like(x) if isinstance(x, np.ndarray) else 1.0)[1] == 4 * x):
                wrong.append(x)

    threads = [threading.Thread(target=work, args=(x,)) for x in (1.0, np.ones(2), np.ones((2, 2)), 3.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
