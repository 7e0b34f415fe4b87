"""Entry plans: gradients that are taken by the plan of a call before, and each thing that makes that plan stale."""

import contextlib
import dataclasses
import gc
import math
import threading
from typing import Any

import numpy as np
import pytest
from runtime.either_way import adding_one, caught

from adjoint import Tangent, grad, gradient, hessian, hvp, jvp, pullback, rule, value_and_grad, withgradient
from adjoint.calculus import pushforward
from adjoint.derivatives import plans
from adjoint.derivatives.plans import ALL, PRODUCT, PULLBACK, TANGENT, planned, planned_along
from adjoint.diagnostics import debug_nans
from adjoint.errors import CotangentError, NotDifferentiableError, NotScalarError
from adjoint.rules import opt_out
from adjoint.runtime import tables
from adjoint.tangents.sweep import thread


def still(x: Any) -> Any:
    """A direction in which nothing moves: zeros for what is a number, else None."""
    if isinstance(x, dict):
        return {key: still(item) for key, item in x.items()}
    if isinstance(x, list | tuple):
        return type(x)(map(still, x))
    return x * 0.0 if isinstance(x, int | float | np.ndarray) else None


def by_tangents(x: Any, bar_of: Any) -> Any:
    """The gradient by `x`, given that along a direction: one for each number in it."""
    if isinstance(x, dict):
        return {key: by_tangents(x[key], lambda d, key=key: bar_of({**still(x), key: d})) for key in x}
    if isinstance(x, list | tuple):
        zeros = still(x)
        parts = [lambda d, i=i: bar_of(type(x)([*zeros[:i], d, *zeros[i + 1 :]])) for i in range(len(x))]
        return type(x)(map(by_tangents, x, parts))
    if isinstance(x, np.ndarray | np.generic):
        units = [np.asarray(unit).reshape(x.shape)[()] for unit in np.eye(x.size, dtype=x.dtype)]
        bars = [bar_of(unit) + (1j * bar_of(1j * unit) if x.dtype.kind == "c" else 0.0) for unit in units]
        return np.array(bars, x.dtype).reshape(x.shape)[()]
    if hasattr(x, "__dict__"):
        parts = {name: lambda d, name=name: bar_of(Tangent(x, {name: d})) for name in vars(x)}
        return Tangent(x, {name: by_tangents(vars(x)[name], bar_of) for name, bar_of in parts.items()})
    return bar_of(1.0) if isinstance(x, int | float) else None


def along(f: Any, x: Any, *rest: Any) -> Any:
    return by_tangents(x, lambda d: jvp(f, (x, *rest), (d, *[None for _ in rest]))[1])


WAYS = {
    "jvp": along,
    "gradient": lambda f, *args: gradient(f, *args)[0],
    "withgradient": lambda f, *args: withgradient(f, *args)[1][0],
    "grad": lambda f, *args: grad(f)(*args),
    "by several": lambda f, *args: grad(f, tuple(range(len(args))))(*args)[0],
    "value_and_grad": lambda f, *args: value_and_grad(f)(*args)[1],
}
way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
P = {
    "w": 0.5,
    "n": 2,
    "name": "layer",
    "none": None,
    "layers": [{"a": 1.0, "b": (2.0, 3.0)}, {"a": 2.0, "b": (1.0, 1.0)}],
}


def made(k: Any) -> Any:
    return lambda x: k * x * x


def nested(p: Any) -> Any:
    s = p["w"] * p["n"]
    for layer in p["layers"]:
        s = s + layer["a"] * layer["b"][0] * p["w"]
    return s


EXPECTED = {
    "w": 2.0 + 2.0 + 2.0, "n": 0.5, "name": None, "none": None,
    "layers": [{"a": 1.0, "b": (0.5, 0.0)}, {"a": 0.5, "b": (1.0, 0.0)}],
}  # fmt: skip


