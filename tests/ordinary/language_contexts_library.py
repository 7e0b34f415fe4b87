"""Context managers of contextlib and warnings, and managers as decorators."""

import contextlib
import io
import math
import warnings
from contextlib import ExitStack, closing, contextmanager, nullcontext, redirect_stdout

from .language_contexts import Scaled
from .registry import row


@row("contexts", "ExitStack: enter_context in a loop", lambda: ([0.5, 1.5, 0.8],))
def stack_of_managers(values):
    managers = [Scaled(v) for v in values]
    with ExitStack() as stack:
        squares = [stack.enter_context(manager) for manager in managers]
        total = math.prod(squares)
    return total + sum(m.factor * m.log[-1] for m in managers)


@row("contexts", "ExitStack: callback and push, run in reverse", lambda: (0.7, 1.2), order=2)
def stack_of_callbacks(x, y):
    values = [x]

    def combine(factor, *, shift=0.0):
        values.append(values[-1] * factor + shift)

    def recover(kind, error, traceback):
        values.append(error.args[0] * values[-1])
        return True

    with ExitStack() as stack:
        stack.callback(combine, y)
        stack.push(recover)
        stack.callback(combine, x, shift=y)
        raise RuntimeError(x * y)
    return values[-1] + sum(values)


@row("contexts", "ExitStack: pop_all hands the exits on", lambda: (0.7,))
def stack_handed_on(x):
    log = [x]

    def opened():
        with ExitStack() as stack:
            stack.callback(lambda: log.append(log[-1] * x))
            stack.callback(lambda: log.append(math.sin(log[-1])))
            return stack.pop_all()

    stack = opened()
    log.append(3.0 * x)
    stack.close()
    return log[-1] * sum(log)


@row("contexts", "nullcontext chosen by a condition", lambda: (0.7, [True, False, True]))
def manager_or_none(x, flags):
    total = 0.0
    for flag in flags:
        scaled = Scaled(x)
        with scaled if flag else nullcontext(x) as value:
            total += value * scaled.factor
        total += scaled.factor**2
    return total


@row("contexts", "closing an object with close()", lambda: (0.7, 3.0))
def closed_at_the_end(x, y):
    class Source:
        def __init__(self):
            self.open, self.read = x, 0

        def values(self):
            self.read += 1
            return self.open * y**self.read

        def close(self):
            self.open = math.tanh(self.open)

    source = Source()
    with closing(source) as same, contextlib.closing(Source()):
        total = same.values() + same.values()
    return total * source.values()


@row("contexts", "redirect_stdout, what is printed is counted", lambda: (0.7,))
def redirected(x):
    out = io.StringIO()
    with redirect_stdout(out):
        y = x * x
        print("value", 3)
        y *= math.cos(y)
        print("done")
    return y * len(out.getvalue()) + x


@row("contexts", "warnings.catch_warnings with a record", lambda: (0.7,))
def caught_warnings(x):
    def deprecated(v):
        warnings.warn("old", DeprecationWarning, stacklevel=2)
        return v * v

    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        y = deprecated(x) + deprecated(math.sin(x))
    return y**2 * len(record)


@row("contexts", "warnings turned into errors", lambda: (0.7,))
def warnings_as_errors(x):
    y = x
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            y *= x
            warnings.warn("not good", RuntimeWarning, stacklevel=1)
            y = 0.0
        except RuntimeWarning:
            y += math.exp(x)
    return y * x


@row("contexts", "ContextDecorator around a function", lambda: (0.7,))
def manager_as_decorator(x):
    totals = {"entered": 1.0}

    class Tracked(contextlib.ContextDecorator):
        def __enter__(self):
            totals["entered"] *= 1.0 + x

        def __exit__(self, *details):
            totals["entered"] += 1.0

    @Tracked()
    def square(v):
        return v * v * totals["entered"]

    return square(x) + square(2.0 * x) * totals["entered"]


@row("contexts", "contextmanager as a decorator", lambda: (0.7,))
def generator_manager_as_decorator(x):
    log = []

    @contextmanager
    def logged(weight):
        log.append(weight * x)
        yield
        log.append(weight)

    @logged(x * x)
    def cube(v):
        return v**3 + len(log)

    return cube(x) * cube(2.0 * x) + sum(log)
