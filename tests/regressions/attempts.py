"""Programs with `try`: those that are reversed in their structure, and those that are recorded."""

# ruff: noqa: SIM105, F821, F841

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Program = tuple[Callable[..., Any], tuple[Any, ...]]

ERRORS = (ValueError, ZeroDivisionError)


class Odd(Exception):
    """An exception of the program."""


class Odder(Odd):
    pass


class Box:
    def __init__(self, x: float) -> None:
        self.x = x

    def root(self, y: float) -> float:
        try:
            return math.sqrt(self.x - y)
        except ValueError:
            return self.x * y


def logarithm(x: float) -> float:
    if x <= 0.0:
        raise ValueError("no logarithm")
    return math.log(x)


def odd(x: float) -> float:
    if x < 1.0:
        raise Odder(x)
    return x * x


def twice(x: float) -> float:
    return 2.0 * logarithm(x)


def fill(xs: list[float], x: float) -> float:
    xs.append(x)
    return logarithm(x)


# ---- reversed in their structure


def in_rounds(x: float) -> float:
    s = 0.0
    for i in range(7):
        try:
            s += math.sqrt(x - i % 3)
        except ValueError:
            s += x * i
    return s


def returned(x: float) -> float:
    try:
        return math.sqrt(x)
    except ValueError:
        return x * x


def read_after(x: float) -> float:
    try:
        y = math.log(x)
    except ValueError:
        y = -x * x
    return y * y


def of_helper(x: float) -> float:
    try:
        y = twice(x)
    except ValueError:
        y = 3.0 * x
    return y * x


def several_clauses(x: float) -> float:
    s = 0.0
    for d in (1.0, 0.0, -1.0):
        try:
            s += math.sqrt(d) / d * x
        except ValueError:
            s += x * x
        except ZeroDivisionError:
            s += x * x * x
    return s


def tuple_of_classes(x: float) -> float:
    s = 0.0
    for d in (1.0, 0.0, -1.0):
        try:
            s += x * math.sqrt(d) / d
        except (ValueError, ZeroDivisionError):
            s += 2.0 * x * x
    return s


def named_tuple_of_classes(x: float) -> float:
    s = 0.0
    for d in (1.0, 0.0, -1.0):
        try:
            s += x * math.sqrt(d) / d
        except ERRORS:
            s += 2.0 * x * x
    return s


def first_match_wins(x: float) -> float:
    try:
        y = odd(x)
    except Odd:
        y = 2.0 * x
    except Odder:
        y = 5.0 * x
    return y


def subclass(x: float) -> float:
    try:
        y = odd(x) * 3.0
    except ArithmeticError:
        y = 0.0
    except Odd:
        y = 7.0 * x
    return y


def bare(x: float) -> float:
    try:
        y = odd(x)
    except:  # noqa: E722
        y = 4.0 * x * x
    return y


def with_else(x: float) -> float:
    s = x
    for d in (0.5, -0.5):
        try:
            y = math.log(x * d)
        except ValueError:
            s = s * 2.0
        else:
            s += y * y
    return s


def named(x: float) -> tuple[float, str]:
    text = ""
    try:
        y = logarithm(x)
    except ValueError as e:
        text = f"{e}!" + str(e) + repr(e)
        y = 2.0 * x
    return y, text


def raised_in_body(x: float) -> float:
    try:
        if x < 1.0:
            raise Odd("small")
        y = x * x
    except Odd:
        y = x * 5.0
    return y


def nested(x: float) -> float:
    s = 0.0
    for i in range(4):
        try:
            try:
                s += math.log(x - i)
            except ZeroDivisionError:
                s += 100.0 * x
        except ValueError:
            s += x * x
    return s


def nested_in_handler(x: float) -> float:
    try:
        y = math.log(-x)
    except ValueError:
        try:
            y = x / (x - x)
        except ZeroDivisionError:
            y = x * x * x
    return y


