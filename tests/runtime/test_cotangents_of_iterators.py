"""`back` of what gives an iterator: Δ is one cotangent for each item, in whatever can be run through, or refused."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import pullback
from adjoint.errors import CotangentError

XS = [1.0, 2.0, 3.0]

ITERATORS: dict[str, tuple[Callable[[], Any], int, list[float]]] = {
    "map": (lambda: pullback(map, math.sin, XS), 2, [math.cos(x) for x in XS]),
    "filter": (lambda: pullback(filter, bool, XS), 2, [1.0] * 3),
    "reversed": (lambda: pullback(reversed, XS), 1, [1.0] * 3),
    "iter": (lambda: pullback(iter, XS), 1, [1.0] * 3),
    "accumulate": (lambda: pullback(itertools.accumulate, XS), 1, [3.0, 2.0, 1.0]),
    "chain": (lambda: pullback(itertools.chain, XS, []), 1, [1.0] * 3),
    "islice": (lambda: pullback(itertools.islice, XS, 3), 1, [1.0] * 3),
    "takewhile": (lambda: pullback(itertools.takewhile, bool, XS), 2, [1.0] * 3),
    "compress": (lambda: pullback(itertools.compress, XS, [1, 1, 1]), 1, [1.0] * 3),
    "a lambda": (lambda: pullback(lambda xs: map(math.sin, xs), XS), 1, [math.cos(x) for x in XS]),
}

FORMS: dict[str, Callable[[list[float]], Any]] = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "float32": lambda d: np.array(d, np.float32),
    "generator": iter,
    "deque": deque,
    "values": lambda d: dict(enumerate(d)).values(),
    "range": lambda d: range(1, 2) if len(d) == 1 else [*map(int, d)],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ITERATORS)
def test_any_sequence_of_cotangents_is_taken(name: str, form: str) -> None:
    made, k, wanted = ITERATORS[name]
    for consumed in (False, True):
        z, back = made()
        if consumed:
            list(z)
        for _ in range(2):
            assert back(FORMS[form]([1.0, 1.0, 1.0]))[k] == pytest.approx(wanted)
        weighted = made()[1](FORMS[form]([2.0, 0.0, 3.0]))[k]
        assert weighted == pytest.approx(made()[1]([2.0, 0.0, 3.0])[k])


@pytest.mark.parametrize("n", [0, 1, 2, 4])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ITERATORS)
def test_another_length_is_refused(name: str, form: str, n: int) -> None:
    for consumed in (False, True):
        z, back = ITERATORS[name][0]()
        if consumed:
            list(z)
        with pytest.raises(CotangentError, match="is a list of"):
            back(FORMS[form]([1.0] * n))


@pytest.mark.parametrize("bad", [1.0, "abc", {"a": 1.0}, np.ones((3, 2)), np.array(1.0), ["a", "b", "c"], {1.0}])
def test_another_structure_is_refused(bad: Any) -> None:
    for name in ITERATORS:
        with pytest.raises(CotangentError):
            ITERATORS[name][0]()[1](bad)


def test_rows_of_an_array_for_pairs() -> None:
    rows = np.arange(6.0).reshape(3, 2)
    assert pullback(zip, XS, XS)[1](rows) == (None, [0.0, 2.0, 4.0], [1.0, 3.0, 5.0])
    assert pullback(enumerate, XS)[1](rows) == (None, [1.0, 3.0, 5.0])


def squares(xs: Any) -> Iterator[Any]:
    for x in xs:
        yield x * x


def recorded_map(xs: Any) -> Any:
    try:
        return map(math.sin, xs)
    except* KeyError:
        pass


@pytest.mark.parametrize("f", [squares, recorded_map])
def test_what_nobody_ran_through_in_a_recorded_program_is_refused(f: Any) -> None:
    for bars in ([1.0] * 3, (1.0,) * 3, np.ones(3)):
        with pytest.raises(CotangentError, match="the result is an iterator"):
            pullback(f, XS)[1](bars)
    assert pullback(lambda xs: list(f(xs)), XS)[1]([1.0] * 3)[1] == pytest.approx(
        [2 * x if f is squares else math.cos(x) for x in XS]
    )


def test_views_of_dicts() -> None:
    _, back = pullback(lambda v: {"a": v[0] * v[1], "b": v[2]}.values(), XS)
    assert back([1.0, 2.0])[1] == [2.0, 1.0, 2.0]
    with pytest.raises(CotangentError, match="is a list of 2"):
        back([1.0])


def test_iterators_within_a_result() -> None:
    _, back = pullback(lambda xs: (map(math.sin, xs), xs[0]), XS)
    assert back(([1.0] * 3, 0.0))[1] == pytest.approx([math.cos(x) for x in XS])
    assert back((np.ones(3), 0.0))[1] == pytest.approx([math.cos(x) for x in XS])
    for bad in ((np.ones(2), 0.0), ([1.0] * 4, 0.0), (1.0, 0.0)):
        with pytest.raises(CotangentError):
            back(bad)
