"""Libraries whose functions choose other functions, and call these: they are written out, where nothing else acts."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from ways import slope

from adjoint import grad, value_and_grad
from adjoint.derivatives import choice
from adjoint.derivatives.choice import is_structured_call

LIBRARY = """
import importlib
from functools import partial

import numpy as np

SEEN = []


class Table:
    def __init__(self, values):
        self.values = values


def slow(x, year):
    module = importlib.import_module("nowhere")
    return module.compute(x, year)


def plain(x):
    return x if np.isscalar(x) else np.asarray(x).item()


def converters(day, year):
    if isinstance(day, Table):
        def to_day(x):
            return SEEN.append(x)
        to_time, to_output = slow, Table
    elif np.isscalar(day):
        def to_day(x):
            return x
        to_time, to_output = partial(slow, year=year), plain
    else:
        def to_day(x):
            return x
        to_time, to_output = partial(slow, year=year), np.asarray
    return to_day, to_time, to_output


def radiation(day, constant=1366.1, method="Series", year=2014, **kwargs):
    to_day, to_time, to_output = converters(day, year)
    method = method.lower()
    if method == "series":
        angle = 2.0 * np.pi * to_day(day) / 365.0
        ratio = 1.0 + 0.034 * np.cos(angle)
    elif method == "slow":
        ratio = to_time(day)
    else:
        raise ValueError(method)
    return to_output(constant * ratio)


def mass(angle, model="simple"):
    z = np.where(angle > 90, np.nan, angle)
    if model == "simple":
        return 1.0 / np.cos(np.radians(z))
    raise ValueError(model)


def scaled(m, p=2.0):
    return m * p / 101325


def noting(kind):
    SEEN.append(kind)

    def f(x):
        return x * 2.0

    return f


def counted(kind):
    n = [0]

    def f(x):
        n[0] += 1
        SEEN.append(n[0])
        return x * n[0]

    return f if kind else (f, f)


def twice(x):
    f = counted("one")
    return f(x) + f(x)


def noted(x):
    return noting("kind")(x)


def tables(n, chosen=None):
    a = np.zeros(n)
    pick = converters(n, 2000)[0]
    view = a[1:]
    view += pick(n)
    a[0] = view[0] if chosen is None else chosen(a)
    return a


def rebinding(x):
    def f(v):
        return v

    g = f
    f = lambda v: v * 3.0
    return f(x) + g(x)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    file: Path = tmp_path_factory.mktemp("lib") / "site-packages" / "installed_choices.py"
    file.parent.mkdir()
    file.write_text(LIBRARY)
    spec = importlib.util.spec_from_file_location("installed_choices", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["installed_choices"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["installed_choices"]


def check(f: Any, x: float = 1.5) -> None:
    choice.forget()
    for _ in range(2):
        value, d = value_and_grad(f)(x)
        assert value == f(x)
        assert d == pytest.approx(slope(f, x), rel=1e-5)


def test_what_is_chosen_is_known(library: ModuleType) -> None:
    def f(x: Any, day: Any = 172) -> Any:
        return np.maximum(x / library.radiation(day), 0.0) * x

    check(f)
    assert is_structured_call(f, (1.5,))
    assert is_structured_call(f, (1.5, 173.0))
    check(lambda x: f(x, 12.5))
    check(lambda x: f(x, np.float64(12.5)))
    assert not library.SEEN


def test_arrays_that_a_library_computes_have_types(library: ModuleType) -> None:
    def f(x: Any) -> Any:
        m = library.mass(40.0)
        return x * x * library.scaled(m, 1.3)

    check(f)
    assert is_structured_call(f, (1.5,))


def test_other_choices_are_those_of_python(library: ModuleType) -> None:
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        grad(lambda x: x * library.radiation(172, method="slow"))(1.5)
    with pytest.raises(ValueError, match="other"):
        grad(lambda x: x * library.radiation(172, method="Other"))(1.5)
    f = lambda x: x * library.radiation(np.array([172.0]))  # noqa: E731
    np.testing.assert_allclose(value_and_grad(lambda x: f(x)[0])(1.5)[1], f(1.0)[0])


@pytest.mark.parametrize("name", ["twice", "noted"])
def test_what_acts_is_done_once(library: ModuleType, name: str) -> None:
    plain = getattr(library, name)

    def f(x: Any) -> Any:
        return x * plain(3.0) + x * plain(2.0)

    library.SEEN.clear()
    f(1.5)
    seen = [*library.SEEN]
    for _ in range(3):
        library.SEEN.clear()
        value, d = value_and_grad(f)(1.5)
        assert seen == library.SEEN
        assert (value, d) == (f(1.5), f(1.0))


def test_names_that_are_bound_anew(library: ModuleType) -> None:
    check(lambda x: x * x * library.rebinding(2.0))


def test_stores_of_a_library_stay_its_own(library: ModuleType) -> None:
    def f(x: Any) -> Any:
        return np.sum(x * library.tables(3))

    x = np.array([0.5, 1.2, -0.3])
    choice.forget()
    expected = [(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    for _ in range(2):
        np.testing.assert_allclose(grad(f)(x), expected, rtol=1e-6)
