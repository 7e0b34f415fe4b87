"""Nothing that comes with the data is ever run: names of fields, keys, texts, names of functions and of files."""

from __future__ import annotations

import enum
import linecache
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from security import hostile
from security.hostile import EVERY, SOME, Ran, check_source, watched

import adjoint
from adjoint import grad, value_and_grad
from adjoint.calculus import pushforward
from adjoint.compiled import entry, files, programs, reading
from adjoint.errors import AdjointError
from adjoint.runtime import guards

GENERATORS = ("code_ir", "code_primal", "code_pushforward", "code_adjoint")


class Thing:
    """An object whose fields are named by data."""

    def __init__(self, *pairs: tuple[str, Any]) -> None:
        for name, value in pairs:
            setattr(self, name, value)


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def recorded(f: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, in a form that is recorded."""

    def g(x: Any, *args: Any) -> Any:
        try:
            y = f(x, *args)
        finally:
            pass
        return y

    return g


def checked(f: Callable[..., Any], args: tuple[Any, ...], right: tuple[float, float], compiles: Any = "strict") -> None:
    """Value and gradient by the first argument in each way, and all that is generated on the way."""
    with watched(), warnings.catch_warnings():
        warnings.simplefilter("ignore", adjoint.errors.CompileFallbackWarning)
        for g in (f, recorded(f)):
            assert value_and_grad(g, 0)(*args) == right
        if compiles:
            assert value_and_grad(f, 0, compile=compiles)(*args) == right
        assert pushforward(f, args, (1.0, *[None] * (len(args) - 1))) == right
        shown(f, args)


def shown(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Look at all that is generated for a call."""
    for g in (f, recorded(f)):
        for name in GENERATORS:
            text = getattr(adjoint.inspect, name)(g, *args)
            if name in ("code_adjoint", "code_pushforward"):
                check_source(text)
        str(adjoint.explain(g, *args))
    for write in (lambda: adjoint.inspect.code_adjoint(f, *args, compile=True), lambda: files.module_text(f, args, {})):
        try:
            text = write()
        except AdjointError:
            continue
        check_source(text)


# ---- the data of a program


def test_fields_that_are_read() -> None:
    for name in EVERY:
        checked(lambda x, o, name=name: getattr(o, name) * x * x, (3.0, Thing((name, 2.0))), (18.0, 12.0))


LITERAL = "def f(x, o):\n    return getattr(o, {name!r}) * x * x\n"


def of_literal(name: str) -> Any:
    """A function that reads a field by a name that stands in its source."""
    return of_source(f"<reads {EVERY.index(name)}>", LITERAL.format(name=name))


def test_fields_that_the_source_names() -> None:
    for name in EVERY:
        checked(of_literal(name), (3.0, Thing((name, 2.0))), (18.0, 12.0))


def test_all_fields_of_an_object() -> None:
    def total(x: float, o: Any, names: list[Any]) -> float:
        s = 0.0
        for some in names:
            for name in some:
                s += getattr(o, name) * x
        return s

    values = [float(i % 7) for i in range(len(EVERY))]  # those that Python reads as others have their own
    right = sum(values)
    names = [[*EVERY[k : k + 12]] for k in range(0, len(EVERY), 12)]
    checked(total, (3.0, Thing(*zip(EVERY, values, strict=True)), names), (3.0 * right, right))


def test_gradients_by_fields() -> None:
    def total(o: Any, names: list[Any]) -> Any:
        s = 0.0
        for some in names:
            for name in some:
                s += getattr(o, name) * getattr(o, name)
        return s

    values = [float(i % 7) for i in range(len(EVERY))]
    names = [[*EVERY[k : k + 12]] for k in range(0, len(EVERY), 12)]
    o = Thing(*zip(EVERY, values, strict=True))
    with watched():
        for compiles in (False, "strict"):
            found = grad(total, compile=compiles)(o, names)
            assert [found[name] for name in EVERY] == [2.0 * value for value in values]


def test_fields_of_fields() -> None:
    for name in SOME:
        o = Thing((name, Thing((name, 2.0))))
        checked(lambda x, o, n=name: getattr(getattr(o, n), n) * x * x, (3.0, o), (18.0, 12.0))
        checked(lambda x, os, n=name: getattr(os[1], n) * x * x, (3.0, (o, Thing((name, 2.0)))), (18.0, 12.0))


def test_fields_that_are_stored_and_deleted() -> None:
    for name in SOME:

        def f(x: float, name: str = name) -> Any:
            o = Thing((name, 1.0))
            setattr(o, name, getattr(o, name) * x)
            setattr(o, name, getattr(o, name) * x)
            y = getattr(o, name)
            delattr(o, name)
            return y * 2.0 if not hasattr(o, name) else 0.0

        checked(f, (3.0,), (18.0, 12.0), compiles=True)


def test_attributes_of_classes_and_modules() -> None:
    for name in SOME:
        cls, module = type("Local", (), {name: 2.0}), types.ModuleType("local")
        setattr(module, name, 2.0)
        for owner in (cls, module):
            checked(lambda x, o=owner, n=name: getattr(o, n) * x * x, (3.0,), (18.0, 12.0), compiles=True)
            with watched():  # and as an argument
                assert grad(lambda x, o, n=name: getattr(o, n) * x * x)(3.0, owner) == 12.0
        checked(lambda x, o, n=name: getattr(o, n) * x * x, (3.0, cls()), (18.0, 12.0), compiles=True)


def test_methods() -> None:
    for name in SOME:
        if name.startswith("__"):
            continue
        cls = type("Local", (), {name: lambda self, x, k=2.0: k * x * x})
        checked(lambda x, o, n=name: getattr(o, n)(x), (3.0, cls()), (18.0, 12.0), compiles=True)
        checked(lambda x, c=cls, n=name: getattr(c(), n)(x), (3.0,), (18.0, 12.0), compiles=True)


def test_keys() -> None:
    for name in SOME:
        checked(lambda x, d, n=name: d[n] * x * x, (3.0, {name: 2.0}), (18.0, 12.0))
        checked(lambda x, d, n=name: d[n] * x * x, (3.0, {name: 2.0, "w": 1.0}), (18.0, 12.0))
        checked(lambda x, n=name: {n: x, "other": 2.0}[n] * x * 2.0, (3.0,), (18.0, 12.0), compiles=True)


def test_keys_that_python_reads_as_one() -> None:
    one, other = "\N{LATIN SMALL LIGATURE FI}", "fi"
    checked(lambda x, d: d[one] * x + d[other] * x * x, (3.0, {one: 2.0, other: 5.0}), (51.0, 32.0))
    o = Thing((one, 2.0), (other, 5.0))
    checked(lambda x, o: getattr(o, one) * x + getattr(o, other) * x * x, (3.0, o), (51.0, 32.0))


def test_arguments_by_name() -> None:
    def given(**kw: Any) -> Any:
        (value,) = kw.values()
        return value * value * 2.0

    for name in SOME:
        if name in ("f", "self", "args", "kwargs"):
            continue  # parameters of the face itself
        checked(lambda x, n=name: given(**{n: x}), (3.0,), (18.0, 12.0), compiles=True)
        with watched():
            y, back = adjoint.pullback(given, **{name: 3.0})
            assert y == 18.0
            back(1.0)
            assert grad(lambda x, n=name: adjoint.pullback(given, **{n: x})[0] * 1.0)(3.0) == 12.0


TEXT = "w"


def test_texts() -> None:
    def captured(given: str) -> Any:
        return lambda x, text: x * x * 2.0 if text == given else x

    for text in SOME:
        checked(captured(text), (3.0, text), (18.0, 12.0))
        checked(lambda x, t=text: x * x * 2.0 if t == str(t) else x, (3.0,), (18.0, 12.0), compiles=True)
        checked(lambda x, t=text: x * x * 2.0 * (f"{t}{t!r:>{9}}" != t), (3.0,), (18.0, 12.0), compiles=True)


def test_specifications_of_formats() -> None:
    for text in EVERY:

        def f(x: float, text: str = text) -> Any:
            try:
                f"{x:{text}}"
            except ValueError:
                return x * x * 2.0
            return x * x * 2.0

        def g(x: float, text: str = text) -> Any:
            return x * x * 2.0 if len(f"<{Thing():{text}}>") else x

        with watched():
            assert grad(f)(3.0) == 12.0
            try:
                assert grad(g)(3.0) == 12.0
            except TypeError:
                continue


class Text(str):
    """A text whose representation is hostile."""

    def __repr__(self) -> str:
        return hostile.RUN


def test_representations_are_not_trusted() -> None:
    name = Text("weight")
    checked(lambda x, o: getattr(o, name) * x * x, (3.0, Thing((name, 2.0))), (18.0, 12.0), compiles=True)
    checked(lambda x, d: d[name] * x * x, (3.0, {name: 2.0}), (18.0, 12.0), compiles=True)
    checked(lambda x: {name: x * 2.0}[name] * x, (3.0,), (18.0, 12.0), compiles=True)


# ---- what functions and classes are called


def named(name: str) -> Any:
    """Functions that call themselves this."""

    def helper(x: Any) -> Any:
        return x * x

    def f(x: Any) -> Any:
        return helper(x) * 2.0

    for g in (f, helper):
        g.__name__ = g.__qualname__ = g.__doc__ = g.__module__ = name
        g.__annotations__ = {"x": name, "return": name}
    return f


def test_names_of_functions() -> None:
    for name in EVERY:
        checked(named(name), (3.0,), (18.0, 12.0))


def test_names_of_classes_and_members() -> None:
    for name in SOME:
        if "\0" in name or "\ud800" in name:
            continue  # which no class may have
        cls = type(name, (Thing,), {"__doc__": name, "__module__": name})
        member = enum.Enum(name, {"one": name}).one if name.isidentifier() else enum.Enum("E", {"one": name}).one

        def f(x: float, o: Any, cls: type = cls, member: Any = member, name: str = name) -> Any:
            made = cls(("w", x))
            return made.w * x * o.w if isinstance(o, cls) and member.value == name else x

        checked(f, (3.0, cls(("w", 2.0))), (18.0, 12.0), compiles=True)


def test_names_of_fields_of_records() -> None:
    for name in EVERY:
        if not name or name == "\ud800" or "\0" in name:
            continue
        table = np.zeros(2, [(name, float)])
        table[name] = 2.0
        with watched():
            assert grad(lambda x, t, n=name: t[n][0] * x * x)(3.0, table) == 12.0


# ---- what is in a source, and where it stands

SOURCE = """
def f(x: {text!r}, o={text!r}) -> {text!r}:
    {text!r}
    def inner(y: {text!r}):
        {text!r}
        return y * y
    note = {text!r}
    return inner(x) * 2.0 if o == note and f"{braced}{{o!r}}" else x
"""


def with_texts(text: str) -> str:
    """A source that says a text in all places."""
    braced = text.replace("{", "{{").replace("}", "}}")
    return SOURCE.format(text=text, braced=repr(braced)[1:-1].replace("'", "\\x27").replace('"', "\\x22"))


def of_source(filename: str, source: str) -> Any:
    """The function `f` of a source that stands in a file."""
    linecache.cache[filename] = len(source), None, source.splitlines(True), filename
    space: dict[str, Any] = {"__name__": filename}
    exec(compile(source, filename, "exec", dont_inherit=True), space)
    return space["f"]


def test_docstrings_annotations_and_constants() -> None:
    for k, text in enumerate(SOME):
        if text == "\ud800":
            continue  # which stands in no file
        checked(of_source(f"<of a text {k}>", with_texts(text)), (3.0,), (18.0, 12.0), compiles=True)


def test_names_of_files() -> None:
    for name in SOME:
        if "\0" not in name and name != "\ud800":
            checked(of_source(f"{name}.py", with_texts("w")), (3.0,), (18.0, 12.0), compiles=True)


# ---- the test itself


def test_a_field_that_is_not_quoted_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (guards, reading):
        with monkeypatch.context() as patch:
            patch.setattr(module, "attribute", lambda owner, name: f"{owner}.{name}")
            with pytest.raises((Ran, SyntaxError, AdjointError)):
                test_fields_that_the_source_names()
            ran = []
            for name in hostile.TEXTS:
                try:
                    checked(of_literal(name), (3.0, Thing((name, 2.0))), (18.0, 12.0))
                except Ran:
                    ran.append(name)
                except Exception:  # noqa: S112 - a text that is no code in this place
                    continue
            assert ran


def test_a_name_that_ends_a_comment_is_seen() -> None:
    with pytest.raises(Ran):
        check_source(f"# `w\n{hostile.RUN} # ` is recorded")
