"""Functions that a decorator has written as text, which it leaves on them."""

from __future__ import annotations

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