def test_the_next_call_has_a_plan() -> None:
    f = made(3.0)
    assert planned(f, ALL, (2.0,)) is None
    assert gradient(f, 2.0) == (12.0,)
    assert planned(f, ALL, (2.0,)) == (12.0, (12.0,))
    assert planned(f, ALL, (np.ones(2),)) is None
    assert planned(f, 0, (2.0,)) is None
    assert grad(f)(2.0) == 12.0
    assert planned(f, 0, (2.0,)) == (12.0, 12.0)
    assert planned(f, PULLBACK, (2.0,)) is None


@way
def test_containers_of_numbers(way: Any) -> None:
    for _ in range(4):
        found = way(nested, P)
        assert found == EXPECTED
        assert list(found) == list(P)
        assert list(way(nested, dict(reversed(P.items())))) == list(reversed(P))
        assert all(type(v) is float for v in (found["w"], found["n"], *found["layers"][0]["b"]))


@way
def test_arguments_of_other_kinds_in_turns(way: Any) -> None:
    def f(x: Any) -> Any:
        return 3.0 * np.sum(x * x).real

    x = np.array([1.0, 2.0])
    for _ in range(3):
        for value in (
            2.0,
            2,
            x,
            x.reshape(1, 2),
            x.astype(np.float32),
            np.float32(2.0),
            [1.0, 2.0][0],
            x + 1j,
            np.array(2.0),
        ):
            found = way(f, value)
            np.testing.assert_allclose(found, 6 * np.conj(value))
            if isinstance(value, np.ndarray | np.generic):
                assert found.dtype == value.dtype
    with pytest.raises((NotDifferentiableError, TypeError)):
        way(f, np.array([1.0, None]))


@way
def test_what_a_gradient_gives_is_its_own(way: Any) -> None:
    def f(x: Any, w: Any) -> Any:
        return np.sum(x * w)

    x, w = np.ones(3), np.full(3, 2.0)
    for _ in range(3):
        found = way(f, x, w)
        assert not any(np.shares_memory(found, other) for other in (x, w))
        found[:] = 7.0
        np.testing.assert_array_equal(way(f, x, w), [2.0, 2.0, 2.0])
    both = [grad(lambda x, y: np.sum(x + y), (0, 1))(x, x) for _ in range(3)][-1]
    assert not np.shares_memory(*both)


@way
def test_what_is_captured_counts(way: Any) -> None:
    for k in (2.0, np.array(2.0), 3, np.float32(1.0), 2.0):
        assert way(made(k), 2.0) == 4.0 * k


SCALE = 2.0


class Settings:
    rate = 2.0

    def at(self, x: float) -> float:
        return self.rate * x


SETTINGS = Settings()


def by_global(x: float) -> float:
    return SCALE * math.sin(x)


def by_class(x: float) -> float:
    return Settings.rate * math.sin(x)


def by_method(x: float) -> float:
    return SETTINGS.at(x)


@way
def test_globals_and_classes_that_change(way: Any, monkeypatch: Any) -> None:
    for value in (2.0, 3.0, 5):
        monkeypatch.setattr(f"{__name__}.SCALE", value)
        monkeypatch.setattr(Settings, "rate", value)
        for f in (by_global, by_class, by_method):
            for _ in range(2):
                assert way(f, 0.0) == value
    monkeypatch.setattr(Settings, "at", lambda self, x: 7.0 * x)
    assert way(by_method, 0.0) == 7.0
    monkeypatch.setattr(math, "sin", lambda x: 10.0 * x)
    assert way(by_global, 0.0) == 50.0


@way
def test_code_defaults_and_rules_that_change(way: Any) -> None:
    def f(x: float, k: float = 2.0) -> float:
        return k * x

    def g(x: float, k: float = 2.0) -> float:
        return k * x * x

    def outer(x: float) -> float:
        return f(x)

    def h(x: float) -> float:
        return x * x

    for _ in range(3):
        assert way(outer, 3.0) == 2.0
        assert way(h, 3.0) == 6.0
    f.__defaults__ = (5.0,)
    assert way(outer, 3.0) == 5.0
    f.__code__ = g.__code__
    assert way(outer, 3.0) == 30.0
    h.__code__ = (lambda x: x * 9.0).__code__
    assert way(h, 3.0) == 9.0


