"""What is not known is refused, with the place, the reason and a way out."""

# ruff: noqa: F841, E731, B007
import sys
from typing import Any

import pytest

from adjoint.errors import AdjointError, UnsupportedSyntaxError
from adjoint.frontend import lower
from adjoint.inspect import code_adjoint

REFUSED: dict[str, tuple[Any, str, str]] = {}


def refused(what: str, carets: str) -> Any:
    """Enter a function with the sentence it is refused by, and the text that is pointed at."""

    def enter(function: Any) -> Any:
        REFUSED[function.__name__] = (function, what, carets)
        return function

    return enter


@refused("cannot differentiate `try`\n", "try")
def has_try(x):
    try:
        return eval("1 / x")
    except ZeroDivisionError:
        return 0


@refused("cannot differentiate `except*`\n", "try")
def has_try_star(x):
    try:
        return 1 / x
    except* ZeroDivisionError:
        x = 1
    return x


@refused("cannot differentiate `with`\n", "with")
def has_with(x):
    with open(x) as f:
        return eval("f")


@refused("cannot differentiate a generator function\n", "yield x")
def has_yield(x):
    yield x


@refused("cannot differentiate a generator function\n", "yield from x")
def has_dead_yield_from(x):
    return x
    yield from x


@refused("cannot differentiate asynchronous code\n", "async def has_async")
async def has_async(x):
    return await x


@refused("cannot differentiate the class `C` made inside a function\n", "class")
def has_class(x):
    class C(list):
        value = x

    return C


@refused("cannot differentiate `raise` without an exception\n", "raise")
def has_bare_raise(x):
    raise


def _outer(x):
    count = 0

    def has_nonlocal_store(y):
        nonlocal count
        count = y
        return count

    return has_nonlocal_store


def test_a_nonlocal_store_that_others_see_is_not_structured():
    """What only the program itself sees is a variable of it: `tests/regressions/test_virtual_objects.py`."""
    text = code_adjoint(_outer(1), 1.0)
    assert text.startswith("# `has_nonlocal_store` is recorded") and "assignment to the nonlocal name `count`" in text


@refused("cannot differentiate a call of `eval`\n", "eval('x')")
def has_eval(x):
    return eval("x")  # noqa


@refused("cannot differentiate a call of `exec`\n", "exec('x')")
def has_exec(x):
    exec("x")
    return x


@refused("cannot differentiate a call of `locals`\n", "locals()")
def has_locals(x):
    return locals()


@refused("cannot differentiate a call of `globals`\n", "globals()")
def has_globals(x):
    return globals()["COUNTER"]


@refused("cannot differentiate a call of `vars` without argument\n", "vars()")
def has_vars(x):
    return vars()


@refused("cannot differentiate generators that are passed on\n", "((t := y) for y in x)")
def has_generator_passed_on(x):
    return map(abs, ((t := y) for y in x))


@refused("cannot differentiate generators that are passed on\n", "((t := y) for y in x)")
def has_generator_returned(x):
    g = ((t := y) for y in x)
    return g


@pytest.mark.parametrize("name", REFUSED)
def test_refusal(name: str) -> None:
    function, what, carets = REFUSED[name]
    with pytest.raises(UnsupportedSyntaxError) as caught:
        lower(function)
    text = str(caught.value)
    assert text.startswith(what)
    place = caught.value.place
    assert place is not None and place.filename == __file__
    line = place.text.encode()
    start, end = place.span[1], place.span[3]
    assert line[start:end].decode().replace('"', "'") == carets
    assert f"{__file__}:{place.span[0]}:{start + 1}" in text
    assert "\nwhy: " in text and "\nhelp: " in text
    assert "^" * len(carets) in text


def test_message_in_full() -> None:
    with pytest.raises(AdjointError) as caught:
        lower(has_generator_passed_on)
    line = has_generator_passed_on.__code__.co_firstlineno + 2
    assert str(caught.value) == (
        "cannot differentiate generators that are passed on\n"
        f"  {__file__}:{line}:21\n"
        "    return map(abs, ((t := y) for y in x))\n"
        "                    ^^^^^^^^^^^^^^^^^^^^^\n"
        "why: it binds a name around it, or acts in turns with its receiver\n"
        "help: make it a list: [... for ...]"
    )


def test_async_comprehension() -> None:
    async def f(xs):
        return [x async for x in xs]

    with pytest.raises(UnsupportedSyntaxError, match="asynchronous code"):
        lower(f)


def test_functions_that_are_only_made_are_not_refused() -> None:
    def f(x):
        def generate():
            yield x

        return generate

    lower(f)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
def test_generic_inner_function(tmp_path: Any) -> None:
    file = tmp_path / "generic.py"
    file.write_text(
        "def f(x):\n    def g[T](y: T) -> T:\n        return y\n    return g(x)\ndef h[T](x: T) -> T:\n    return x\n"
    )
    namespace: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    with pytest.raises(UnsupportedSyntaxError, match="generic function `g`"):
        lower(namespace["f"])
    assert lower(namespace["h"]).name == "h"


def test_too_deeply_nested(tmp_path: Any) -> None:
    file = tmp_path / "deep.py"
    file.write_text("def f(x):\n    return " + "-x" * 1 + "".join(f" + {i}" for i in range(3000)) + "\n")
    namespace: dict[str, Any] = {}
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(20_000)
        exec(compile(file.read_text(), str(file), "exec"), namespace)
        from adjoint.frontend import find

        find(namespace["f"].__code__, namespace)
    except RecursionError:
        pytest.skip("Python itself cannot compile it")
    finally:
        sys.setrecursionlimit(limit)
    with pytest.raises(UnsupportedSyntaxError, match="nested too deeply"):
        lower(namespace["f"])
