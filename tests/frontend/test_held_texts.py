"""Functions that a decorator has written as text, which it leaves on them."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

from adjoint import grad
from adjoint.errors import SourceUnavailableError


def written(attribute: str, name: str, text: str | None = None) -> Any:
    """A decorator that writes its wrapper, as those of networkx, `decorator` and `makefun` do."""

    def decorate(f: Any) -> Any:
        code = f"def {f.__name__}(x, *rest, **options):\n    return 2.0 * inner(x, *rest, **options)\n"
        namespace: dict[str, Any] = {"inner": f, "__name__": __name__}
        exec(compile(code, name, "exec"), namespace)
        made = namespace[f.__name__]
        setattr(made, attribute, code if text is None else text)
        return made

    return decorate


@written("__source__", "<written by a decorator>")
def square(x: Any) -> Any:
    return x * x


@written("_code", "<class 'argmap'> compilation 4")
def cube(x: Any, scale: float = 1.0) -> Any:
    return x**3 * scale


def test_texts_on_functions() -> None:
    assert grad(square)(3.0) == 12.0
    assert grad(lambda x: cube(x, scale=0.5) * square(x))(1.0) == pytest.approx(10.0)
    assert grad(grad(cube))(2.0) == pytest.approx(24.0)


def test_an_example_leaves_the_file_as_it_is() -> None:
    cell = "def first(x):\n    return x * x\n\n\ndef second(x):\n    return x**3\n"
    name, scope = "<cell with an example>", {"__name__": __name__}
    linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
    exec(compile(cell, name, "exec"), scope)
    first, second = scope["first"], scope["second"]
    examples = ("def first(x): an example", "def first(x):\n    return 9.0 * x\n", "a text of `def first(x)`")
    for i, example in enumerate(examples):
        setattr(first, f"example{i}", example)
    assert grad(first)(3.0) == 6.0
    assert grad(second)(1.0) == 3.0
    assert linecache.getlines(name) == cell.splitlines(True)


def test_two_texts_of_one_name() -> None:
    def once(x: Any) -> Any:
        return x

    makes = written("__source__", "<written again>"), written("_code", "<written again>")
    text = "def once(y):\n    return 3.0 * y\n"
    scope: dict[str, Any] = {}
    exec(compile(text, "<written again>", "exec"), scope)
    scope["once"].__source__ = text
    assert [grad(f)(1.0) for f in (makes[0](once), scope["once"], makes[1](once))] == [2.0, 3.0, 2.0]


def test_recorded() -> None:
    def f(x: Any) -> Any:
        found: list[Any] = []
        for g in (square, cube):
            try:
                found.append(g(x))
            except ValueError as error:
                found.extend(error.args)
        return found[0] * found[1]

    assert grad(f)(1.0) == pytest.approx(20.0)


def test_a_text_of_something_else() -> None:
    lies = written("__source__", "<written otherwise>", "def off(x, *rest, **options):\n    return 3.0 * x\n")
    none = written("other", "<written without>", "a text about `def off(x)`")

    def off(x: Any) -> Any:
        return x

    for decorate in (lies, none):
        made = decorate(off)
        assert made(1.0) == 2.0
        with pytest.raises((SourceUnavailableError, RuntimeError), match="cannot differentiate off"):
            grad(made)(1.0)