@way
def test_a_rule_that_comes_later(way: Any) -> None:
    def cube(x: float) -> float:
        return x**3

    def around(x: float) -> float:
        return cube(x)

    for f in (cube, around):
        for _ in range(2):
            assert way(f, 2.0) == 12.0

    @rule(cube)
    def cube_rule(x: float) -> Any:
        return x**3, lambda y_bar: (100.0 * y_bar,)

    try:
        for f in (cube, around):
            assert way(f, 2.0) == 100.0
    finally:
        opt_out(cube)
    for f in (cube, around):
        assert way(f, 2.0) == 12.0


@way
def test_what_is_recorded_stays_so(way: Any) -> None:
    for g in (math.sin, caught, math.cos, caught, math.sin):
        for _ in range(2):
            assert way(adding_one(g), 0.5) == pytest.approx(gradient(g, 0.5)[0])


@dataclasses.dataclass
class Point:
    x: float
    y: Any


@way
def test_objects(way: Any) -> None:
    def f(p: Any) -> Any:
        return p.x * np.sum(p.y)

    for _ in range(3):
        for y in (2.0, np.ones(2), 3, [1.0, 2.0]):
            found = way(f, Point(3.0, y))
            assert found.x == np.sum(y)
            np.testing.assert_array_equal(found.y, np.full(np.shape(y), 3.0))


@way
def test_objects_whose_comparison_stores_are_recorded(way: Any) -> None:
    class Counting:
        def __init__(self) -> None:
            self.v, self.n = 2.0, 0

        def __lt__(self, other: Any) -> bool:
            self.n += 1
            return False

    def f(x: Any, held: Any) -> Any:
        return x * (held[0] < 1.0) + x * held[0].n

    for held in ([2.0], [Counting()], [2.0], [Counting()]):
        if isinstance(held[0], float):
            with pytest.raises(AttributeError):
                way(f, 3.0, held)
        else:
            assert way(f, 3.0, held) == held[0].n


@way
def test_classes_within_that_come_to_store(way: Any) -> None:
    class Inner:
        def __init__(self) -> None:
            self.v = 3.0

        def __str__(self) -> str:
            return "a"

    class Outer:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

    def f(held: Any) -> Any:
        n = len(str(held.inner))
        return n * held.inner.v**2

    def doubling(self: Any) -> str:
        self.v = 2.0 * self.v
        return "a"

    for _ in range(4):
        assert way(f, Outer(Inner())).inner.v == 6.0
    Inner.__str__ = doubling  # type: ignore[method-assign]
    for _ in range(3):
        assert way(f, Outer(Inner())).inner.v == 24.0


@way
def test_errors_leave_nothing_behind(way: Any) -> None:
    def f(x: float, n: int) -> float:
        return x / n + [1.0][n - 1] * x

    for _ in range(3):
        assert way(f, 3.0, 1) == 2.0
        with pytest.raises(ZeroDivisionError):
            way(f, 3.0, 0)
        with pytest.raises(IndexError):
            way(f, 3.0, 2)
        assert (thread.state.memo, thread.state.bars, thread.state.trial) == (None, None, False)
    with contextlib.nullcontext() if way is along else pytest.raises(NotScalarError):
        way(lambda x: x * np.ones(2), 3.0)


@way
def test_under_a_debugger(way: Any) -> None:
    def f(x: Any) -> Any:
        return x * math.inf * 0.0 if x > 1.0 else x

    for _ in range(3):
        assert way(f, 0.5) == 1.0
    with debug_nans(), pytest.raises(Exception, match="nan"):
        way(f, 2.0)


@way
def test_calls_within_and_along(way: Any) -> None:
    def f(x: float) -> float:
        return x**3

    for _ in range(3):
        assert way(f, 2.0) == 12.0
        assert way(lambda x: grad(f)(x), 2.0) == 12.0
        assert pushforward(grad(f), (2.0,), (1.0,)) == (12.0, 12.0)
        assert hessian(f, 2.0) == 12.0


