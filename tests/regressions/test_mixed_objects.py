"""Objects of several classes in one place: run by a branch on the class, value, state and derivatives are those of the
plain program, and of the recorded one."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from storing_plans import without_plans

from adjoint import gradient, hvp, jvp
from adjoint.derivatives import choice, shared_along
from adjoint.derivatives.choice import was_recorded
from adjoint.runtime import tables
from adjoint.transforms import branches, by_class

from .differences import check
from .mixed_objects import (
    CASES,
    Box,
    Case,
    Circle,
    Dense,
    Drag,
    Gravity,
    Linear,
    Logistic,
    Network,
    Scale,
    Spring,
    Square,
    Tanh,
    activated,
    by_type,
    energies,
    last_of,
    layers,
    network,
    of_forces,
    of_pairs,
    plain_list,
    point,
    ramp,
)
from .test_shared_objects import close, named


@pytest.mark.parametrize("case", CASES, ids=named)
def test_programs_with_objects_of_several_classes(case: Case, structured: list[bool]) -> None:
    f, make = case
    check(f, *make())
    assert all(structured) and not was_recorded(f), "it was recorded"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_gradients_are_those_of_the_recorded_program(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    f, make = case
    found = gradient(f, *make())
    without_plans(monkeypatch)
    monkeypatch.setattr("adjoint.derivatives.shared_call", lambda *args: None)
    expected = gradient(f, *make())
    choice.forget()
    assert close(found, expected), f"{found}, recorded {expected}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_tangents_and_products_with_hessians(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    f, make = case
    x, n = make()[-1], len(make())
    v = np.random.default_rng(0).normal(size=np.shape(x)) if np.ndim(x) else 1.0
    dots = (*[None] * (n - 1), v)

    def slope(t: float) -> Any:
        return gradient(f, *make()[:-1], x + t * v)[-1]

    h = 1e-5
    y, y_dot = jvp(f, make(), dots)
    assert y == f(*make())
    np.testing.assert_allclose(y_dot, np.sum(slope(0.0) * v), rtol=1e-10)
    product = hvp(f, make(), dots)[-1]
    np.testing.assert_allclose(product, (slope(h) - slope(-h)) / (2 * h), rtol=1e-5, atol=1e-6)


def test_tangents_are_those_of_a_program_with_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    found, beside = list[bool](), shared_along._beside

    def watched(*args: Any) -> Any:
        result = beside(*args)
        found.append(result is not None)
        return result

    monkeypatch.setattr(shared_along, "_beside", watched)
    jvp(network, (Network(layers()), point()), (None, point()))
    hvp(network, (Network(layers()), point()), (None, point()))
    assert found == [True, True]


# ---- one object in two places


@pytest.mark.parametrize("held", [list, tuple])
def test_one_object_in_two_places(held: Any, structured: list[bool]) -> None:
    def by(w: Any) -> float:
        dense = Dense(w)
        return energies(held([dense, Logistic(), dense, Logistic()]), point())

    w = np.random.default_rng(5).normal(size=(3, 3))
    dense, logistic = Dense(w), Logistic()
    bars = gradient(energies, held([dense, logistic, dense, Logistic()]), point())
    assert structured == [True]
    h = 1e-6
    for place in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[place] = h
        np.testing.assert_allclose(bars[0][0].w[place], (by(w + step) - by(w - step)) / (2 * h), rtol=1e-5, atol=1e-8)
    assert bars[0][2] is None or not np.any(bars[0][2].w)


def test_an_array_that_several_objects_hold(structured: list[bool]) -> None:
    """What a layer gives is what the next one is given: both keep it, and it is an argument as well."""
    net, x = Network(layers()), point()
    first = gradient(network, net, x)
    assert net.layers[0].x is x and net.layers[2].calls == 1
    again = gradient(network, net, x)
    fresh = gradient(network, Network(layers()), x)
    assert structured == [True, True, True]
    assert close(again[1], fresh[1]) and close(first[1], fresh[1])
    assert close(again[0].layers[0].w, fresh[0].layers[0].w)


def test_two_layers_with_the_same_weights(structured: list[bool]) -> None:
    def by(w: Any) -> float:
        return network(Network([Linear(w, np.zeros(3)), Tanh(), Linear(w, np.zeros(3))]), point())

    w = np.random.default_rng(5).normal(size=(3, 3))
    bar = gradient(network, Network([Linear(w, np.zeros(3)), Tanh(), Linear(w, np.zeros(3))]), point())[0]
    given = bar.layers[0].w + bar.layers[2].w
    assert all(structured)
    h = 1e-6
    step = np.zeros((3, 3))
    step[1, 2] = h
    np.testing.assert_allclose(given[1, 2], (by(w + step) - by(w - step)) / (2 * h), rtol=1e-6)


# ---- what changes between calls


def test_lists_of_other_classes(structured: list[bool]) -> None:
    for ls in (layers(), layers()[::-1], [Square(), Scale(0.5)], [Scale(0.5)], [Tanh(), *layers()], [], layers()):
        check(plain_list, ls, point())
    assert all(structured)


def test_a_list_that_is_changed_between_calls(structured: list[bool]) -> None:
    forces: list[Any] = [Spring(2.0), Drag(0.3), Gravity()]
    gradient(of_forces, forces, 0.7)
    forces[0] = Gravity()
    check(of_forces, forces, 0.7)
    forces.append(Spring(1.0))
    check(of_forces, forces, 0.7)
    forces[2].__class__ = Spring
    forces[2].k = 0.4
    check(of_forces, forces, 0.7)
    assert all(structured)


def test_functions_in_fields_that_are_stored_between_calls(structured: list[bool]) -> None:
    ls, x = activated(np.tanh, ramp)
    gradient(plain_list, ls, x)
    for f in (np.sin, np.tanh, np.cos, ramp):
        ls[1].f = f
        check(plain_list, ls, x)
    assert all(structured)
    held = 0.7
    ls[0].f = lambda z: z * held
    check(plain_list, ls, x)


def test_a_function_whose_code_is_replaced() -> None:
    def bent(z: Any) -> Any:
        return z * z

    ls, x = activated(bent, np.tanh)
    gradient(plain_list, ls, x)
    bent.__code__ = (lambda z: z * z * z).__code__
    check(plain_list, ls, x)


def test_a_method_that_is_bound_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = [Circle(0.5), Box(0.7, 1.1)]
    gradient(last_of, shapes, 0.7)

    def area(self: Any) -> float:
        self.last = self.a + self.b
        return self.last * self.last

    monkeypatch.setattr(Box, "area", area)
    check(last_of, [Circle(0.5), Box(0.7, 1.1)], 0.7)
    monkeypatch.setattr(shapes[0], "area", lambda: 2.0, raising=False)
    assert gradient(last_of, shapes, 0.7)[1] != 0.0
    choice.forget()


def test_copies_of_objects_leave_programs_as_they_are(structured: list[bool]) -> None:
    """`copy` notes the names of the slots of a class, in the class."""

    class Ball(Circle):
        def area(self) -> float:
            self.last = 4.0 * self.r**2
            return self.last

    shapes = [Ball(0.5), Box(0.7, 1.1)]
    for _ in range(3):
        gradient(of_pairs, shapes, 0.7)
        shapes = copy.deepcopy(shapes)
    assert structured == [True] * 3 and tables.STATISTICS["generated"]
    of_one = [Ball(0.5), Ball(0.7)]
    for _ in range(3):
        gradient(of_pairs, of_one, 0.7)
        of_one = copy.deepcopy(of_one)
    assert structured == [True] * 6


# ---- what is wrong, or another matter


class Empty:
    pass


@pytest.mark.parametrize("odd", [Empty(), None, 1.0])
def test_what_has_no_such_method(odd: Any) -> None:
    ls = [Scale(2.0), odd]
    with pytest.raises(AttributeError) as expected:
        plain_list([Scale(2.0), odd], point())
    with pytest.raises(AttributeError) as found:
        gradient(plain_list, ls, point())
    assert str(found.value) == str(expected.value)
    assert ls[0].calls == 1, "what was done before stays"


def test_what_may_be_none_has_no_methods() -> None:
    def chosen(shapes: list[Any], x: float) -> float:
        best = None
        for shape in shapes:
            if shape.area() > x:
                best = shape
        return best.area()

    check(chosen, [Circle(0.9), Box(0.7, 1.1)], 0.2)
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'area'"):
        gradient(chosen, [Circle(0.9), Box(0.7, 1.1)], 9.0)


def test_many_classes(structured: list[bool]) -> None:
    made = [type(f"Circle{i}", (Circle,), {}) for i in range(40)]
    check(last_of, [made[0](0.5), made[1](0.7)], 0.7)
    assert structured == [True]
    check(last_of, [cls(0.1 * i) for i, cls in enumerate(made, 1)], 0.7)


# ---- planted


def test_a_branch_on_the_wrong_class_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "narrowed", lambda sp, cond, holds: by_class.narrowed(sp, cond, not holds))
    tables.TABLES.clear()
    try:
        with pytest.raises(AssertionError):
            check(of_pairs, [Scaled(0.5), Shifted(0.7)], 0.7)
    finally:
        tables.TABLES.clear()


class Scaled:
    def __init__(self, x: float) -> None:
        self.x, self.last = x, 0.0

    def area(self) -> float:
        self.last = self.x * 2.0
        return self.last


class Shifted(Scaled):
    def area(self) -> float:
        self.last = self.x + 2.0
        return self.last


def test_a_class_that_is_forgotten_in_a_question_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = by_class.is_one_of

    def wrong(r: Any, s: Any, owner: Any, inside: Any) -> Any:
        return asked(r, s, owner, inside[:1])

    monkeypatch.setattr(by_class, "is_one_of", wrong)
    tables.TABLES.clear()
    try:
        with pytest.raises(AssertionError):
            check(by_type, [Drag(0.3), Heavy(0.4), Spring(2.0), Gravity()], 0.7)
    finally:
        tables.TABLES.clear()


class Heavy(Drag):
    pass
