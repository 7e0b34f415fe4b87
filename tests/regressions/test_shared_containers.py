"""Programs that change lists, dicts and arrays which others may have: run on these, value, state and derivatives those
of the plain program, and of the recorded one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from storing_plans import without_plans

from adjoint import gradient, jacobian, jvp, pullback
from adjoint.derivatives import choice
from adjoint.errors import AdjointError
from adjoint.ir import located as ops
from adjoint.runtime.tables import TABLES
from adjoint.tangents import located as shadows
from adjoint.transforms import shadowed_items

from .differences import check
from .shared_containers import ALIASED, CASES, Case, array_and_view, buffers, captured, one_twice
from .test_shared_objects import close, named


@pytest.mark.parametrize("case", CASES, ids=named)
def test_programs_that_change_shared_containers(case: Case, structured: list[bool]) -> None:
    f, make = case
    check(f, *make())
    assert structured and all(structured), "it was recorded"


@pytest.mark.parametrize("case", [*CASES, *ALIASED], ids=named)
def test_gradients_are_those_of_the_recorded_program(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    f, make = case
    found = gradient(f, *make())
    without_plans(monkeypatch)
    monkeypatch.setattr("adjoint.derivatives.shared_call", lambda *args: None)
    expected = gradient(f, *make())
    choice.forget()
    assert close(found, expected), f"{found}, recorded {expected}"


@pytest.mark.parametrize("case", ALIASED, ids=named)
def test_what_is_met_twice_has_one_cotangent(case: Case, structured: list[bool]) -> None:
    f, make = case
    assert f(*make()) == pullback(f, *make())[0]
    assert all(structured)


def test_captured_containers_change(structured: list[bool]) -> None:
    (plain, expected), (f, held) = captured(0.9), captured(0.9)
    y, back = pullback(f, 1.2)
    assert y == plain(1.2) and structured and all(structured)
    d_f, d_x = back(1.0)
    h = 1e-6
    np.testing.assert_allclose(d_x, (captured(0.9)[0](1.2 + h) - captured(0.9)[0](1.2 - h)) / (2 * h), rtol=1e-6)
    assert held[0] == expected[0] and np.array_equal(held[1], expected[1])
    sides = []
    for by in (h, -h):
        g, (_, u) = captured(0.9)
        u[1] += by
        sides.append(g(1.2))
    np.testing.assert_allclose(d_f.u[1], (sides[0] - sides[1]) / (2 * h), rtol=1e-6)


def test_second_and_forward_derivatives(structured: list[bool]) -> None:
    def by(x: float) -> float:
        return one_twice(np.array([0.3, 0.5, 0.7, 1.1]) * x, x)

    h = 1e-5
    np.testing.assert_allclose(gradient(by, 0.8)[0], (by(0.8 + h) - by(0.8 - h)) / (2 * h), rtol=1e-6)
    slope = (gradient(by, 0.8 + h)[0] - gradient(by, 0.8 - h)[0]) / (2 * h)
    np.testing.assert_allclose(gradient(lambda x: gradient(by, x)[0], 0.8)[0], slope, rtol=1e-6)
    np.testing.assert_allclose(jvp(by, (0.8,), (1.0,))[1], gradient(by, 0.8)[0], rtol=1e-10)
    u = np.array([0.3, 0.5, 0.7, 1.1])
    slope = gradient(array_and_view, u.copy(), 0.8)[1]
    np.testing.assert_allclose(jvp(array_and_view, (u, 0.8), (0.0 * u, 1.0))[1], slope)


def test_errors_put_memory_back(structured: list[bool]) -> None:
    def f(xs: list[float], u: Any, d: dict[str, float], x: float) -> float:
        ys = xs if x > 0.0 else [x, x]
        w = u if x > 0.0 else u[1:]
        ys[0] = x * xs[1]
        ys.append(x)
        w[1] = x
        d["new"] = x
        if xs[0] < 100.0:
            raise ValueError(f"{len(xs)} {u[1]} {sorted(d)}")
        return xs[0] * u[1]

    with pytest.raises(ValueError, match=r"3 0.5 \['a', 'new'\]"):
        gradient(f, [1.0, 2.0], np.array([0.3, 0.7]), {"a": 0.1}, 0.5)


def test_memory_that_two_arguments_share_is_one_variable(structured: list[bool]) -> None:
    def f(u: Any) -> float:
        u = u.copy()
        return buffers(u, u[::-1], 0.1, 2)

    u, h = np.array([0.3, 0.5, 0.7, 1.1]), 1e-6
    slopes = [(f(u + h * e) - f(u - h * e)) / (2 * h) for e in np.eye(4)]
    bars = gradient(buffers, u, u[::-1], 0.1, 2)
    assert all(structured)
    np.testing.assert_allclose(bars[0], slopes, rtol=1e-6)
    assert not bars[1].any()


def test_types_are_asked_at_each_call(structured: list[bool]) -> None:
    def f(d: dict[str, Any], x: float) -> float:
        p = d["one"]
        p["w"] = p["w"] * x
        return float(np.sum(d["one"]["w"] * 2.0))

    assert gradient(f, {"one": {"w": 0.5}}, 3.0)[1] == 1.0
    np.testing.assert_allclose(gradient(f, {"one": {"w": np.array([0.5, 1.0])}}, 3.0)[1], 3.0)
    np.testing.assert_allclose(gradient(f, {"one": {"w": np.array([0.5, 1.0], np.float32)}}, 3.0)[1], 3.0)
    np.testing.assert_allclose(gradient(f, {"one": {"w": 2}}, 3.0)[1], 4.0)


def test_parts_that_cross_are_recorded() -> None:
    def f(a: Any, x: float) -> float:
        b = a if x > 0.0 else a[1:]
        b[:, 2] = a[1]
        return float(np.sum(a * a) * x)

    with pytest.raises(AdjointError, match="crosses"):
        gradient(f, np.arange(9.0).reshape(3, 3), 0.5)


def test_several_seeds_at_once(structured: list[bool]) -> None:
    def f(u: Any, x: float) -> Any:
        tail = u[1:]
        tail[0] = x * u[0]
        return np.array([u[0] * x, u[1] * u[2], tail[0] ** 2]) * 1.0

    u, x = np.array([0.3, 0.5, 0.7]), 0.8
    found = jacobian(f, u.copy(), x)
    h = 1e-6
    np.testing.assert_allclose(np.ravel(found[1]), (f(u.copy(), x + h) - f(u.copy(), x - h)) / (2 * h), atol=1e-8)


# ---- planted errors


def wrong(case: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the comparison with the recorded program fails."""
    f, make = next(c for c in CASES if named(c) == case)
    TABLES.clear()
    found = gradient(f, *make())
    TABLES.clear()
    without_plans(monkeypatch)
    monkeypatch.setattr("adjoint.derivatives.shared_call", lambda *args: None)
    expected = gradient(f, *make())
    choice.forget()
    return not close(found, expected)


