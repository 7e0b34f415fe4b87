"""What a program does outside of itself happens once, also where a run by its structure is refused on its way."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import itertools
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback, withgradient
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError

from .texts import ACTING, CALLING, DRAWING, HANDED, HEAD, SETUP, TAIL

_numbers = itertools.count()


def module_of(path: Path, text: str) -> Any:
    """A module of this text."""
    name = f"acting_{next(_numbers)}"
    file = path / f"{name}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# ---- iterators

PLACES = {
    "an argument": "def g(x, i, b):\n    ",
    "a global": "def g(x, i, b):\n    i = IT\n    ",
    "a field of a global": "def g(x, i, b):\n    i = GB.i\n    ",
    "a field": "def g(x, i, b):\n    i = b.i\n    ",
    "an item": "def g(x, i, b):\n    i = b.l[0]\n    ",
    "a default": "def g(x, _, b, i=IT):\n    ",
    "an attribute of the class": "def g(x, i, b):\n    i = b.ci\n    ",
    "what a function gives": "def give():\n    return IT\ndef g(x, i, b):\n    i = give()\n    ",
    "a captured variable": "def make(i):\n  def g(x, _, b):\n    ",
}
ITERATORS = {
    "list": "iter([2.0, 5.0])",
    "generator": "(q for q in [2.0, 5.0])",
    "map": "map(float, [2, 5])",
    "chain": "itertools.chain([2.0], [5.0])",
    "reversed": "reversed([5.0, 2.0])",
}
SOME = ("sum", "for-break", "unpack", "list", "zip", "in", "iter", "fsum")


def program_that_draws(path: Path, place: str, text: str, iterator: str) -> Any:
    body = PLACES[place] + text + TAIL + ("  return g\ng = make(IT)\n" if place == "a captured variable" else "")
    m = module_of(path, f"{HEAD}IT = {iterator}\nGB = B()\nGB.i = IT\n{body}")
    b = m.B()
    b.fs, b.i, b.l, m.B.ci = [m.keep], m.IT, [m.IT], m.IT
    return m, b


def check_drawn_once(path: Path, place: str, name: str, iterator: str) -> None:
    def plain(x: float) -> tuple[float, list[float]]:
        m, b = program_that_draws(path, place, DRAWING[name], iterator)
        return m.g(x, m.IT, b), list(m.IT)

    value, rest = plain(3.0)
    m, b = program_that_draws(path, place, DRAWING[name], iterator)
    y, d = withgradient(m.g, 3.0, m.IT, b)
    assert (y, list(m.IT)) == (value, rest)
    assert d[0] == pytest.approx((plain(3.0 + 1e-6)[0] - plain(3.0 - 1e-6)[0]) / 2e-6, rel=1e-6)


@pytest.mark.parametrize("name", DRAWING)
def test_items_are_drawn_once(tmp_path: Path, name: str) -> None:
    check_drawn_once(tmp_path, "an argument", name, ITERATORS["list"])


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("place", [*PLACES][1:])
def test_items_are_drawn_once_wherever_the_iterator_comes_from(tmp_path: Path, place: str, name: str) -> None:
    check_drawn_once(tmp_path, place, name, ITERATORS["list"])


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("kind", [*ITERATORS][1:])
def test_items_of_any_iterator_are_drawn_once(tmp_path: Path, kind: str, name: str) -> None:
    check_drawn_once(tmp_path, "an argument", name, ITERATORS[kind])


def test_forward_mode_draws_once(tmp_path: Path) -> None:
    m, b = program_that_draws(tmp_path, "an argument", DRAWING["sum"], ITERATORS["list"])
    assert pushforward(m.g, (3.0, m.IT, b), (1.0, None, None)) == (63.0, 42.0)


def test_back_may_be_called_twice(tmp_path: Path) -> None:
    m, b = program_that_draws(tmp_path, "an argument", DRAWING["for"], ITERATORS["list"])
    y, back = pullback(m.g, 3.0, m.IT, b)
    assert (y, back(1.0)[1], back(2.0)[1]) == (63.0, 42.0, 84.0)


# ---- all else that is seen outside


@contextlib.contextmanager
def settings_kept() -> Iterator[None]:
    options, errors, limit = np.get_printoptions(), np.geterr(), sys.getrecursionlimit()
    sys.setrecursionlimit(limit)
    stdin, sys.stdin = sys.stdin, io.StringIO("1\n2\n")
    try:
        yield
    finally:
        sys.stdin = stdin
        np.set_printoptions(**{k: v for k, v in options.items() if k != "override_repr"})  # type: ignore[arg-type]
        np.seterr(**errors)  # type: ignore[arg-type]
        sys.setrecursionlimit(limit)


def count(path: Path, name: str, run: Callable[..., Any], stored: bool) -> Any:
    """How often something was done by a run of the program that does it."""
    statement, counted = ACTING[name]
    m = module_of(path, f"{HEAD}{SETUP}def g(x, b):\n    k = x\n    {statement}{TAIL}")
    b = m.B()
    b.fs, b.p, b.q = [m.keep if stored else m.ident], print, m.note
    with settings_kept(), contextlib.redirect_stdout(m.OUT), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda *args, **kwargs: m.WARNED.append(args)
        run(m.g, 3.0, b)
        return eval(counted, {**vars(m), "LIMIT": sys.getrecursionlimit()})


@pytest.mark.parametrize("stored", [True, False], ids=["refused on its way", "not refused"])
@pytest.mark.parametrize("name", [name for name in ACTING if name != "setrecursion"])
def test_effects_happen_once(tmp_path: Path, name: str, stored: bool) -> None:
    plain = count(tmp_path, name, lambda g, *args: g(*args), stored)
    assert plain == count(tmp_path, name, gradient, stored)


@pytest.mark.parametrize("name", ["print", "warn", "helper", "print in list", "np.random.normal"])
def test_effects_happen_once_forward(tmp_path: Path, name: str) -> None:
    assert count(tmp_path, name, lambda g, x, b: pushforward(g, (x, b), (1.0, None)), True) == 1


# ---- functions that are handed on


def slopes(f: Callable[[Any], float], x: Any) -> Any:
    return np.array([(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(x.size)])


@pytest.mark.parametrize("use", ["max", "map", "sort", "nsmallest"])
@pytest.mark.parametrize("key", [key for key in HANDED if key != "exec"])
def test_what_a_handed_function_stores(tmp_path: Path, key: str, use: str) -> None:
    m = module_of(
        tmp_path,
        f"{HEAD}G = np.array([1.0, 2.0])\n{HANDED[key]}\n"
        "def f(x):\n    a = x * x\n    b = x[::-1] * 2.0\n    r0 = a * b\n    "
        f"{CALLING[use]}\n    return (r * r0).sum() + (b * b).sum() + G[0] * a.sum()\n",
    )

    def plain(x: Any) -> float:
        m.G[:] = 1.0, 2.0
        if hasattr(getattr(m, "s", None), "cache_clear"):
            m.s.cache_clear()
        return m.f(x.copy())  # type: ignore[no-any-return]

    x = np.array([1.3, 0.7])
    try:
        value, expected = plain(x), slopes(plain, x)
    except Exception as error:  # what is no key, or no function of numbers
        pytest.skip(repr(error))
    plain(x)
    m.G[:] = 1.0, 2.0
    if hasattr(getattr(m, "s", None), "cache_clear"):
        m.s.cache_clear()
    if key == "cmp_to_key":
        with pytest.raises(AdjointError, match="KeyWrapper"):
            withgradient(m.f, x)
        return
    y, (d,) = withgradient(m.f, x)
    assert y == value
    np.testing.assert_allclose(d, expected, rtol=1e-5, atol=1e-6)


# ---- what the tables of effects had wrong


SHOWN = {
    "an integer of NumPy as an index": "a = np.outer(x, x)\n    r = a[np.argmax(x)]\n    r[0] = x[0] * 3.0",
    "a scalar's class": "a = x * x\n    y = np.float64(a)\n    y[0] = 3 * x[1]",
    "no differences": "a = x * x\n    y = np.diff(a, 0)\n    y[0] = 3 * x[1]",
    "the first power": "a = np.outer(x, x)\n    y = np.linalg.matrix_power(a, 1)\n    y[0, 0] = 3 * x[1]",
    "a conjugate": "a = x * x\n    y = a.conj()\n    y[0] = 3 * x[1]",
    "no derivative": "a = x * x\n    y = np.polyder(a, 0)\n    y[0] = 3 * x[1]",
    "operands by subscripts": "a = np.outer(x, x)\n    y = np.einsum(a, [0, 1], [1, 0])\n    y[0, 1] = 3 * x[1]",
    "a real part": "a = x * x\n    y = np.real_if_close(a)\n    y[0] = 3 * x[1]",
}  # fmt: skip


@pytest.mark.parametrize("stored", ["", "tab['v'] = x\n    "], ids=["structured", "recorded"])
@pytest.mark.parametrize("name", SHOWN)
def test_a_store_into_what_shows_an_array(tmp_path: Path, name: str, stored: str) -> None:
    f = module_of(tmp_path, f"{HEAD}def f(x):\n    {stored}{SHOWN[name]}\n    return (a * a).sum()\n").f
    x = np.array([1.3, 0.7])
    y, (d,) = withgradient(f, x.copy())
    assert y == f(x.copy())
    np.testing.assert_allclose(d, slopes(lambda v: f(v.copy()), x), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("stored", ["", "tab['v'] = x\n    "], ids=["structured", "recorded"])
def test_what_scipy_may_overwrite(tmp_path: Path, stored: str) -> None:
    """The forward pass keeps `b`, which a call through which nothing flows then overwrites."""
    pytest.importorskip("scipy")
    text = "b = np.array([1.0, 2.0])\n    y = x * b\n    z = sl.solve(A, b, overwrite_b=True)\n    "
    text += "return y.sum() * z.sum()"
    head = f"{HEAD}import scipy.linalg as sl\nA = np.array([[2.0, 1.0], [1.0, 3.0]])\n"
    f = module_of(tmp_path, f"{head}def f(x):\n    {stored}{text}\n").f
    x = np.array([1.3, 0.7])
    y, (d,) = withgradient(f, x)
    assert y == f(x)
    np.testing.assert_allclose(d, [0.8, 1.6], rtol=1e-12)


STARS = {
    "a list": "sum([show(x), *map(show, [x, 2 * x]), show(3 * x), *map(show, [x])])",
    "a tuple": "(show(x), *map(show, [x, 2 * x]), show(3 * x))[1]",
    "a call": "max(*map(show, [x, 2 * x]), show(3 * x))",
    "a method": "'{}{}{}'.format(*map(show, [x, 2 * x]), show(x)) and x",
}


@pytest.mark.parametrize("text", STARS.values(), ids=STARS)
def test_stars_take_their_items_in_order(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = "def show(v):\n    print(v)\n    return v * v\n"
    f = module_of(tmp_path, f"{HEAD}{shown}def f(x):\n    tab['v'] = x\n    return {text}\n").f
    y = f(1.3)
    plain = capsys.readouterr().out
    assert withgradient(f, 1.3)[0] == y and capsys.readouterr().out == plain


FOUND_TEXT = """
IT = [None]
LOG = []
TABLE = {"sum": sum, "max": max}

def noting(v):
    LOG.append(v)
    return v * v

TABLE["noting"] = noting

def g(x):
    n = TABLE["sum"](IT[0])
    return n * TABLE["noting"](x)

def by_name(x):
    n = TABLE["max"](IT[0], default=0.0, key=None)
    return n * TABLE["noting"](x)

def by_stars(x):
    n = TABLE["sum"](*[IT[0]])
    return n * TABLE["noting"](x)
"""


@pytest.mark.parametrize(("name", "n"), [("g", 6.0), ("by_name", 3.0), ("by_stars", 6.0)])
def test_an_iterator_that_a_function_of_a_table_runs_through_is_used_up_once(
    name: str, n: float, tmp_path: Path
) -> None:
    m = module_of(tmp_path, FOUND_TEXT)
    for _ in range(3):
        m.IT[0] = iter([1.0, 2.0, 3.0])
        m.LOG.clear()
        assert withgradient(getattr(m, name), 2.0) == (4.0 * n, (4.0 * n,))
        assert next(m.IT[0], None) is None and m.LOG == [2.0]
