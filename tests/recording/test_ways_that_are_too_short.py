"""What recorded programs do that must not take the short ways, and must not be done twice."""

from __future__ import annotations

import importlib.util
import inspect
import io
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hessian, pullback
from adjoint.errors import AdjointError


def recorded(body: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def f(x: Any) -> Any:
        try:
            y = body(x)
        except* KeyError:
            y = 0.0
        return y

    return f


class Remembering:
    def __init__(self) -> None:
        self.xs: list[Any] = []
        self.ys: list[Any] = []

    def __call__(self, x: Any) -> Any:
        try:
            if x in self.xs:
                y = self.ys[self.xs.index(x)]
            else:
                y = x * x
                self.xs.append(x)
                self.ys.append(y)
        except* KeyError:
            y = 0.0
        return y


@pytest.mark.parametrize("x", [2, 3, 7, 20, 200, 2.0, 2.5])
def test_numbers_that_stand_in_the_program_as_well(x: Any) -> None:
    f = Remembering()
    f(x)
    with pytest.raises(AdjointError, match="results of earlier calls"):
        gradient(f, x)


LIBRARY = """
import functools

calls = []

@functools.lru_cache
def called(f):
    f()

@functools.lru_cache
def rows(name):
    calls.append(name)
    return [1.0, 2.0]

@functools.lru_cache
def upper(name):
    return name.upper()

held = {}

@functools.lru_cache
def looked_up(name):
    return held[name]
"""


@pytest.fixture
def library(tmp_path: Path) -> Any:
    file = tmp_path / "site-packages" / "remembering_names.py"
    file.parent.mkdir()
    file.write_text(LIBRARY)
    spec = importlib.util.spec_from_file_location("remembering_names", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_functions_that_a_library_remembers(library: Any) -> None:
    def called_back(x: Any) -> Any:
        total = [0.0]

        def add() -> None:
            total[0] += x * x

        library.called(add)
        return total[0]

    assert gradient(recorded(called_back), 1.5) == (3.0,)
    assert gradient(recorded(lambda x: x * library.rows("a")[1]), 1.5) == (2.0,)
    assert library.calls == ["a"]
    f = recorded(lambda x: x * len(library.upper("abc")))
    assert [gradient(f, 1.5) for _ in range(4)] == [(3.0,)] * 4

    def stored(x: Any) -> Any:
        library.held["a"] = x * x
        return library.looked_up("a")

    assert gradient(recorded(stored), 1.5) == (3.0,)


class Writer(io.StringIO):
    def __init__(self, x: Any) -> None:
        super().__init__()
        self.x, self.total = x, 0.0

    def write(self, text: str) -> int:
        self.total += self.x
        return len(text)


class Storing:
    def __init__(self, x: Any) -> None:
        self.a = [x, 0.0]

    @property
    def p(self) -> float:
        self.a[1] = self.a[0]
        return 1.0


def by_bound_arguments(x: Any) -> Any:
    bound = inspect.signature(lambda a: a).bind(x)
    bound.apply_defaults()
    return bound.arguments["a"] * 2.0


def by_members(x: Any) -> Any:
    q = Storing(x)
    inspect.getmembers(q)
    return q.a[1] * 2.0


def by_traceback(x: Any) -> Any:
    w = Writer(x)
    try:
        raise ValueError
    except ValueError:
        traceback.print_exc(file=w)
    return w.total


@pytest.mark.parametrize("body", [by_bound_arguments, by_members, by_traceback])
def test_what_looks_in_and_stores(body: Callable[[Any], Any]) -> None:
    with pytest.raises(AdjointError):
        gradient(recorded(body), 1.5)


class OfInstances:
    def __get__(self, owner: Any, cls: Any = None) -> Any:
        if owner is None:
            raise AttributeError
        return owner.v


class WithDescriptor:
    p = OfInstances()

    def __init__(self, v: Any) -> None:
        self.v = v


class Meta(type):
    def __getattr__(cls, name: str) -> Any:
        if name == "p":
            return 1.0  # nobody asks the class of a class
        raise AttributeError(name)


class OfMeta(metaclass=Meta):
    def __init__(self, v: Any) -> None:
        self.v = v


@pytest.mark.parametrize("made", [WithDescriptor, OfMeta])
def test_hasattr_asks_the_object(made: Any) -> None:
    f = recorded(lambda x: 2 * x if hasattr(made(x), "p") else 5 * x)
    assert (f(1.5), gradient(f, 1.5)) == ((3.0, (2.0,)) if made is WithDescriptor else (7.5, (5.0,)))


def test_calls_of_numpy_are_done_once(capsys: pytest.CaptureFixture[str]) -> None:
    def by_settings(x: Any) -> Any:
        old = np.seterr(divide="raise")
        y = x * (2.0 if old["divide"] == "warn" else 7.0)
        np.seterr(**old)
        return y

    f = recorded(by_settings)
    for _ in range(3):
        assert gradient(f, 1.5) == (2.0,) and np.geterr()["divide"] == "warn"

    def informed(x: Any) -> Any:
        np.info("nothing of this name")
        return x * x

    recorded(informed)(1.5)
    printed = capsys.readouterr().out
    assert gradient(recorded(informed), 1.5) == (3.0,) and capsys.readouterr().out == printed


def test_results_of_several_forms() -> None:
    a = np.array([[2.0, 1.0], [1.0, 3.0]])
    f = recorded(lambda x: np.linalg.eigh(x)[0].sum() + np.nonzero(x > 1.5)[0].size * np.linalg.slogdet(x)[1])
    for _ in range(3):
        expected = np.eye(2) + 2 * np.linalg.inv(a)
        np.testing.assert_allclose(gradient(f, a)[0], expected, rtol=1e-12)


class Item:
    def __init__(self) -> None:
        self.held: list[Any] = [1.0]
        self.w = 2.0


FAR = [Item() for _ in range(600)]
SPACE = types.SimpleNamespace()


class Keeping:
    last: Any = None


def test_arrays_are_those_of_the_caller_wherever_they_are_kept() -> None:
    def kept(x: Any) -> Any:
        SPACE.last = Keeping.last = FAR[1].held[0] = x
        FAR[2].held[0] = (x, 1.0)
        x.setflags(write=False)
        return (x * FAR[0].w).sum()

    for _ in range(3):
        a = np.ones(3)
        _, back = pullback(recorded(kept), a)
        assert SPACE.last is a and Keeping.last is a and FAR[1].held[0] is a and FAR[2].held[0][0] is a
        assert not a.flags.writeable
        np.testing.assert_array_equal(back(1.0)[1], np.full(3, 2.0))


def test_second_derivatives_by_an_array_that_is_told_apart() -> None:
    def cubed(x: Any) -> Any:
        SPACE.last = x
        return (x**3).sum() * FAR[0].w

    def slope(x: Any) -> Any:
        _, back = pullback(recorded(cubed), x)
        return back(1.0)[1] * FAR[0].w

    a = np.array([0.5, 2.0])
    for _ in range(2):
        np.testing.assert_allclose(hessian(recorded(cubed))(a), np.diag(12.0 * a))
        _, back = pullback(recorded(slope), a)
        np.testing.assert_allclose(back(np.array([1.0, 3.0]))[1], 24.0 * a * [1.0, 3.0])
        np.testing.assert_allclose(grad(lambda x: (grad(recorded(cubed))(x) ** 2).sum())(a), 2 * 6 * a**2 * 12 * a)
