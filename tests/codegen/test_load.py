"""The loaded function: its globals, its place in the user's file, its pullback's place in a file of its own."""

from __future__ import annotations

import gc
import inspect
import linecache
import traceback
from pathlib import Path
from typing import Any

import pytest
from build import Const, Region, Var, ops

from adjoint import pullback
from adjoint.codegen import emit, load, whence
from adjoint.codegen.load import forget_texts
from adjoint.ir import changes
from adjoint.ir import intrinsics as ir
from adjoint.ir.nodes import Function, Span

HERE = Span(20, 4, 20, 17)
THERE = Span(21, 8, 21, 12)


def divide() -> Function:
    """A function with a pullback; each divides by zero if it is given one."""
    f, x, d = Var("f"), Var("x"), Var("d")
    region = Region(f, x)
    y = region(ops.truediv, 1.0, x, name="y", span=HERE)
    back = Region(d)
    z = back(ops.truediv, d, d, name="z", span=HERE)
    w = back(ops.add, z, z, name="w", span=THERE)
    pullback = region.closure("divide_pullback", back, back(ir.make_tuple, w, w))
    result = region(ir.make_tuple, y, pullback)
    return Function("divide", region.block(result), firstline=19)


def frames(call: Any) -> list[traceback.FrameSummary]:
    with pytest.raises(ZeroDivisionError) as caught:
        call()
    return list(traceback.extract_tb(caught.value.__traceback__))[1:]


def test_the_forward_half_stands_in_the_users_file() -> None:
    function = load(emit(divide()), globals={}, user_filename=__file__)
    frame = frames(lambda: function(None, 0.0))[-1]
    assert (frame.filename, frame.lineno, frame.name) == (__file__, 20, "divide")
    assert function.__code__.co_firstlineno == 19


def test_the_pullback_stands_in_a_file_of_its_own() -> None:
    function = load(emit(divide()), globals={}, filename="divide", user_filename="mine.py")
    _, back = function(None, 2.0)
    frame = frames(lambda: back(0.0))[-1]
    assert frame.filename.startswith("<adjoint divide ") and frame.line == "z = d / d"
    assert frame.lineno is not None and whence(frame.filename, frame.lineno) == ("mine.py", HERE)
    assert whence(frame.filename, frame.lineno + 1) == ("mine.py", THERE)
    assert back.__qualname__ == "divide.<locals>.divide_pullback"
    assert "def divide_pullback(d):" in inspect.getsource(back)


def test_what_is_known_of_a_file_goes_with_its_code() -> None:
    function = load(emit(divide()), globals={}, user_filename="mine.py")
    _, back = function(None, 2.0)
    name = back.__code__.co_filename
    del function
    gc.collect()
    assert name in linecache.cache and back(3.0) == (2.0, 2.0)
    del back
    gc.collect()
    assert name in linecache.cache  # a finalizer may run while `linecache` goes through its texts
    forget_texts()
    assert name not in linecache.cache and whence(name, 1) is None


def test_globals_are_the_users_own_and_stay_clean() -> None:
    f, x = Var("f"), Var("x")
    region = Region(f, x)
    scale = region(ir.load_global, f, "scale")
    recursive = region(ir.load_global, f, "g")
    y = region(recursive, region(abs, region(ops.mul, scale, x)))
    scope = {"scale": -2.0, "g": lambda v: v + 1.0}
    function: Any = load(emit(Function("g", region.block(y)), drop_self=True), globals=scope, user_filename="mine.py")
    assert function(3.0) == 7.0 and set(scope) == {"scale", "g"} and function.__globals__ is scope
    scope["scale"] = -3.0
    assert function(3.0) == 10.0


def test_a_branch_on_one_line_keeps_both_places() -> None:
    f, x, é = Var("f"), Var("x"), Var("é")
    region = Region(f, x, é)
    then = Region()
    y = then(ops.truediv, 1.0, x, name="é", span=THERE)
    (out,) = region.if_(region(ops.eq, é, é), then.block(y), Region().block(2.0), "é", span=HERE)
    function = load(emit(region.function("f", region(ir.make_tuple, out, out))), globals={}, user_filename="mine.py")
    assert frames(lambda: function(None, 0.0, 1.0))[-1].lineno == 21
    assert function(None, 2.0, 1.0) == (0.5, 0.5)


def test_comprehensions_stand_in_the_users_file() -> None:
    f, xs, x = Var("f"), Var("xs"), Var("x")
    region, body = Region(f, xs), Region(x)
    value = body(ops.truediv, 1.0, x, span=HERE)
    (ys,) = region.loop(body.block(value), "ys", over=(xs,), span=HERE)
    function = load(emit(region.function("f", ys)), globals={}, user_filename=__file__)
    assert {frame.filename for frame in frames(lambda: function(None, [0.0]))} == {__file__}


def test_linked_objects_are_cells() -> None:
    box: list[float] = []
    region = Region(Var("f"), x := Var("x"))
    region(changes.list_append, Const(box), x)
    function = load(
        emit(region.function("f", Const(None)), drop_self=True), globals={}, user_filename=str(Path("a.py"))
    )
    function(1.0)
    assert box == [1.0] and function.__closure__ is not None


def test_a_result_that_raises_stands_at_its_own_line() -> None:
    def f(x: float) -> Any:
        y = x * 2.0
        return y + sum([1.0 / (x - j) for j in range(3)])

    with pytest.raises(ZeroDivisionError) as caught:
        pullback(f, 1.0)
    lines = [entry.lineno + 1 for entry in caught.traceback if str(entry.path) == __file__]
    assert lines[1:] and set(lines[1:]) == {f.__code__.co_firstlineno + 2}
