"""Programs with managers made by `contextlib.contextmanager`."""

# ruff: noqa: SIM105, SIM117

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .attempts import Odd, Program, logarithm
from .managers import Scale


@contextmanager
def waiting(x: float) -> Iterator[float]:
    yield x * x


@contextmanager
def borrowed(params: dict[str, float], key: str, value: float) -> Iterator[float]:
    old = params[key]
    params[key] = value
    try:
        yield old * value
    finally:
        params[key] = old * 1.5


@contextmanager
def logged(log: list[float], x: float = 2.0) -> Iterator[None]:
    log.append(x)
    yield
    log.append(x * x + sum(log))


@contextmanager
def tolerant(x: float, log: list[float]) -> Iterator[float]:
    try:
        yield x * 1.5
    except ValueError:
        log.append(x)
    except ZeroDivisionError:
        log.append(2.0 * x)
    else:
        log.append(x * x)
    finally:
        log.append(0.5)
    log.append(3.0 * x)


@contextmanager
def translating(x: float) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise Odd("translated") from error


@contextmanager
def root_of(x: float) -> Iterator[float]:
    try:
        yield math.sqrt(x)
    finally:
        pass


@contextmanager
def within_another(x: float, log: list[float]) -> Iterator[float]:
    with np.errstate(all="ignore"), borrowed({"k": x}, "k", 2.0) as y:
        try:
            yield y
        finally:
            log.append(y)


@contextmanager
def own_list(x: float) -> Iterator[list[float]]:
    log = [x]
    yield log
    log.append(sum(log))


def by_generator(x: float) -> float:
    with waiting(x) as y:
        z = y * x
    return z


def restored(x: float) -> float:
    params = {"rate": x, "size": 2.0}
    with borrowed(params, "rate", x * x) as product:
        total = product + params["rate"] * params["size"] ** 2
    return total * params["rate"]


def in_a_loop(x: float) -> float:
    log, s = [x], 0.0
    for i in range(4):
        with logged(log, x * i):
            s += math.sin(x * i) * log[-1]
    return s + sum(log)


def one_within_the_other(x: float) -> float:
    log = [1.0]
    with logged(log), logged(log, x):
        with logged(log, x * x):
            y = log[-1] * x
    return y * sum(v * v for v in log)


def taken(x: float) -> float:
    log: list[float] = []
    s = x
    for i in range(5):
        with tolerant(x * i, log) as y:
            s += y / (i - 3) + math.sqrt(x + 1.5 - i)
    return s + sum(v * (i + 1) for i, v in enumerate(log))


def translated(x: float) -> float:
    try:
        with translating(x):
            y = logarithm(x)
    except Odd:
        y = x * x
    return y


def raised_when_entered(x: float) -> float:
    try:
        with root_of(x) as y:
            z = y * x
    except ValueError:
        z = x * x
    return z


def with_managers_inside(x: float) -> float:
    log: list[float] = []
    with within_another(x, log) as y:
        z = math.exp(y)
    return z + sum(log)


def list_of_its_own(x: float) -> float:
    with own_list(x) as log:
        log.append(x * x)
        y = sum(log)
    return y + sum(v * v for v in log)


def stored_while_it_waits(x: float) -> float:
    log: list[float] = [x]
    with logged(log):
        log.append(x * x)
        log[0] = x**3
    return sum(v * (i + 1) for i, v in enumerate(log))


def left_by_return(x: float) -> float:
    log: list[float] = []

    def inner(v: float) -> float:
        with logged(log, v):
            if v > 1.0:
                return v * v
            y = v
        return y * log[0]

    return inner(x) * inner(x * 0.5) + sum(log)


def left_by_break(x: float) -> float:
    log: list[float] = []
    s = x
    for i in range(5):
        with tolerant(x, log) as y:
            if i == 1:
                continue
            if i == 3:
                break
            s += y * i
    return s * sum(log)


def of_a_method(x: float) -> float:
    keeper = Keeper(x)
    y = keeper.doubled(x)
    with keeper.scaled(x * y) as same:
        y += same.doubled(y)
    return y * keeper.k


def made_inside(x: float) -> float:
    log: list[float] = []

    @contextmanager
    def noted(weight: float) -> Iterator[float]:
        log.append(weight * x)
        yield weight
        log.append(weight)

    with noted(x * x) as w:
        y = w * x
    with noted(x) as w:
        y += w * log[0]
    return y + sum(log)


def arrays(a: np.ndarray) -> Any:
    with scaled_array(a, 2.0) as b:
        s = np.sin(b).sum()
    return s * a.sum()


@contextmanager
def scaled_array(a: np.ndarray, k: float) -> Iterator[np.ndarray]:
    b = a * k
    yield b
    print(b.shape)


def with_a_class(x: float) -> float:
    with Scale(x) as m, waiting(m.n) as y:
        s = y * m.n
    return s * m.n


class Held:
    def __init__(self, x: float) -> None:
        self.x = x
        self.log: list[float] = []


