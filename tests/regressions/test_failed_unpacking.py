"""What is left, and what was stored, where unpacking or a comprehension fails and the program goes on."""

# ruff: noqa: SIM105 - programs that catch are recorded

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient
from adjoint.calculus import pushforward

from .differences import check


def too_many(x: Any) -> Any:
    it = iter([x, x * 2.0, x * 3.0, x * 4.0, x * 5.0])
    a = x
    try:
        a, _ = it
    except ValueError:
        pass
    return sum(v * v for v in it) + a


def of_a_generator_that_stores(x: Any) -> Any:
    box = [x]

    def powers() -> Any:
        for _ in range(6):
            box[0] = box[0] * x
            yield box[0]

    it = powers()
    try:
        _, _ = it
    except ValueError:
        pass
    return box[0] * next(it)


def nested(x: Any) -> Any:
    box = [x]

    def powers(n: int) -> Any:
        for _ in range(n):
            box[0] = box[0] * x
            yield box[0]

    try:
        (_, _), (_, *_, _), (_, _) = powers(2), powers(1), powers(2)
    except ValueError:
        pass
    return box[0]


def of_an_iterator_of_the_users(x: Any) -> Any:
    class Counting:
        def __init__(self) -> None:
            self.i = 0

        def __iter__(self) -> Any:
            return self

        def __next__(self) -> Any:
            self.i += 1
            if self.i > 6:
                raise StopIteration
            return self.i * x

    it = Counting()
    try:
        _, _ = it
    except ValueError:
        pass
    return sum(it) * x


def without_an_end(x: Any) -> Any:
    try:
        _, _ = itertools.count(1)
    except ValueError:
        pass
    return x * x


def of_zipped(x: Any) -> Any:
    it = zip([x, x, x, x], [1.0, 2.0, 3.0, 4.0], strict=True)
    try:
        for _, _ in [it]:
            pass
    except ValueError:
        pass
    return sum(p * q for p, q in it) + x


def in_a_comprehension(x: Any) -> Any:
    it = iter([[x, 2.0 * x], [x, x, x, 3.0 * x], [x, 4.0 * x]])
    out = [x]
    try:
        out = [a * b for a, b in it]
    except ValueError:
        pass
    return sum(out) + sum(next(it))


def a_comprehension_that_fails(x: Any) -> Any:
    """In a loop, in which it comes to its end before and afterwards."""
    s, out, table = 0.0, [x], {}
    for d in ([x, x], [x, 0.0, x], [2.0 * x, 3.0 * x]):
        try:
            out = [1.0 / a * x for a in d]
            table = {i: [b / a * x for b in d] for i, a in enumerate(d)}
        except ZeroDivisionError:
            s += x * x
        s += sum(out) + sum([sum(v) for v in table.values()])
    return s


PROGRAMS = [
    too_many,
    of_a_generator_that_stores,
    nested,
    of_an_iterator_of_the_users,
    without_an_end,
    of_zipped,
    in_a_comprehension,
    a_comprehension_that_fails,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_what_a_failure_leaves(f: Callable[..., Any]) -> None:
    check(f, 1.3, order=2)
    _, along = pushforward(f, (1.3,), (1.0,))
    assert along == pytest.approx(gradient(f, 1.3)[0])


def test_an_argument_is_left_as_python_leaves_it() -> None:
    it = iter([1.0, 2.0, 3.0, 4.0])

    def both(pair: Any) -> Any:
        a, b = pair
        return a * b

    with pytest.raises(ValueError, match="too many values"):
        gradient(both, it)
    assert list(it) == [4.0]
