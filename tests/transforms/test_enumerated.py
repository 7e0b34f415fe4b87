"""`enumerate(xs, start)` of sequences, texts too, and keywords that builtins do not take."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# ruff: noqa: B905 - as people write it

import functools
import itertools
from collections import deque
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp
from adjoint.derivatives.choice import is_structured_call
from adjoint.runtime.tables import TABLES

from ..regressions.differences import check


def from_one(v):
    s = 0.0
    for i, x in enumerate(v, 1):
        s += i * x * x
    return s


def by_keyword(v):
    return sum([i * x * x for i, x in enumerate(v, start=-2)])


def from_elsewhere(v):
    s, first = 0.0, len(v) * 2
    for i, x in enumerate(v, first):
        s += i * x * x
    return s


def of_a_text(v):
    table = [[0.0] * 5 for _ in range(4)]
    for i, c in enumerate("abc", 1):
        table[i][0] = v[0] * i
        for j, e in enumerate("abca", 1):
            table[i][j] = table[i - 1][j] + v[1] * (c == e) + table[i][j - 1] * v[2]
    return table[3][4]


def left_early(v):
    s = 0.0
    for i, x in enumerate(v, 3):
        if i > 4:
            break
        s += x**i
    return s


def texts_beside_numbers(v):
    s = 0.0
    for c, x in zip("abc", v, strict=True):
        s += x * x * (2.0 if c == "b" else 1.0)
    return s


def named_by_letters(v):
    p = dict(zip("abc", v, strict=False))
    p["a"] = p["a"] * p["b"]
    return p["a"] * p["c"]


STRUCTURED = [from_one, by_keyword, from_elsewhere, of_a_text, left_early, texts_beside_numbers, named_by_letters]


@pytest.mark.parametrize("f", STRUCTURED)
@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_counted(f: Any, kind: Any) -> None:
    v = kind([0.5, 1.2, -0.7])
    for _ in range(3):
        check(f, v, order=2)
    slopes = gradient(f, v)[0]
    assert jvp(f, (v,), (kind([1.0, 2.0, 3.0]),))[1] == pytest.approx(np.dot([d or 0.0 for d in slopes], [1, 2, 3]))
    assert is_structured_call(f, (v,))
    specs = [spec for found in TABLES[id(f.__code__)].entries.values() for _, spec in found]
    assert not [spec.text for spec in specs if "enumerate" in spec.text or "zip_rule" in spec.text]


UNKNOWN: dict[str, Any] = {
    "zip": lambda v: sum([a * b for a, b in zip(v, v, foo=1)]),  # type: ignore[call-overload]
    "zip, misspelt": lambda v: dict(zip("ab", v, strct=True))["a"],  # type: ignore[call-overload]
    "map": lambda v: sum(map(abs, v, foo=1)),  # type: ignore[call-overload]
    "filter": lambda v: list(filter(None, v, foo=1))[0],  # type: ignore[call-overload]
    "range": lambda v: [v[i] for i in range(stop=2)][0],  # type: ignore[call-overload]
    "next": lambda v: next(iter(v), default=1.0),  # type: ignore[call-overload]
    "enumerate": lambda v: sum([i * x for i, x in enumerate(v, begin=1)]),  # type: ignore[call-overload]
    "max": lambda v: max(v, keys=abs),  # type: ignore[call-overload]
    "product": lambda v: sum([a * b for a, b in itertools.product(v, v, repeats=1)]),  # type: ignore[call-overload]
    "reduce": lambda v: functools.reduce(lambda a, b: a * b, v, start=1.0),  # type: ignore[call-overload]
}


@pytest.mark.parametrize("f", UNKNOWN.values(), ids=UNKNOWN)
def test_keywords_that_a_builtin_does_not_take(f: Any) -> None:
    with pytest.raises(TypeError) as plain:
        f([1.0, 2.0])
    for _ in range(3):
        with pytest.raises(TypeError) as caught:
            gradient(f, [1.0, 2.0])
        assert str(caught.value) == str(plain.value)


@pytest.mark.parametrize("f", [lambda v: dict(zip("ab", v, v))["a"], lambda v: dict([("a", x, x) for x in v])["a"]])
def test_what_is_no_pair(f: Any) -> None:
    with pytest.raises(ValueError, match="has length 3; 2 is required"):
        gradient(f, [1.0, 2.0])


def test_a_deque_gets_zeros_as_a_list_does() -> None:
    for _ in range(3):
        assert gradient(lambda s: s[0] * 2.0, deque([1.0, 2.0])) == ([2.0, 0.0],)
        assert gradient(lambda s: 2.0, deque([1.0, 2.0])) == ([0.0, 0.0],)


def test_arrays_of_ever_more_axes_have_one_program_in_the_end() -> None:
    def f(x, y):
        return np.sum(x * x) * y

    for n in (*range(1, 12), 3, 1):
        x = np.full((1,) * n, 2.0)
        for _ in range(3):
            np.testing.assert_array_equal(grad(f)(x, 3.0), np.full((1,) * n, 12.0))
            assert gradient(f, x, 3.0)[1] == 4.0
    specs = [spec for found in TABLES[id(f.__code__)].entries.values() for _, spec in found]
    assert 0 < len([spec for spec in specs if spec.types[1].ndim is None]) < 4