@contextmanager
def holding(held: Held) -> Iterator[Held]:
    log, old = held.log, held.x
    held.x = old * 2.0
    try:
        yield held
    finally:
        held.x = old + len(log)
        log.append(held.x)


def changed_by_both(x: float) -> float:
    held = Held(x)
    with holding(held) as same:
        same.log.append(same.x * x)
        same.x = same.x * 3.0
    return held.x * sum(held.log)


@contextmanager
def noting(items: list[float], out: list[float]) -> Iterator[list[float]]:
    yield items
    out.append(sum(items))


def read_by_the_manager(x: float) -> float:
    items: list[float] = [x]
    out: list[float] = []
    with noting(items, out) as same:
        same.append(x * x)
        items[0] = x**3
    return out[0] * x + sum(same)


class Keeper:
    def __init__(self, k: float) -> None:
        self.k = k

    @contextmanager
    def scaled(self, k: float) -> Iterator[Keeper]:
        saved, self.k = self.k, k
        yield self
        self.k = saved * 1.5

    def doubled(self, v: float) -> float:
        self.k += 0.5
        return v * self.k * 2.0


FOLLOWED: list[Program] = [
    *[(f, (1.3,)) for f in (by_generator, restored, in_a_loop, one_within_the_other)],
    *[(f, (x,)) for f in (taken, translated, left_by_return, left_by_break, raised_when_entered) for x in (1.3, 0.6)],
    *[(f, (-1.3,)) for f in (translated, raised_when_entered)],
    *[(f, (1.3,)) for f in (list_of_its_own, stored_while_it_waits, of_a_method, with_a_class, made_inside)],
    *[(f, (1.3,)) for f in (changed_by_both, read_by_the_manager)],
    (arrays, (np.array([0.4, 1.2]),)),
]


# ---- recorded


@contextmanager
def by_condition(x: float) -> Iterator[float]:
    if x > 1.0:
        yield x * x
    else:
        yield x


@contextmanager
def out_of_a_loop(x: float) -> Iterator[float]:
    for i in range(3):
        if i == 1:
            yield x * i


@contextmanager
def that_may_give_nothing(x: float) -> Iterator[float]:
    try:
        yield math.log(x)
    except ValueError:
        pass


def on_a_condition(x: float) -> float:
    with by_condition(x) as y:
        z = y * x
    return z


def in_its_loop(x: float) -> float:
    with out_of_a_loop(x) as y:
        z = y * x
    return z


def perhaps_nothing(x: float) -> float:
    with that_may_give_nothing(x) as y:
        z = y * x
    return z


def handed_on(x: float) -> float:
    with contextlib.ExitStack() as stack:
        y = stack.enter_context(waiting(x))
    return y * x


def kept_for_later(x: float) -> float:
    managers = [waiting(x), waiting(x * x)]
    s = 0.0
    for m in managers:
        with m as y:
            s += y
    return s


FOLLOWED.append((kept_for_later, (1.3,)))
LEFT: list[Program] = [
    *[(f, (1.3,)) for f in (on_a_condition, in_its_loop, perhaps_nothing, handed_on, with_managers_inside)],
]


# ---- errors


def entered_twice(x: float) -> float:
    m = waiting(x)
    with m as y:
        z = y
    with m as y:
        z += y
    return z


@contextmanager
def twice(x: float) -> Iterator[float]:
    yield x
    yield x


def giving_twice(x: float) -> float:
    with twice(x) as y:
        z = y * x
    return z


@contextmanager
def nothing_given(x: float) -> Iterator[float]:
    if x > 100.0:
        yield x


def giving_nothing(x: float) -> float:
    with nothing_given(x) as y:
        z = y * x
    return z


def giving_nothing_after_all(x: float) -> float:
    with that_may_give_nothing(-x) as y:
        z = y * x
    return z


def odd_in_the_block(x: float) -> float:
    log = [x]
    with logged(log), waiting(x):
        raise Odd("odd")
    return x


def odd_when_left(x: float) -> float:
    with translating(x):
        y = math.sqrt(-x)
    return y


@contextmanager
def stopping(x: float) -> Iterator[float]:
    yield x
    if x > 0.0:
        raise StopIteration


def stopped(x: float) -> float:
    with stopping(x) as y:
        z = y * x
    return z


def stopped_in_the_block(x: float) -> float:
    with waiting(x) as y:
        if y > 0.0:
            raise StopIteration(1)
    return y


def asked_for_what_it_has_not(x: float) -> Any:
    with waiting(x) as y:
        z = y
    return z + waiting(x).nothing  # type: ignore[attr-defined]


def called_with_too_much(x: float) -> float:
    with waiting(x, x) as y:  # type: ignore[call-arg]
        z = y
    return z


RAISING: list[Callable[[float], float]] = [
    *(entered_twice, giving_twice, giving_nothing, giving_nothing_after_all, odd_in_the_block, odd_when_left),
    *(stopped, stopped_in_the_block, asked_for_what_it_has_not, called_with_too_much),
]
