"""Names that functions bind outside themselves, and what lives on between two calls."""

import math
import sys

import numpy as np

from .registry import demand, row

FAMILY = "names"
demand(
    FAMILY,
    *("nonlocal", "nonlocal, augmented", "nonlocal through two functions", "global", "global, augmented"),
    *("global of another function", "mutable default", "module dict", "module list", "module array", "module object"),
    *("attribute of a function", "attribute of a module", "del of a name", "state of a factory"),
)

GAIN = 1.5
STEPS = 0
TABLE = {"a": 0.7}
LOG = [0.3]
BUFFER = np.array([0.7, -1.2, 1.5])


@row(FAMILY, "nonlocal", lambda: (0.8, 1.3), order=2)
def state_of_a_closure(x, y):
    state = x

    def advance(force):
        nonlocal state
        state = state + 0.5 * math.sin(force * state)
        return state

    first = advance(y)
    second = advance(first)
    return state * first + second**2


@row(FAMILY, "nonlocal", lambda: ([0.7, -1.2, 1.5],))
def best_so_far(xs):
    best, place = -10.0, 0

    def look(k, v):
        nonlocal best, place
        if v > best:
            best, place = v, k

    for k, v in enumerate(xs):
        look(k, v * v)
    return best * (place + 1) + xs[0]


@row(FAMILY, "nonlocal, augmented", lambda: (0.8, [0.7, -1.2, 1.5]), order=2)
def running_total(x, xs):
    total, n = 0.0, 0

    def add(v):
        nonlocal total, n
        total += v * total + x
        n += 1

    for v in xs:
        add(v)
        total *= x
    return total**2 / n


@row(FAMILY, "nonlocal, augmented", lambda: (np.array([0.7, -1.2]), 0.8))
def array_of_the_outer_function(u, x):
    w = u

    def step():
        nonlocal w
        w *= x
        w = w + u

    step()
    step()
    return float((w * u).sum())


@row(FAMILY, "nonlocal through two functions", lambda: (0.8, 1.3))
def counters_side_by_side(x, y):
    a = x

    def outer():
        b = a * y

        def inner(v):
            nonlocal a, b
            a, b = b * v, a + b

        inner(x)
        inner(a)
        return b

    return outer() * a + outer()


def reset_names():
    global GAIN, STEPS
    GAIN, STEPS = 1.5, 0
    TABLE.clear()
    TABLE["a"] = 0.7
    LOG[:] = [0.3]
    BUFFER[:] = [0.7, -1.2, 1.5]
    remember.__defaults__[0].clear()
    smooth.__kwdefaults__["state"].update(mean=0.5)
    calls_counted.calls = 0
    calls_counted.last = 1.0
    MODEL.w, MODEL.history = 0.9, []


def names():
    return GAIN, STEPS


def tables():
    return TABLE, LOG, BUFFER


@row(FAMILY, "global", lambda: (0.8, 1.3), state=names, reset=reset_names)
def gain_replaced(x, y):
    global GAIN, STEPS
    before = GAIN * x
    GAIN = x * y
    STEPS = STEPS + 1
    return before * GAIN + GAIN**2 * STEPS


@row(FAMILY, "global, augmented", lambda: (0.8, 1.3), state=names, reset=reset_names)
def gain_augmented(x, y):
    global GAIN, STEPS
    for _ in range(2):
        GAIN *= x
        STEPS += 1
        GAIN += y * STEPS
    return GAIN**2


def amplify(v):
    global GAIN
    GAIN = GAIN * 0.9 + v
    return GAIN * v


@row(FAMILY, "global of another function", lambda: (0.8, 1.3), state=names, reset=reset_names)
def gain_of_a_helper(x, y):
    first = amplify(x)
    return amplify(first * y) * GAIN + first


def remember(v, seen=[], scale=2.0):
    seen.append(v * scale)
    return sum(seen) * len(seen)


def smooth(v, *, rate, state={"mean": 0.5}):
    state["mean"] += rate * (v - state["mean"])
    return state["mean"]


def defaults():
    return remember.__defaults__, smooth.__kwdefaults__


