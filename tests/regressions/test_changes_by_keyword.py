"""Calls that change what they are given, by keyword, with arguments left off, and of functions that take any number."""

import copy
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback
from adjoint.derivatives.choice import is_to_be_recorded

from .differences import check
from .shared_objects import Particle


def moved(particles: Any, dt: float = 0.1, *, n: int = 3, scale: float = 1.0) -> Any:
    for _ in range(n):
        for p in particles:
            p.x = p.x + dt * scale * p.v
            p.v = p.v - dt * p.x
    return sum(p.x for p in particles)


def filtered(a: Any, k: float = 2.0, back: bool = False) -> Any:
    for i in range(len(a) - 1):
        a[i] = a[i] * k + a[i + 1]
    return a.sum() if back else a[0] * a[1]


def scaled(a: Any, *factors: float, **options: float) -> Any:
    for c in factors:
        a[0] = a[0] * c
    a[1] = a[1] * options.get("bias", 1.0)
    return a.sum()


def counted(xs: Any, table: Any = None, weight: float = 2.0) -> Any:
    table = {} if table is None else table
    for x in xs:
        table.setdefault(int(x), []).append(x * weight)
    return sum(sum(row) ** 2 for row in table.values())


def particles() -> list[Particle]:
    return [Particle(1.0, 0.5), Particle(-0.3, 2.0)]


A = np.array([1.0, 2.0, 3.0])
CALLS: list[tuple[Any, Any, dict[str, Any]]] = [
    (moved, (particles(),), {}),
    (moved, (particles(), 0.2), {"n": 2}),
    (moved, (), {"scale": 2.0, "particles": particles()}),
    (filtered, (A,), {}),
    (filtered, (A,), {"back": True}),
    (filtered, (), {"k": 3.0, "a": A}),
    (scaled, (A,), {}),
    (scaled, (A, 2.0, 3.0), {"bias": 4.0}),
    (counted, ([0.5, 1.5, 0.7],), {}),
    (counted, ([0.5, 1.5, 0.7],), {"weight": 3.0, "table": {0: [1.0]}}),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CALLS)
def test_as_with_all_arguments_by_position(f: Any, args: Any, kwargs: Any) -> None:
    names = tuple(kwargs)

    def by_position(*values: Any) -> Any:
        n = len(values) - len(names)
        return f(*values[:n], **dict(zip(names, values[n:], strict=True)))

    check(by_position, *copy.deepcopy((*args, *kwargs.values())))
    for _ in range(3):
        given, expected = copy.deepcopy((args, kwargs)), copy.deepcopy((args, kwargs))
        y, back = pullback(f, *given[0], **given[1])
        plain, plain_back = pullback(by_position, *expected[0], *expected[1].values())
        assert y == plain
        np.testing.assert_equal(values_of(given), values_of(expected))
        bars = back(1.0)
        np.testing.assert_equal(values_of(bars[1:]), values_of(plain_back(1.0)[1 : 1 + len(args)]))
        np.testing.assert_equal(values_of(back(1.0)), values_of(bars))
        assert not is_to_be_recorded(f, args)


def values_of(x: Any) -> Any:
    """Containers and fields as lists, which can be compared."""
    if isinstance(x, dict):
        return [[key, values_of(item)] for key, item in x.items()]
    if isinstance(x, list | tuple):
        return [values_of(item) for item in x]
    if isinstance(x, Particle):
        return [x.x, x.v]
    return [getattr(x, name, None) for name in ("x", "v")] if hasattr(x, "x") else x


def test_gradients_by_keyword() -> None:
    for _ in range(3):
        a = A.copy()
        np.testing.assert_allclose(gradient(filtered, a, k=3.0)[0], [27.0, 24.0, 5.0])
        np.testing.assert_array_equal(a, [5.0, 9.0, 3.0])


def test_what_flows_to_a_default_is_the_functions() -> None:
    for _ in range(3):
        _, back = pullback(filtered, A.copy())
        assert back(1.0)[0].k == pytest.approx(A[0] * (2 * A[1] + A[2]) + (2 * A[0] + A[1]) * A[1])


def test_a_default_that_changes_is_changed_once() -> None:
    def kept(x: float, memory: Any = []) -> Any:  # noqa: B006
        memory.append(x)
        return sum(memory) * x

    total = 0.0
    for x in (1.0, 2.0, 3.0, 4.0):
        total += x
        y, back = pullback(kept, x)
        assert y == total * x
        assert back(1.0)[1] == total + x
    assert kept.__defaults__ == ([1.0, 2.0, 3.0, 4.0],)


def test_arguments_that_do_not_fit() -> None:
    for _ in range(3):
        with pytest.raises(TypeError, match="unexpected keyword"):
            gradient(filtered, A.copy(), other=1.0)
        with pytest.raises(TypeError, match="missing"):
            gradient(filtered, k=1.0)
