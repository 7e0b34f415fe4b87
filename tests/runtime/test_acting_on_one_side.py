"""Programs that act on one side of a branch, and of which only the run shows whether they are refused: a run is given
up before it acts, and recorded; all others keep their structure."""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import grad, hvp, jvp, pullback
from adjoint.derivatives import choice
from adjoint.errors import AdjointError
from adjoint.runtime.giving_up import may_act
from adjoint.tangents.sweep import thread

TABLE: dict[str, Callable[[Any], Any]] = {"square": lambda x: x * x, "sine": np.sin}
LIMIT, POINTS = 2.0, [0.5, 1.0, 2.0]
MEMO: dict[float, Any] = {}
LOG: list[str] = []


def printing(p: Any) -> Any:
    y = TABLE["square"](p[0]) * p[1]
    if p[0] > LIMIT:
        print("large")
        y = y * 3.0
    return y


def warning(p: Any) -> Any:
    y = TABLE["sine"](p[0]) * p[1]
    if p[0] > LIMIT:
        warnings.warn("large", stacklevel=1)
    return y


def in_a_loop(p: Any) -> Any:
    y = p[0]
    for i in range(3):
        y = TABLE["sine"](y) * p[1]
        if i == 2 and p[0] > LIMIT:
            print("large")
    return y


def deeper(p: Any) -> Any:
    return printing(p) * TABLE["square"](p[1])


def found_as_it_runs(p: Any) -> Any:
    return HELD["f"](p) * p[1]


HELD: dict[str, Any] = {"f": printing}
SMALL, LARGE = np.array([1.5, 1.2]), np.array([2.5, 1.7])
PROGRAMS = (printing, warning, in_a_loop, deeper, found_as_it_runs)


def differences(f: Callable[..., Any], p: np.ndarray) -> np.ndarray:
    return np.array([(f(p + e) - f(p - e)) / 2e-6 for e in 1e-6 * np.eye(p.size)])


def check(f: Callable[..., Any], p: np.ndarray) -> None:
    np.testing.assert_allclose(grad(f)(p.copy()), differences(f, p), rtol=1e-6)


