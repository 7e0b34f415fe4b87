"""Warnings and logging from recorded programs say where they come from: as the plain program does."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import grad, hvp, pullback

LOGGER = logging.getLogger("tests.recording.shown")
ADAPTED = logging.LoggerAdapter(LOGGER, {})


def near(x: float) -> float:
    warnings.warn("one", stacklevel=1)
    warnings.warn("one, as it is")  # noqa: B028
    return x * 2.0


def further(x: float) -> float:
    warnings.warn("two", UserWarning, 2)
    warnings.warn("three", stacklevel=3)
    warnings.warn("two", category=DeprecationWarning, stacklevel=2)
    warnings.warn(RuntimeWarning("far"), stacklevel=100)
    return x * 2.0


def calls_further(x: float) -> float:
    return further(x) + further(x)


def by_name(x: float) -> float:
    warn: Any = warnings.warn
    warn(*("starred", UserWarning), **{"stacklevel": 2})
    return x


class Model:
    def __init__(self, weight: float) -> None:
        warnings.warn("made", stacklevel=2)
        self.weight = weight

    def __mul__(self, x: float) -> float:
        warnings.warn("multiplied", stacklevel=2)
        return self.weight * x

    @property
    def heavy(self) -> float:
        warnings.warn("asked for", stacklevel=2)
        return self.weight

    def run(self, x: float) -> float:
        warnings.warn("run", stacklevel=1)
        return further(x) * self.heavy + self * x


def of_methods(x: float) -> float:
    return Model(x).run(x)


def in_comprehension(x: float) -> float:
    return sum([calls_further(x * i) for i in range(3)]) + sum(further(x) for _ in range(2))


def in_inner_function(x: float) -> float:
    def inner(y: float) -> float:
        warnings.warn("inner", stacklevel=2)
        return further(y) * x

    return (lambda y: inner(y))(x)


def logs(x: float) -> float:
    LOGGER.info("one")
    LOGGER.warning("two %s", "of it", stacklevel=2)
    LOGGER.log(logging.ERROR, "three", stacklevel=3)
    ADAPTED.info("adapted")
    shout = LOGGER.critical
    shout("bound")
    try:
        raise ValueError("caught")
    except ValueError:
        LOGGER.exception("with it", exc_info=False)
    return x * x


def logs_in_helper(x: float) -> float:
    return logs(x) + x


class Verbose(logging.Logger):
    def info(self, msg: object, *args: Any, **kwargs: Any) -> None:
        super().info(msg, *args, **{"stacklevel": 2, **kwargs})


VERBOSE = Verbose("tests.recording.verbose")
VERBOSE.parent = LOGGER


def logs_by_own_class(x: float) -> float:
    VERBOSE.info("own")
    return x


PROGRAMS = [
    *(near, further, calls_further, by_name, of_methods, in_comprehension, in_inner_function),
    *(logs, logs_in_helper, logs_by_own_class),
]


def shown(run: Callable[[bool], Any], is_plain: bool, how: Any) -> tuple[list[Any], str]:
    """What a call shows: warnings with their places, and the places of what it logs."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logging.Formatter("%(filename)s:%(lineno)d %(levelname)s %(message)s"))
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    globals().pop("__warningregistry__", None)
    try:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter(how)
            run(is_plain)
    finally:
        LOGGER.removeHandler(handler)
    return [(str(w.message), w.category, w.filename, w.lineno) for w in found], text.getvalue()


@pytest.mark.parametrize("how", ["always", "default", "module", "once"])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_places_are_those_of_the_plain_program(f: Callable[[float], float], how: str) -> None:
    def program(x: float) -> float:
        try:
            pass
        except* KeyError:
            pass
        return f(x) + f(x)

    def run(is_plain: bool) -> float:
        return program(1.5) if is_plain else pullback(program, 1.5)[0]

    for _ in range(3):  # by another way when it has run before
        plain, found = [shown(run, is_plain, how) for is_plain in (True, False)]
        assert plain == found != ([], "")


@pytest.mark.parametrize("f", [f for f in PROGRAMS if f not in (further, logs)], ids=lambda f: f.__name__)
def test_places_in_second_derivatives(f: Callable[[float], float]) -> None:
    def program(x: float) -> float:
        try:
            pass
        except* KeyError:
            pass
        return f(x)

    def run(is_plain: bool) -> Any:
        return program(1.5) if is_plain else hvp(program, (1.5,), (1.0,))

    def again(is_plain: bool) -> Any:
        return program(1.5) if is_plain else grad(lambda x: grad(program)(x))(1.5)

    plain = shown(run, True, "always")
    assert shown(run, False, "always") == plain
    assert shown(again, False, "always") == plain
