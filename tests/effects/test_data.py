"""Calls of installed libraries: those that read keep no program from its structure, all others are made once."""

from __future__ import annotations

import functools
import importlib.util
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ways import slope

from adjoint import grad, pullback
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import has_been_recorded
from adjoint.ops.data import leaves_reading, only_reads

TEXT = """
import numpy as np

class Meter:
    def __init__(self, *numbers):
        self.numbers = np.array(numbers)
        self.reads = 0

    def to_numpy(self, scale=1.0, inplace=False):
        self.reads += 1
        if inplace:
            self.numbers = self.numbers * 2.0
        return self.numbers * (scale(1.0) if callable(scale) else scale)

    def tolist(self):
        return self.numbers.tolist()

    def advance(self):
        self.numbers = self.numbers + 1.0
        return self.numbers

class Stream(Meter):
    def __next__(self):
        return self.numbers

    def to_numpy(self):
        return self.advance()

def to_numpy(meter):
    return meter.advance()
"""


@pytest.fixture(scope="module")
def meters(tmp_path_factory: pytest.TempPathFactory) -> types.ModuleType:
    """A library that is installed."""
    path: Path = tmp_path_factory.mktemp("lib") / "site-packages" / "meters.py"
    path.parent.mkdir()
    path.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("meters", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "meters", module)
        yield module


METER: list[Any] = []
LOG: list[str] = []


@pytest.fixture(autouse=True)
def _new(meters: Any) -> Iterator[None]:
    METER[:] = [meters.Meter(2.0, 3.0)]
    LOG.clear()
    return


def read(x):
    return (METER[0].to_numpy() * x * x).sum()


def read_as_list(x):
    return sum(v * x * x for v in METER[0].tolist())


def read_with_options(x):
    return (METER[0].to_numpy(2.0, inplace=False) * x * x).sum()


def read_by_a_function(x):
    return (numbers_of(METER[0]) * x * x).sum()


def read_by_a_function_in_a_loop(x):
    total = 0.0
    for k in range(3):
        total += (scaled(METER[0], 1.0 + k) * x * x).sum()
    return total


def numbers_of(meter):
    return meter.to_numpy()


def scaled(meter, k):
    out = np.zeros(2)
    for i, v in enumerate(meter.tolist()):
        if v > 2.5:
            out[i] = v
    return numbers_of(meter) * k + out


READING: list[Callable[[Any], Any]] = [
    read,
    read_as_list,
    read_with_options,
    read_by_a_function,
    read_by_a_function_in_a_loop,
]


@pytest.mark.parametrize("f", READING, ids=lambda f: f.__name__)
def test_what_reads_keeps_no_program_from_its_structure(f: Callable[[Any], Any]) -> None:
    for _ in range(3):
        assert grad(f)(1.3) == pytest.approx(slope(f, 1.3))
    y, back = pullback(f, 1.3)
    assert back(1.0) == back(1.0) and y == f(1.3)
    assert pushforward(f, (1.3,), (1.0,))[1] == pytest.approx(slope(f, 1.3))
    assert grad(grad(f))(1.3) == pytest.approx(slope(grad(f), 1.3))
    assert not has_been_recorded(f, (1.3,))


def advancing(x):
    return (METER[0].advance() * x * x).sum()


def told_to_store(x):
    return (METER[0].to_numpy(inplace=True) * x * x).sum()


def told_so_by_options(x):
    options = {"inplace": True}
    METER[0].to_numpy(**options)
    return (METER[0].to_numpy() * x * x).sum()


def told_so_before(x):
    functools.partial(METER[0].to_numpy, inplace=True)()
    return (METER[0].to_numpy() * x * x).sum()


def told_so_by_place(x):
    return (METER[0].to_numpy(1.0, True) * x * x).sum()


def handed_a_function(x):
    return (METER[0].to_numpy(noted) * x * x).sum()


def noted(v):
    METER[0].advance()
    return v


def advancing_in_a_function(x):
    return (advanced(METER[0]) * x * x).sum()


def advanced(meter):
    y = meter.to_numpy()
    meter.advance()
    return y + meter.to_numpy()