@way
def test_from_several_threads(way: Any) -> None:
    f, wrong = made(2.0), []

    def work(x: float) -> None:
        for i in range(100):
            if way(f, x + i) != 4.0 * (x + i):
                wrong.append(x)

    threads = [threading.Thread(target=work, args=(float(i),)) for i in range(8)]
    for worker in threads:
        worker.start()
    for worker in threads:
        worker.join()
    assert not wrong


def test_parameters_with_any_name() -> None:
    def f(all: float, pullback: float, state: float, trial: float, d: float, y: float, taken: float) -> float:  # noqa: A002
        return all * pullback * pullback + state * trial + d * y * taken

    args = (2.0, 3.0, 1.0, 4.0, 2.0, 5.0, 0.5)
    for _ in range(3):
        assert grad(f, "all")(*args) == 9.0
        assert gradient(f, *args) == (9.0, 12.0, 4.0, 1.0, 2.5, 1.0, 10.0)
        assert grad(f, "pullback")(*args) == 12.0
        assert pullback(f, *args)[1](1.0)[1:] == (9.0, 12.0, 4.0, 1.0, 2.5, 1.0, 10.0)


def test_gradients_by_nothing() -> None:
    for _ in range(3):
        assert gradient(lambda: 3.0) == ()
        assert withgradient(lambda: 3.0) == (3.0, ())
        assert grad(lambda x: x * x, ())(2.0) == ()


def test_places_are_those_of_the_user(tmp_path: Any) -> None:
    def f(x: Any, n: int) -> Any:
        return np.sum(x * x) if n else np.ones(2) * x

    for n in (1, 1, 1, 0, 0):
        if n:
            gradient(f, np.ones(3), n)
            continue
        with pytest.raises(NotScalarError) as caught:
            gradient(f, 3.0, n)
        assert caught.value.place is not None
        assert caught.value.place.filename == __file__
    plan = next(iter(plans._PLANS[id(f.__code__)].of.values()))[0]
    assert plan.__code__.co_filename == "<adjoint plan>"


def test_codes_whose_addresses_are_used_again(tmp_path: Any) -> None:
    for k in range(40):
        file = tmp_path / f"m{k}.py"
        file.write_text(f"def f(x):\n    return {k}.0 * x\n", encoding="utf-8")
        scope: dict[str, Any] = {"__name__": f"m{k}"}
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), scope)
        for _ in range(2):
            assert grad(scope["f"])(2.0) == k
        del scope
        plans.forget_plans()
        tables.TABLES.clear()
        gc.collect()


def test_plans_are_bounded() -> None:
    for n in range(3 * plans.MAX_PLANS):
        f = made((1.0,) * n if n else 1.0)
        if n == 0:
            grad(f)(1.0)
    held = [plans.plans_to_add_to(made(1.0)) for _ in range(plans.MAX_MISSED + 1)]
    assert held[0] is not None and held[-1] is None
    plans.forget_plans()


def test_a_planted_plan_is_caught() -> None:
    """The checks above would see a plan that does not ask its guard."""
    f = made(3.0)
    grad(f)(2.0)
    held = plans.plans_to_add_to(f)
    assert held is not None
    held.of[0, 1] = (lambda f, x: (0.0, -1.0),)
    assert grad(f)(2.0) == -1.0
    plans.forget_plans()
    assert grad(f)(2.0) == 12.0


