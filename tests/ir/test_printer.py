"""The text of the IR."""

import math

import adjoint
from adjoint.frontend import lower
from adjoint.ir.intrinsics import Template
from adjoint.ir.nodes import Const
from adjoint.ir.printer import format_function


def evalpoly(x, weights):
    return x * weights


def text(function, names=False):
    return format_function(lower(function), names)


def test_straight_line():
    def f(x, w):
        return evalpoly(x, w)

    assert text(f) == (
        "1: (%1, %2, %3)\n"  #
        "  %4 = load_global(%1, 'evalpoly')\n"
        "  %5 = %4(%2, %3)\n"
        "  return %5"
    )


def test_branches_and_calls():
    def f(x, *args, **kw):
        if x > 0:  # noqa: SIM108
            y = math.sin(x)
        else:
            y = f(*args, a=1, **kw)
        return y

    assert text(f, names=True) == (
        "1: (%1:f, %2:x, %3:args, %4:kw)\n"
        "  %5 = gt(%2, 0)\n"
        "  %11:y = if %5:\n"
        "    %6:math = load_global(%1, 'math')\n"
        "    %7 = getattr(%6, 'sin')\n"
        "    %8:y = %7(%2)\n"
        "    yield %8\n"
        "  else:\n"
        "    %9 = entries(%4)\n"
        "    %10:y = %1(*%3, a=1, **%9)\n"
        "    yield %10\n"
        "  return %11"
    )


def test_for():
    def f(xs):
        s = 0.0
        for x in xs:
            if x > 3:
                break
            s += x
        return s, [x * x for x in xs]

    assert text(f) == (
        "1: (%1, %2)\n"
        "  %10, %11 = for %3 in %2 with %4 = 0.0, %5 = False until 2:\n"
        "    %6 = gt(%3, 3)\n"
        "    %8, %9 = if %6:\n"
        "      yield %4, True\n"
        "    else:\n"
        "      %7 = iadd(%4, %3)\n"
        "      yield %7, False\n"
        "    yield %8, %9\n"
        "  %14 = for %12 in %2:\n"
        "    %13 = mul(%12, %12)\n"
        "    collect %13\n"
        "  %15 = make_tuple(%10, %14)\n"
        "  return %15"
    )


def test_while():
    def f(x):
        while x > 1:
            x = x / 2
        return x

    assert text(f) == (
        "1: (%1, %2)\n"
        "  %7 = while with %3 = %2:\n"
        "    %4 = gt(%3, 1)\n"
        "    test %4\n"
        "  do with %5 = %2:\n"
        "    %6 = truediv(%5, 2)\n"
        "    yield %6\n"
        "  return %7"
    )


def test_no_address_is_printed() -> None:
    def f(x: float) -> float:
        return x

    class Plain:
        pass

    values = [f, lambda x: x, (f, 1), {"f": f}, Plain(), f.__code__, Template(f.__code__, "f")]
    for value in values:
        assert "0x" not in repr(Const(value)), value
    assert repr(Const((f, 1))) == f"(<function {f.__qualname__}>, 1)"
    assert repr(Const(Template(f.__code__, "g"))) == "<template of g>"


def test_programs_with_functions_of_their_own_print_no_address() -> None:
    def f(x: float, y: float) -> float:
        def scaled(t: float, by: float = y) -> float:
            return t * x * by

        return scaled(y) + scaled(x, 2.0) + (lambda t: t * y)(x)

    assert "make_function(<template of " in str(adjoint.ir.of(f)) and "0x" not in str(adjoint.ir.of(f))
    assert "0x" not in str(adjoint.ir.of(f, 1.0, 2.0)) + str(
        adjoint.ir.reverse_differentiate(adjoint.ir.of(f, 1.0, 2.0))
    )
