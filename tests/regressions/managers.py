"""Programs with `finally` and `with`, reversed in their structure."""

# ruff: noqa: SIM105, SIM117

from __future__ import annotations

import contextlib
import io
import math
import threading
import warnings
from typing import Any

import numpy as np

from .attempts import Odd, Program, logarithm

LOCK = threading.Lock()


class Scale:
    """A manager that stores when it is entered and when it is left, and that takes some exceptions for itself."""

    def __init__(self, k: float) -> None:
        self.k = k
        self.n = 0.0

    def __enter__(self) -> Scale:
        self.n += self.k
        return self

    def __exit__(self, kind: Any, error: Any, place: Any) -> bool:
        self.n = self.n * 0.5
        return kind is ValueError


class Plain:
    """A manager that only looks on."""

    def __enter__(self) -> float:
        return 2.0

    def __exit__(self, *told: object) -> None:
        pass


# ---- finally


def in_rounds(x: float) -> float:
    s = 0.0
    for i in range(5):
        try:
            s += math.sqrt(x + i)
        finally:
            s = s * 0.5
    return s


def with_handlers(x: float) -> float:
    s = x
    for i in range(4):
        try:
            s += math.sqrt(x - i)
        except ValueError:
            s += x * i
        else:
            s = s * 1.5
        finally:
            s = s * 0.9
    return s


def around_return(x: float) -> float:
    box = Scale(x)
    try:
        if x > 1.0:
            return x * x + box.n
        y = x * 3.0
    finally:
        box.n = box.n + 1.0
    return y * box.n


def around_break(x: float) -> float:
    s, n = 0.0, 0.0
    for i in range(6):
        try:
            if i == 4:
                break
            if i == 2:
                continue
            s += x * i
        finally:
            n += x
    return s * n


def caught_outside(x: float) -> float:
    n = 1.0
    try:
        try:
            y = logarithm(x)
        finally:
            n = n + x
    except ValueError:
        y = x * x
    return y * n


def nothing_at_last(x: float) -> float:
    try:
        y = x * x
    finally:
        pass
    return y


# ---- bodies that are taken apart


def in_loop_half_way(x: float) -> float:
    s = 0.0
    try:
        for i in range(5):
            s += math.sqrt(x - i)
    except ValueError:
        s = s * x
    return s


def while_half_way(x: float) -> float:
    y, n = x, 0.0
    try:
        while y > 0.1:
            n += 1.0
            y = math.sqrt(y - 0.5) * 0.9
    except ValueError:
        y = y * x
    return y * n


def branches_half_way(x: float) -> float:
    s, k = x, 1.0
    for i in range(4):
        try:
            if s > 2.0:
                k = k * x
                s = math.sqrt(s - i)
            else:
                s = s * 1.5
                k += math.log(s - 2.0)
            if i == 3:
                return s * k + 1.0
        except ValueError:
            s += k
        finally:
            k = k * 0.9
    return s * k


def searched(x: float) -> float:
    best = 0.0
    try:
        for i in range(6):
            for j in range(3):
                best = best + x / (i - j - 2.0)
                if best > 9.0:
                    raise Odd("enough")
                if best < -9.0:
                    break
    except (ZeroDivisionError, Odd) as e:
        best = best * x
        print(e)
    return best


# ---- what stands in a body


def of_an_item_that_is_not_there(x: float) -> float:
    xs = [x, x]
    try:
        xs[5]
    except IndexError:
        xs.append(x)
    return sum(xs)


def of_a_quotient_that_nobody_reads(x: float) -> float:
    try:
        1.0 / (x - 1.5)
    except ZeroDivisionError:
        return 7.0 * x
    return x * x


def of_a_module_that_is_not_there(x: float) -> float:
    try:
        import no_such_module as module
    except ImportError:
        module = None
    return x * x if module is None else x


def of_a_recursion(x: float, n: int = 4) -> float:
    if n == 0:
        return x
    try:
        return math.sqrt(of_a_recursion(x, n - 1) - 1.0)
    except ValueError:
        return x * n


def of_an_inner_function(x: float) -> float:
    try:

        def g(v: float) -> float:
            return v * x

        y = g(2.0)
        y += g(math.sqrt(x - 5.0))
    except ValueError:
        y = x**3
    return y


def of_items(x: float) -> Any:
    a = np.zeros(3)
    try:
        a[0] = x
        a[1] = x * x
        a[7] = x
    except IndexError:
        a[2] = a[1] * x
    return a.sum()


def of_a_dict(x: float) -> float:
    d: dict[str, float] = {}
    try:
        d["k"] = x * x
        d["j"] = d["k"] / (x - x)
    except ZeroDivisionError:
        pass
    return d["k"] + len(d)


def of_numpy_that_raises(x: float) -> Any:
    try:
        with np.errstate(all="raise"):
            y = np.log(np.array([x - 3.0])).sum()
    except FloatingPointError:
        y = x * x
    return y


def of_a_search(x: float) -> float:
    n, s = 0, x
    while True:
        try:
            n += 1
            if n > 5:
                break
            s = s - math.log(s - 1.0)
        except ValueError:
            s = s * 3.0
    return s * n


