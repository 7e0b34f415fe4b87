"""Context managers: the user's own, those of contextlib, and those of libraries."""

import math
import threading
from contextlib import contextmanager, nullcontext, suppress

import numpy as np

from .registry import row


class Scaled:
    """Gives a value and changes its own state when it is left."""

    def __init__(self, factor):
        self.factor = factor
        self.log = []

    def __enter__(self):
        self.log.append(self.factor)
        return self.factor * self.factor

    def __exit__(self, kind, error, traceback):
        self.log.append(math.sin(self.factor))
        self.factor *= 2.0
        return False


@row("contexts", "__enter__ gives a value, __exit__ changes state", lambda: (0.8, 1.5), order=2)
def value_of_enter(x, y):
    scaled = Scaled(x)
    with scaled as square:
        y = y * square
    with scaled as square:
        y += square
    return y * scaled.factor + sum(scaled.log)


@row("contexts", "an argument is the manager, entered in a loop", lambda: (Scaled(0.5), 1.1))
def manager_as_argument(scaled, x):
    total = 0.0
    for k in range(3):
        with scaled as square:
            total += square * x**k
    return total + scaled.factor * x


class Forgiving:
    def __init__(self, kinds, penalty):
        self.kinds, self.penalty, self.total = kinds, penalty, 0.0

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None:
            self.total += self.penalty
            return None
        self.total += self.penalty * error.args[0] if isinstance(error, ArithmeticError) else 1.0
        return issubclass(kind, self.kinds)


@row("contexts", "__exit__ that suppresses, with what the body had done", lambda: (0.9, 1.7))
def exit_that_suppresses(x, y):
    forgiving = Forgiving((ArithmeticError, ValueError), y)
    for v in (x, 2.0 * x, -x):
        with forgiving:
            y += v * v
            if v > 1.0:
                raise ArithmeticError(v)
            y += math.sqrt(v)
            y *= x
    return y * forgiving.total


@row("contexts", "__exit__ that lets the exception through", lambda: (0.9,))
def exit_that_lets_through(x):
    forgiving = Forgiving(ArithmeticError, x * x)
    y = x
    try:
        with forgiving as same:
            y *= same.penalty
            raise KeyError(y)
    except KeyError as error:
        y += math.sin(error.args[0])
    return y * forgiving.total


@row("contexts", "return inside with: the value is taken before __exit__", lambda: (0.6,))
def return_inside_with(x):
    scaled = Scaled(x)

    def inner(v):
        with scaled as square:
            if v > 0.5:
                return square * scaled.factor * v
        return scaled.factor * v

    return inner(x) * inner(0.5 * x) + sum(scaled.log)


@row("contexts", "break and continue inside with", lambda: ([0.5, -1.0, 2.0, 7.0, 1.0],))
def break_inside_with(values):
    scaled = Scaled(values[0])
    total = 1.0
    for v in values:
        with scaled as square:
            if v < 0.0:
                continue
            if v > 5.0:
                break
            total += v * square
    return total * sum(scaled.log)


@row("contexts", "several managers in one with, in order", lambda: (0.5, 1.4))
def several_in_one_with(x, y):
    order = []

    class Note:
        def __init__(self, value):
            self.value = value

        def __enter__(self):
            order.append(self.value)
            return self.value * x

        def __exit__(self, *details):
            order.append(-self.value)

    with Note(x) as a, Note(a * y) as b, Note(b + y) as (c):
        total = a * b * c
    return total + sum(v * v * (i + 1) for i, v in enumerate(order))


@row("contexts", "the target of as is an attribute, an item, a pattern", lambda: (0.5, 1.4))
def targets_of_as(x, y):
    class Holder:
        pass

    holder, items = Holder(), [0.0, 0.0]
    with nullcontext(x * y) as holder.value, nullcontext(math.sin(x)) as items[1], nullcontext((x, y)) as (a, *b):
        return holder.value * items[1] + a * b[0] ** 2


