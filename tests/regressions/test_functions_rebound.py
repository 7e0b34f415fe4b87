"""Functions whose defaults, captured variables or code the program changes: it reads them as Python does."""

from __future__ import annotations

import functools
import inspect
import operator
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, value_and_grad
from adjoint.errors import CompileFallbackWarning, NoRuleError, UnsupportedSyntaxError

from .differences import check

# mypy: disable-error-code="no-untyped-def, attr-defined, no-untyped-call, assignment, index, union-attr, misc"
# mypy: disable-error-code="operator, call-overload, method-assign, no-redef, func-returns-value, call-arg"


def outside(v, k=1.0, *, j=2.0):
    return v * k * j


def made(s):
    def doubled():
        return s * 2

    def read():
        return s

    return doubled, read


DOUBLED, READ = made(3.0)


class Base:
    def scaled(self, v, k=1.0):
        return v * k


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    outside.__defaults__, outside.__kwdefaults__, Base.scaled.__defaults__ = (1.0,), {"j": 2.0}, (1.0,)
    DOUBLED.__closure__[0].cell_contents = 3.0


# ---- defaults


def defaults(x, y):
    def f(v, k=1.0):
        return v * k

    a = f(x)
    f.__defaults__ = (y,)
    b = f(x)
    f.__defaults__ = (a,)
    return f(b) * y


def keyword_defaults(x, y):
    def f(v, *, k=1.0):
        return v * k

    a = f(x)
    f.__kwdefaults__ = {"k": y}
    b = f(x)
    f.__kwdefaults__["k"] = a
    return f(b) * y


def defaults_of_a_method(x, y):
    class C:
        def m(self, v, k=1.0):
            return v * k

    C.m.__defaults__ = (y,)
    c = C()
    a = c.m(x)
    c.m.__func__.__defaults__ = (a,)
    return c.m(x)


def defaults_by_setattr(x, y):
    def f(v, k=1.0, *, j=1.0):
        return v * k * j

    setattr(f, "__defaults__", (y,))  # noqa: B010
    object.__setattr__(f, "__kwdefaults__", {"j": x})
    return f(x)


def defaults_updated(x, y):
    def f(v, *, k=1.0, j=x):
        return v * k + j

    f.__kwdefaults__.update(k=y)
    f.__kwdefaults__ |= {"j": y * y}
    held = f.__kwdefaults__
    held["k"] *= x
    return f(x)


def defaults_read(x, y):
    def f(v, k=y, *, j=x):
        return v * k * j

    f.__defaults__ = (*f.__defaults__, f.__defaults__[0] * x)[1:]
    return f.__defaults__[0] * x + f.__kwdefaults__["j"] * f(y)


def replaced_by_constants(x, y):
    def f(v, k=y, *, j=y):
        return v * k * j

    a = f(x)
    f.__defaults__, f.__kwdefaults__ = (2.0,), {"j": 3.0}
    b = f(x)
    f.__defaults__ = None
    del f.__kwdefaults__
    return a * b * f(x, y, j=x)


def replaced_by_itself(x, y):
    def f(v, k=x, *, j=x):
        f.__defaults__, f.__kwdefaults__["j"] = (y,), y
        return v * k * j

    return f(x) * f(y)


def shared_defaults(x, y):
    def f(v, k=1.0, *, j=1.0):
        return v * k * j

    def g(v, k=y, *, j=x):
        return v + k * j

    f.__defaults__, f.__kwdefaults__ = g.__defaults__, g.__kwdefaults__
    f.__kwdefaults__["j"] = y * y
    return f(x) * g(x)


def defaults_of_a_global(x, y):
    outside.__defaults__ = (y,)
    outside.__kwdefaults__["j"] = x
    Base.scaled.__defaults__ = (y * y,)
    result = outside(x) * Base().scaled(x)
    outside.__defaults__, outside.__kwdefaults__, Base.scaled.__defaults__ = (1.0,), {"j": 2.0}, (1.0,)
    return result


def given(f, *values):
    f.__defaults__ = values


def defaults_by_others(x, y):
    fs = [lambda v, k=1.0: v * k, lambda v, k=2.0: v + k]
    for f in fs:
        given(f, y)
    return fs[0](x) * fs[1](x)


def defaults_of_a_generator(x, y):
    def g(v, k=1.0):
        yield v * k
        yield v + k

    g.__defaults__ = (y,)
    return sum(g(x)) + max([x, y], key=g.__defaults__.__contains__)


def defaults_called_by_others(x, y):
    def f(v, k=1.0):
        return v * k

    f.__defaults__ = (y,)
    return functools.reduce(lambda a, b: a * f(b), [x, y]) + sum(map(f, [x, y])) + functools.partial(f)(x)


def arrays_as_defaults(x, y):
    def f(v, k=None, *, j=None):
        return (v * k * j).sum()

    a = np.array([x, y]) * y
    f.__defaults__, f.__kwdefaults__ = (a,), {"j": a[:1]}
    a *= x
    return f(np.array([y, x]))


def function_of_code(x, y):
    def f(v, k=1.0):
        return v * k * s

    s = x
    g = types.FunctionType(f.__code__, {}, "f", (y,), f.__closure__)
    h = type(f)(f.__code__, {}, argdefs=(y * y,), closure=(types.CellType(y),))
    s = y * x
    return g(x) * h(x)


def code_of_another(x, y):
    def f(v):
        return v * x

    def g(v):
        return v * v * y

    f.__code__ = g.__code__
    return f(y) * y


# ---- captured variables


def cell(x, y):
    s = x

    def f():
        return s * 2

    a = f() * s
    f.__closure__[0].cell_contents = y
    b = f() * s
    (c,) = f.__closure__
    c.cell_contents *= a
    return f() * s * b * c.cell_contents


