"""Programs that write to a log as they compute: what they write, and their derivatives, are those of the plain one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere, slope

from adjoint import grad, value_and_grad
from adjoint.derivatives.choice import is_structured_call
from adjoint.errors import UnsupportedSyntaxError
from adjoint.ops.logs import method_of_logger
from adjoint.runtime.typeof import typeof

log = logging.getLogger("tests.written")


class Kept(logging.Handler):
    """Keeps what was written: the message, the line, and what the message is of."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.records: list[tuple[str, int, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append((record.getMessage(), record.lineno, record.args))


@pytest.fixture
def written() -> Iterator[list[tuple[str, int, Any]]]:
    handler = Kept()
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    yield handler.records
    log.removeHandler(handler)


def each_round(x):
    total = 0.0
    for i in range(3):
        total += x**i
        log.info("round %d: %s", i, total)
    log.warning(f"total {total}")
    return total


def asked_first(x):
    total = 0.0
    for i in range(3):
        total += x * i
        if log.isEnabledFor(logging.DEBUG):
            log.debug("total %s", total)
    return total * total


def found_by_name(x):
    logging.getLogger("tests.written").error("x is %s", x)
    return x * x


def by_an_adapter(x):
    own = logging.LoggerAdapter(log, {})
    own.critical("x is %s", x)
    return x**3


class Solver:
    def __init__(self, rate):
        self.rate = rate
        self.log = logging.getLogger("tests.written")

    def run(self, x):
        for i in range(3):
            x = x - self.rate * x * x
            self.log.debug("%d: %g", i, x)
        return x


def of_an_object(x):
    return Solver(0.1 * x).run(x)


def result_asked(x):
    y = log.info("x is %s", x)
    return x * x if y is None else x


PROGRAMS = [each_round, asked_first, found_by_name, by_an_adapter, of_an_object, result_asked]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_they_are_reversed_in_structure(f: Callable[..., Any]) -> None:
    assert is_structured_call(f, (0.7,))


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    check_everywhere(f, 0.7)
    assert grad(grad(f))(0.7) == pytest.approx(slope(grad(f), 0.7), rel=1e-6)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_they_write_what_the_plain_program_writes(f: Callable[..., Any], written: list[Any]) -> None:
    f(0.7)
    expected = [*written]
    assert expected
    for _ in range(2):
        written.clear()
        value_and_grad(f)(0.7)
        assert written == expected


def array_stored_into(x):
    a = np.ones(3) * x
    log.info("%s", a)
    a[0] = 5.0
    log.info("%s", a)
    return (a * a).sum()


def test_what_a_handler_holds_is_the_array_of_the_program(written: list[Any]) -> None:
    value, slope_found = value_and_grad(array_stored_into)(2.0)
    assert (value, slope_found) == (33.0, 8.0)
    assert written[0][2][0] is written[1][2][0] and written[0][2][0].tolist() == [5.0, 2.0, 2.0]


class Doubling:
    def __init__(self, a):
        self.a = a

    def __str__(self):
        self.a = self.a * 2
        return "doubled"


def object_that_stores_when_it_is_shown(x):
    s = Doubling(x)
    log.info("%s", s)
    return s.a * x


def test_a_message_of_what_stores_is_refused(written: list[Any]) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="may run `Doubling.__str__`, which stores"):
        grad(object_that_stores_when_it_is_shown)(2.0)
    assert written == []


class Own(logging.Logger):
    def info(self, msg, *args, **kwargs):
        self.last = args[0] * 2


def of_a_logger(own, x):
    own.info("x is %s", x)
    return own.last * x * x


def test_loggers_of_a_class_of_the_users_do_what_that_says() -> None:
    assert method_of_logger(typeof(Own("own")), "info") is None
    assert grad(of_a_logger, argnums=1)(Own("own"), 2.0) == pytest.approx(6 * 2.0**2)