@contextmanager
def borrowed(params, key, value):
    old = params[key]
    params[key] = value
    try:
        yield old * value
    finally:
        params[key] = old * 1.5


@row("contexts", "contextmanager with try/finally around yield", lambda: ({"rate": 0.3, "size": 2.0}, 0.8), order=2)
def generator_as_manager(params, x):
    with borrowed(params, "rate", x * x) as product:
        total = product + params["rate"] * params["size"] ** 2
    return total * params["rate"]


@row("contexts", "contextmanager: nested, left by an exception", lambda: (0.4, 0.9), order=2)
def manager_left_by_an_exception(x, y):
    params = {"a": x, "b": y}
    try:
        with borrowed(params, "a", y * y), borrowed(params, "b", x * x) as product:
            params["b"] += product
            raise ValueError(params["b"] * params["a"])
    except ValueError as error:
        return error.args[0] + params["a"] * params["b"]


@contextmanager
def caught(results, x):
    try:
        yield results.append
    except ZeroDivisionError:
        results.append(x**3)
    else:
        results.append(x)


@row("contexts", "contextmanager that catches what the body raises", lambda: (1.2,))
def manager_that_catches(x):
    results = []
    for n in range(3):
        with caught(results, x) as add:
            add(x * x / (n - 1))
    return sum(v * (k + 1) for k, v in enumerate(results))


class Integrator:
    def __init__(self, dt):
        self.dt, self.t = dt, 0.0

    @contextmanager
    def step_of(self, dt):
        saved, self.dt = self.dt, dt
        yield self
        self.dt = saved

    def advance(self, v):
        self.t += self.dt
        return v + self.dt * math.cos(v * self.t)


@row("contexts", "contextmanager as a method", lambda: (0.2, 0.7))
def manager_method(dt, v):
    integrator = Integrator(dt)
    v = integrator.advance(v)
    with integrator.step_of(dt * v) as fine:
        for _ in range(3):
            v = fine.advance(v)
    return integrator.advance(v) * integrator.t


@row("contexts", "suppress", lambda: ([0.7, -0.5, 1.5], 0.4), order=2)
def suppressed(values, x):
    total = x
    for v in values:
        with suppress(ValueError, KeyError):
            total += v * x
            total *= math.sqrt(v)
    with suppress(IndexError):
        total += values[0] * values[5]
    return total * total


@row("contexts", "np.errstate", lambda: (np.array([0.0, 1.0, 2.0]), 0.7))
def ignoring_floating_point_errors(v, x):
    counts = np.array([0.0, 1.0, 2.0])
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(counts > 0, x * v**2 / counts, x)
    return float((mean * mean).sum())


@row("contexts", "np.printoptions and np.errstate as a decorator", lambda: (np.array([0.3, 1.0, 2.0]),))
def decorated_with_errstate(v):
    @np.errstate(all="ignore")
    def energy(w):
        with np.printoptions(precision=3):
            text = str(np.ones(1))
        return np.sum(w * np.log(w)) * len(text)

    return float(energy(v) ** 2)


_lock = threading.Lock()
_totals = {"sum": 0.0}


def _clear_totals():
    _totals["sum"] = 0.0


@row("contexts", "threading.Lock around shared state", lambda: (0.8,), state=lambda: dict(_totals), reset=_clear_totals)
def locked(x):
    def add(v):
        with _lock:
            _totals["sum"] += v * x
            return _totals["sum"]

    return add(x) * add(math.sin(x)) + _totals["sum"]


@row("contexts", "RLock and Condition in a class", lambda: (0.8, 1.9))
def reentrant_lock(x, y):
    class Counter:
        def __init__(self):
            self.lock, self.value = threading.RLock(), x

        def add(self, v):
            with self.lock:
                self.value += v * self.value

        def twice(self, v):
            with self.lock:
                self.add(v)
                self.add(v * v)

    counter = Counter()
    counter.twice(y)
    with threading.Condition() as _:
        counter.add(x)
    return counter.value