def cell_by_setattr(x, y):
    s = x

    def f():
        nonlocal s
        s = s * 2
        return s

    setattr(f.__closure__[0], "cell_contents", y)  # noqa: B010
    a = f() * s
    object.__setattr__(operator.attrgetter("__closure__")(f)[0], "cell_contents", a * x)
    return f() * s


def cell_deleted(x, y):
    s = x

    def f():
        return s * 2

    del f.__closure__[0].cell_contents
    try:
        f()
    except NameError:
        s = y
    return f() * s * x


def put(cells, value):
    for c in cells:
        c.cell_contents = value


def cells_in_a_list(x, y):
    s, t = x, y

    def f():
        return s * t

    cells = dict(zip(f.__code__.co_freevars, f.__closure__, strict=True))
    put([cells["s"]], y)
    a = f() * s
    put([*f.__closure__], a)
    return f() * t


def cells_that_are_made(x, y):
    a, b = types.CellType(x), types.CellType()
    try:
        b.cell_contents  # noqa: B018
    except ValueError:
        b.cell_contents = y
    cells = sorted([a, b], key=lambda c: -c.cell_contents)
    cells[0].cell_contents += x
    return a.cell_contents * b.cell_contents * y


def cell_of_another(x, y):
    f, read = made(x)
    f.__closure__[0].cell_contents = read() * y
    DOUBLED.__closure__[0].cell_contents = y
    result = f() * read() * DOUBLED() * READ()
    DOUBLED.__closure__[0].cell_contents = 3.0
    return result


def cell_of_a_method(x, y):
    s = y

    class C:
        def m(self):
            return s

    C.m.__closure__[0].cell_contents = y * y
    return C().m() * x * s


def cell_of_an_array(x, y):
    s = np.array([x, y])

    def f():
        return s.sum()

    a = f()
    f.__closure__[0].cell_contents = s * y
    s[0] *= a
    return f() * s[0]


PROGRAMS = [
    *(defaults, keyword_defaults, defaults_of_a_method, defaults_by_setattr, defaults_updated, defaults_read),
    *(replaced_by_constants, replaced_by_itself, shared_defaults, defaults_of_a_global, defaults_by_others),
    *(defaults_of_a_generator, defaults_called_by_others, arrays_as_defaults, function_of_code, code_of_another),
    *(cell, cell_by_setattr, cell_deleted, cells_in_a_list, cells_that_are_made, cell_of_another, cell_of_a_method),
    cell_of_an_array,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_what_a_function_holds_is_replaced(f: Any) -> None:
    check(f, 1.5, 2.25, order=2)
    y_dot = jvp(f, (1.5, 2.25), (0.7, -0.4))[1]
    g = gradient(f, 1.5, 2.25)
    np.testing.assert_allclose(y_dot, 0.7 * g[0] - 0.4 * g[1], 1e-12)


def test_compiled_and_by_numpy_scalars() -> None:
    pytest.importorskip("numba")
    for f in (defaults, keyword_defaults, cell):
        with pytest.warns(CompileFallbackWarning):
            found = value_and_grad(f, (0, 1), compile=True)(1.5, 2.25)
        assert found == (f(1.5, 2.25), gradient(f, 1.5, 2.25))
        assert gradient(f, np.float32(1.5), np.float32(2.25))[1].dtype == np.float32


def test_a_cell_is_an_argument() -> None:
    def f(c, x):
        a = c.cell_contents * x
        c.cell_contents = x
        return a * c.cell_contents

    c_bar, x_bar = gradient(f, types.CellType(3.0), 2.0)
    assert (c_bar.cell_contents, x_bar) == (4.0, 12.0)


# ---- what is not followed


def by_signature(x, y):
    def f(v, k=y):
        return v * k

    return inspect.signature(f).parameters["k"].default * x


def by_arguments(x, y):
    def f(v, k=y):
        return v * k

    bound = inspect.signature(f).bind(1.0)
    bound.apply_defaults()
    return bound.arguments["k"] * x


def by_argument_names(x, y):
    return inspect.getfullargspec(lambda v, k=y: v).defaults[0] * x


def by_closure(x, y):
    s = y

    def f():
        return s

    return inspect.getclosurevars(f).nonlocals["s"] * x


@pytest.mark.parametrize("f", [by_signature, by_arguments, by_argument_names, by_closure])
def test_what_is_inspected_is_refused_where_it_flows(f: Any) -> None:
    for derivative in (lambda: gradient(f, 1.5, 2.25), lambda: jvp(f, (1.5, 2.25), (0.0, 1.0))):
        with pytest.raises(NoRuleError, match="`inspect"):
            derivative()


def test_what_is_only_looked_at_costs_nothing() -> None:
    def f(x, y):
        def g(v, k=y):
            return v * k

        return g(x) * len(inspect.signature(g).parameters)

    check(f, 1.5, 2.25, order=2)


def of_the_frame(x):
    return sys._getframe().f_locals["x"] * x


def of_a_generator(x):
    def g(v):
        while True:
            yield v

    it = g(x)
    next(it)
    return it.gi_frame.f_locals["v"] * x


@pytest.mark.parametrize("f", [of_the_frame, of_a_generator])
def test_variables_of_frames_are_refused(f: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="`f_locals` of a frame"):
        gradient(f, 2.0)


def test_a_partial_function_whose_state_is_set_is_refused() -> None:
    def f(x, y):
        p = functools.partial(lambda v, k: v * k, 1.0)
        p.__setstate__((p.func, (y,), {}, {}))
        return p(x)

    with pytest.raises(Exception, match="`__setstate__` changes what it is given"):
        gradient(f, 1.5, 2.25)