def noting_in_a_function(x):
    return (noted_numbers(METER[0]) * x * x).sum()


def noted_numbers(meter):
    LOG.append("read")
    return meter.to_numpy() * len(LOG)


def advancing_between(x):
    kept = METER[0].numbers
    y = (kept * x * x).sum()
    METER[0].advance()
    return y + (METER[0].to_numpy() * x).sum()


def stored_in_a_function(x):
    numbers = np.ones(2)
    y = (numbers * x * x).sum()
    fill(numbers, METER[0])
    return y + (numbers * x).sum()


def fill(out, meter):
    out[:] = out + meter.to_numpy()


def refused_after_a_read(x):
    y = METER[0].to_numpy() * x
    LOG.append("here")
    return float(np.array([METER[0].advance()[0] * x, y[1]]).sum())


ACTING: list[Callable[[Any], Any]] = [
    advancing,
    told_to_store,
    told_so_by_options,
    told_so_before,
    told_so_by_place,
    handed_a_function,
    advancing_in_a_function,
    noting_in_a_function,
    advancing_between,
    stored_in_a_function,
    refused_after_a_read,
]


@pytest.mark.parametrize("f", ACTING, ids=lambda f: f.__name__)
def test_what_acts_is_done_once(f: Callable[[Any], Any], meters: Any) -> None:
    def anew(x: float) -> Any:
        METER[:] = [meters.Meter(2.0, 3.0)]
        LOG.clear()
        return f(x)

    expected = slope(anew, 1.3)
    for _ in range(3):
        plain = anew(1.3)
        left = METER[0].numbers.tolist(), LOG.copy()
        METER[:] = [meters.Meter(2.0, 3.0)]
        LOG.clear()
        y, back = pullback(f, 1.3)
        assert y == pytest.approx(plain)
        assert (METER[0].numbers.tolist(), LOG) == left
        assert back(1.0)[1] == back(1.0)[1] == pytest.approx(expected)


def test_what_only_reads_is_told_by_class_and_name(meters: Any) -> None:
    meter, stream = meters.Meter(1.0), meters.Stream(1.0)
    assert only_reads(meter.to_numpy) and only_reads(meter.tolist)
    assert not only_reads(meter.advance) and not only_reads(stream.to_numpy)
    assert not only_reads(meters.to_numpy) and not only_reads(meters.Meter.to_numpy)

    class Own(meters.Meter):  # type: ignore[name-defined, misc]
        pass

    assert not only_reads(Own(1.0).to_numpy)
    meter.to_numpy = functools.wraps(meter.to_numpy)(lambda: LOG.append("read"))
    assert not only_reads(meter.to_numpy)
    meters.Meter.tolist = lambda self: LOG.append("list")
    assert not only_reads(meter.tolist)


@pytest.mark.parametrize("name", ["LazyFrame", "Expr", "Then", "Selector"])
def test_expressions_of_polars_are_deferred_by_their_bases(name: str, monkeypatch: Any) -> None:
    module: Any = types.ModuleType("polars.of_tests")
    module.__file__ = "site-packages/polars/of_tests.py"
    monkeypatch.setitem(sys.modules, module.__name__, module)
    of = {"__module__": module.__name__}
    plain, base = type("Frame", (), of), type("LazyFrame" if name == "LazyFrame" else "Expr", (), of)
    deferred = base if name == base.__name__ else type(name, (base,), of)
    assert leaves_reading([plain()], {}) and not leaves_reading([deferred()], {})


def test_values_that_a_call_is_given_leave_it_to_read_or_not() -> None:
    class Own:
        pass

    assert leaves_reading((1.0, "a", [2, {"b": None}], np.ones(2), float, np.mean, slice(3)), {"inplace": False})
    for x in (True, iter(""), lambda v: v, functools.partial(len), [print, noted], {"a": [(noted,)]}, Own(), Own):
        assert not leaves_reading((x,), {})
    for name in ("inplace", "in_place", "key"):
        assert not leaves_reading((), {name: noted if name == "key" else True})
