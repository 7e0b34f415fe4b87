"""Errors of Python's own, of what it does not take: of the same class and in the same words in every mode."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import jvp, pullback

# mypy: ignore-errors
# ruff: noqa

LETTER, NOTHING, WHOLE, PAIR = "a", None, 0.0, (0, 1)


def f_(x, y=2.0, **k):
    return x * y


def li(x):
    return [x, 2.0][LETTER]


def tu(x):
    return (x, 2.0)[LETTER]


def lx(x):
    xs = [x]
    xs += x
    return xs[0]


def tf(x):
    return (x, 2.0)[WHOLE]


def ln(x):
    return [x, 2.0][NOTHING]


def lt(x):
    return [x, 2.0][PAIR]


def lnp(x):
    return [x, 2.0][np.float64(1)]


def li_l(x):
    xs = []
    for i in range(2):
        xs.append(x * i)
    return xs[LETTER]


def set_l(x):
    xs = [x, 2.0]
    xs[LETTER] = x
    return xs[0]


def set_t(x):
    xs = (x, 2.0)
    xs[0] = x
    return xs[0]


def del_l(x):
    xs = [x, 2.0]
    del xs[LETTER]
    return xs[0]


def aug(x):
    xs = [x, 2.0]
    xs[LETTER] += x
    return xs[0]


def oobt(x):
    return (x,)[3]


def star(x):
    return f_(*1.5)


def starx(x):
    return f_(*x)


def star_n(x):
    return f_(*None)


def starboth(x):
    return f_(x, *1.5)


def dstar(x):
    return f_(x, **"a")


def dstar_l(x):
    return f_(x, **[("y", 3.0)])


def dstar_lx(x):
    return f_(x, **[("y", x)])


def dstar_n(x):
    return f_(x, **None)


def dstar_f(x):
    return f_(x, **1.5)


def dstar_x(x):
    return f_(1.0, **x)


def dstar_dup2(x):
    return f_(x, y=1.0, **{"y": x})


def dstar_dup3(x):
    return f_(x, **{"y": x}, **{"y": x})


def star_list(x):
    return [*1.5, x]


def star_tuple(x):
    return (x, *x)


def star_dict(x):
    return {**1.5, "a": x}


def unp(x):
    a, b = 1.5
    return x


def unpx(x):
    a, b = x
    return a


def unpn(x):
    a, b = None
    return x


def unp3(x):
    a, b = [x]
    return a


def unp4(x):
    a, b = (x, x, x)
    return a


def unp6(x):
    a, *b = 1.5
    return x


def unp7(x):
    a, *b = []
    return x


def unp8(x):
    a, b, *c = (x,)
    return x


def unp9(x):
    (a, b), c = (x, x)
    return x


def unp10(x):
    s = 0.0
    for a, b in [x, 2.0]:
        s += a
    return s


def unp14(x):
    a, b = np.float64(1.0) * x
    return a


def unp15(x):
    return [a for a, b in [x]]


def unp16(x):
    [a] = x
    return a


def red(x):
    return functools.reduce(f_, 1.5)


def redx(x):
    return functools.reduce(f_, x)


def redx0(x):
    return functools.reduce(f_, 1.5, x)


def isl(x):
    return list(itertools.islice([x, 2.0], np.float64(0.5)))


def isl2(x):
    return list(itertools.islice([x, 2.0], -1))


def isl3(x):
    return list(itertools.islice([x, 2.0], 0, -1))


def isl4(x):
    return list(itertools.islice(x, 1))


def isl6(x):
    return list(itertools.islice([x, 2.0], 0, 1, 0))


def isl9(x):
    return list(itertools.islice([x, 2.0], 0, np.float64(1.0)))


def prod(x):
    return list(itertools.product([x], repeat=-1))


def prod2(x):
    return list(itertools.product([x], repeat=1.5))


def prod3(x):
    return list(itertools.product(x))


def comb(x):
    return list(itertools.combinations([x, 2.0], -1))


def comb2(x):
    return list(itertools.combinations([x, 2.0], 1.5))


def perm(x):
    return list(itertools.permutations([x, 2.0], -1))


def rep(x):
    return list(itertools.repeat(x, 1.5))


def tee(x):
    return itertools.tee([x], -1)


def cyc(x):
    return itertools.cycle(x)


def chn(x):
    return list(itertools.chain(x))


def acc(x):
    return list(itertools.accumulate(x))


def sl(x):
    return [x, 2.0][0:1.5]


def slt(x):
    return (x, 2.0)[0:1.5]


PROGRAMS = [
    li,
    tu,
    tf,
    ln,
    lt,
    lnp,
    li_l,
    set_l,
    set_t,
    del_l,
    aug,
    oobt,
    star,
    starx,
    star_n,
    starboth,
    dstar,
    dstar_l,
    dstar_lx,
    dstar_n,
    dstar_f,
    dstar_x,
    dstar_dup2,
    dstar_dup3,
    star_list,
    star_tuple,
    star_dict,
    unp,
    unpx,
    unpn,
    unp3,
    unp4,
    unp6,
    unp7,
    unp8,
    unp9,
    unp10,
    unp14,
    unp15,
    unp16,
    red,
    redx,
    redx0,
    isl,
    isl2,
    isl3,
    isl4,
    isl6,
    isl9,
    prod,
    prod2,
    prod3,
    comb,
    comb2,
    perm,
    rep,
    tee,
    cyc,
    chn,
    lx,
    acc,
    sl,
    slt,
]


def recorded(f: Callable[[float], Any]) -> Callable[[float], Any]:
    def run(x: float) -> Any:
        try:
            x = x * 1.0
        finally:
            y = f(x)
        return y

    return run


def words(error: BaseException) -> str:
    """What is wrong; Python also names the function that is called with stars."""
    text = str(error)
    for start in ("got multiple values", "must be a mapping", "must be an iterable"):
        text = text[text.find(start) :] if start in text else text
    return text


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_an_error_is_that_of_python(f: Callable[[float], Any]) -> None:
    with pytest.raises((TypeError, ValueError, IndexError)) as plain:
        f(1.5)
    for program in (f, recorded(f)):
        for run in (pullback, lambda g, x: jvp(g, (x,), (1.0,))):
            with pytest.raises(plain.type) as caught:
                run(program, 1.5)
            assert words(caught.value) == words(plain.value)