@row(FAMILY, "mutable default", lambda: (0.8, 1.3), state=defaults, reset=reset_names)
def default_remembers(x, y):
    first = remember(x)
    second = remember(first * y)
    return second**2 + remember(y, [x], 3.0)


@row(FAMILY, "mutable default", lambda: ([0.7, -1.2, 1.5], 0.3), state=defaults, reset=reset_names)
def default_of_a_keyword(xs, rate):
    means = [smooth(x, rate=rate) for x in xs]
    return means[-1] ** 2 + means[0] * means[1]


@row(FAMILY, "module dict", lambda: (0.8, 1.3), state=tables, reset=reset_names)
def module_table(x, y):
    TABLE["b"] = x * TABLE["a"]
    TABLE["a"] += TABLE["b"] ** 2
    TABLE.pop("b")
    TABLE.setdefault("c", y * TABLE["a"])
    return TABLE["c"] * TABLE["a"]


def cached_power(x, n):
    if n not in TABLE:
        TABLE[n] = x if n == 1 else cached_power(x, n - 1) * x
    return TABLE[n]


@row(FAMILY, "module dict", lambda: (0.8,), state=tables, reset=reset_names)
def module_cache(x):
    return cached_power(x, 4) * cached_power(2.0 * x, 3) + cached_power(x, 1)


@row(FAMILY, "module list", lambda: (0.8, 1.3), state=tables, reset=reset_names)
def module_log(x, y):
    LOG.append(x * LOG[-1])
    LOG.append(y * LOG[-1])
    LOG[0] = LOG[1] * LOG[2]
    return sum(LOG) ** 2


@row(FAMILY, "module array", lambda: (0.8, 1.3), state=tables, reset=reset_names)
def module_buffer(x, y):
    BUFFER[0] = x * BUFFER[1]
    np.multiply(BUFFER, y, out=BUFFER)
    BUFFER[1:] += x
    return float((BUFFER**2).sum())


class Model:
    def __init__(self):
        self.w = 0.9
        self.history = []

    def train(self, x, y):
        error = self.w * x - y
        self.history.append(error**2)
        self.w -= 0.1 * error * x


MODEL = Model()


@row(FAMILY, "module object", lambda: (0.8, 1.3), state=lambda: MODEL, reset=reset_names)
def module_model(x, y):
    for _ in range(3):
        MODEL.train(x, y)
    return MODEL.w**2 + sum(MODEL.history)


def calls_counted(x):
    calls_counted.calls += 1
    calls_counted.last *= x
    return calls_counted.last * calls_counted.calls


@row(
    FAMILY,
    "attribute of a function",
    lambda: (0.8, 1.3),
    state=lambda: (calls_counted.calls, calls_counted.last),
    reset=reset_names,
)
def function_with_a_memory(x, y):
    return calls_counted(x) + calls_counted(y) ** 2 + calls_counted.last


@row(FAMILY, "attribute of a module", lambda: (0.8, 1.3), state=names, reset=reset_names)
def settings_of_a_module(x, y):
    module = sys.modules[__name__]
    module.GAIN = x * module.GAIN
    return y * GAIN**2


@row(FAMILY, "del of a name", lambda: ([0.7, -1.2], 0.8), order=2)
def names_deleted(xs, x):
    y = xs
    del xs
    y[0] *= x
    xs = y[0] * y[1]
    z = x * xs
    del x, y
    return z**2 + xs


def integrator(rate):
    value, history = rate, []

    def step(x):
        nonlocal value
        value += rate * x * value
        history.append(value)
        return value

    def report():
        return sum(history) * value

    return step, report


@row(FAMILY, "state of a factory", lambda: (0.8, [0.7, -1.2, 1.5]))
def two_integrators(rate, xs):
    step, report = integrator(rate)
    other, other_report = integrator(rate**2)
    for x in xs:
        other(step(x))
    return report() * other_report()


def counter_from(start):
    total = start

    def add(x):
        nonlocal total
        total += x * total
        return total

    return add


@row(FAMILY, "state of a factory", lambda: (counter_from(0.7), 0.8))
def closure_as_argument(add, x):
    first = add(x)
    return add(first) * first + x
