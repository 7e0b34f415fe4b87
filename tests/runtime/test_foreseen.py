"""Results of calls are taken to be of the types that were seen, and checked: one of another type is never missed."""

import contextlib
import dataclasses
import functools
import io
import itertools
import math
import threading
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hessian, pullback, rule, withgradient
from adjoint.calculus import pushforward
from adjoint.derivatives import choice, framing
from adjoint.derivatives.plans import PULLBACK, forget_plans, planned
from adjoint.runtime import profiles, tables


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any


class Holder:
    """Of which only the run shows what it holds, where only the run shows that one is made."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.count = abs(-1)

    def __mul__(self, k: Any) -> Any:
        return MAKERS["holder"](self.value * k)

    def get(self) -> Any:
        return self.value


MAKERS = {"holder": Holder}


def through_a_pair(x: Any, y: Any) -> Any:
    t = MAKERS["holder"](Pair(x, y)).value.a
    s = 1.0
    for _ in range(5):
        s = 0.9 * s + 0.1 * np.sin(t) * s + 0.05 * t
    return np.sum(s)


def slopes(x: Any, y: Any) -> Any:
    """The same, of a function that nothing has been seen of."""

    def fresh(x: Any, y: Any) -> Any:
        t = x
        s = 1.0
        for _ in range(5):
            s = 0.9 * s + 0.1 * np.sin(t) * s + 0.05 * t
        return np.sum(s)

    return withgradient(fresh, x, y)


KINDS = [0.3, np.float64(0.4), 1, np.float32(0.5), np.array([0.1, 0.2]), np.array([[0.1, 0.2]]), np.array(0.3), 0.7]


def foreseen(f: Any) -> Any:
    """The program of a function that is kept now, and whether it takes anything for granted."""
    specs = [spec for known in tables.TABLES[id(f.__code__)].entries.values() for _, spec in known]
    return [spec for spec in specs if spec.generic is not None]


def test_a_program_is_made_for_what_was_seen() -> None:
    def f(x: Any) -> Any:
        t = MAKERS["holder"](x).get()
        return t * math.sin(t)

    for _ in range(4):
        assert gradient(f, 0.5)[0] == pytest.approx(math.sin(0.5) + 0.5 * math.cos(0.5))
    assert len(foreseen(f)) == 1
    assert "pullback_wrt_2_of_2(mul" not in foreseen(f)[0].text  # the product is one of floats


@pytest.mark.parametrize("order", [KINDS, KINDS[::-1], [KINDS[i] for i in (0, 4, 0, 5, 0, 2, 0, 6, 0)]])
def test_arguments_of_all_kinds_in_turn(order: list[Any]) -> None:
    for x in order * 2:
        y, (x_bar, y_bar) = withgradient(through_a_pair, x, 0.5)
        expected, (slope, _) = slopes(x, 0.5)
        assert type(y) is type(expected) and y == expected
        np.testing.assert_allclose(x_bar, slope, rtol=1e-6)
        assert np.shape(x_bar) == np.shape(x) and y_bar in (0.0, None)


def kinds_by_number(n: int) -> Any:
    return [0.5, 2, np.float64(1.5), np.array([1.0, 2.0]), None, True, "text", 2 + 1j, [1.0, 2.0], (1.0, 2.0)][n]


def test_a_site_that_gives_something_else_each_time() -> None:
    table = [kinds_by_number(n) for n in range(10)]

    def f(x: Any, n: int) -> Any:
        t = MAKERS["holder"](table).get()[n]
        t = 3.0 if t is None or isinstance(t, str) else t
        return abs(np.sum(np.asarray(t) * x))

    for n in [0, 0, 0, 1, 2, 3, 4, 0, 5, 6, 7, 8, 9, 0, 3, 9, 1, 8, 0]:
        t = table[n]
        t = 3.0 if t is None or isinstance(t, str) else t
        assert gradient(f, 2.0, n)[0] == pytest.approx(abs(np.sum(t)))


def test_none_first_then_a_number() -> None:
    memory: list[Any] = [None]

    def f(x: Any) -> Any:
        t = MAKERS["holder"](memory).get()[0]
        if t is None:
            t = x
        return t * x

    assert [gradient(f, 3.0)[0] for _ in range(3)] == [6.0] * 3
    memory[0] = 5.0
    assert [gradient(f, 3.0)[0] for _ in range(3)] == [5.0] * 3
    memory[0] = np.array([5.0, 1.0])
    assert [gradient(lambda x: np.sum(f(x)), 3.0)[0] for _ in range(3)] == [6.0] * 3
    memory[0] = None
    assert [gradient(f, 3.0)[0] for _ in range(3)] == [6.0] * 3


def test_a_result_of_another_kind_in_the_middle_of_a_loop() -> None:
    def f(x: Any, n: int) -> Any:
        s = 0.0
        for i in range(10):
            t = MAKERS["holder"](x if i < n else x * np.ones(2)).get()
            s = s + np.sum(t * t)
        return s

    for n in (10, 10, 10, 5, 9, 0, 10, 3):
        assert gradient(f, 1.5, n)[0] == pytest.approx(2 * 1.5 * (n + 2 * (10 - n)))


def test_programs_are_made_only_a_few_times() -> None:
    def f(x: Any, n: int) -> Any:
        t = MAKERS["holder"]([1.0, 2, np.float64(3), np.ones(2), np.ones((2, 2)), 1j]).get()[n]
        return np.sum(np.real(t * x))

    for n in itertools.islice(itertools.cycle(range(6)), 60):
        gradient(f, 2.0, n)
    before = tables.STATISTICS["generated"]
    for n in itertools.islice(itertools.cycle(range(6)), 60):
        gradient(f, 2.0, n)
    assert tables.STATISTICS["generated"] == before


# ---- a run is done again only where it may be


def loud(x: Any) -> Any:
    print("called")
    return x


class Loud(Holder):
    def get(self) -> Any:
        print("called")
        return self.value


@pytest.mark.parametrize("kind", [float, np.float64, int, np.array])
def test_what_is_printed_is_printed_once(kind: Any) -> None:
    def by_a_function(x: Any) -> Any:
        return MAKERS["holder"](loud(x)).get() * 2.0

    def by_a_method(x: Any) -> Any:
        return Loud(x).get() * 2.0

    def by_a_list(x: Any) -> Any:
        s = 0.0
        for g in [Holder, loud, Holder]:
            y = g(x)
            s = s + (y.get() if isinstance(y, Holder) else y)
        return s

    for f, slope in ((by_a_function, 2.0), (by_a_method, 2.0), (by_a_list, 3.0)):
        for given in (3.0, 3.0, 3.0, kind(3), 3.0):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                assert gradient(f, given)[0] == slope
            assert out.getvalue() == "called\n"


def test_iterators_go_on_by_what_the_program_takes() -> None:
    def f(x: Any, numbers: Any) -> Any:
        s = MAKERS["holder"](x).get()
        for n in itertools.islice(numbers, 2):
            s = s * n
        return np.sum(s)

    numbers = iter([2.0, 3.0, 5.0, 7.0, 2.0, 2.0, 3, 4, 1.0, 2.0])
    got = [gradient(f, x, numbers)[0] for x in (1.0, 1.0, 1.0, 1.0)]
    assert got == [6.0, 35.0, 4.0, 12.0]
    assert list(numbers) == [1.0, 2.0]


def test_random_numbers_are_drawn_once() -> None:
    def f(x: Any, rng: Any) -> Any:
        t = MAKERS["holder"](x).get()
        return np.sum(t * rng.normal())

    ours, theirs = np.random.default_rng(0), np.random.default_rng(0)
    for x in (1.0, 1.0, 1.0, np.ones(2), 2, 1.0):
        np.testing.assert_allclose(gradient(f, x, ours)[0], np.ones(np.shape(x)) * theirs.normal())


def test_no_except_of_the_program_catches_it() -> None:
    caught = []

    def inner(x: Any) -> Any:
        t = MAKERS["holder"](x).get()
        return t * t

    def f(x: Any) -> Any:
        try:
            return np.sum(inner(x))
        except BaseException as error:
            caught.append(error)
            return 0.0

    for x in (3.0, 3.0, 3.0, 3, np.array([3.0]), 3.0):
        assert np.all(gradient(f, x)[0] == 6.0)
        assert np.all(gradient(inner, 3.0)[0] == 6.0)
    assert not caught


def test_callbacks_of_a_solver() -> None:
    integrate = pytest.importorskip("scipy.integrate")

    def velocity(t: Any, y: Any, k: Any) -> Any:
        p = MAKERS["holder"](Pair(k, y)).value
        return -p.a * p.b

    def f(k: Any, start: Any) -> Any:
        found = integrate.solve_ivp(velocity, (0.0, 1.0), start, args=(k,), rtol=1e-8, atol=1e-10)
        return found.y[0, -1]

    for k in (0.5, 0.5, 0.5, np.float64(0.5), 1, 0.5):
        assert gradient(f, k, np.array([2.0]))[0] == pytest.approx(-2.0 * math.exp(-k), rel=1e-5)


def test_threads_at_one_site() -> None:
    def f(x: Any) -> Any:
        t = MAKERS["holder"](x).get()
        s = 0.0
        for _ in range(20):
            s = s + np.sum(t * t)
        return s

    wrong: list[Any] = []
    kinds = [0.5, 2, np.float64(1.5), np.array([1.0, 2.0])]

    def run(i: int) -> None:
        for n in range(40):
            x = kinds[(i + n) % 4] if i < 6 else kinds[i % 4]
            got = gradient(f, x)[0]
            if not np.allclose(got, 40.0 * np.asarray(x)):
                wrong.append((x, got))

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---- what else is made of a program


def cubed(x: Any) -> Any:
    t = MAKERS["holder"](x).get()
    return t * t * t


def test_other_derivatives_of_such_a_program() -> None:
    for x in (2.0, 2.0, 2.0, np.float64(2.0), 2, 2.0):
        assert gradient(cubed, x)[0] == 12.0
        assert gradient(grad(cubed), x)[0] == 12.0
        assert pushforward(cubed, (x,), (1.0,)) == (8.0, 12.0)
        assert gradient(grad(grad(cubed)), x)[0] == 6.0
        y, back = pullback(cubed, x)
        assert (y, back(1.0)[1], back(2.0)[1]) == (8.0, 12.0, 24.0)


def test_hessians_of_such_a_program() -> None:
    def f(v: Any) -> Any:
        t = MAKERS["holder"](v).get()
        return np.sum(t**3) + t[0] * t[1]

    for _ in range(4):
        v = np.array([1.0, 2.0])
        gradient(f, v)
        np.testing.assert_allclose(hessian(f, v), [[6.0, 1.0], [1.0, 12.0]])


def test_a_gradient_within_such_a_program() -> None:
    def f(x: Any) -> Any:
        t = MAKERS["holder"](x).get()
        inner = gradient(cubed, t)[0]
        return np.sum(t * inner)

    for x in (2.0, 2.0, 2.0, 2, np.float64(2.0), 2.0):
        assert gradient(f, x)[0] == pytest.approx(36.0)


def test_a_pullback_outlives_what_was_taken_for_granted() -> None:
    _, back = pullback(cubed, 2.0)
    _, later = pullback(cubed, 2.0)
    gradient(lambda x: np.sum(cubed(x)), np.array([2.0]))
    pullback(cubed, np.array([2.0]))
    assert back(1.0)[1] == later(1.0)[1] == 12.0


def test_recursion_through_such_calls() -> None:
    def tree(x: Any, n: int) -> Any:
        t = MAKERS["holder"](x).get()
        return t if n == 0 else t * tree(x, n - 1) + functools.partial(tree, x)(n - 1)

    def plain(x: Any, n: int) -> Any:
        return x if n == 0 else x * plain(x, n - 1) + plain(x, n - 1)

    for x in (0.5, 0.5, 0.5, np.float64(0.5), 1, 0.5):
        h = 1e-6
        assert gradient(tree, x, 4)[0] == pytest.approx((plain(x + h, 4) - plain(x - h, 4)) / (2 * h), rel=1e-6)


# ---- what is looked up is looked up again


def test_a_method_is_replaced(monkeypatch: Any) -> None:
    def f(x: Any) -> Any:
        t = MAKERS["holder"](x).get()
        u = (MAKERS["holder"](x) * 2.0).value
        return t * u

    assert [gradient(f, 3.0)[0] for _ in range(3)] == [12.0] * 3
    monkeypatch.setattr(Holder, "get", lambda self: self.value * self.value)
    assert [gradient(f, 3.0)[0] for _ in range(3)] == [54.0] * 3
    monkeypatch.setattr(Holder, "__mul__", lambda self, k: MAKERS["holder"](np.ones(2) * self.value))
    assert [gradient(lambda x: np.sum(f(x)), 3.0)[0] for _ in range(3)] == [54.0] * 3
    monkeypatch.undo()
    assert [gradient(f, 3.0)[0] for _ in range(3)] == [12.0] * 3


def test_a_field_hides_a_method() -> None:
    def f(x: Any, hide: bool) -> Any:
        held = MAKERS["holder"](x)
        if hide:
            held = MAKERS["holder"](held)
        t = held.get()
        return t.value * x if isinstance(t, Holder) else t * x

    assert [gradient(f, 3.0, hide)[0] for hide in (False, False, True, True, False, True)] == [6.0] * 6


def test_the_checks_are_what_keeps_it_right(monkeypatch: Any) -> None:
    """Without them a result of another kind would be taken for what was seen."""

    def f(x: Any, n: int) -> Any:
        t = MAKERS["holder"]([2.0, np.array([2.0, 5.0])][n]).get()
        return np.sum(x * t * x)

    for _ in range(4):
        gradient(f, 3.0, 0)
    monkeypatch.setattr(profiles.Expectation, "check", lambda self, value: None)
    wrong = None
    with contextlib.suppress(Exception):
        wrong = gradient(f, 3.0, 1)[0]
    assert wrong is None or np.shape(wrong) != () or wrong != pytest.approx(42.0)
    monkeypatch.undo()
    assert gradient(f, 3.0, 1)[0] == pytest.approx(42.0)


# ---- a program that missed keeps missing, whatever is seen afterwards

VALUES: list[Any] = [2.0, 1.0 + 2.0j]


def imaginary(x: Any, k: int) -> Any:
    z = x * VALUES[k]
    return (z * z).imag + x


def imaginary_of_an_object(x: Any, k: int) -> Any:
    z = x * MAKERS["holder"](VALUES[k]).value
    return (z * z).imag + x


@pytest.mark.parametrize("inner", [imaginary, imaginary_of_an_object])
def test_a_miss_in_a_rule_that_takes_a_derivative(inner: Any) -> None:
    def slope(x: Any, k: int) -> Any:
        return pullback(inner, x, k)[1](1.0)[1].real

    @rule(slope)
    def slope_rule(x, k):  # type: ignore[no-untyped-def]
        s = slope(x, k)
        return s, lambda d: (d * (s - 1.0) / x, None)

    def f(x: Any, k: int) -> Any:
        return slope(x, k) * MAKERS["holder"]([x, 3.0]).value[0]

    for _ in range(4):
        pullback(inner, 0.5, 0)[1](1.0)
        gradient(f, 0.5, 0)
    for _ in range(3):
        assert withgradient(f, 0.5, 1)[0] == f(0.5, 1) == 2.5
        assert gradient(f, 0.5, 1)[0] == pytest.approx(9.0)


def test_a_thread_within_the_old_program() -> None:
    reached, go = threading.Event(), threading.Event()

    def gate(wait: bool) -> float:
        if wait:
            reached.set()
            go.wait(10)
        return 1.0

    @rule(gate)
    def gate_rule(wait):  # type: ignore[no-untyped-def]
        return gate(wait), lambda d: (None,)

    def f(x: Any, k: int, wait: bool) -> Any:
        w = gate(wait)
        z = x * MAKERS["holder"](VALUES[k]).value
        return (z * z).imag * w

    for _ in range(4):
        gradient(f, 0.5, 0, False)
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(gradient(f, 0.5, 1, True)[0]))
    thread.start()
    assert reached.wait(10)
    assert gradient(f, 0.5, 1, False)[0] == pytest.approx(4.0)
    go.set()
    thread.join()
    assert found == [pytest.approx(4.0)]


def test_an_interrupt_after_a_miss(monkeypatch: Any) -> None:
    settle, armed = framing.settle, [False]

    def interrupted() -> None:
        if armed[0]:
            raise KeyboardInterrupt
        settle()

    forget_plans()
    for place in (framing, choice):
        monkeypatch.setattr(place, "settle", interrupted)
    for _ in range(4):
        pullback(imaginary, 0.25, 0)
    assert planned(imaginary, PULLBACK, (0.25, 0)) is not None
    armed[0] = True
    with pytest.raises(KeyboardInterrupt):
        pullback(imaginary, 0.25, 1)
    armed[0] = False
    assert pullback(imaginary, 0.25, 1)[1](1.0)[1] == pytest.approx(3.0)


OBJECTS = [object()]


def test_the_way_is_short_where_nothing_is_taken_for_granted() -> None:
    def f(x: Any) -> Any:
        held = OBJECTS[0]
        return x if held is None else x * x

    def g(x: Any, n: int) -> Any:
        return np.sum(Holder([1.0, 2, np.float64(3), np.ones(2), np.ones((2, 2)), 1j]).value[n].real * x)

    for _ in range(4):
        pullback(f, 2.0)
    assert planned(f, PULLBACK, (2.0,)) is not None
    for n in (0, 1, 2, 3, 4, 5) * 4:
        pullback(g, 2.0, n)
    assert planned(g, PULLBACK, (2.0, 0)) is not None


def test_long_lists_are_not_looked_through_at_each_item() -> None:
    class Long(list):  # type: ignore[type-arg]
        looks = 0

        def __iter__(self) -> Any:
            Long.looks += 1
            return super().__iter__()

    class Data:
        def __init__(self, items: Any) -> None:
            self.items = items

    def f(x: Any, tables: Any, n: int) -> Any:
        s = 0.0
        for i in range(n):
            s = s + x * tables[i % 2].items[i][0]
        return s

    tables = [Data(Long([float(i)] for i in range(50))), Data(Long([2.0] for _ in range(50))), 3]
    for _ in range(4):
        gradient(lambda x: f(x, tables, 50), 0.5)
    Long.looks = 0
    assert gradient(lambda x: f(x, tables, 50), 0.5)[0] == sum(i if i % 2 == 0 else 2.0 for i in range(50))
    assert Long.looks < 10
