"""Effects: what prints, logs, warns, asserts and raises does so once, in the forward run."""

import logging
import warnings

from .registry import program

log = logging.getLogger("programs")


@program(1.5, 2, rows="effects", order=2)
def formatted_strings(x, n):
    label = f"x={x:.3f} n={n!r:>4} {'a' + 'b'}"
    return x * len(label) if label.startswith("x=") else -x


@program(1.5, rows="effects")
def prints(x):
    y = x * x
    print("square", y, sep="=", end=";\n")
    for i in range(3):
        y = y * x
        print(f"{i}: {y}")
    return y


@program([1.0, 4.0], rows="effects")
def logs(xs):
    total = 0.0
    for i, x in enumerate(xs):
        total += x**2
        log.info("round %d: %s", i, total)
    logging.getLogger(__name__).debug("done")
    log.warning(f"total {total}")
    return total


@program(2.0, 3.0, rows="effects")
def asserts(x, y):
    assert x < y, f"{x} is not below {y}"
    assert isinstance(x, float)
    return x / y


@program(2.5, rows="effects")
def raises_on_bad_input(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    if not isinstance(x, (int, float)):
        raise TypeError("not a number")
    return x**0.5


@program(1.5, [2.0, 3.0], rows="effects")
def isinstance_and_type(x, xs):
    if isinstance(x, float) and not isinstance(xs, (str, dict)):
        x = x * 2.0
    if type(xs) is list:
        x = x + xs[0] * xs[1]
    return x * len(type(x).__name__)


@program(0.25, rows="effects")
def warns(x):
    if x < 0.5:
        warnings.warn(f"{x} is small", stacklevel=1)
    return x * x * 4.0


def traced(name, value):
    print("enter", name, value)
    return value * 2.0


@program(1.5, rows=("effects", "functions"))
def order_of_effects(x):
    return traced("a", x) * (traced("b", x * x) + traced("c", 1.0)) if traced("d", x) > 0 else traced("e", x)


@program(1.5, 0.0, rows=("effects", "control flow"))
def short_circuit_effects(x, y):
    if (y and traced("never", x)) or traced("once", x) > 1.0:
        return x * traced("twice", x)
    return x


@program([1.0, 2.0, 3.0], rows=("effects", "data"))
def report_of_rows(xs):
    total = sum(xs)
    lines = [f"{i:02d} {x / total:6.2%}" for i, x in enumerate(xs)]
    print("\n".join(lines))
    return sum(x * x for x in xs) / total, lines
