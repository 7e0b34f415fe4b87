"""Finding the text that a code object was compiled from."""

import __future__

import ast
import functools
import linecache
import os
import subprocess
import sys
import textwrap
from types import CodeType, FunctionType
from typing import Any

import pytest

from adjoint.errors import SourceChangedError, SourceUnavailableError
from adjoint.frontend import find, lower
from adjoint.ir.interpret import interpret


def text_of(function: Any) -> str:
    found = find(function.__code__, function.__globals__)
    return ast.get_source_segment("".join(found.source.lines), found.node) or ""


def load(path: Any, text: str) -> dict[str, Any]:
    """Run a text as a file."""
    path.write_text(textwrap.dedent(text))
    namespace: dict[str, Any] = {"__name__": "loaded"}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    return namespace


# fmt: off
# ruff: noqa: B023, E731
PAIR = (lambda x: x + 1, lambda x: x + 2)
NESTED = lambda x: (lambda x: (lambda x: x))  # noqa: E731
ALIKE = [lambda: 0, lambda: 0]
INSIDE = [(lambda x: x * i, lambda x: x - i) for i in (1, 2)]
UNICODE = ("äöü", lambda x: x * 2, lambda x: x * 3)
# fmt: on


def test_lambdas_on_one_line() -> None:
    assert [text_of(f) for f in PAIR] == ["lambda x: x + 1", "lambda x: x + 2"]
    assert text_of(NESTED) == "lambda x: (lambda x: (lambda x: x))"
    assert text_of(NESTED(1)) == "lambda x: (lambda x: x)"
    assert text_of(NESTED(1)(2)) == "lambda x: x"
    assert [text_of(f) for f in ALIKE] == ["lambda: 0", "lambda: 0"]
    assert [text_of(f) for f in INSIDE[1]] == ["lambda x: x * i", "lambda x: x - i"]
    assert [text_of(f) for f in UNICODE[1:]] == ["lambda x: x * 2", "lambda x: x * 3"]


def test_lambda_over_several_lines() -> None:
    f = (
        lambda x:
            x
            + 1
    )  # fmt: skip
    assert interpret(lower(f), f, 2) == 3


def test_captured_in_a_comprehension_of_a_module() -> None:
    f, g = INSIDE[0]
    assert interpret(lower(f), f, 10) == f(10) == 20
    assert interpret(lower(g), g, 10) == g(10) == 8


def twice(f: Any) -> Any:
    @functools.wraps(f)
    def inner(x):
        return f(f(x))

    return inner


@twice
@functools.lru_cache
def decorated(x):
    return x + 1


def test_a_decorated_function_is_its_wrapper() -> None:
    assert text_of(decorated).startswith("def inner(x):")
    wrapped = decorated.__wrapped__.__wrapped__
    assert text_of(wrapped).startswith("def decorated(x):")
    assert lower(wrapped).firstline == wrapped.__code__.co_firstlineno


def test_no_source() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x):\n    return x\n", namespace)
    with pytest.raises(SourceUnavailableError, match="source is not available"):
        lower(namespace["f"])
    with pytest.raises(SourceUnavailableError, match="write a rule"):
        lower(len)
    with pytest.raises(TypeError, match="no Python source"):
        lower(3)


def test_text_in_linecache() -> None:
    text = "def f(x):\n    return x * 3\n"
    linecache.cache["<made up>"] = (len(text), None, text.splitlines(True), "<made up>")
    namespace: dict[str, Any] = {}
    exec(compile(text, "<made up>", "exec"), namespace)
    assert interpret(lower(namespace["f"]), namespace["f"], 5) == 15
    del linecache.cache["<made up>"]


@pytest.mark.parametrize(
    "changed",
    [
        "\n\ndef f(x, y=1):\n    z = x * 2.5\n    return z + g(y)\n",
        "def f(x, y=1):\n    z = x * 3.5\n    return z + g(y)\n",
        "def f(x, y=1):\n    z = x * 2.5\n    return z + h(y)\n",
        "def f(x):\n    z = x * 2.5\n    return z + g(1)\n",
        "def f(x, y=1):\n    z = x / 2.5\n    return z + g(y)\n",
        "def f(x, y=1):\n    z = x * 2.5\n    return g(y) + z\n",
        "def f(x, y=1):\n    z = x * 2.5\n    return z + -g(y)\n",
        "def f(x, y=1): return x\n",
        "",
        "def f(:",
    ],
)
def test_changed_file(changed: str, tmp_path: Any) -> None:
    file = tmp_path / "model.py"
    namespace = load(file, "def f(x, y=1):\n    z = x * 2.5\n    return z + g(y)\n")
    lower(namespace["f"])
    linecache.cache.pop(str(file), None)
    file.write_text(changed)
    os.utime(file, (1, 1))
    with pytest.raises((SourceChangedError, SourceUnavailableError)) as caught:
        lower(namespace["f"])
    if changed and changed[-1] != ":":
        assert "has changed since it was imported" in str(caught.value)


