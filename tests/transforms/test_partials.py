"""`functools.partial` that is only called: the function is called in its place."""

from __future__ import annotations

import functools
import math
from typing import Any

import pytest

from adjoint import gradient, withgradient
from adjoint.inspect import code_adjoint

# mypy: disable-error-code="no-untyped-def"


def one(a, b, c=2.0, *, d=1.0):
    return a * b * c * d


def first_argument(x, y):
    h = functools.partial(one, x)
    return h(y)


def keywords_that_are_given_again(x, y):
    h = functools.partial(one, x, c=y, d=2.0)
    return h(y, d=x) + h(y, c=3.0)


def in_a_loop(x, y):
    h = functools.partial(lambda a, b: a * b * y, x)
    s = 0.0
    for _ in range(3):
        s = s + h(s + 1.0)
    return s


def one_of_two(x, y):
    h = functools.partial(one, x)
    if y > 0:
        h = functools.partial(one, 2 * x)
    return h(y)


def handed_on(x, y):
    h = functools.partial(one, x)
    return list(map(h, [y, 2 * y]))[1]


def of_another(x, y):
    h = functools.partial(functools.partial(one, x), y)
    return h()


def of_a_builtin(x, y):
    h = functools.partial(math.pow, x)
    return h(y)


def of_a_list_that_changes(x, y):
    a = [x]
    h = functools.partial(lambda a, b: a[0] * b, a)
    a[0] = y
    return h(y)


def that_raises(x, y):
    h = functools.partial(one, x, y, y, y)
    try:
        return h(y)
    except TypeError:
        return x * y


def by_keyword(x, y):
    h = functools.partial(one, a=x)
    return h(b=y)


def looked_into(x, y):
    h = functools.partial(one, x)
    return h.args[0] * h(y)


def with_a_star(x, y):
    h = functools.partial(one, x)
    return h(*[y])


def of_a_class(x, y):
    h = functools.partial(complex, x)
    return h(y).imag * h(y).real


PROGRAMS = [
    *(first_argument, keywords_that_are_given_again, in_a_loop, one_of_two, handed_on, of_another, of_a_builtin),
    *(of_a_list_that_changes, that_raises, by_keyword, looked_into, with_a_star, of_a_class),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_first_and_second_derivatives(f: Any) -> None:
    y, bars = withgradient(f, 2.0, 3.0)
    assert y == f(2.0, 3.0)
    h = 1e-6
    slopes = (f(2 + h, 3.0) - f(2 - h, 3.0)) / (2 * h), (f(2.0, 3 + h) - f(2.0, 3 - h)) / (2 * h)
    assert bars == pytest.approx(slopes, rel=1e-7, abs=1e-7)
    second = gradient(lambda x: gradient(f, x, 3.0)[0], 2.0)[0] or 0.0
    assert second == pytest.approx((gradient(f, 2 + h, 3.0)[0] - gradient(f, 2 - h, 3.0)[0]) / (2 * h), abs=1e-6)


def test_no_object_is_made() -> None:
    assert "partial" not in code_adjoint(first_argument, 2.0, 3.0).replace("functools.partial(one, x)", "", 1)


def test_it_must_be_callable() -> None:
    def wrong(x):
        h = functools.partial(3.0, x)  # type: ignore[arg-type]
        return h(x)

    with pytest.raises(TypeError, match="the first argument must be callable"):
        gradient(wrong, 2.0)
