"""Lists of records: the cotangents of fields of their items come by themselves, a list for each field."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, grad, gradient, jvp, pullback
from adjoint.inspect import code_adjoint
from adjoint.tangents import field_bar, tangents

from ..ways import check_calls

# mypy: disable-error-code="no-untyped-def, no-untyped-call"


@dataclasses.dataclass
class Body:
    x: Any
    v: Any
    m: Any = 1.0
    name: str = "body"


class Heavy(Body):
    pass


def made(x, n=5):
    return [Body(x * (0.3 + 0.2 * i), 0.1 * x * x + 0.05 * i, 1.0 + 0.1 * i) for i in range(n)]


def energy(bodies, k):
    total = 0.0
    for body in bodies:
        total += 0.5 * body.m * body.v**2
    return k * total


def springs(bodies, k):
    total = 0.0
    for a, b in zip(bodies, bodies[1:], strict=False):
        total += 0.5 * k * (b.x - a.x - 1.0) ** 2 * b.m
    return total


def pairs(bodies, k):
    total = 0.0
    for i in range(len(bodies)):
        for j in range(i + 1, len(bodies)):
            a, b = bodies[i], bodies[j]
            total += k * a.m * b.m / (0.5 + (a.x - b.x) ** 2)
    return total


def by_negative_places(bodies, k):
    return k * bodies[-1].x * bodies[0].x + bodies[-2].v * bodies[3].x


def parts(bodies, k):
    total = 0.0
    for a in bodies[::2]:
        for b in bodies[-1:1:-1]:
            total += a.x * b.v * k
    return total


def twice_the_same(bodies, k):
    total = 0.0
    for body in [bodies[0], bodies[1], bodies[0]]:
        total += body.x * body.x * k
    return total


def in_branches(bodies, k):
    total = 0.0
    for i, body in enumerate(bodies):
        if body.x > 0.6:
            total += math.sin(body.x) * k
        elif i % 2:
            total += body.v
    if k > 0:
        for body in bodies:
            total += body.v * body.x
    return total


def round_after_round(bodies, k):
    total = 0.0
    for i in range(3):
        for body in bodies:
            total = total * 0.9 + body.x * k + body.v * i
        total += bodies[i].v
    return total


def until(bodies, k):
    total = 0.0
    for body in bodies:
        total += body.x * body.x * k
        if total > 0.8:
            break
    return total


def with_whole_items(bodies, k):
    total = 0.0
    for body in bodies:
        total += weight(body, k) + body.x * k
    return total * weight(bodies[2], k)


def weight(body, k):
    return body.m * body.v * k + math.exp(-body.x)


def made_anew(bodies, k):
    moved = [Body(b.x + k * b.v, b.v * 0.9, b.m) for b in bodies]
    again = [Body(b.x + k * b.v, b.v, b.m * k) for b in moved]
    return energy(again, k) + springs(moved, k) + bodies[1].x


def steps(bodies, k):
    for _ in range(4):
        bodies = [Body(b.x + 0.1 * b.v, b.v - 0.1 * k * b.x / b.m, b.m) for b in bodies]
    return energy(bodies, k) + springs(bodies, k)


def sums(bodies, k):
    centre = sum([b.m * b.x for b in bodies]) / sum([b.m for b in bodies])
    return sum([(b.x - centre) ** 2 for b in bodies]) * k + max([b.v for b in bodies])


def chosen(bodies, k):
    quick = [b for b in bodies if b.v > 0.2]
    return k * sum([b.x * b.v for b in quick]) + len(quick)


def growing(bodies, k):
    kept = []
    total = 0.0
    for body in bodies:
        kept.append(body)
        for other in kept:
            total += other.x * body.v * k
    kept.append(Body(k, k * k, 1.0))
    for body in kept:
        total += body.x
    return total


def joined(bodies, k):
    total = 0.0
    for body in bodies + bodies[:2]:
        total += body.x**2 * k
    for body in reversed(bodies):
        total = total * body.x + body.v
    for body in sorted(bodies, key=lambda b: -b.x):
        total = total * 0.5 + body.x
    return total


def unpacked(bodies, k):
    first, *rest = bodies
    return first.x * k + sum([b.v * b.x for b in rest])


PROGRAMS = [
    *(energy, springs, pairs, by_negative_places, parts, twice_the_same, in_branches, round_after_round, until),
    *(with_whole_items, made_anew, steps, sums, chosen, growing, joined, unpacked),
]
program = pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)


@program
def test_made_in_the_program(f):
    def inside(x, k):
        return f(made(x), k)

    check_calls(inside, 0.7, 1.3)
    second = grad(grad(inside))
    h = 1e-5
    expected = (grad(inside)(0.7 + h, 1.3) - grad(inside)(0.7 - h, 1.3)) / (2 * h)
    assert second(0.7, 1.3) == pytest.approx(expected, rel=1e-6, abs=1e-8)
    assert jvp(grad(inside), (0.7, 1.3), (1.0, 0.0))[1] == pytest.approx(expected, rel=1e-6, abs=1e-8)


def differences(f, bodies, k, h=1e-6):
    """The gradient by the fields of all bodies."""

    def moved(i, name, by):
        return [dataclasses.replace(b, **{name: getattr(b, name) + by}) if i == j else b for j, b in enumerate(bodies)]

    names = ("x", "v", "m")
    return [
        [(f(moved(i, name, h), k) - f(moved(i, name, -h), k)) / (2 * h) for name in names] for i in range(len(bodies))
    ]


@program
def test_given_to_the_program(f):
    bodies = made(0.7)
    before = [dataclasses.replace(body) for body in bodies]
    expected = differences(f, bodies, 1.3)
    for _ in range(4):
        found = grad(f)(bodies, 1.3)
        assert [[*bar] for bar in found] == [["x", "v", "m", "name"]] * 5 and bodies == before
        assert [[bar.x, bar.v, bar.m] for bar in found] == [pytest.approx(row, rel=1e-5, abs=1e-8) for row in expected]
    y, back = pullback(f, bodies, 1.3)
    assert y == f(bodies, 1.3) and str(back(1.0)) == str(back(1.0))
    shared = [bodies[0]] * 5
    assert len(gradient(f, shared, 1.3)[0]) == 5


@program
def test_classes_and_lengths_in_turns(f):
    for bodies in (
        made(0.7),
        [Heavy(0.3, 0.4), *made(0.7, 4)],
        [Heavy(0.5 + 0.07 * i, 0.1 * i + 0.03) for i in range(6)],
        made(0.7),
    ):
        expected = differences(f, bodies, 1.3)
        found = gradient(f, bodies, 1.3)[0]
        rows = [[(field_bar(d, name) or 0.0) for name in ("x", "v", "m")] for d in found]
        assert rows == [pytest.approx(row, rel=1e-5, abs=1e-8) for row in expected]


def test_none_and_nothing():
    for _ in range(4):
        assert grad(energy)([], 1.0) == []
        assert grad(springs)(made(0.7, 1), 1.0) == [Tangent(Body, {"x": 0.0, "v": 0.0, "m": 0.0, "name": None})]
        with pytest.raises(AttributeError):
            grad(energy)([Body(1.0, 2.0), None], 1.0)


def test_fields_that_are_arrays():
    def total(bodies, k):
        found = 0.0
        for body in bodies:
            found += (body.x @ body.v) * k
        return found + (bodies[0].x * bodies[1].x).sum()

    bodies = [Body(np.array([1.0, 2.0]) * i, np.array([0.5, i])) for i in range(3)]
    for _ in range(4):
        found = grad(total)(bodies, 2.0)
        np.testing.assert_array_equal(found[0].x, 2.0 * bodies[0].v + bodies[1].x)
        np.testing.assert_array_equal(found[2].v, 2.0 * bodies[2].x)
        assert found[1].x is not bodies[0].x
        found[0].v[:] = 9.0
        assert not np.any(bodies[0].x == 9.0)


def test_no_record_is_made_of_cotangents():
    def inside(x, k):
        return springs(made(x), k) + pairs(made(x), k)

    grad(inside)(0.7, 1.3)
    assert "tangent" not in code_adjoint(inside, 0.7, 1.3)


def test_cotangents_of_records_from_those_of_fields():
    bodies = made(0.7, 3)
    found = tangents(bodies, ("x", "m"), [1.0, None, 2.0], None)
    assert found == [Tangent(Body, {"x": 1.0, "m": None}), None, Tangent(Body, {"x": 2.0, "m": None})]
    assert tangents(bodies, ("x",), None) is None and tangents([], ("x",), []) == []
    assert tangents(bodies, ("x", "m"), [1.0], [None, 3.0]) == [
        Tangent(Body, {"x": 1.0, "m": None}),
        Tangent(Body, {"x": None, "m": 3.0}),
    ]
