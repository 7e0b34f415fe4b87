"""Methods with the names of those of containers, and those of containers themselves, in programs as data."""

from __future__ import annotations

import heapq
import importlib.util
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from adjoint import grad, ir
from adjoint.ir.heaps import FUNCTIONS
from adjoint.ops.questions import mutators

NAMES = ["plus", *sorted(mutators())]
"""A name that no container has, and those of methods that change one."""
TEXT = """\
class With_{0}:
    def __init__(self, k):
        self.k = k

    def {0}(self, x):
        return x * self.k

def call_{0}(m, x):
    return m.{0}(x) - 1.0
"""


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """A module with a class for each name, which has a method of it, and a function that calls that."""
    path: Path = tmp_path_factory.mktemp("named") / "methods_by_name.py"
    path.write_text("\n\n".join([TEXT.format(name) for name in NAMES]))
    spec = importlib.util.spec_from_file_location("methods_by_name", path)
    assert spec is not None and spec.loader is not None
    module = sys.modules["methods_by_name"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules["methods_by_name"]


def noting(calls: list[str]) -> Any:
    def noted(fn: Any, *args: Any, **kwargs: Any) -> Any:
        calls.append(fn.__name__)
        return fn(*args, **kwargs)

    return noted


@pytest.mark.parametrize("typed", [False, True], ids=["any", "types"])
@pytest.mark.parametrize("name", NAMES)
def test_methods_of_users_are_calls_whatever_they_are_called(named: ModuleType, name: str, typed: bool) -> None:
    cls, f = getattr(named, f"With_{name}"), getattr(named, f"call_{name}")
    m, calls = cls(3.0), list[str]()
    program = ir.of(f, *((cls, float) if typed else ()))
    assert ir.function(program)(m, 2.0) == 5.0
    g = ir.function(ir.instrument(program, noting(calls)))
    assert g(m, 2.0) == 5.0 and [c for c in calls if c != "getattr"] == [name, "sub"]
    assert grad(g, argnums="x")(m, 2.0) == grad(f, argnums="x")(m, 2.0) == 3.0

    seen: list[tuple[str, int]] = []
    assert ir.run(program, m, 2.0, hook=lambda fn, _, __, y, d: seen.append((fn.__name__, d)), nested=True) == 5.0
    assert [at for at in seen if at[0] != "getattr"] == [("mul", 1), (name, 0), ("sub", 0)]
    if typed:
        assert ir.function(ir.replace_calls(program, {getattr(cls, name): lambda m, x: x}))(m, 2.0) == 1.0


def test_functions_of_heaps_have_no_name_of_a_method() -> None:
    assert not mutators() & FUNCTIONS.keys()


def lists(x: float) -> Any:
    rows: list[Any] = []
    rows.append(x * x)
    rows.extend([x, 3.0 * x])
    rows.insert(0, x)
    rows.reverse()
    last = rows.pop()
    rows.sort()
    return rows[0] * last


def carried(x: float) -> Any:
    rows: list[Any] = []
    for k in range(3):
        if k != 1:
            rows.append(x * k)
        else:
            rows.insert(0, x)
    return sum(rows) + rows[0] * x


def dicts(x: float) -> Any:
    d: dict[str, Any] = {}
    d.update(a=x)
    d.update({"b": x * x})
    d.setdefault("c", x)
    d.pop("a")
    return d["b"] * d["c"]


def sets(x: float) -> Any:
    s: set[int] = set()
    s.add(3)
    s.discard(2)
    return x * len(s)


def deques(x: float) -> Any:
    d: deque[Any] = deque()
    d.append(x)
    d.appendleft(x * x)
    return d.pop() * d.popleft()


def arrays(x: float) -> Any:
    a = np.zeros(3)
    a.fill(2.0)
    a.put(1, 7.0)
    a.sort()
    return x * a[2]


def heaps(x: float) -> Any:
    heap: list[Any] = []
    heapq.heappush(heap, x)
    heapq.heappush(heap, x * x)
    return heapq.heappop(heap) * 3.0


class Fields:
    k = 0.0


def stored(x: float) -> Any:
    o = Fields()
    setattr(o, "k", x * x)  # noqa: B010
    return o.k


def tried(x: float) -> Any:
    rows = []
    try:
        rows.append(x)
        rows.pop(5)
    except IndexError:
        rows.append(x * x)
    return sum(rows)


def inside(x: float) -> Any:
    rows = []

    def kept(v: Any) -> Any:
        more = []
        more.append(v)
        more.append(v * v)
        rows.append(v)
        return sum(more)

    return kept(x) + rows[0]


WRITTEN = {
    lists: "mul append mul extend insert reverse pop sort getitem mul",
    carried: "range ne mul append ne insert ne mul append sum getitem mul add",
    dicts: "update mul update setdefault pop getitem getitem mul",
    sets: "set add discard len mul",
    deques: "deque append mul appendleft pop popleft mul",
    arrays: "zeros fill put sort getitem mul",
    heaps: "heappush mul heappush heappop mul",
    stored: "Fields mul setattr",
    tried: "append pop mul append sum",
    inside: "kept append mul append append sum getitem add",
}
"""The calls of each function as its text has them."""
IN_IT = {inside: "kept getitem add", tried: "append mul sum"}
"""Those of the function itself that come to their end, where others are called."""


@pytest.mark.parametrize("f", WRITTEN)
def test_methods_of_containers_are_calls(f: Any) -> None:
    calls: list[str] = []
    program = ir.instrument(ir.of(f), noting(calls))
    g = ir.function(program)
    assert g(1.5) == f(1.5)
    assert " ".join([name for name in calls if name != "getattr"]) == WRITTEN[f]
    assert grad(g)(1.5) == grad(f)(1.5)
    assert ir.run(program, 1.5) == f(1.5)

    seen: list[str] = []
    assert ir.run(ir.of(f), 1.5, hook=lambda fn, *_: seen.append(getattr(fn, "__name__", ""))) == f(1.5)
    assert not {"call_method", "call_with"} & {*seen} and {*IN_IT.get(f, WRITTEN[f]).split()} <= {*seen}


@pytest.mark.parametrize("f", [sets])
def test_what_stays_a_call_in_a_program_for_types_goes_through(f: Any) -> None:
    calls: list[str] = []
    assert ir.function(ir.instrument(ir.of(f, float), noting(calls)))(1.5) == f(1.5)
    assert {"add", "discard"} <= {*calls}