def raised_again(x: float) -> float:
    def root(v: float) -> float:
        try:
            return math.sqrt(v)
        except ValueError as e:
            if v < -5.0:
                raise
            raise Odd("negative") from e

    try:
        return root(x)
    except Odd:
        return x * 2.0
    except ValueError:
        return x * 3.0


def left_by_break(x: float) -> float:
    s = x
    for i in range(6):
        try:
            y = math.sqrt(i - 3.0)
            break
        except ValueError:
            s = s * x
            continue
    else:
        y = 0.0
    return s + y * x


def continued(x: float) -> float:
    s = 0.0
    for i in range(5):
        try:
            y = math.sqrt(x - i)
        except ValueError:
            continue
        s += y
    return s


def broken_off(x: float) -> float:
    s = 0.0
    for i in range(5):
        try:
            y = math.sqrt(x - i)
        except ValueError:
            break
        s += y * i
    return s


def returned_from_rounds(x: float) -> float:
    for i in range(5):
        try:
            y = math.sqrt(i - x)
        except ValueError:
            continue
        return y * i
    return x


def key_error(x: float) -> float:
    d = {"a": x, "b": x * x}
    s = 0.0
    for key in ("a", "c", "b"):
        try:
            s += d[key]
        except KeyError:
            s += 10.0 * x
    return s


def index_error(x: float) -> float:
    xs = [x, x * x]
    s = 0.0
    for i in range(4):
        try:
            s += xs[i] * i
        except IndexError:
            s += 3.0 * x
    return s


def overflow(x: float) -> float:
    s = 0.0
    for k in (1.0, 800.0):
        try:
            s += math.exp(x * k)
        except OverflowError:
            s += x * k
    return s


def zero_division(x: float) -> float:
    s = 0.0
    for k in (1, 0, 2):
        try:
            s += x / k
        except ZeroDivisionError as e:
            s += x * len(str(e))
    return s


def attribute_error(x: float) -> float:
    try:
        y = x.real * x.nothing  # type: ignore[attr-defined]
    except AttributeError:
        y = x * x
    return y


def conversion(x: float) -> float:
    s = 0.0
    for text in ("1.5", "two", "3"):
        try:
            s += float(text) * x
        except ValueError:
            s += x * x
    return s


def whole_number(x: float) -> float:
    s = 0.0
    for text in ("2", "two", "3"):
        try:
            n = int(text)
        except ValueError:
            n = 1
        s += x * n
    return s


def type_error(x: float) -> float:
    try:
        y = x + "1"  # type: ignore[operator]
    except TypeError:
        y = x * 2.0
    return y


def assertion(x: float) -> float:
    try:
        assert x > 1.0, "small"
        y = x * x
    except AssertionError:
        y = x * 3.0
    return y


def singular(a: np.ndarray) -> Any:
    try:
        y = np.linalg.solve(a, np.ones(2)).sum()
    except np.linalg.LinAlgError:
        y = a.sum()
    return y


def of_arrays(a: np.ndarray) -> Any:
    s = 0.0
    for i in range(4):
        try:
            row = a[i] * a[0]
        except IndexError:
            row = np.ones(2) * i
        s = s + (row * row).sum()
    return s


def array_by_exception(a: np.ndarray, b: np.ndarray) -> Any:
    try:
        y = a @ b
    except ValueError:
        y = a * 2.0
    return y * y


def by_condition(x: float) -> float:
    s = 1.0
    for i in range(4):
        try:
            if i % 2:
                s *= math.sqrt(x - i)
            else:
                s += math.log(x)
        except ValueError:
            s = s * x
    return s


def two_results(x: float) -> float:
    p, q = x, 2.0 * x
    for i in range(4):
        try:
            p, q = math.sqrt(q - i), p * q
        except ValueError:
            p, q = q, p
    return p * q + p


