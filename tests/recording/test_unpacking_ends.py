"""A generator that gives more than is unpacked ends before a handler runs, as in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from adjoint import gradient, jvp, pullback

NOTES: list[str] = []


def numbers(x: float, log: list[float]) -> Iterator[float]:
    try:
        for i in range(10):
            yield x * i
    finally:
        log.append(x * x)
        NOTES.append("end")


def plain(x: float) -> float:
    try:
        a, b = numbers(x, [])
    except ValueError:
        NOTES.append("handler")
    NOTES.append("after")
    return x * x


def stored(x: float) -> float:
    log: list[float] = []
    try:
        a, b = numbers(x, log)
    except ValueError:
        log.append(x)
        NOTES.append("handler")
    return log[0] * log[1] * x


def nested(x: float) -> float:
    log: list[float] = []
    try:
        _a, (_b, _c) = 1, numbers(x, log)  # type: ignore[misc]
    except ValueError:
        log.append(x)
        NOTES.append("handler")
    return log[0] * log[1] * x


def with_star(x: float) -> float:
    log: list[float] = []
    try:
        a, *b, c = numbers(x, log)
        d, e, f, g, *h = iter(b[:2])
    except ValueError:
        NOTES.append("handler")
    return log[0] * b[1]


def held(x: float) -> float:
    given = numbers(x, [])
    try:
        a, b = given
    except ValueError:
        NOTES.append("handler")
    y = x * next(given)
    NOTES.append("before")
    given.close()  # type: ignore[attr-defined]
    return y


@pytest.mark.parametrize(
    "f, d",
    [(plain, 2 * 0.9), (stored, 4 * 0.9**3), (nested, 4 * 0.9**3), (with_star, 6 * 0.9**2), (held, 6 * 0.9)],
)
def test_effects_are_in_the_order_of_python(f: Callable[[float], float], d: float) -> None:
    NOTES.clear()
    f(0.9)
    want = NOTES[:]
    for take in (
        lambda: gradient(f, 0.9)[0],
        lambda: pullback(f, 0.9)[1](1.0)[1],
        lambda: jvp(f, (0.9,), (1.0,))[1],
    ):
        NOTES.clear()
        assert take() == pytest.approx(d)
        assert want == NOTES