def test_a_second_home_for_a_cotangent_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that has a shadow of its own, beside that of its owner."""

    def by_itself(found: dict[int, Any], a: Any) -> Any:
        return found.setdefault(id(a), shadows.Memory(a)).main

    by_itself.__module__, by_itself.__name__ = shadows.window_of.__module__, "window_of"
    monkeypatch.setattr(shadowed_items, "window_of", by_itself)
    assert wrong("array_and_view", monkeypatch)


def test_a_result_that_changes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """An array that a rule keeps, and that is stored into."""
    monkeypatch.setattr(ops, "located_copy", ops.located)
    assert wrong("rules_that_keep_their_result", monkeypatch)


def test_a_store_that_leaves_what_came_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def kept(cells: Any, key: Any, none: Any) -> Any:
        return cells.get(key, none)

    monkeypatch.setattr(shadowed_items, "take_cell", kept)
    assert wrong("nested", monkeypatch)


def unpacked(u: Any, x: float) -> Any:
    a = np.zeros((2, 2))
    v, _ = a
    a[0] = u * x
    return v.sum()


def held_by_a_dict(u: Any, x: float) -> Any:
    a = u * x
    p = dict(a=a)
    a[0] = x**2
    return (p["a"] * u).sum()


def shown_by_a_view(u: Any, x: float) -> Any:
    d = {"a": x}
    values = d.values()
    d["b"] = u[0]
    return sum(values) * x


@pytest.mark.parametrize("f", [unpacked, held_by_a_dict, shown_by_a_view])
def test_what_shows_memory_sees_its_stores(f: Any) -> None:
    check(f, np.array([0.5, 1.5]), 0.8)