def test_made_by_exec_under_the_name_of_a_file(tmp_path: Any) -> None:
    """As astropy's models are: it may not be said that the file has changed."""
    file = tmp_path / "model.py"
    namespace = load(file, "def made(text, name):\n    exec(compile(text, __file__, 'exec'), globals())\n")
    namespace["__file__"] = str(file)
    namespace["made"]("def evaluate(x):\n    return x * x\n", "evaluate")
    with pytest.raises(SourceChangedError, match="or `exec` made the function under the name of the file"):
        lower(namespace["evaluate"])


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("f = lambda x: x * x\n", "f = lambda x: x + x\n"),
        ("f = lambda x: x * 1.0\n", "f = lambda x: x * 1\n"),
        ("f = lambda x: x + 0.0\n", "f = lambda x: x + -0.0\n"),
        ("f = lambda x: x in (1, 2)\n", "f = lambda x: x in (1, 2.0)\n"),
        ("f = lambda x: (lambda y: x - y)\n", "f = lambda x: (lambda y: y - x)\n"),
        (
            "def f(x):\n    def g(y): return y * y\n    return g\n",
            "def f(x):\n    def g(y): return y + y\n    return g\n",
        ),
        ("def f(x):\n    return [y * y for y in x]\n", "def f(x):\n    return [y / y for y in x]\n"),
        (
            "class A:\n    def f(self, x): return x * self.__w\nf = A.f\n",
            "class A:\n    def f(self, x): return self.__w * x\nf = A.f\n",
        ),
        (
            "def f(x):\n    if x:\n        x = x * x\n    return x\n",
            "def f(x):\n    while x:\n        x = x * x\n    return x\n",
        ),
    ],
)
def test_changed_though_names_and_numbers_fit(text: str, changed: str, tmp_path: Any) -> None:
    file = tmp_path / "model.py"
    f = load(file, text)["f"]
    inner = f(1) if "g" in f.__code__.co_varnames or "lambda y" in text else f
    assert lower(f) and lower(inner)
    linecache.cache.pop(str(file), None)
    file.write_text(changed)
    for function in (f, inner):
        with pytest.raises(SourceChangedError, match="has changed since it was imported"):
            lower(function)


def test_changed_elsewhere(tmp_path: Any) -> None:
    file = tmp_path / "model.py"
    f = load(file, "def f(x):\n    return x * x\n\ndef g(x):\n    return x * x\n")["f"]
    linecache.cache.pop(str(file), None)
    file.write_text("def f(x):\n    # squared\n    return (x *  x)\n\ndef g(x):\n    return x + x\n")
    assert interpret(lower(f), f, 3) == 9


