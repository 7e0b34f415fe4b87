"""Programs that leave a `try` with `finally` by `return` and others."""

# ruff: noqa: B012, F841, SIM107

from __future__ import annotations

from .attempts import Program


def finally_returns(x: float) -> float:
    y = x
    try:
        try:
            pass
        except ValueError:
            y += 1.0
        finally:
            return x
    except ValueError:
        pass
    return y * 10.0


def finally_returns_in_rounds(x: float) -> float:
    a = x
    for _ in range(2):
        try:
            try:
                a = a + 1.0
            except ValueError:
                a += 1.0
            finally:
                return x * x
        except ValueError:
            pass
    return a * 10.0


def finally_may_return(x: float) -> float:
    y = x
    try:
        try:
            if x > 1.0:
                return x
            y = x * x
        finally:
            if x > 0.0:
                return y * 7.0
    except KeyError:
        y = y + 1.0
    return y * 10.0


def finally_has_a_loop(x: float) -> float:
    y = c = x
    try:
        try:
            if x > 0.0:
                return x * x
        finally:
            for _ in range(2):
                y = x * 0.6
    except KeyError:
        c = y
    return c


def always_returned_through_a_loop(x: float) -> float | None:
    b = x
    try:
        try:
            return x * x
        finally:
            for _ in range(2):
                b = x * 0.6
    except KeyError:
        c = b
    return None


def finally_has_a_loop_with_else(x: float) -> float:
    y = x
    try:
        if x > 0.0:
            return x * x
        y = y * 2.0
    finally:
        for i in range(3):
            if i * x > 5.0:
                break
        else:
            y = y + 1.0
    return y


def left_in_several_ways(x: float) -> float:
    y = x
    for i in range(3):
        try:
            try:
                if i == 1:
                    continue
                y = y * x
                if i == 2:
                    return y
            finally:
                for _ in range(2):
                    y = y * 1.1
                if i == 7:
                    break
        except KeyError:
            y = y + 1.0
    return y * 10.0


def through_two(x: float) -> float:
    y = x
    for i in range(2):
        try:
            try:
                y = y * x
                if i:
                    return y
            finally:
                for _ in range(2):
                    y = y * 1.1
        except KeyError:
            y = y + 1.0
        finally:
            for _ in range(2):
                y = y + 1.0
    return y


def finally_has_a_loop_that_returns(x: float) -> float:
    y = x
    for k in range(3):
        try:
            try:
                if k == 2:
                    return x * x * y
            finally:
                for _ in range(3):
                    y = y * 1.1
                    if y > 25.0:
                        return y * 3.0
        except KeyError:
            y = y + 1.0
        else:
            y = y * x
    return y


RETURNING: list[Program] = [
    (f, (x,))
    for f in (
        finally_returns,
        finally_returns_in_rounds,
        finally_may_return,
        finally_has_a_loop,
        always_returned_through_a_loop,
        finally_has_a_loop_with_else,
        left_in_several_ways,
        through_two,
        finally_has_a_loop_that_returns,
    )
    for x in ((1.3, -0.4) if f is not always_returned_through_a_loop else (1.3,))
]
