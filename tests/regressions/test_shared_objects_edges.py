"""Objects that others may have: programs that are left half-way, fields that hold something else than before, and
errors planted in what is done with shadows."""

from __future__ import annotations

import copy
import gc
import math
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback
from adjoint.derivatives import choice, sharing
from adjoint.ir import changes
from adjoint.runtime import tables
from adjoint.tangents import shadows as tangents_shadows
from adjoint.transforms import references, saved, shadowed, structural

from .differences import check
from .shared_objects import Node, Particle, Slotted, in_a_list, one_of_two, particles
from .test_shared_objects import CASES, named


def fails_half_way(ps: list[Particle], k: float) -> float:
    for p in ps:
        p.x = p.x * k
        p.v = math.sqrt(p.v)
    return ps[0].x


def runs_off_a_chain(head: Node, k: float) -> float:
    node = head
    for _ in range(5):
        node.value = node.value * k
        node = node.next  # type: ignore[assignment]
    return head.value


def makes_a_field(ps: list[Particle], k: float) -> float:
    for p in ps:
        p.seen = p.x * k  # type: ignore[attr-defined]
        p.x = 1.0 / (p.v - 0.5)
    return ps[0].x


def a_chain() -> Node:
    return Node(1.0, Node(2.0, Node(3.0)))


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (fails_half_way, ([Particle(1.0, 0.5), Particle(2.0, -0.5), Particle(3.0, 0.5)], 1.3)),
        (runs_off_a_chain, (a_chain(), 1.3)),
        (makes_a_field, ([Particle(1.0, 0.7), Particle(2.0, 0.5)], 1.3)),
    ],
    ids=["sqrt", "None", "division"],
)
def test_an_error_leaves_objects_as_the_plain_program_does(f: Any, args: Any) -> None:
    plain = copy.deepcopy(args)
    with pytest.raises(Exception) as expected:  # noqa: PT011 - whichever it is
        f(*plain)
    for _ in range(2):
        given = copy.deepcopy(args)
        with pytest.raises(type(expected.value)) as found:
            gradient(f, *given)
        assert str(found.value) == str(expected.value)
        assert state(given) == state(plain)


def state(x: Any) -> Any:
    """What objects hold, with the order of their fields."""
    if isinstance(x, (list, tuple)):
        return [state(item) for item in x]
    return [(name, state(item)) for name, item in vars(x).items()] if hasattr(x, "__dict__") else x


def test_an_interrupt_leaves_objects_half_way(structured: list[bool]) -> None:
    gradient(in_a_list, particles(2), 1.3, 2)
    ps = [Particle(1.0, 0.5), Raising(2.0, 0.5)]  # of another class: recorded
    with pytest.raises(KeyboardInterrupt):
        gradient(in_a_list, ps, 1.3, 2)


class Raising(Particle):
    def __setattr__(self, name: str, value: Any) -> None:
        if name == "x" and "v" in vars(self):
            raise KeyboardInterrupt
        object.__setattr__(self, name, value)


def test_fields_that_hold_something_else(structured: list[bool]) -> None:
    for make in (lambda: particles(2), lambda: [Particle(1, 2), Particle(0.5, 3)]):  # type: ignore[arg-type]
        check(in_a_list, make(), 1.3, 2)
    arrays = [Particle(np.array([1.0, 2.0]), np.array([0.5, 0.3])) for _ in range(2)]  # type: ignore[arg-type]
    check(of_any_kind, particles(2), 1.3)
    check(of_any_kind, arrays, 1.3)
    check(of_any_kind, particles(2), 1.3)
    assert structured.count(True) >= 4


def of_any_kind(ps: list[Particle], k: float) -> Any:
    for p in ps:
        p.v = p.v * k
        p.x = p.x + p.v * p.v
    return ps[0].x * ps[1].x


class Stepper:
    def __init__(self, x: float) -> None:
        self.x = x

    def step(self, k: float) -> None:
        self.x = self.x * k


def by_steps(ss: list[Stepper], k: float) -> float:
    for s in ss:
        s.step(k)
    return ss[0].x * ss[1].x


def test_a_method_of_the_object_itself_hides_that_of_the_class(structured: list[bool]) -> None:
    check(by_steps, [Stepper(1.0), Stepper(2.0)], 1.3)
    ss = [Stepper(1.0), Stepper(2.0)]
    seen: list[float] = []
    ss[1].step = seen.append  # type: ignore[method-assign]
    assert gradient(by_steps, ss, 1.3)[1] == pytest.approx(2.0)
    assert seen == [1.3]
    assert structured == [True, False]


