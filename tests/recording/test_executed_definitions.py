"""`exec` in a recorded program: of what defines functions, as decorators write them; of anything else it is refused."""

from __future__ import annotations

from typing import Any

import pytest

from adjoint import grad
from adjoint.errors import AdjointError, UnsupportedSyntaxError

MADE: dict[str, Any] = {}


def wrapped(f: Any) -> Any:
    """A wrapper that is written when it is called first, as those of networkx are."""

    def lazy(*args: Any) -> Any:
        if f not in MADE:
            text = "def wrapper(*args):\n    return 2.0 * f(*args)\n"
            found: dict[str, Any] = {}
            exec(compile(text, f"<wrapper of {f.__name__}>", "exec"), {"f": f}, found)
            found["wrapper"].text = text
            MADE[f] = found["wrapper"]
        return MADE[f](*args)

    return lazy


@wrapped
def cube(x: Any) -> Any:
    return x**3


@pytest.mark.parametrize("turn", ["defines", "calls"])
def test_a_wrapper_that_is_written_late(turn: str) -> None:
    if turn == "defines":
        MADE.clear()
    assert grad(lambda x: cube(x) * x)(2.0) == pytest.approx(64.0)


CODE = {
    "runs": "y = x * x\n",
    "calls": "y = f()\n",
    "a default": "def g(a=x):\n    return a * a\n",
    "a class": "class A:\n    pass\n",
    "bound before": "def x():\n    return 1.0\n",
}


@pytest.mark.parametrize("name", CODE)
def test_other_code_is_refused(name: str) -> None:
    def program(x: Any) -> Any:
        names: dict[str, Any] = {"x": x * x, "f": lambda: x}
        exec(compile(CODE[name], "<code>", "exec"), names)
        return names.get("y", x)

    with pytest.raises(UnsupportedSyntaxError, match="`exec` is not differentiated"):
        grad(program)(2.0)


def test_a_function_that_reads_what_moves() -> None:
    """Its globals are what it was given: right, or refused."""

    def program(x: Any) -> Any:
        text = "def g():\n    return a * a\n"
        names: dict[str, Any] = {"a": x * x}
        exec(compile(text, "<reads a>", "exec"), names)
        names["g"].text = text
        return names["g"]() * x

    try:
        d = grad(program)(2.0)
    except AdjointError:
        return
    assert d == pytest.approx(5 * 2.0**4)
