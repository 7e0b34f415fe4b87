"""What lanes share in objects, arguments where NumPy's functions write, and texts: each against the loop."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from adjoint import grad, jvp, vmap

X, B = np.array([2.0, 3.0]), np.array([4.0, 9.0])
ROWS = np.array([[1.5, 2.0], [10.25, 3.0], [100.125, 4.0]])


def hypot_beside(a: Any, b: Any) -> Any:
    c = b * 1.0
    return math.hypot(a, a, c) + 10.0 * c


NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "log with a base": lambda a, b: math.log(a, b + 1.0),
    "log with a constant base": lambda a, b: math.log(a, 2) * b,
    "hypot of three": lambda a, b: math.hypot(a, b, a * b),
    "hypot of three, one of which is read again": hypot_beside,
}


@pytest.mark.parametrize("name", NUMBERS)
def test_an_argument_more_than_numpys_function_has_is_no_place_for_its_result(name: str) -> None:
    f = NUMBERS[name]
    np.testing.assert_allclose(vmap(f)(X, B), [f(a, b) for a, b in zip(X, B, strict=True)])
    expected = [grad(f, (0, 1))(a, b) for a, b in zip(X, B, strict=True)]
    for i in range(2):
        np.testing.assert_allclose(vmap(grad(f, (0, 1)))(X, B)[i], [g[i] for g in expected])


TEXTS: dict[str, Callable[[Any], Any]] = {
    "f": lambda v: float(len(f"{v[0]}")),
    "f with !r": lambda v: float(len(f"{v[0]!r}")),
    "%": lambda v: float(len("%s" % v[0])),  # noqa: UP031 - it is what is tested
    "str": lambda v: float(len(str(v[0]))),
    "a whole row": lambda v: float(len(f"{v}")),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_that_of_each_lane(name: str) -> None:
    np.testing.assert_array_equal(vmap(TEXTS[name])(ROWS), [TEXTS[name](row) for row in ROWS])


@dataclass
class Model:
    w: np.ndarray
    scale: float = 2.0
    more: list[Any] = field(default_factory=lambda: [1.0, np.ones(3)])


def together(q: Model) -> Any:
    return q.scale**2 * q.w.sum() * q.more[0] * q.more[1]


def apart(q: Model) -> Any:
    return together(q) if q.w[0] > 0 else q.scale**2


OF_MODELS = {"together": together, "as the loop": apart}


def by_loop(f: Callable[[Model], Any], q: Model) -> Any:
    total = 0.0
    for i in range(3):
        total = total + f(Model(q.w[i], q.scale, [q.more[0], q.more[1][i]]))
    return total


@pytest.mark.parametrize("name", OF_MODELS)
def test_what_the_lanes_of_an_object_share_gets_the_sum(name: str) -> None:
    f, q = OF_MODELS[name], Model(np.array([[1.0, 2.0], [-1.0, 3.0], [2.0, 1.0]]))
    found, expected = grad(lambda q: np.sum(vmap(f)(q)))(q), grad(lambda q: by_loop(f, q))(q)
    np.testing.assert_allclose(found.w, expected.w)
    np.testing.assert_allclose(found.scale, expected.scale)
    assert np.shape(found.scale) == ()
    np.testing.assert_allclose(found.more[0], expected.more[0])
    np.testing.assert_allclose(found.more[1], expected.more[1])


@pytest.mark.parametrize("name", OF_MODELS if os.environ.get("ADJOINT_THOROUGH") else ["together"])
def test_second_derivatives_by_what_the_lanes_of_an_object_share(name: str) -> None:
    f, w = OF_MODELS[name], np.array([[1.0, 2.0], [-1.0, 3.0], [2.0, 1.0]])

    def mapped(s: float) -> Any:  # s³ Σw of the lanes that run together, s² of another
        return np.sum(vmap(f)(Model(w * s, s)))

    expected = 6.0 * 3.0 * 8.0 if name == "together" else 6.0 * 3.0 * 6.0 + 2.0
    np.testing.assert_allclose(grad(grad(mapped))(3.0), expected)
    np.testing.assert_allclose(jvp(grad(mapped), (3.0,), (1.0,))[1], expected)
