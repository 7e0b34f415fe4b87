"""Exceptions of users' classes: what they keep has its derivative, whichever class they derive from, and however they
keep it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad, hessian, jvp
from adjoint.testing import check_gradient

X, STEP = 1.5, 1e-3

BASES = [
    *(Exception, ArithmeticError, KeyError, ImportError, AttributeError, NameError, StopIteration, SystemExit),
    *(OSError, FileNotFoundError, TimeoutError, ConnectionError),
]


def check_all(f: Any, x: float = X) -> None:
    """First and second derivatives."""
    check_gradient(f, x)
    slope = grad(f)(x)
    assert np.allclose(jvp(f, (x,), (1.0,))[1], slope)
    assert np.allclose(hessian(f)(x), (f(x + STEP) - 2 * f(x) + f(x - STEP)) / STEP**2, atol=1e-4)


def by_init(base: Any) -> Any:
    class Error(base):  # type: ignore[misc]
        def __init__(self, last: Any) -> None:
            super().__init__("text")
            self.last = last

    return Error


def without_base(base: Any) -> Any:
    class Error(base):  # type: ignore[misc]
        def __init__(self, last: Any) -> None:
            self.last = last

    return Error


def by_new(base: Any) -> Any:
    class Error(base):  # type: ignore[misc]
        def __new__(cls, last: Any) -> Any:
            self = super().__new__(cls, "text")
            self.last = last
            return self

        def __init__(self, last: Any) -> None:
            pass

    return Error


def by_property(base: Any) -> Any:
    class Error(base):  # type: ignore[misc]
        @property
        def last(self) -> Any:
            return self.args[-1]

    return Error


def with_three(base: Any) -> Any:
    """An `OSError` keeps two of three arguments."""

    class Error(base):  # type: ignore[misc]
        def __init__(self, last: Any) -> None:
            super().__init__("a", "b", last)
            self.last = len(self.args) * last

    return Error


WAYS = [by_init, without_base, by_new, by_property, with_three]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("base", BASES)
def test_classes(base: Any, way: Any) -> None:
    Error = way(base)

    def f(x: Any) -> Any:
        total = 0.0
        for i in range(4):
            try:
                if i == 2:
                    raise Error(x * i)
                total += x * x
            except Error as error:
                total += error.last * x + len(error.args) * x
        return total

    check_all(f)


class Updated(Exception):
    def __init__(self, **details: Any) -> None:
        super().__init__("not converged")
        self.__dict__.update(details)


class UpdatedFirst(Exception):
    def __init__(self, **details: Any) -> None:
        vars(self).update(details)
        super().__init__("not converged")


class UpdatedAlone(Exception):
    def __init__(self, **details: Any) -> None:
        vars(self).update(details)


class OneByOne(ValueError):
    def __init__(self, **details: Any) -> None:
        for name, value in details.items():
            setattr(self, name, value)


class ByItem(ValueError):
    def __init__(self, last: Any, n: int) -> None:
        super().__init__(last, n)
        self.__dict__["last"] = last
        self.__dict__.setdefault("n", n)


class Replaced(ValueError):
    def __init__(self, **details: Any) -> None:
        self.__dict__ = dict(details)


class Seen(ValueError):
    seen: list[Any] = []  # noqa: RUF012

    def __init__(self, last: Any, n: int) -> None:
        self.last = last
        self.seen.append(self)
        self.n = n


DETAILED = [Updated, UpdatedFirst, UpdatedAlone, OneByOne, ByItem, Replaced, Seen]


@pytest.mark.parametrize("kind", DETAILED)
def test_details_by_the_dict(kind: Any) -> None:
    def caught(x: Any) -> Any:
        total = 0.0
        for i in range(3):
            try:
                if i > 0:
                    raise kind(last=x * i, n=3)
                total += x
            except kind as error:
                total += error.last * x * error.n + len(error.args)
        return total

    def kept(x: Any) -> Any:
        errors = [kind(last=x, n=3)]
        return errors[0].last * x

    def beside_a_store(x: Any) -> Any:
        state = {"v": x}

        def fail(y: Any) -> None:
            state["v"] = state["v"] * y
            raise kind(last=state["v"], n=2)

        try:
            fail(x)
        except kind as error:
            return error.last * state["v"]

    check_all(caught)
    check_all(kept)
    check_all(beside_a_store)


def errno(x: Any) -> Any:
    try:
        raise OSError(x, "text")
    except OSError as error:
        return error.errno * x


def code(x: Any) -> Any:
    try:
        raise SystemExit(x * x)
    except SystemExit as error:
        return error.code * x


def codes(x: Any) -> Any:
    try:
        raise SystemExit(x * x, x)
    except SystemExit as error:
        return error.code[0] * error.code[1] * error.args[0]


def obj(x: Any) -> Any:
    try:
        raise AttributeError("text", obj=x, name="n")
    except AttributeError as error:
        return error.obj * x


def one_thing_twice(x: Any) -> Any:
    y = +x
    error = OSError(x, y)
    return error.errno * x + 2 * error.strerror * error.args[1]


class Code(OSError):
    def __init__(self, last: Any) -> None:
        super().__init__(last, "text", "file")


def own_code(x: Any) -> Any:
    try:
        raise Code(x)
    except OSError as error:
        return x * error.errno * len(error.args) * (error.filename == "file")


def set_later(x: Any) -> Any:
    error = OSError(x, "text")
    before = error.errno
    error.errno = before * x
    return error.errno * before * error.args[0]


@pytest.mark.parametrize("f", [errno, code, codes, obj, one_thing_twice, own_code, set_later])
def test_fields_of_builtin_classes(f: Any) -> None:
    check_all(f)


class Failures(ExceptionGroup):  # type: ignore[type-arg]
    value: Any

    def __new__(cls, value: Any) -> Any:
        self = super().__new__(cls, "failures", [ValueError(value)])
        self.value = value
        return self

    def __init__(self, value: Any) -> None:
        pass


def test_groups() -> None:
    def own(x: Any) -> Any:
        try:
            raise Failures(x)
        except Failures as error:
            return error.value * error.exceptions[0].args[0]

    def by_star(x: Any) -> Any:
        y = 0.0
        try:
            raise ExceptionGroup("m", [ValueError(x), TypeError(x * x)])
        except* ValueError as group:
            y += group.exceptions[0].args[0] * x
        except* TypeError as group:
            y += group.exceptions[0].args[0] * x
        return y

    check_all(own)
    check_all(by_star)
