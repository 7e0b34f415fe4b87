"""Programs with `try` and `with` of which one lies within the other."""

# ruff: noqa: B904, F811, F841, SIM105

from __future__ import annotations

import contextlib
import math
from typing import Any

from .attempts import Program


class Taking:
    """A manager that takes every `ValueError`."""

    def __enter__(self) -> float:
        return 1.5

    def __exit__(self, kind: Any, error: Any, place: Any) -> bool:
        return kind is ValueError


class Pair:
    """A manager that gives a pair, and takes nothing."""

    def __enter__(self) -> tuple[float, float]:
        return (1.0, 2.0)

    def __exit__(self, *told: object) -> bool:
        return False


@contextlib.contextmanager
def taking(x: float) -> Any:
    try:
        yield 2.0 * x
    except ValueError:
        pass


# ---- several managers


def two_managers(x: float) -> float:
    y = x
    with Taking() as p, Pair() as q:
        y = x * x
        raise ValueError
    return y


def of_the_library(x: float) -> float:
    y = x
    with contextlib.suppress(ValueError), contextlib.nullcontext(x) as k:
        y = x * x
        if x > 0.0:
            raise ValueError
        y = y + k
    return y


def into_a_pair(x: float) -> float:
    y = x
    with Taking(), Pair() as (p, q):
        y = x * x * q
        raise ValueError
    return y


def managers_in_rounds(x: float) -> float:
    y = x
    for i in range(3):
        with Taking(), Pair():
            y = y * x
            if i == 1:
                raise ValueError
            y = y + 1.0
    return y


def by_a_generator(x: float) -> float:
    y = x
    with taking(x) as p, Pair() as q:
        y = x * x * p
        raise ValueError
    return y


def later_ones_see_the_earlier(x: float) -> float:
    a = b = 0.5 * x
    with contextlib.nullcontext((x, x * x)) as (a, b), taking(b) as c:
        try:
            a = a * c
        finally:
            pass
    for _ in range(2):
        c = c * x
    return a * b * c


def a_later_one_binds_again(x: float) -> float:
    with contextlib.nullcontext((x, x * x)) as (a, b), contextlib.nullcontext(x + 1.0) as b:
        c = a * b
    return c * {1: b, "b": a}["b"]


# ---- `finally` within `try`


def exception_behind(x: float) -> float:
    y = x
    try:
        try:
            y = x * x
            raise KeyError
        finally:
            y = y * 10.0
    except KeyError:
        y = y + 1.0
    return y


def by_a_function(x: float) -> float:
    y = x
    try:
        try:
            y = x * x
            math.sqrt(-x)
        finally:
            y = y * 10.0
    except ValueError:
        y = y + 1.0
    return y


def another_name(x: float) -> float:
    y = x
    try:
        try:
            y = x * x
            raise KeyError
        finally:
            z = y * 10.0
    except KeyError:
        y = z + 1.0
    return y


def unbound_before(x: float) -> float:
    try:
        try:
            y = x * x
            raise KeyError
        finally:
            z = y * 10.0
    except KeyError:
        y = z * y
    return y


def read_behind_alone(x: float) -> float:
    y = x
    try:
        try:
            y = x * x
            raise KeyError
        finally:
            z = 1.0
    except KeyError:
        y = y + z
    return y


def raised_anew(x: float) -> float:
    y = z = x
    try:
        try:
            y = x * x
            raise KeyError
        except KeyError:
            z = y * 3.0
            raise ValueError
        finally:
            y = y + z
    except ValueError:
        y = y * z
    return y


def seen_by_finally_alone(x: float) -> float:
    y = x
    try:
        z = 1.0
        try:
            y = x * x
            raise ValueError
        except ValueError:
            z = y * 3.0
            raise KeyError
        finally:
            y = y * z
    except KeyError:
        y = y + 1.0
    return y


def under_a_condition(x: float) -> float:
    y = x
    try:
        if x > 0.0:
            try:
                y = x * x
                raise KeyError
            finally:
                y = y * 10.0
    except KeyError:
        y = y + 1.0
    return y


def around_a_loop(x: float) -> float:
    y = x
    try:
        for i in range(2):
            try:
                y = y * x
                if i == 1:
                    raise KeyError
            finally:
                y = y * 10.0
    except KeyError:
        y = y + 1.0
    return y


def in_each_round(x: float) -> float:
    y = x
    for k in range(3):
        try:
            try:
                y = y * x
                if k == 1:
                    raise KeyError
            finally:
                y = y * 10.0
        except KeyError:
            y = y + 1.0
    return y


def otherwise_in_the_next_round(x: float) -> float:
    y, s = x, 0.0
    for i in range(3):
        try:
            if i == 0:
                y = x * x
            if i == 0:
                raise ValueError
        except ValueError:
            pass
        else:
            s = s + y
    return s


def value_of_the_exception(x: float) -> float:
    y = x
    try:
        try:
            y = x * x
            raise ValueError(y)
        except ValueError as e:
            y = y * e.args[0]
            math.sqrt(-x)
        finally:
            y = y + 1.0
    except ValueError:
        y = y * 2.0
    return y


def into_a_list(xs: list[float]) -> float:
    try:
        try:
            xs.append(xs[0] * xs[1])
            raise KeyError
        finally:
            xs[0] = xs[-1] * 10.0
    except KeyError:
        xs[1] = xs[0] + 1.0
    return xs[0] * xs[1]


MANAGERS: list[Program] = [
    (f, (x,))
    for f in (
        two_managers,
        of_the_library,
        into_a_pair,
        managers_in_rounds,
        by_a_generator,
        later_ones_see_the_earlier,
        a_later_one_binds_again,
    )
    for x in (1.3,)
]


def conditions_of_two(x: float) -> float:
    """A `while` whose condition has a branch of its own, in a body that is taken apart."""
    y, k = 0.5 * x, 0
    try:
        while k < 3 and x < 3.0:
            k += 1
            x += x * y
        if x < 0.2 and k < 2:
            raise ValueError(x)
    except ValueError:
        y = 2.0
        if x < 0.2 and y > x:
            return y
    finally:
        y *= x
    return x * y


NESTED: list[Program] = [
    *(
        (f, (1.3,))
        for f in (
            exception_behind,
            by_a_function,
            another_name,
            unbound_before,
            read_behind_alone,
            raised_anew,
            seen_by_finally_alone,
            under_a_condition,
            around_a_loop,
            in_each_round,
            otherwise_in_the_next_round,
            value_of_the_exception,
            conditions_of_two,
        )
    ),
    (into_a_list, ([1.3, 0.7],)),
]
