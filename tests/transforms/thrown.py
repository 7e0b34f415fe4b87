"""Programs that raise exceptions of their own, and handle them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


class StepTooLarge(Exception):
    def __init__(self, error: float, limit: float = 0.02) -> None:
        super().__init__(error, limit)
        self.error, self.limit = error, limit

    def factor(self) -> float:
        return 0.8 * math.sqrt(self.limit / self.error)

    def __str__(self) -> str:
        return f"error {self.error:.3f}"


class OutOfRange(ValueError):
    pass


class TooLow(OutOfRange):
    pass


class TooHigh(OutOfRange):
    pass


class Found(Exception):
    pass


def checked(x: float, lo: float, hi: float) -> float:
    if x < lo:
        raise TooLow(x, lo)
    if x > hi:
        raise TooHigh(x, hi)
    return x * x


def of_two_classes_by_their_base(x: float, y: float) -> float:
    total = 0.0
    for v in (x, -y, x + 5.0, y):
        try:
            total += checked(v, -0.5, 3.0)
        except OutOfRange as e:
            total += e.args[0] * e.args[1]
    return total


def with_all_clauses(x: float, y: float) -> float:
    total, n = 0.0, 0
    for v in (x, -y, x + 5.0, y):
        try:
            w = checked(v, -0.5, 3.0)
        except TooLow as e:
            total -= e.args[0] ** 3
        except TooHigh:
            total += 2.0 * v
        else:
            total += w * x
        finally:
            n += 1
            total *= 1.1
    return total * n


def out_of_two_loops(x: float, n: int) -> float:
    best = 0.0
    try:
        for i in range(n):
            for j in range(n):
                v = math.sin(x * i) + x * j
                best = best + v * v
                if v > 1.5:
                    raise Found(v, i, j)
    except Found as f:
        v, i, j = f.args
        return float(best * v + i - j * x)
    return best


def again_if_k_is_small(x: float, k: int) -> float:
    if k < 2:
        raise RuntimeError("again", x * k)
    return math.exp(-x)


def tried_again(x: float) -> float:
    penalty = 1.0
    for k in range(5):
        try:
            r = again_if_k_is_small(x * penalty, k)
            break
        except RuntimeError as e:
            penalty += 0.1 + e.args[1] ** 2
    else:
        r = 0.0
    return float(r * penalty)


def logged(v: float, log: list[float]) -> float:
    try:
        log.append(v)
        if v > 1.0:
            raise OutOfRange(v)
        return v * v
    except OutOfRange as e:
        log.append(e.args[0] ** 2)
        raise


def raised_on_by_the_callee(x: float) -> float:
    log: list[float] = []
    total = 0.0
    for v in (x, 2.0 * x, x * x):
        try:
            total += logged(v, log)
        except OutOfRange as e:
            total += 0.5 * e.args[0]
    return total * sum(log)


def guarded(v: float, log: list[float]) -> float:
    try:
        if v > 1.0:
            raise OutOfRange(v * v)
        return v
    finally:
        log.append(v + 1.0)


def through_finally(x: float) -> float:
    log: list[float] = []
    total = 0.0
    for v in (x, 2.0 * x, x * x):
        try:
            total += guarded(v, log)
        except OutOfRange as e:
            total += 0.5 * e.args[0]
    return total * sum(log)


def method_and_text_of_the_exception(y: float, rate: float) -> float:
    t, h, words = 0.0, 0.7, 0
    while t < 1.0:
        try:
            error = abs(h * h * rate * y)
            if error > 0.02:
                raise StepTooLarge(error)
            y = y - h * rate * y * y
            t += h
        except StepTooLarge as e:
            h *= e.factor()
            words += len(str(e))
    return y * words


def past_the_first_handler(x: float) -> float:
    try:
        try:
            if x > 0.5:
                raise TooHigh(x * x)
            y = x
        except TooLow as e:
            y = e.args[0]
    except OutOfRange as e:
        y = e.args[0] * 3.0
    return y


def looked_up(v: float) -> float:
    try:
        return {1: v}[2]
    except KeyError as e:
        raise OutOfRange(v * 2.0) from e


def translated(x: float) -> float:
    try:
        return looked_up(x)
    except OutOfRange as e:
        return float(e.args[0] * x * (3.0 if isinstance(e.__cause__, KeyError) else 0.0))


def norm_checked(a: Any, limit: float) -> float:
    n = float(np.sqrt(np.sum(a * a)))
    if n > limit:
        raise OverflowError(n, a / n)
    return n


def with_an_array(x: float) -> float:
    a = np.array([x, 2.0 * x, 1.0])
    total = 0.0
    for k in range(3):
        try:
            total += norm_checked(a * (k + 1), 4.0)
        except OverflowError as e:
            n, unit = e.args
            total += n * float(unit[0]) + float(unit @ a)
    return total


def from_conditions_and_lists(x: float) -> float:
    out = []
    for v in (x, -x, 3 * x):
        try:
            if checked(v, -0.1, 2.0) > 0.3:
                out.append(v)
            out.append(sum([checked(w, -0.2, 5.0) for w in (v, v - 0.5)]))
        except TooLow as e:
            out.append(e.args[0] * 7.0)
        except TooHigh as e:
            out.append(e.args[0] * 11.0)
    return sum(o * (i + 1) for i, o in enumerate(out))


def changed_before_it(x: float) -> float:
    s = 0.0
    for v in (x, 2 * x, 3 * x):
        try:
            s += v
            if s > 2.0:
                raise ArithmeticError
            s *= 1.5
        except Exception:
            s -= 0.25 * v
    return s * x


def replaced_by_the_handler(x: float) -> float:
    try:
        try:
            raise TooLow(x)
        except TooLow as e:
            raise TooHigh(e.args[0] * x, 2.0) from None
    except TooHigh as e:
        a, b = e.args
        return float(a * b)


def asked_for_its_class(x: float) -> float:
    t = 0.0
    for v in (x, -x, 9 * x):
        try:
            t += checked(v, -0.1, 2.0)
        except (TooLow, TooHigh) as e:
            if isinstance(e, TooLow):
                t += e.args[0] * 3.0
            else:
                t -= e.args[0]
    return t


def from_a_closure(x: float) -> float:
    calls = 0

    def half(v: float) -> float:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise StopIteration(v * calls)
        return v * 0.5

    y = x
    try:
        while True:
            y = half(y) + x
    except StopIteration as s:
        y = y + s.value
    return y


def counted_by_name(x: float) -> float:
    counts: dict[str, int] = {}
    t = x
    for v in (x, -x, 9 * x, 2.5):
        try:
            t += checked(v, -0.1, 2.0)
        except OutOfRange as e:
            name = type(e).__name__
            counts[name] = counts.get(name, 0) + 1
            t *= 1.1
    return t * sum(counts.values())


class Account:
    def __init__(self, balance: float) -> None:
        self.balance = balance
        self.history: list[float] = []

    def withdraw(self, amount: float, fee: float) -> None:
        self.balance -= fee * self.balance
        self.history.append(self.balance)
        if amount > self.balance:
            raise Overdraft(amount - self.balance, self)
        self.balance -= amount


class Overdraft(Exception):
    def __init__(self, missing: float, account: Account) -> None:
        super().__init__(f"{missing:.2f} missing")
        self.missing = missing
        self.account = account


def from_a_method_that_has_stored(balance: float, fee: float) -> float:
    account = Account(balance)
    penalty = 0.0
    for amount in (0.3, 0.4, 0.5, 0.2):
        try:
            account.withdraw(amount, fee)
        except Overdraft as error:
            penalty += error.missing**2
            assert error.account is account
    return account.balance * penalty + sum(h * h for h in account.history)


def logarithm(x: float) -> float:
    if x <= 0.0:
        raise ValueError("no logarithm")
    return math.log(x)


def fill(xs: list[float], x: float) -> float:
    xs.append(x)
    return logarithm(x)


def filled_by_a_callee(x: float) -> float:
    xs: list[float] = []
    try:
        fill(xs, -x)
    except ValueError:
        x = 2.0 * x
    return xs[0] * x


def by_both(x: float) -> float:
    t = 0.0
    for v in (x, -x, 6.0 * x):
        try:
            if v > 5.0:
                raise OutOfRange(v)
            t += math.log(v)
        except OutOfRange as e:
            t += e.args[0] * x
        except ValueError:
            t += v * v
    return t


class Rejected(Exception):
    def __init__(self, v: float, extra: Any = None) -> None:
        self.v = v
        self.extra = extra


class Refused(Rejected):
    pass


def risky(v: float, k: int) -> float:
    if k == 1:
        raise Rejected(v * v)
    if k == 2:
        raise Refused(v, [v, 2 * v])
    return v


def cleaned_up(v: float, log: list[float]) -> float:
    try:
        return risky(v, 1)
    except Rejected as e:
        log.append(e.v)
        raise Refused(e.v * 2.0, [1.0]) from e
    finally:
        log.append(v)


def by_handler_and_finally_of_the_callee(x: float) -> float:
    log: list[float] = []
    try:
        cleaned_up(x, log)
    except Refused as e:
        return e.v * sum(log)
    return 0.0


def left_by_break_and_continue(x: float) -> float:
    t = x
    for k in range(6):
        try:
            t = t * 1.1
            if t > 1.2:
                raise Rejected(t, k)
        except Rejected as e:
            if e.extra > 3:
                break
            t = e.v * 0.5
            continue
        t += 0.1 * x
    return t


def limited(a: float, *, b: float = 2.0, **rest: float) -> float:
    if a > b:
        raise Rejected(a, extra=rest.get("c", 0.0))
    return a * b


def by_keywords(x: float) -> float:
    t = 0.0
    for b in (0.1, 3.0):
        try:
            t += limited(x, b=b, c=x * x)
        except Rejected as e:
            t += e.v * e.extra
    return t


def in_the_order_of_python(x: float) -> float:
    n = 0

    def bump(v: float) -> float:
        nonlocal n
        n += 1
        if n == 4:
            raise Rejected(v * n)
        return v * n

    t = 0.0
    for _ in range(3):
        try:
            t = n * x + bump(x) * bump(2 * x) + t
        except Rejected as e:
            t += e.v
    return t + n


def within_errstate(x: float) -> float:
    t = 0.0
    for k in range(3):
        try:
            with np.errstate(all="ignore"):
                t += risky(x, k)
        except Rejected as e:
            t += e.v
    return t


def in_else_before_finally(x: float) -> float:
    t: list[float] = []
    for k in range(3):
        try:
            try:
                t.append(x * k)
            except Rejected:
                t.append(100.0)
            else:
                t.append(risky(x, k))
            finally:
                t.append(7.0 * x)
        except Rejected as e:
            t.append(e.v * 5.0)
    return sum(v * (i + 1) for i, v in enumerate(t))


class Singular(Exception):
    pass


def solve(a: Any, b: Any) -> Any:
    d = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
    if abs(d) < 0.5:
        raise Singular(d)
    return np.linalg.solve(a, b)


def within_an_expression(x: float) -> float:
    t = 0.0
    for k in range(3):
        a = np.array([[x, 0.3], [0.2, x * k]])
        try:
            t += float(solve(a, np.array([1.0, x])).sum())
        except Singular as e:
            t += float(e.args[0]) ** 2
    return t


def returned_or_raised_through_finally(x: float) -> float:
    for k in range(3):
        try:
            if k == 1:
                return x * k
            if x > 0.5:
                raise Rejected(x)
        except Rejected as e:
            x = x + e.v * k
            continue
        finally:
            x = x * 1.1
    return x


def a_list_that_changes_later(x: float) -> float:
    xs = [x, x * x]
    try:
        raise Rejected(x, xs)
    except Rejected as e:
        xs.append(3.0 * x)
        return float(sum(e.extra) * e.v)


def left_by_finally(x: float) -> float:
    t = x
    for k in range(4):
        try:
            t += math.sqrt(x - k)
        except KeyError:
            t = 0.0
        finally:
            if k == 2:
                break  # noqa: B012
            t *= 1.1
            if k > 0:
                continue  # noqa: B012
        t += 1.0
    return t


def doubled(v: float) -> float:
    w = v
    try:
        w = w * 2.0
        raise Found(w)
    finally:
        if w > 1.0:
            return w + v  # noqa: B012


def taken_by_finally_or_not(x: float) -> float:
    t = 0.0
    for v in (x, 0.1 * x):
        try:
            t += doubled(v)
        except Found as e:
            t += e.args[0] * 5.0
    return t


def refuse(v: float) -> float:
    raise ValueError(v)


REFUSING = [refuse]
"""What is called by its place is not written out: what it raises comes as from others."""


def given_up_within_finally(x: float) -> float:
    w = 1.0
    try:
        try:
            REFUSING[int(x > 5.0)](x)
        except ValueError as e:
            w = e.args[0] * x
    finally:
        return w * 2.0  # noqa: B012


PROGRAMS = [
    (left_by_finally, (3.7,)),
    (left_by_finally, (1.7,)),
    (taken_by_finally_or_not, (0.8,)),
    (by_handler_and_finally_of_the_callee, (0.7,)),
    (left_by_break_and_continue, (0.7,)),
    (by_keywords, (0.9,)),
    (in_the_order_of_python, (0.9,)),
    (within_errstate, (0.9,)),
    (in_else_before_finally, (0.9,)),
    (within_an_expression, (0.9,)),
    (returned_or_raised_through_finally, (0.9,)),
    (a_list_that_changes_later, (0.7,)),
    (of_two_classes_by_their_base, (0.7, 1.9)),
    (with_all_clauses, (0.7, 1.9)),
    (out_of_two_loops, (0.7, 4)),
    (out_of_two_loops, (0.1, 3)),
    (tried_again, (0.6,)),
    (raised_on_by_the_callee, (0.8,)),
    (through_finally, (0.8,)),
    (method_and_text_of_the_exception, (0.8, 1.3)),
    (past_the_first_handler, (0.7,)),
    (past_the_first_handler, (0.3,)),
    (translated, (0.7,)),
    (with_an_array, (0.9,)),
    (from_conditions_and_lists, (0.9,)),
    (changed_before_it, (0.7,)),
    (replaced_by_the_handler, (0.7,)),
    (asked_for_its_class, (0.9,)),
    (from_a_closure, (0.9,)),
    (counted_by_name, (0.9,)),
    (from_a_method_that_has_stored, (1.0, 0.05)),
    (filled_by_a_callee, (1.3,)),
    (filled_by_a_callee, (-1.3,)),
    (by_both, (0.9,)),
]
