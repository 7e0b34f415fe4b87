"""What nobody reads is not carried."""

from typing import Any

from adjoint.frontend import lower
from adjoint.ir import walk
from adjoint.ir.interpret import interpret
from adjoint.ir.nodes import If, Loop
from adjoint.ir.verification import verify


def carried(function: Any) -> list[list[str]]:
    lowered = lower(function)
    verify(lowered)
    return [[v.name for v in s.outs] for s in walk(lowered) if isinstance(s, Loop | If)]


def test_loop_variables_and_temporaries_are_not_carried() -> None:
    def f(xs):
        s = 0.0
        for x in xs:
            t = x * x
            s = s + t
        return s

    assert carried(f) == [["s"]]


def test_what_is_only_carried_for_itself_is_dropped() -> None:
    def f(xs):
        a, b, s = 1, 2, 0
        for _ in xs:
            for y in xs:
                a, b = b, a
                s += y
            b = a
        return s

    assert carried(f) == [["s"], ["s"]]


def test_flags_only_where_they_are_read() -> None:
    def tail(xs):
        for x in xs:
            if x > 0:
                continue
            xs = x
        return xs

    def first(xs):
        for x in xs:
            if x > 0:
                return x
        return None

    def early(x):
        if x > 0:
            return 1
        if x > -1:
            return 2
        return 3

    assert carried(tail) == [["xs"], ["xs"]]
    assert carried(first) == [["returned", "result"], ["returned", "result"], ["result"]]
    assert carried(early) == [["result"], ["result"]]


def test_interpreted_after_pruning() -> None:
    def f(n):
        a = b = c = 1
        for i in range(n):
            a, b, c = b, c, a + i
            if a > 5:
                break
        return a

    assert [interpret(lower(f), f, n) for n in range(9)] == [f(n) for n in range(9)]