@pytest.mark.filterwarnings("ignore:large")
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_side_that_acts_is_recorded_and_the_other_is_not(f: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(4):
        check(f, SMALL)
    assert not choice.has_been_recorded(f, (SMALL,))
    for _ in range(3):
        capsys.readouterr()
        y, back = pullback(f, LARGE)
        assert capsys.readouterr().out == "large\n" * (f is not warning)  # once, whichever way
        for _ in range(2):
            np.testing.assert_allclose(back(1.0)[1], differences(f, LARGE), rtol=1e-6)
        assert y == f(LARGE)
    capsys.readouterr()
    for _ in range(40):  # the structure is tried again
        pullback(f, SMALL)
    assert not choice.has_been_recorded(f, (SMALL,))
    check(f, SMALL)
    assert capsys.readouterr().out == ""


def test_a_warning_is_given_once() -> None:
    for _ in range(2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            pullback(warning, LARGE)
        assert [str(w.message) for w in caught] == ["large"]


def saying(x: Any) -> Any:
    print("small")
    return x * x


TABLE["saying"] = saying


def refused_later(p: Any) -> Any:
    if p[0] > LIMIT:
        print("large")
    return TABLE["saying"](p[0]) * p[1]


def test_a_run_that_is_refused_later_has_not_acted_twice(capsys: pytest.CaptureFixture[str]) -> None:
    for p in (SMALL, LARGE, SMALL, LARGE):
        y, back = pullback(refused_later, p)
        assert capsys.readouterr().out == "large\n" * (p is LARGE) + "small\n"
        np.testing.assert_allclose(back(1.0)[1], [2.0 * p[0] * p[1], p[0] ** 2])


def in_a_handler(p: Any) -> Any:
    y = TABLE["square"](p[0])
    try:
        n = {1: 2.0}[int(p[1])]
    except KeyError:
        print("large")
        n = 3.0
    return y * n


def test_in_a_handler(capsys: pytest.CaptureFixture[str]) -> None:
    check(in_a_handler, SMALL)
    assert capsys.readouterr().out == ""
    grad(in_a_handler)(np.array([1.5, 3.7]))
    assert capsys.readouterr().out == "large\n"


def caught_by_all(p: Any) -> Any:
    y = TABLE["square"](p[0])
    try:
        if p[0] > LIMIT:
            print("large")
        y = y * p[1]
    except Exception:
        y = 0.0
    return y


def test_no_handler_takes_a_run_that_is_given_up(capsys: pytest.CaptureFixture[str]) -> None:
    for p in (SMALL, LARGE, SMALL, LARGE):
        check(caught_by_all, p)
    capsys.readouterr()


def drawing(p: Any) -> Any:
    y = TABLE["square"](p[0]) * p[1]
    if p[0] > LIMIT:
        y = y * random.random()
    return y


def test_draws_are_those_of_the_plain_program() -> None:
    for p in (SMALL, LARGE, SMALL, LARGE):
        random.seed(3)
        expected, after = drawing(p), random.random()
        random.seed(3)
        assert pullback(drawing, p)[0] == expected and random.random() == after


def advancing(p: Any, items: Any) -> Any:
    y = TABLE["square"](p[0]) * p[1]
    if p[0] > LIMIT:
        print("large")
    for item in items:
        y = y * item
    return y


def test_iterators_are_used_up_once(capsys: pytest.CaptureFixture[str]) -> None:
    for p in (SMALL, LARGE, SMALL):
        for items in (iter([2.0, 3.0]), (x for x in (2.0, 3.0)), [2.0, 3.0]):
            capsys.readouterr()
            y, back = pullback(advancing, p, items)
            assert capsys.readouterr().out == "large\n" * (p is LARGE)
            assert y == pytest.approx(advancing(p, [2.0, 3.0]))
            np.testing.assert_allclose(back(1.0)[1], np.array([2.0 * p[0] * p[1] * 6.0, p[0] ** 2 * 6.0]))


def test_second_derivatives_and_tangents(capsys: pytest.CaptureFixture[str]) -> None:
    v = np.array([0.3, -0.4])
    for p in (SMALL, LARGE, SMALL):
        a, b = p
        k = 3.0 if p is LARGE else 1.0
        assert jvp(printing, (p,), (v,))[1] == pytest.approx(k * (2.0 * a * b * v[0] + a * a * v[1]))
        hessian = k * np.array([[2.0 * b, 2.0 * a], [2.0 * a, 0.0]])
        np.testing.assert_allclose(hvp(printing, (p,), (v,))[0], hessian @ v)
    capsys.readouterr()


# ---- what the side that acts stores


def with_results(p: Any) -> Any:
    k = int(p[0])
    if k not in MEMO:
        print("new")
        MEMO[k] = TABLE["square"](p[0]) * p[1]
    return MEMO[k] * p[1]


def by_another(p: Any) -> Any:
    k = float(p[0])
    if k not in MEMO:
        fill(k, p)
    return MEMO[k] * p[1]


def fill(k: float, p: Any) -> None:
    print("new")
    MEMO[k] = TABLE["square"](p[0]) * p[1]


@pytest.mark.parametrize("f", [with_results, by_another], ids=lambda f: f.__name__)
def test_what_the_side_that_acts_has_stored_is_no_constant(f: Any, capsys: pytest.CaptureFixture[str]) -> None:
    MEMO.clear()
    expected = np.array([2.0 * SMALL[0] * SMALL[1] ** 2, 2.0 * SMALL[0] ** 2 * SMALL[1]])
    for i in range(5):
        try:
            found = grad(f)(SMALL.copy())
        except AdjointError:  # what other functions have filled is no table of results: no zero is taken for a slope
            assert i and f is by_another
        else:
            np.testing.assert_allclose(found, expected)
    capsys.readouterr()


def captured_anew(p: Any) -> Any:
    k = p[0]

    def held(x: Any) -> Any:
        return TABLE["square"](x) * k

    if p[1] > LIMIT:
        print("large")
    k = k * p[1]
    return held(p[1])


def test_variables_that_are_bound_anew(capsys: pytest.CaptureFixture[str]) -> None:
    for p in (SMALL, np.array([1.5, 2.5]), SMALL):
        check(captured_anew, p)
    capsys.readouterr()


def generator(p: Any) -> Iterator[Any]:
    if p[0] > LIMIT:
        print("large")
    yield p[0] * p[0]


def through_a_generator(p: Any) -> Any:
    return sum(TABLE["square"](x) for x in generator(p)) * p[1]


def test_within_a_generator(capsys: pytest.CaptureFixture[str]) -> None:
    for p in (SMALL, LARGE, SMALL, LARGE):
        capsys.readouterr()
        y, back = pullback(through_a_generator, p)
        assert capsys.readouterr().out == "large\n" * (p is LARGE)
        np.testing.assert_allclose(back(1.0)[1], [4.0 * p[0] ** 3 * p[1], p[0] ** 4])
        assert y == p[0] ** 4 * p[1]


def test_outside_of_a_trial_nothing_is_given_up() -> None:
    assert not thread.state.trial
    may_act(print)


# ---- functions that are called plainly, and read global names


def reads_a_global(p: Any) -> Any:
    return p[0] * p[1] if within(p.shape[0]) else TABLE["square"](p[0])


def within(n: int) -> bool:
    return any([x > n for x in POINTS]) or n < LIMIT + 1


class Loud(float):
    """A number whose addition is seen."""

    def __add__(self, other: Any) -> Any:
        LOG.append("added")
        return float(self) + other


def test_functions_that_read_global_names_only_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    check(reads_a_global, SMALL)
    assert not choice.has_been_recorded(reads_a_global, (SMALL,))
    for limit in (Loud(2.0), 5.0, Loud(3.0)):
        LOG.clear()
        monkeypatch.setattr(sys.modules[__name__], "LIMIT", limit)
        pullback(reads_a_global, SMALL)
        assert len(LOG) == isinstance(limit, Loud)  # another class is another program