def test_changed_cell_of_a_notebook() -> None:
    def run(text: str, flags: int = 0) -> dict[str, Any]:
        linecache.cache["<cell>"] = (len(text), None, text.splitlines(True), "<cell>")
        namespace: dict[str, Any] = {}
        exec(compile(text, "<cell>", "exec", flags, dont_inherit=True), namespace)
        return namespace

    first = run("def f(x):\n    return x * x\n")["f"]
    assert interpret(lower(first), first, 3) == 9
    second = run("def f(x):\n    return x + x\n")["f"]
    assert interpret(lower(second), second, 3) == 6
    with pytest.raises(SourceChangedError):
        lower(first)
    third = run("def f(x):\n    def g(y: x): return y\n    return g(x)\n", __future__.annotations.compiler_flag)["f"]
    assert lower(third).name == "f"
    text = "await_me = 1\ndef f(x):\n    return x * x\nif False: await await_me\n"
    linecache.cache["<cell>"] = (len(text), None, text.splitlines(True), "<cell>")
    cell = compile(text, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    f = FunctionType(next(c for c in cell.co_consts if isinstance(c, CodeType)), {})
    assert interpret(lower(f), f, 3) == 9
    del linecache.cache["<cell>"]


def asserts(x):
    """A function that pytest rewrites."""
    assert x > 0, "positive"

    def inner(y):
        assert y > 0
        return y * x

    return inner(x) if (lambda z: z)(x) else [inner(v) for v in (x, 2)]


def test_rewritten_asserts() -> None:
    assert "@pytest_ar" in asserts.__code__.co_names
    assert text_of(asserts).startswith("def asserts(x):")
    assert lower(asserts).name == "asserts"


def test_imports_on_the_way(tmp_path: Any) -> None:
    """From Python 3.12 on, the compiler calls the functions of imported modules in a way of its own."""
    namespace = load(
        tmp_path / "model.py",
        """
        import math
        try:
            import cmath as c
        except ImportError:
            from math import nan as c
        if True:
            from os import path

        def f(x):
            return math.sin(x), c.phase(x), path.join("a", "b"), x.conjugate()
        """,
    )
    assert interpret(lower(namespace["f"]), namespace["f"], 2.0) == namespace["f"](2.0)


def test_warnings_of_the_compiler_are_not_shown_again(tmp_path: Any) -> None:
    with pytest.warns(SyntaxWarning):
        f = load(tmp_path / "model.py", "def f(x):\n    return x is 3\n")["f"]
    assert interpret(lower(f), f, 4) is False


def test_reloaded_file(tmp_path: Any) -> None:
    file = tmp_path / "model.py"
    first = load(file, "def f(x):\n    return x + 1\n")["f"]
    assert interpret(lower(first), first, 1) == 2
    second = load(file, "import math\n\ndef f(x):\n    return x + 20\n")["f"]
    os.utime(file, (1, 1))
    assert interpret(lower(second), second, 1) == 21


def test_private_names_and_classes_around(tmp_path: Any) -> None:
    namespace = load(
        tmp_path / "model.py",
        """
        class _Model:
            def __init__(self, x):
                self.__x = x
            def get(self, __y=1):
                def inner(): return self.__x + __y
                return [self.__x, inner(), __y]
        """,
    )
    model = namespace["_Model"](3)
    get = namespace["_Model"].get
    lowered = lower(get)
    assert lowered.signature.names == ("self", "_Model__y")
    assert interpret(lowered, get, model, 2) == [3, 5, 2]


@pytest.mark.parametrize("flags", [["-O"], ["-OO"], ["-X", "no_debug_ranges"]])
def test_ways_to_run_python(flags: list[str], tmp_path: Any) -> None:
    file = tmp_path / "script.py"
    file.write_text(
        textwrap.dedent(
            '''
            from adjoint.frontend import lower
            from adjoint.ir.interpret import interpret
            from adjoint.errors import SourceUnavailableError

            def f(x):
                """Docstring."""
                assert (lambda y: y > 0)(x), "x"
                def inner(z):
                    "Docstring."
                    assert z
                    return z * x
                if __debug__:
                    x = x + 0
                return [inner(a) for a in (1, 2)], (lambda: x)()

            assert interpret(lower(f), f, 3) == f(3) or 1 / 0
            if interpret(lower(f), f, 3) != f(3): raise SystemExit("differs")
            g, h = lambda x: x, lambda x: x + 1
            try:
                if interpret(lower(g), g, 3) != 3: raise SystemExit("differs")
            except SourceUnavailableError as error:
                print("lines of their own" in str(error))
            '''
        )
    )
    done = subprocess.run([sys.executable, *flags, str(file)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    if "no_debug_ranges" in flags:
        assert done.stdout == "True\n"


def test_place_of_a_lowered_function() -> None:
    lowered = lower(text_of)
    assert lowered.filename == __file__ and lowered.span is not None
    assert lowered.firstline == lowered.span.line
    assert all(statement.span is not None for statement in lowered.body.statements)


def test_a_statement_is_found_without_the_rest_of_its_file(tmp_path: Any) -> None:
    """Indentation says where a statement begins and ends; where it misleads, the whole file is read."""
    text = '''
        import functools
        import math
        from os.path import (
            join,
        )

        def keep(*_, **__):
            return lambda f: f

        @keep(
            1,
        )
        # a comment
        @keep(2)
        def decorated(x):
            return math.sin(x)

        def by_column(
            x,
        ):
            text = """
        def f(x):
            return x
        """
            return x, text

        def after(x):

        # outdented
            return x * 3

        if math:
            def first(x):
                return x + 1
        else:
            def first(x):
                return x + 2

        try:
            import nothing_such
        except ImportError:
            def second(x):
                return math.cos(x)

        class Outer:
            class Inner:
                def method(self, x):
                    return join(str(x), "b")
    '''
    namespace = load(tmp_path / "model.py", text)
    functions = [namespace[name] for name in ("decorated", "by_column", "after", "first", "second")]
    functions.append(namespace["Outer"].Inner.method)
    pieces = 0
    for f in functions:
        found = find(f.__code__, f.__globals__)
        assert found.node.name == f.__name__  # type: ignore[union-attr]
        assert f"def {f.__name__}" in found.source.lines[found.node.lineno - 1]
        pieces += len(found.source.tree.body) < 5
    assert pieces == 4
    for f in functions[:-1]:
        assert interpret(lower(f), f, 2) == f(2)
