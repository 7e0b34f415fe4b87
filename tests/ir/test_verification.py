"""What is wrong with a piece of IR is found, and said."""

import operator
from typing import Any

import pytest

from adjoint.errors import VerificationError
from adjoint.ir.intrinsics import check
from adjoint.ir.nodes import UNDEF, Block, Call, Closure, Const, Function, If, Loop, Signature, Statement, Var
from adjoint.ir.printer import format_function
from adjoint.ir.verification import verify
from adjoint.tangents import add_at, add_at_location, add_item

MUL = Const(operator.mul)
F, X, Y, Z = Var("f"), Var("x"), Var("y"), Var("z")


def function(*statements: Statement, result: Any = X, signature: Signature | None = None) -> Function:
    return Function("f", Block((F, X), statements, (result,)), signature or Signature(("x",), positional=1))


def empty(*results: Any) -> Block:
    return Block((), (), results)


def test_well_formed() -> None:
    inner = Function("g", Block((Z,), (), (X,)))
    verify(function(Call((Y,), MUL, (X, X)), result=Y))
    verify(function(If((Y,), X, empty(X), empty(UNDEF)), result=Y))
    verify(function(Loop((Y,), (X,), (X,), None, Block((Z, Var("e")), (), (Z,))), result=Y))
    verify(function(Closure(Y, inner), result=Y))


def test_calls_for_their_effect() -> None:
    for effect in (add_at, add_item, add_at_location):
        verify(function(Call((), Const(effect), (X, X, X))))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (function(result=Y), "%3:y is read where it is not defined"),
        (function(Call((Y,), MUL, (X, Z))), "z is read where"),
        (function(Call((X,), MUL, (X, X))), "%2:x is assigned twice"),
        (function(Call((Y,), MUL, (X, X)), Call((Y,), MUL, (X, X))), "%3:y is assigned twice"),
        (function(Call((), MUL, (X, X))), "a call without outs"),
        (function(Call((Y,), UNDEF, (X, X))), "a call of UNDEF"),
        (function(Call((Y,), MUL, (X, 2))), "2 is not an atom"),  # type: ignore[arg-type]
        (
            function(If((Y,), X, empty(), empty(X))),
            "the first branch of an `if` has 0 params and 0 results, and needs 0 and 1",
        ),
        (function(If((), X, Block((), (Call((Z,), MUL, (X, X)),), ()), empty()), result=Z), "z is read where"),
        (function(Loop((Y,), (X,), (X,), None, Block((Z,), (), (Z,)))), "a round with 1 params for 1 carried"),
        (function(Loop((Y,), (X,), (X,), None, Block((Z, Var()), (), ()))), "a round with 0 results for 1 outs"),
        (function(Loop((Y,), (X,), (), None, Block((Z,), (), (Z,)))), "either sequences or a condition"),
        (function(Loop((Y,), (X,), (X,), None, Block((Z, Var()), (), (Z,)), exit_flag=1)), "no carried value 1"),
        (function(Loop((Y,), (X,), (), empty(X), Block((Z,), (), (Z,)))), "a condition takes what its loop carries"),
        (function(Closure(Y, Function("g", Block((), (), ())))), "a closure with 0 results"),
        (function(signature=Signature(("a", "b", "c"), positional=3)), "2 parameters for the names"),
        (Function("f", Block((F,), (), ())), "0 results"),
    ],
)
def test_broken(broken: Function, message: str) -> None:
    with pytest.raises(VerificationError, match=message):
        verify(broken)


def test_errors_name_variables_as_the_text_does() -> None:
    a, b = Var(), Var()
    broken = function(Call((a,), MUL, (X, X)), result=b)
    with pytest.raises(VerificationError, match="%4 is read where it is not defined"):
        verify(broken)
    assert "return %4" in format_function(broken)


def test_a_call_for_its_effect_prints_alone() -> None:
    text = format_function(function(Call((), Const(check), (X, Const(1))), result=X))
    assert text.splitlines()[1] == "  check(%2, 1)"