def not_bound_where_it_fails(x: float) -> float:
    s = 0.0
    for i in range(4):
        try:
            y = math.sqrt(x - i)
            z = y * math.log(y)
            s += z
        except ValueError:
            s += x
    return s


def fallback_chain(x: float) -> float:
    try:
        y = math.acosh(x)
        z = math.log(y)
    except ValueError:
        y = z = x * x
    return y * z


def passed_over(x: float) -> float:
    s = x
    for i in range(4):
        try:
            s += math.log(x - i)
        except ValueError:
            pass
    return s


def method(x: float, y: float) -> float:
    return Box(x).root(y) * x


def of_default(x: float, scale: float = 3.0) -> float:
    try:
        y = math.sqrt(x) * scale
    except Exception:
        y = x * scale
    return y


def comprehension(x: float) -> float:
    try:
        y = sum([math.sqrt(x - i) for i in range(3)])
    except ValueError:
        y = sum([x * i for i in range(3)])
    return y


def by_while(x: float) -> float:
    s, n = x, 0
    while n < 5:
        try:
            s = math.sqrt(s - 1.0)
        except ValueError:
            s = s * s + x
        n += 1
    return s


def newton(x: float) -> float:
    y = x
    for _ in range(6):
        try:
            y = y - (y * y - 2.0) / (2.0 * y)
        except ZeroDivisionError:
            y = 1.0
    return y * x


def deep(x: float) -> float:
    def inner(v: float) -> float:
        try:
            return inner(v - 1.0) if v > 2.0 else math.log(v - 1.0)
        except ValueError:
            return v * x

    return inner(x)


STRUCTURED: list[Program] = [
    *[(f, (x,)) for f in (returned, read_after, of_helper) for x in (2.0, -2.0)],
    *[(f, (x,)) for f in (first_match_wins, subclass, bare, raised_in_body, assertion) for x in (0.5, 1.5)],
    *[(f, (1.3,)) for f in (several_clauses, tuple_of_classes, named_tuple_of_classes, key_error, index_error)],
    *[(f, (1.3,)) for f in (overflow, zero_division, attribute_error, conversion, whole_number, type_error)],
    *[(f, (1.3,)) for f in (two_results, by_while, newton, left_by_break)],
    *[(f, (2.5,)) for f in (continued, broken_off, by_condition, not_bound_where_it_fails, passed_over)],
    *[(f, (1.5,)) for f in (in_rounds, nested, nested_in_handler, returned_from_rounds, with_else)],
    *[(f, (x,)) for f, xs in ((raised_again, (2.0, -2.0, -7.0)), (named, (1.5, -1.5)), (deep, (4.5, 1.5))) for x in xs],
    *[(f, (x,)) for f, xs in ((fallback_chain, (2.5, 0.5)), (of_default, (1.3, -1.3))) for x in xs],
    *[(comprehension, (2.5,)), (comprehension, (1.5,)), (method, (3.0, 1.0)), (method, (1.0, 3.0))],
    (singular, (np.array([[2.0, 1.0], [0.5, 1.0]]),)),
    (singular, (np.zeros((2, 2)),)),
    (of_arrays, (np.array([[1.0, 2.0], [3.0, 4.0]]),)),
    (array_by_exception, (np.array([1.0, 2.0]), np.array([3.0, 4.0]))),
    (array_by_exception, (np.array([1.0, 2.0]), np.ones(3))),
]


# ---- recorded


def seen_half_way(x: float) -> float:
    s = x
    try:
        s = s * 3.0
        s += math.log(s - 10.0)
    except ValueError:
        s = s * x
    return s


def seen_after(x: float) -> float:
    y = x
    try:
        y = x * x
        logarithm(-x)
    except ValueError:
        pass
    return y


def seen_in_the_next_round(x: float) -> float:
    y, s = x, 0.0
    for i in range(4):
        try:
            z = y * 2.0
            y = z + 1.0
            s += math.sqrt(2.0 - i) * y
        except ValueError:
            s += x
    return s


