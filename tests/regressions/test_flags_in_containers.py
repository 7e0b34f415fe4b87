"""What is true or false does not move, wherever it stands: it has no cotangent, and no tangent is taken for it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, gradient, hessian, hvp, jvp, pullback, value_and_grad
from adjoint.errors import CotangentError


@dataclass
class Model:
    on: bool
    w: float


def by_items(xs: Any) -> Any:
    return xs[0] * xs[1] * sum(xs)


def in_a_loop(xs: Any) -> Any:
    s = 0.0
    for x in xs:
        s = s + x * x
    return s * xs[0]


def stored(xs: Any) -> Any:
    xs.append(xs[1] * xs[0])
    xs[0] = xs[0] * 2.0
    return sum(xs) * xs[1]


def recorded(xs: Any) -> Any:
    class Total:
        value = 0.0

    for x in xs:
        Total.value += x * xs[0]
    return Total.value * xs[1]


PROGRAMS = [by_items, in_a_loop, stored, recorded]


@pytest.mark.parametrize("f", PROGRAMS)
def test_flags_have_no_cotangent(f: Any) -> None:
    """The others have those of the program in which a 1.0 stands for the flag."""
    for _ in range(4):
        wanted = gradient(f, [1.0, 2.0, 3.0])[0]
        assert gradient(f, [True, 2.0, 3.0])[0] == [None, *wanted[1:]]
        assert value_and_grad(f)([True, 2.0, 3.0])[1] == [None, *wanted[1:]]
        assert pullback(f, [True, 2.0, 3.0])[1](1.0)[1] == [None, *wanted[1:]]


@pytest.mark.parametrize("f", PROGRAMS)
def test_flags_do_not_move(f: Any) -> None:
    for dot in (None, 0.0, 0):
        for _ in range(3):
            along = [0.0, 1.0, 2.0]
            assert jvp(f, ([True, 2.0, 3.0],), ([dot, 1.0, 2.0],)) == jvp(f, ([1.0, 2.0, 3.0],), (along,))
            wanted = hvp(f, ([1.0, 2.0, 3.0],), (along,))[0]
            assert hvp(f, ([True, 2.0, 3.0],), ([dot, 1.0, 2.0],))[0] == [None, *wanted[1:]]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("take", [jvp, hvp])
def test_tangents_of_flags_are_refused(f: Any, take: Any) -> None:
    for _ in range(3):
        with pytest.raises(CotangentError, match=r"a tangent is given for argument 0 of `\w+`, at `\[0\]`"):
            take(f, ([True, 2.0, 3.0],), ([1.0, 1.0, 2.0],))


def test_dicts_tuples_and_objects() -> None:
    def f(d: Any, t: Any, m: Any) -> Any:
        return d["on"] * d["x"] * t[0] * t[1] * (m.on + m.w)

    args = {"on": True, "x": 2.0}, (True, 3.0), Model(True, 0.5)
    g = gradient(f, *args)
    assert g[0] == {"on": None, "x": 4.5} and g[1] == (None, 3.0)
    assert (g[2].on, g[2].w) == (None, 6.0)
    still: Any = {"x": 1.0}, (None, 1.0), Tangent(Model, {"on": 0.0, "w": 1.0})
    assert jvp(f, args, still)[1] == pytest.approx(4.5 + 3.0 + 6.0)
    for moving, at in (
        (({"on": 1.0}, None, None), r"\['on'\]"),
        ((None, (1.0, 0.0), None), r"\[0\]"),
        ((None, None, Tangent(Model, {"on": 2.0})), "on"),
    ):
        with pytest.raises(CotangentError, match=f"at `{at}`"):
            jvp(f, args, moving)


def test_results_that_are_flags() -> None:
    y, back = pullback(lambda x: (x > 1.0, x * x), 2.0)
    assert y == (True, 4.0)
    assert back((None, 1.0)) == back((0.0, 1.0)) == (None, 4.0)
    with pytest.raises(CotangentError, match="carries no derivative"):
        back((1.0, 1.0))


def test_hessians_leave_them_out() -> None:
    h = hessian(lambda x, on: x * x * on, 3.0, True, argnums=(0,))
    assert np.asarray(h).item() == 2.0