def test_a_method_that_is_replaced(structured: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    assert gradient(by_steps, [Stepper(1.0), Stepper(2.0)], 1.3)[1] == pytest.approx(2 * 1.3 * 2)
    monkeypatch.setattr(Stepper, "step", lambda self, k: setattr(self, "x", self.x * k * k))
    assert gradient(by_steps, [Stepper(1.0), Stepper(2.0)], 1.3)[1] == pytest.approx(4 * 1.3**3 * 2)


def prints(ps: list[Particle], k: float) -> float:
    ps[0].x = ps[1].x * k
    print("seen")
    return ps[0].x


def test_what_acts_is_done_once(capsys: pytest.CaptureFixture[str]) -> None:
    for n in (1, 2):
        assert gradient(prints, particles(2), 1.3)[1] == pytest.approx(1.3)
        assert capsys.readouterr().out == "seen\n", n


HELD = Particle(2.0, 3.0)


def by_a_global(x: float, n: int) -> float:
    for _ in range(n):
        HELD.x = HELD.x * 0.5 + x * HELD.v
    return HELD.x


def test_globals_change(structured: list[bool]) -> None:
    def plain(x: float) -> float:
        HELD.x, HELD.v = 2.0, 3.0
        return by_a_global(x, 4)

    expected, sides = plain(0.7), [plain(0.7 + by) for by in (1e-6, -1e-6)]
    for _ in range(2):
        HELD.x, HELD.v = 2.0, 3.0
        y, back = pullback(by_a_global, 0.7, 4)
        assert y == HELD.x == expected
        np.testing.assert_allclose(back(1.0)[1], (sides[0] - sides[1]) / 2e-6, rtol=1e-6)
    assert structured == [True, True]
    HELD.x = 2  # type: ignore[assignment]
    np.testing.assert_allclose(gradient(by_a_global, 0.7, 4)[0], (sides[0] - sides[1]) / 2e-6, rtol=1e-6)


def by_another_way(ps: list[Particle], k: float) -> float:
    ps[0].x = ps[0].x * k
    return HELD.x + ps[1].x


def test_a_global_that_is_one_of_the_objects() -> None:
    HELD.x = 2.0
    assert gradient(by_another_way, [HELD, Particle(1.0, 1.0)], 1.3)[1] == pytest.approx(2.0)
    assert HELD.x == 2.6


def reads_of_a_global() -> float:
    return HELD.x


def by_a_function(ps: list[Particle], k: float) -> float:
    ps[0].x = ps[0].x * k
    return reads_of_a_global() + ps[1].x


def test_a_function_that_reads_one_of_the_objects() -> None:
    HELD.x = 2.0
    assert gradient(by_a_function, [HELD, Particle(1.0, 1.0)], 1.3)[1] == pytest.approx(2.0)


class Sized:
    def __init__(self, x: float) -> None:
        self.x = x

    def __getitem__(self, i: int) -> float:
        return self.x * i

    def __len__(self) -> int:
        return 2 if self.x > 0.0 else 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sized) and self.x == other.x


def by_special_methods(ss: list[Sized], k: float) -> float:
    for s in ss:
        s.x = s.x * k
        if s:
            s.x = s.x + s[1] * len(s)
    return ss[0].x if ss[0] == ss[1] else ss[1].x


def test_special_methods() -> None:
    check(by_special_methods, [Sized(1.0), Sized(-2.0)], 1.3)


def test_derivatives_of_derivatives_and_forward_mode() -> None:
    def loss(k: float) -> float:
        ps = [Particle(1.0, 0.5), Particle(0.5, 2.0)]
        return in_a_list([*ps, ps[0]], k, 2)

    h = 1e-5
    second = (grad(loss)(1.3 + h) - grad(loss)(1.3 - h)) / (2 * h)
    np.testing.assert_allclose(grad(grad(loss))(1.3), second, rtol=1e-6)
    np.testing.assert_allclose(jvp(loss, (1.3,), (1.0,))[1], grad(loss)(1.3), rtol=1e-10)


@pytest.mark.parametrize("case", CASES[:4], ids=named)
def test_reverse_mode_is_the_transpose_of_forward_mode(case: Any) -> None:
    f, make = case
    k = make()[1]
    y, dy = jvp(lambda k: f(make()[0], k, *make()[2:]), (k,), (1.0,))
    np.testing.assert_allclose(dy, gradient(f, *make())[1], rtol=1e-10)


def test_threads() -> None:
    expected = pullback(in_a_list, particles(), 1.3, 20)[1](1.0)[1:]
    found: list[Any] = []

    def run() -> None:
        for _ in range(10):
            y, back = pullback(in_a_list, particles(), 1.3, 20)
            found.append(back(1.0)[1:] == back(1.0)[1:] == expected)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 40


def replaced(ps: list[Slotted], k: float, n: int) -> float:
    for _ in range(n):
        ps[0].a = ps[0].a * k + ps[1].b
        ps[1].b = ps[1].b * 0.5 + ps[0].a
    return ps[0].a


def test_objects_that_are_gone_when_the_reverse_runs() -> None:
    expected = pullback(replaced, [Slotted(0.5, 1.5), Slotted(2.0, 0.7)], 1.2, 5)[1](1.0)[1:]
    y, back = pullback(replaced, [Slotted(0.5, 1.5), Slotted(2.0, 0.7)], 1.2, 5)
    gc.collect()
    others = [Slotted(float(i), 1.0) for i in range(50)]
    assert back(1.0)[1:] == expected
    assert len(others) == 50


# ---- errors planted