def seen_by_the_next_round_alone(x: float) -> float:
    s = 0.0
    y = x
    for i in range(4):
        try:
            s += y
            y = y * x
            math.sqrt(1.0 - i)
        except ValueError:
            continue
    return s


def seen_by_an_inner_function(x: float) -> float:
    y = x

    def read() -> float:
        return y * 2.0

    try:
        y = x * x
        logarithm(-x)
    except ValueError:
        pass
    return read()


def bound_before_it_unpacks(x: float) -> float:
    y: Any = x
    try:
        y = z, _ = (x * x, x, x)
    except ValueError:
        pass
    return y[0] * x


def stored_item(x: float) -> float:
    xs = [x, x]
    try:
        xs[0] = x * x
        xs[1] = math.log(-x)
    except ValueError:
        xs[1] = xs[0] * x
    return xs[0] + xs[1]


def appended(x: float) -> float:
    xs = [x]
    for i in range(4):
        try:
            xs.append(x * i)
            xs.append(math.sqrt(1.5 - i))
        except ValueError:
            xs.append(x * x)
    return sum(xs)


def filled_by_helper(x: float) -> float:
    xs: list[float] = []
    try:
        fill(xs, -x)
    except ValueError:
        pass
    return xs[0] * x


def stored_attribute(x: float) -> float:
    box = Box(x)
    try:
        box.x = x * x
        logarithm(-x)
    except ValueError:
        pass
    return box.x * x


def stored_in_array(a: np.ndarray) -> Any:
    b = a * 2.0
    try:
        b[0] = b[1] * b[1]
        b[9] = 1.0
    except IndexError:
        b[1] = b[0] * b[1]
    return b.sum()


def added_in_place(a: np.ndarray) -> Any:
    b = a * 1.0
    try:
        b += a * a
        logarithm(-1.0)
    except ValueError:
        pass
    return (b * b).sum()


def grown_list(x: float) -> float:
    xs = [x]
    try:
        xs += [x * x]
        logarithm(-x)
    except ValueError:
        pass
    return sum(xs)


def counted_in_cell(x: float) -> float:
    n = 0.0

    def count(v: float) -> float:
        nonlocal n
        n += v
        return logarithm(-v)

    try:
        count(x)
    except ValueError:
        pass
    return n * x


def by_lambda(x: float) -> float:
    try:
        f = lambda v: math.log(v) * x  # noqa: E731
        y = f(-x)
    except ValueError:
        y = x * x
    return y


def finally_(x: float) -> float:
    s = x
    try:
        s = s * x
    finally:
        s = s + x
    return s


def exception_read(x: float) -> float:
    try:
        y = odd(x)
    except Odd as e:
        y = e.args[0] * x
    return y


def exception_kept(x: float) -> float:
    found: list[Any] = []
    try:
        y = odd(x)
    except Odd as e:
        found.append(e)
        y = x
    return y * found[0].args[0]


def returned_from_the_middle(x: float) -> float:
    try:
        if x > 1.0:
            return x * x
        y = math.log(x - 1.0)
    except ValueError:
        y = x * 3.0
    return y


def class_by_variable(x: float, kind: Any = ValueError) -> float:
    try:
        y = math.log(x)
    except kind:
        y = x * x
    return y


def perhaps_unbound(x: float) -> float:
    s = 0.0
    for i in range(3):
        try:
            if i > 0:
                s += last
            last = math.sqrt(x - i)
        except ValueError:
            s += x
    return s


def unbound(x: float) -> float:
    try:
        y = later * x
    except UnboundLocalError:
        y = x * x
    later = y
    return later * x


def deleted(x: float) -> float:
    y = x
    if x > 0.0:
        del y
    try:
        z = y * x
    except UnboundLocalError:
        z = x * x
    return z