# ---- with


def stored_by_manager(x: float) -> float:
    s = 0.0
    for i in range(6):
        with Scale(x) as m:
            s += math.sqrt(x + m.n - i - 0.1)
        s += m.n
    return s


def one_manager_for_all(x: float) -> float:
    m, s = Scale(x), 0.0
    for i in range(6):
        with m:
            s += math.sqrt(x + m.n - i - 0.1)
    return s * m.n


def two_managers(x: float) -> float:
    s = x
    with Scale(x) as a, Scale(a.n * x) as b:
        s = s * b.n
    return s * a.n


def left_by_return(x: float) -> float:
    m = Scale(x)
    for i in range(4):
        with m:
            if i == 2:
                return x * m.n
    return x


def left_by_break(x: float) -> float:
    m, s = Scale(x), 0.0
    for i in range(6):
        with m:
            if i == 4:
                break
            if i == 1:
                continue
            s += x * i
    return s * m.n


def raised_through(x: float) -> float:
    m = Scale(x)
    try:
        with m:
            if x < 0.0:
                raise Odd("odd")
            y = x * m.n
    except Odd:
        y = x * x
    return y * m.n


def looking_on(x: float) -> float:
    with Plain() as k:
        y = x * k
    return y * x


def by_errstate(a: np.ndarray) -> Any:
    s = a.sum()
    for _ in range(3):
        with np.errstate(all="ignore"):
            s = s + np.sqrt(a).sum()
    return s


def suppressed(x: float) -> float:
    s = x
    for i in range(4):
        with contextlib.suppress(ValueError, KeyError):
            s += math.sqrt(x - i)
    return s


def locked(x: float) -> float:
    y = x
    with LOCK:
        y = y * x
    return y


def without_warnings(x: float) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = x * x
    return y * x


def nested_three_deep(x: float) -> float:
    s = x
    for i in range(5):
        try:
            with Scale(x) as m:
                try:
                    s += math.sqrt(m.n - i - 0.1)
                finally:
                    s = s * 0.9
                if i == 4:
                    raise Odd
        except Odd:
            s += x * x
    return s


FOLLOWED: list[Program] = [
    *[(f, (x,)) for f in (in_rounds, with_handlers, nothing_at_last, two_managers, looking_on) for x in (1.3, 2.6)],
    *[(f, (x,)) for f in (around_return, around_break, caught_outside, without_warnings) for x in (0.4, 1.3)],
    *[(f, (x,)) for f in (stored_by_manager, one_manager_for_all, suppressed) for x in (1.3, 2.6)],
    *[(f, (x,)) for f in (left_by_return, left_by_break) for x in (1.3, -1.3)],
    *[(caught_outside, (-1.3,)), (in_loop_half_way, (1.3,)), (in_loop_half_way, (9.3,))],
    *[(f, (x,)) for f in (while_half_way, branches_half_way, searched) for x in (1.3, 0.7, 5.3)],
    (by_errstate, (np.array([1.0, 2.0]),)),
    *[(f, (1.3,)) for f in (of_an_item_that_is_not_there, of_a_quotient_that_nobody_reads, of_a_recursion)],
    *[(f, (1.3,)) for f in (of_a_module_that_is_not_there, of_an_inner_function, of_items, of_a_dict, of_a_search)],
    *[(of_numpy_that_raises, (1.3,)), (of_numpy_that_raises, (5.3,))],
]


# ---- those of the library


class Source:
    def __init__(self, x: float, lock: Any = None) -> None:
        self.x = x
        self.n = 0.0
        self.lock = lock

    def close(self) -> None:
        self.n += self.x

    def locked_sum(self, y: float) -> float:
        with self.lock:
            self.n += self.x * y
            return self.n


def without_manager(x: float) -> float:
    s = 0.0
    for i in range(4):
        with contextlib.nullcontext(x * i) as y, contextlib.nullcontext():
            if i == 2:
                continue
            s += math.sin(y)
    return s


def closed(x: float) -> float:
    source, s = Source(x), x
    try:
        for i in range(4):
            with contextlib.closing(source) as same:
                s += math.sqrt(same.x - i)
    except ValueError:
        s = s * x
    return s + source.n


def redirected(x: float) -> float:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        y = x * x
        print("value", 3)
    return y * len(out.getvalue()) + x


def by_a_lock_that_is_held(x: float) -> float:
    source = Source(x, threading.RLock())
    return source.locked_sum(x) * source.locked_sum(2.0)


def by_a_lock_that_is_given(lock: Any, x: float) -> float:
    s = x
    for i in range(3):
        with lock, contextlib.suppress(ZeroDivisionError):
            s += x / (i - 1)
    return s


@contextlib.contextmanager
def waiting(x: float) -> Any:
    yield x * x


def by_generator(x: float) -> float:
    with waiting(x) as y:
        z = y * x
    return z


FOLLOWED += [(f, (1.3,)) for f in (by_generator, raised_through, locked, nested_three_deep)]
FOLLOWED += [(f, (1.3,)) for f in (without_manager, closed, by_a_lock_that_is_held)]
