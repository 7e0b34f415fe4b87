"""Numbers that are read through a `memoryview` that was made beforehand, of an array into which the program stores."""

from __future__ import annotations

import array
import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, value_and_grad
from adjoint.errors import AdjointError

READS: dict[str, Callable[[Any], float]] = {
    "item": lambda mv: mv[0],
    "sum": lambda mv: sum(mv),
    "maximum": lambda mv: max(mv),
    "sorted": lambda mv: sorted(mv)[-1],
    "tolist": lambda mv: mv.tolist()[0],
    "list": lambda mv: list(mv)[0],
    "tuple": lambda mv: tuple(mv)[0],
    "display": lambda mv: [*mv][0],
    "slice": lambda mv: mv[:2][0],
    "fsum": lambda mv: math.fsum(mv),
    "tobytes": lambda mv: struct.unpack("3d", mv.tobytes())[0],
    "bytes": lambda mv: struct.unpack("3d", bytes(mv))[0],
    "unpack_from": lambda mv: struct.unpack_from("d", mv, 0)[0],
    "frombuffer": lambda mv: float(np.frombuffer(mv)[0]),
    "asarray": lambda mv: float(np.asarray(mv)[0]),
    "array": lambda mv: float(np.array(mv)[0]),
    "sum_of_numpy": lambda mv: float(np.sum(mv)),
    "dot": lambda mv: float(np.dot(mv, np.ones(3))),
    "cast": lambda mv: mv.cast("b").cast("d")[0],
    "enumerate": lambda mv: [v for _, v in enumerate(mv)][0],
    "zip": lambda mv: [v for v, _ in zip(mv, range(3), strict=True)][0],
    "map": lambda mv: list(map(abs, mv))[0],
    "iter": lambda mv: next(iter(mv)),
    "reversed": lambda mv: list(reversed(mv))[-1],
    "stored": lambda mv: stored(mv),
    "extended": lambda mv: extended(mv),
    "kept": lambda mv: {"mv": mv}["mv"][0],
    "as_a_scalar": lambda mv: np.float64(mv[0]),
    "product": lambda mv: float(np.ones(3) @ (np.ones(3) * mv)),
}


def stored(mv: Any) -> float:
    b = np.zeros(3)
    b[:] = mv
    return float(b[0])


def extended(mv: Any) -> float:
    items: list[float] = []
    items.extend(mv)
    return items[0]


def unpacked(x: float, a: Any, mv: Any) -> float:
    a[0] = x * x * 5.0
    p, *_ = mv
    return p


def by_loop(x: float, a: Any, mv: Any) -> float:
    s = 0.0
    for i in range(3):
        a[i] = x * i
        for v in mv:
            s += v
    return s


def in_place(x: float, a: Any, mv: Any) -> float:
    a *= x
    return mv[1]


def by_out(x: float, a: Any, mv: Any) -> float:
    np.multiply(a, x, out=a)
    return mv[1]


def through_the_view(x: float, a: Any, mv: Any) -> float:
    mv[0] = x * x
    return a[0] * a[1]


def of(read: Callable[[Any], float]) -> Callable[..., float]:
    def run(x: float, a: Any, mv: Any) -> float:
        a[0] = x * x * 5.0
        return read(mv)

    return run


PROGRAMS = [*[pytest.param(of(read), id=name) for name, read in READS.items()]]
PROGRAMS += [pytest.param(f, id=f.__name__) for f in (unpacked, by_loop, in_place, by_out, through_the_view)]


def given() -> tuple[Any, Any]:
    a = np.array([1.0, 2.0, 3.0])
    return a, memoryview(a)


@pytest.mark.parametrize("f", PROGRAMS)
def test_what_is_read_is_right_or_refused(f: Callable[..., float]) -> None:
    def plain(x: float) -> float:
        return f(x, *given())

    slope = (plain(1.3 + 1e-6) - plain(1.3 - 1e-6)) / 2e-6

    def captured() -> Callable[[float], float]:
        a, mv = given()
        return lambda x: f(x, a, mv)

    for run in (
        lambda: value_and_grad(f)(1.3, *given()),
        lambda: value_and_grad(captured())(1.3),
        lambda: jvp(captured(), (1.3,), (1.0,)),
        lambda: jvp(f, (1.3, *given()), (1.0, None, None)),
    ):
        try:
            y, d = run()
        except AdjointError as error:
            assert error.why and error.way_out
        else:
            assert y == plain(1.3)
            assert d == pytest.approx(slope, rel=1e-6)


def test_the_refusal_names_the_view() -> None:
    a, mv = given()

    def f(x: float) -> float:
        a[0] = x
        return mv[0] * x

    with pytest.raises(AdjointError, match="memoryview"):
        gradient(f, 1.3)


def test_what_nothing_is_stored_into_is_a_constant() -> None:
    def f(x: float, a: Any, mv: Any) -> float:
        b = [x]
        b[0] = b[0] * mv[1] + sum(mv)
        return b[0] * struct.unpack_from("d", mv, 0)[0]

    a, mv = given()
    assert gradient(lambda x: f(x, a, mv), 1.3) == (2.0,)


def test_what_was_read_before_the_store_is_a_constant() -> None:
    def f(x: float, a: Any, mv: Any) -> float:
        s = mv[0]
        a[0] = x * x
        return s * x + a[0]

    a, mv = given()
    assert gradient(lambda x: f(x, a, mv), 1.3) == pytest.approx((1.0 + 2.6,))


def test_what_is_taken_backwards_of_what_is_lost_is_refused() -> None:
    def f(x: float) -> float:
        kept = array.array("d", [1.0, 2.0])
        kept[0] = x
        return sum(reversed(kept))

    with pytest.raises(AdjointError):
        gradient(f, 1.3)