def unbound_by_handler(x: float) -> float:
    y: Any = x
    try:
        logarithm(-x)
    except ValueError as y:
        pass
    try:
        z = y * x
    except UnboundLocalError:
        z = x * x
    return z


def groups(x: float) -> float:
    try:
        y = math.log(x)
    except* ValueError:
        y = x * x
    return y


def with_local_class(x: float) -> float:
    from json import JSONDecodeError as Local

    try:
        y = logarithm(x)
    except Local:
        y = x
    except ValueError:
        y = x * x
    return y


def stop_iteration(x: float) -> float:
    try:
        y = next(iter(())) * x
    except StopIteration:
        y = x * x
    return y


def printed(x: float) -> float:
    try:
        print("trying")
        y = math.sqrt(x)
    except ValueError as e:
        print("caught", e)
        y = x * x
    return y


def by_iterator(x: float) -> float:
    it = iter([x, x * x, 2.0 * x])
    s = 0.0
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        s += v * v
    return s


def moved_on(x: float) -> float:
    it = iter([x, x * x, 0.0, 3.0 * x, 4.0 * x])
    y = x
    try:
        y = 1.0 / (next(it) * next(it) * next(it))
    except ZeroDivisionError:
        pass
    return sum(it) * y


def moved_on_inside(x: float) -> float:
    held = {"it": iter([x, 0.0, 3.0 * x, 4.0 * x])}

    def ratio() -> float:
        return 1.0 / (next(held["it"]) * next(held["it"]))

    y = x
    try:
        y = ratio()
    except ZeroDivisionError:
        pass
    return sum(held["it"]) * y


def in_rounds_that_nothing_else_leaves(x: float) -> float:
    a, c = x, x * x
    for i in range(3):
        try:
            if i > 0:
                a += math.sqrt(c - 3.0)
                c = c * 2.0 / (i - 1.0)
            a = a * 1.1
        except ZeroDivisionError:
            a = a * 2.0
            c = c + 1.0
        except ValueError:
            a = a * 3.0 + c
    return a + c


def into_an_empty_list(x: float) -> float:
    xs: list[float] = []
    try:
        xs.append(math.sqrt(x))
    except ValueError:
        xs.append(x)
    return xs[0] * x


STEPWISE: list[Program] = [
    *[(into_an_empty_list, (x,)) for x in (1.3, -1.3)],
    *[(in_rounds_that_nothing_else_leaves, (x,)) for x in (1.3, 1.8, 2.6)],
    *[(f, (1.3,)) for f in (seen_after, seen_in_the_next_round, seen_by_the_next_round_alone)],
    *[(f, (1.3,)) for f in (seen_by_an_inner_function, stored_item, appended)],
    *[(f, (1.3,)) for f in (stored_attribute, grown_list, by_lambda, finally_)],
    *[(f, (1.3,)) for f in (unbound, deleted, by_iterator, moved_on, moved_on_inside)],
    *[(f, (-1.3,)) for f in (with_local_class, class_by_variable)],
    *[(seen_half_way, (1.3,)), (seen_half_way, (4.0,)), (class_by_variable, (1.3,)), (perhaps_unbound, (2.5,))],
    *[(printed, (2.0,)), (printed, (-2.0,))],
    *[(returned_from_the_middle, (1.3,)), (returned_from_the_middle, (0.3,))],
]
"""Programs whose bodies change what is seen when an exception leaves them: an attempt for each step."""

STRUCTURED.append((stop_iteration, (1.3,)))

GIVEN_UP: list[Program] = [
    (added_in_place, (np.array([1.0, 2.0]),)),
    *[(f, (1.3,)) for f in (bound_before_it_unpacks, counted_in_cell, unbound_by_handler)],
    *[(exception_read, (0.5,)), (exception_kept, (0.5,)), (stored_in_array, (np.array([1.0, 2.0]),))],
]
"""Programs of which a run is given up where an exception comes."""

RECORDED: list[Program] = [
    (groups, (-1.3,)),
]