@pytest.mark.parametrize("x", [2.0, np.array([1.0, 2.0]), np.array([1.0, 2.0], np.float32), [1.0, 2.0], P["layers"][0]])
def test_tangents_of_another_form_go_the_general_way(x: Any) -> None:
    def f(x: Any, k: float) -> Any:
        if isinstance(x, dict):
            return k * x["a"] * x["b"][0] * x["b"][1]
        if isinstance(x, list):
            return k * x[0] * x[1]
        return k * np.sum(x * x)

    d = by_tangents(x, lambda d: 1.0)
    expected = [jvp(f, (x, 3.0), (d, None)) for _ in range(4)][0]
    assert any(planned_along(f, TANGENT, (x, 3.0), (d, None)) or ())
    assert planned_along(f, TANGENT, (x, 3.0), (d, None)) == expected == jvp(f, (x, 3.0), (d, None))
    assert list(map(type, expected)) == list(map(type, jvp(f, (x, 3.0), (d, None))))
    assert plans._PLANS[id(f.__code__)].of[(TANGENT, True, False), 2]
    whole = by_tangents(x, lambda d: 1)
    assert planned_along(f, TANGENT, (x, 3.0), (whole, None)) is None or isinstance(x, np.ndarray)
    assert jvp(f, (x, 3.0), (whole, None)) == expected
    for wrong in ("a", np.ones(5), [1.0, 2.0, 3.0], {"b": 1.0}, (1.0,)):
        assert planned_along(f, TANGENT, (x, 3.0), (wrong, None)) is None
        with pytest.raises(CotangentError):
            jvp(f, (x, 3.0), (wrong, None))
    assert jvp(f, (x, 3.0), (None, None)) == (expected[0], 0.0)


def test_a_tangent_is_its_own() -> None:
    x, v = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    for f in (lambda x: x, lambda x: x[:1], lambda x: x.reshape(1, 2), lambda x: [x, x]):
        for _ in range(3):
            y, y_dot = jvp(f, (x,), (v,))
            for d in y_dot if isinstance(y_dot, list) else [y_dot]:
                assert not np.shares_memory(d, v)
                d[...] = 0.0
            np.testing.assert_array_equal(v, [3.0, 4.0])
    y, y_dot = jvp(lambda x: x * x, (x,), (x,))
    np.testing.assert_array_equal(y_dot, 2 * x * x)


@pytest.mark.parametrize("x", [2.0, np.float64(2.0), np.array([1.0, 2.0]), np.array([1, 2], np.float32), [1.0, 2.0]])
def test_products_with_hessians(x: Any) -> None:
    def f(x: Any, k: float, name: str) -> Any:
        return k * x[0] * x[1] ** 2 if isinstance(x, list) else k * np.sum(x * x * x)

    d = by_tangents(x, lambda d: 1.0)
    expected = gradient(lambda x: jvp(f, (x, 3.0, "a"), (d, None, None))[1], x)[0]
    for _ in range(4):
        found = hvp(f, (x, 3.0, "a"), (d, None, None))
        np.testing.assert_allclose(found[0], expected)
        assert type(found[0]) is type(expected)
        assert found[1] == pytest.approx(jvp(lambda x: f(x, 1.0, "a"), (x,), (d,))[1])
        assert found[2] is None
        along_k = hvp(f, (x, 3.0, "a"), (None, 1.0, None))
        assert along_k[1] == 0.0
        np.testing.assert_allclose(along_k[0], gradient(lambda x: f(x, 1.0, "a"), x)[0])
        with pytest.raises(CotangentError):
            hvp(f, (x, 3.0, "a"), ("wrong", None, None))
        with pytest.raises(NotScalarError):
            hvp(lambda x: np.array([1.0, 2.0]) * np.sum(x), (x,), (d,))
    if isinstance(x, list | np.ndarray):
        assert planned_along(f, PRODUCT, (x, 3.0, "a"), (d, None, None)) is not None


def test_derivatives_of_planned_tangents() -> None:
    def f(x: float) -> float:
        return x**3

    def slope(x: float) -> Any:
        return jvp(f, (x,), (1.0,))[1]

    for _ in range(3):
        assert jvp(f, (2.0,), (1.0,)) == (8.0, 12.0)
        assert gradient(slope, 2.0) == (12.0,)
        assert jvp(slope, (2.0,), (1.0,)) == (12.0, 12.0)
        assert jvp(lambda x: gradient(slope, x)[0], (2.0,), (1.0,)) == (12.0, 6.0)