@pytest.fixture
def anew() -> Iterator[None]:
    """All programs are made anew, before and after."""
    for made in (False, True):
        tables.TABLES.clear()
        choice.forget()
        if not made:
            yield


def _not_taken(s: Any, B: Any) -> None:
    owner, name, value = s.args
    d = B.builder.call(tangents_shadows.cotangent_of_field, shadowed._shadow(owner, s.how.extra, B), name)
    B.add(value, d, True)


load_back = shadowed.load_field_back


def _added_twice(s: Any, d: Any, B: Any) -> None:
    load_back(s, d, B)
    load_back(s, d, B)


def wrong() -> bool:
    """Whether a program gives what differences do not."""
    try:
        check(one_of_two, *particles(2), 0.4, 7)
    except AssertionError:
        return True
    return False


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize("planted", [_not_taken, None], ids=["not taken", "none"])
def test_stores_that_do_not_take(planted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if planted is not None:
        monkeypatch.setitem(structural.STORES, "store_field", planted)
    assert wrong() is (planted is not None)


@pytest.mark.usefixtures("anew")
def test_values_that_are_read_again_after_their_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved, "_reads_argument", lambda s, arguments: s.fn.value is changes.load_field)
    assert wrong()


@pytest.mark.usefixtures("anew")
def test_reads_that_add_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(structural.HANDLERS, "load_field", _added_twice)
    assert wrong()


@pytest.mark.usefixtures("anew")
def test_what_is_seen_of_a_field_after_a_store_by_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "_changed", lambda *args: None)
    with pytest.raises(AssertionError):
        check(by_two_names, [Particle(0.5, 0.3)], 1.3)


def by_two_names(ps: list[Particle], k: float) -> float:
    p, q = ps[0], ps[-1]
    y = p.x
    q.x = q.x * k
    return y * p.x


def test_by_two_names(structured: list[bool]) -> None:
    check(by_two_names, [Particle(0.5, 0.3)], 1.3)
    assert structured == [True]


@pytest.mark.usefixtures("anew")
def test_objects_that_are_not_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing.Survey, "restore", lambda self: None)
    given = [Particle(1.0, 0.5), Particle(2.0, -0.5)]
    plain = copy.deepcopy(given)
    with pytest.raises(ValueError, match="math domain error|expected a nonnegative"):
        fails_half_way(plain, 1.3)
    with pytest.raises(ValueError, match="math domain error|expected a nonnegative"):
        gradient(fails_half_way, given, 1.3)
    assert state(given) != state(plain)


class Counted:
    count: Any = None

    def __init__(self, x: float) -> None:
        self.x = x


def with_a_default_of_the_class(ps: list[Counted], k: float) -> float:
    p = ps[0]
    for i in range(3):
        if p.count is not None:
            p.x = p.x * p.count
        p.count = p.x * k
        if i == 1:
            p = Counted(k)
            ps[0].x = ps[0].x + p.x
    return ps[0].x * p.x * p.count


def test_what_a_class_has_in_place_of_a_field() -> None:
    first = Counted(0.7)
    first.count = 1.5
    check(with_a_default_of_the_class, [first], 1.3)
    check(with_a_default_of_the_class, [Counted(0.7)], 1.3)


class Chain:
    def __init__(self, parts: list[Particle]) -> None:
        self.parts = parts

    def run(self, k: float) -> float:
        for p in self.parts:
            p.x = p.x * k
        return self.parts[-1].x


def run_chain(chain: Chain, k: float) -> float:
    return chain.run(k)


def test_copied_objects_are_taken_by_the_same_way(structured: list[bool]) -> None:
    """`copy` notes the names of the slots of a class, in the class: its layout is another one from then on."""

    class Fresh(Particle):
        pass

    chain = Chain([Fresh(0.5, 0.1), Fresh(0.7, 0.2)])
    for _ in range(4):
        gradient(run_chain, chain, 1.3)
        chain = copy.deepcopy(chain)
    assert structured == [True] * 4


class Noted:
    def __init__(self, n: float) -> None:
        self.n = n

    def twice(self, x: float) -> float:
        return 2.0 * x

    @property
    def three(self) -> float:
        return 3.0

    @staticmethod
    def four(x: float) -> float:
        return 4.0 * x


def by_method(best: Any, x: float) -> float:
    return best.twice(x)  # type: ignore[no-any-return]


def by_property(best: Any, x: float) -> float:
    return best.three * x  # type: ignore[no-any-return]


def by_function(best: Any, x: float) -> float:
    return best.four(x)  # type: ignore[no-any-return]


@pytest.mark.parametrize("read", [by_method, by_property, by_function])
def test_none_has_no_methods_that_read_nothing(read: Any, structured: list[bool]) -> None:
    def chosen(ps: list[Noted], x: float) -> float:
        best = None
        for p in ps:
            p.n = p.n * x
            if p.n > 1.0:
                best = p
        return read(best, x)  # type: ignore[no-any-return]

    check(chosen, [Noted(0.5), Noted(2.0)], 1.3)
    assert structured == [True]
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute"):
        gradient(chosen, [Noted(0.5)], 1.3)
