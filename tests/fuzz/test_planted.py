"""Errors planted in the engine, in both ways of reversing: each is caught, by a program of a few lines.

Each plant takes one thing away that the engine must do: the rules stay as they are. A program that is right without it
must be found wrong with it; a third of the plants are left to random programs as well.
"""

from __future__ import annotations

import dataclasses
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from adjoint.codegen import forms, inlining
from adjoint.inspect import cache_clear
from adjoint.recording import cases, entry, statements, sweep
from adjoint.recording.operations import (
    array_calls,
    array_items,
    elementwise,
    functions,
    generators,
    items,
    lists,
    ruled,
)
from adjoint.tangents import as_dense, windows
from adjoint.transforms import cotangent_map, escape, reuse, reverse, saved, structural

from .judge import Wrong, judge
from .programs import FEATURES, HEAD, OWN, programs

Patch = pytest.MonkeyPatch


@dataclasses.dataclass(frozen=True)
class Planted:
    """An error: what it does to the engine, and a program by which it shows."""

    name: str
    plant: Callable[[Patch], None]
    body: str

    def __str__(self) -> str:
        return self.name


PLANTED: list[Planted] = []


def planted(name: str, body: str) -> Callable[[Any], Any]:
    """Declare a plant with the body of a function of two numbers, a list of three and an array of four."""

    def declare(plant: Callable[[Patch], None]) -> Any:
        PLANTED.append(Planted(name, plant, textwrap.dedent(body).strip()))
        return plant

    return declare


# ---- reversed in its structure


@planted("structured: the second use of a value takes the place of the first", "return n0 * n1 + math.sin(n0)")
def only_the_last_use(patch: Patch) -> None:
    def add(self: Any, key: Any, new: Any, v: Any) -> None:
        self.sums[key] = new

    patch.setattr(cotangent_map.CotangentMap, "_add", add)


ROUNDS = """
n = n0
for m in l0:
    n = math.sin(n * m) + n1
return n
"""


@planted("structured: what a loop began with gets no cotangent", ROUNDS)
def carried_dropped(patch: Patch) -> None:
    loop = reverse.Reverse.loop

    def without(self: Any, s: Any, F: Any) -> Any:
        half = loop(self, s, F)

        def back(B: Any) -> None:
            add = B.add
            B.add = lambda v, d, definite=True: None if v in s.inits else add(v, d, definite)
            half(B)
            del B.add

        return back

    patch.setattr(reverse.Reverse, "loop", without)


@planted("structured: a loop is reversed from the first round to the last", ROUNDS)
def rounds_forwards(patch: Patch) -> None:
    patch.setattr(saved, "reversed", list, raising=False)


@planted(
    "structured: the cotangents of a comprehension's items come the wrong way round", "return [m * n0 for m in l0][0]"
)
def items_forwards(patch: Patch) -> None:
    patch.setattr(cotangent_map.CotangentMap, "backwards", lambda self, d, like, name="": d)


BRANCHES = """
n = n0
for _ in range(3):
    if n > 0.2:
        n = n * n * 0.5
    else:
        n = math.cos(n)
return n * n1
"""


@planted("structured: a round keeps what a variable is after it, by which a branch is chosen again", BRANCHES)
def kept_too_late(patch: Patch) -> None:
    after: dict[Any, Any] = {}
    loop, bound = saved._loop, saved.bound

    def remembering(s: Any, mirror: Any, *rest: Any) -> Any:
        body = mirror.statement.body
        after.update(zip(body.params, body.results, strict=False))
        return loop(s, mirror, *rest)

    patch.setattr(saved, "_loop", remembering)
    patch.setattr(saved, "bound", lambda v, *rest: bound(after.get(v, v), *rest))


@planted(
    "structured: a branch is chosen by what its condition has become",
    """
    kept = []
    if kept:
        n = n0 * 2.0
    else:
        n = n0 * n1
    kept.append(n)
    return kept[0] * n0
    """,
)
def condition_now(patch: Patch) -> None:
    patch.setattr(reverse, "_stays", lambda cond: True)


# ---- stores in place

STORED_IN_PLACE = len(PLANTED)


@planted(
    "structured: a store changes an array of which what was before is read again",
    """
    v = a0 * 1.0
    w = v * v
    v[1] = w[0] * n0
    return (v * w).sum()
    """,
)
def stale_is_read(patch: Patch) -> None:
    patch.setattr(escape.Escape, "read", lambda self, v: None)


@planted(
    "structured: a store changes an array that somebody holds",
    """
    v = a0 * 1.0
    w = v[1:3]
    n = (w * w).sum()
    v[1] = n * n0
    return v[1] * v[2]
    """,
)
def held_is_changed(patch: Patch) -> None:
    patch.setattr(escape.Escape, "hold", lambda self, v, site: self.read(v))


@planted(
    "structured: all that reads an array asks for its shape alone",
    """
    v = a0 * 1.0
    w = np.sin(v)
    v[:2] = w[2:] * n0
    return (v * w).sum()
    """,
)
def shapes_are_all(patch: Patch) -> None:
    patch.setattr(escape, "reads_shape", lambda s, v: True)


@planted(
    "structured: nobody keeps an array that he was given",
    """
    v = a0 * 1.0
    n = n1
    for i in range(3):
        n = n + 0.5 * np.prod(v)
        v[i] = n * v[i + 1]
    return n * v[0]
    """,
)
def nobody_keeps(patch: Patch) -> None:
    patch.setattr(escape, "_looks", lambda s, v: True)


@planted(
    "structured: what has to be copied before a store is not",
    """
    v = a0 * 1.0
    n = n1
    for i in range(3):
        n = n + 0.5 * (v @ v)
        v[i] = n * v[i + 1]
    return n * v[0]
    """,
)
def copies_are_left_out(patch: Patch) -> None:
    patch.setattr(reuse._Rewriter, "copy", lambda self, how, x, s, into: x)


@planted(
    "structured: what a round made is taken for held by nobody in the next one",
    """
    v = a0 * n0
    s = (v * v).sum()
    for i in range(3):
        v[0] = n0
        v = v * 2.0
        s += (v * v).sum()
    return s
    """,
)
def given_on_freely(patch: Patch) -> None:
    patch.setattr(escape.Escape, "given_on", lambda self, s: {})


@planted(
    "structured: the cotangent that `back` is given is changed",
    """
    v = a0 * n0
    v[0] = v[1] * n1
    return v
    """,
)
def given_is_changed(patch: Patch) -> None:
    def itself(d: Any, like: Any) -> Any:
        return np.zeros(np.shape(like)) if d is None else d

    patch.setattr(as_dense, "__code__", itself.__code__)


@planted(
    "structured: what a store wrote over keeps its cotangent",
    """
    v = a0 * 1.0
    for i in range(3):
        v[i] = v[i + 1] * n0
    return v[0] * v[1]
    """,
)
def overwritten_keeps_its_bar(patch: Patch) -> None:
    def leaving(s: Any, whole: Any, B: Any) -> None:
        add = B.add_whole
        B.add_whole = lambda v, d: add(v, whole)
        version_back(s, whole, B)
        del B.add_whole

    version_back = structural.version_back
    patch.setattr(structural, "version_back", leaving)


@planted(
    "structured: an item is read before what is added to it changes its array",
    """
    v = a0 * n0
    v[:2] = v[0]
    return v.sum() * n1
    """,
)
def added_too_early(patch: Patch) -> None:
    found = inlining.form_of

    def plain(fn: Any) -> Any:
        form = found(fn)
        return form and dataclasses.replace(form, augmented=False)

    patch.setattr(inlining, "form_of", plain)


@planted(
    "structured: what is taken out of a cotangent is thought to be read",
    """
    v = a0 * n0
    v[:2] = v[0]
    return v.sum() * n1
    """,
)
def taking_is_reading(patch: Patch) -> None:
    patch.setattr(forms, "_TANGENTS", forms._TANGENTS | {"take_item"})


@planted(
    "structured: a store in a branch is forgotten after it",
    """
    v = a0 * 1.0
    w = v * v
    if n0 > 0.2:
        v[1] = n1
    else:
        v[0] = n0
    return (v * w).sum()
    """,
)
def branches_forget(patch: Patch) -> None:
    branches = escape.Escape.branches

    def forgetting(self: Any, s: Any) -> None:
        before, self.stale = self.stale, dict(self.stale)
        branches(self, s)
        self.stale = before

    patch.setattr(escape.Escape, "branches", forgetting)


@planted(
    "structured: an array that a loop collects is changed in the next round",
    """
    v = a0 * 1.0
    n = 0.0
    for i in range(3):
        n = n + (v * v * n1).sum()
        v[i] = n * 0.3
    return n
    """,
)
def collected_is_changed(patch: Patch) -> None:
    patch.setattr(escape.Escape, "asks_shape", lambda self, v: True)


# ---- recorded

RECORDED = len(PLANTED)

STORES = """
l0[0] = n0 * l0[1]
l0[0] = l0[0] * n1 + l0[2]
return l0[0] * l0[0]
"""


@planted("recorded: a store leaves the cotangent of what it wrote over", STORES)
def store_leaves_its_slot(patch: Patch) -> None:
    def take(self: Any, holder: Any, slot: Any) -> Any:
        return self.slots.get(id(holder), {}).get(slot)

    patch.setattr(sweep.Sweep, "take", take)


@planted(
    "recorded: a store into an array leaves the shadow of what it wrote over",
    """
    a0[0] = n0 * a0[1]
    a0[:2] = a0[0] * a0[2]
    return a0.sum()
    """,
)
def store_leaves_its_shadow(patch: Patch) -> None:
    write = array_items.write_array

    def leaving(owner: Any, index: Any, value: Any) -> Any:
        back = write(owner, index, value)

        def reverse(sweep: Any, y_bar: Any) -> Any:
            shadow = sweep.made_shadow(owner)
            before = shadow.copy()
            d = back(sweep, y_bar)
            shadow[...] = before
            return d

        return reverse

    patch.setattr(items, "write_array", leaving)


@planted(
    "recorded: a view's shadow lies one item further on",
    """
    b = a0[1:3]
    b *= n0
    return a0[1] * n1 + a0[0]
    """,
)
def view_further_on(patch: Patch) -> None:
    address = windows.address_of
    patch.setattr(windows, "address_of", lambda a: address(a) + (8 if a.size == 2 else 0))


@planted(
    "recorded: a view has a shadow of its own",
    """
    b = a0[1:3]
    b *= n0
    return a0[1] * n1
    """,
)
def view_alone(patch: Patch) -> None:
    patch.setattr(sweep.Sweep, "owner", lambda self, a: a)


@planted(
    "recorded: what `pop` moved goes back to the wrong places",
    """
    n = l0.pop(0)
    return n * n0 + l0[0] * n1 + l0[1]
    """,
)
def pop_off_by_one(patch: Patch) -> None:
    spread = lists.spread
    patch.setattr(lists, "spread", lambda sweep, holder, first, by: spread(sweep, holder, first + 1, by))


@planted(
    "recorded: an array that is kept is not a copy",
    """
    n = (a0 * a0).sum() * n0
    a0[:] = n1
    return n + a0[0]
    """,
)
def kept_by_reference(patch: Patch) -> None:
    patch.setattr(elementwise, "own_copy", lambda x: x)


@planted(
    "recorded: an array that a function is given is not a copy",
    """
    n = float(np.dot(a0, a0)) * n0
    a0[:] = n1
    return n + a0[0]
    """,
)
def given_by_reference(patch: Patch) -> None:
    patch.setattr(array_calls, "own_copy", lambda x: x)


@planted(
    "recorded: an array that lies otherwise is not a copy",
    """
    n = (a0[::-1] * a0[::2][0]).sum() * n0
    a0[:] = n1
    return n + a0[0]
    """,
)
def other_layouts_by_reference(patch: Patch) -> None:
    patch.setattr(ruled, "snapshot", lambda x: x)


@planted(
    "recorded: what a callee did before it raised is forgotten",
    """
    try:
        fails_late(l0, n0)
    except ValueError:
        pass
    return l0[0] * n1
    """,
)
def exception_path_dropped(patch: Patch) -> None:
    patch.setattr(functions, "unfinished", lambda back: lambda sweep, y_bar: (y_bar, *(None,) * 9))


@planted(
    "recorded: the value that an exception carries has no cotangent",
    """
    try:
        raise ValueError(n0 * n1)
    except ValueError as error:
        return error.args[0] * n0
    """,
)
def exceptions_carry_nothing(patch: Patch) -> None:
    add = sweep.Sweep.add

    def without(self: Any, holder: Any, slot: Any, d: Any) -> None:
        if not isinstance(holder, Exception):
            add(self, holder, slot, d)

    patch.setattr(sweep.Sweep, "add", without)


ASKED = """
g = asked(n0)
n = next(g)
return n + g.send(n1 * n) * n0
"""


@planted("recorded: what is sent into a generator gets no cotangent", ASKED)
def sent_is_lost(patch: Patch) -> None:
    code_of = cases.code_of

    def without(case: Any) -> list[str]:
        return [f"{cases.bar(case.out)} = None"] if case.kind == "resume" else code_of(case)

    patch.setattr(cases, "code_of", without)


@planted("recorded: a generator is begun anew at each of its stops", ASKED)
def generator_begins_anew(patch: Patch) -> None:
    def given(self: Any, sweep: Any, y_bar: Any) -> Any:
        running, _ = self._reverse(sweep, None)
        return None, self._run(sweep, running, y_bar), *(None,) * 8

    patch.setattr(generators.Tape, "given", given)


@planted(
    "recorded: the steps are gone through from the first to the last",
    """
    l0[0] = n0 * n1
    return l0[0] * n0
    """,
)
def steps_forwards(patch: Patch) -> None:
    make = cases.reverse_function

    def forwards(*args: Any) -> Any:
        function = make(*args)
        for node in function.body:
            if hasattr(node, "iter"):
                node.iter = node.iter.args[0]
        return function

    patch.setattr(statements, "reverse_function", forwards)


@planted(
    "recorded: a variable that is bound again keeps the cotangent of what it was",
    """
    l0[0] = n1
    n0 = n0 * n0
    return n0 * n1
    """,
)
def rebound_and_left(patch: Patch) -> None:
    by_back = cases._by_back

    def left(case: Any) -> list[str]:
        lines = by_back(case)
        if case.out == "n0":
            lines = [line.replace("n0_bar = add(d[0], ", "n0_bar = add(n0_bar, ") for line in lines]
        return lines

    patch.setattr(cases, "_by_back", left)


@planted(
    "recorded: what is noted of an operation twice is taken only once",
    """
    l0.append(n0)
    return next((m for m in l0 if m > 9.0), l0[0] * n1)
    """,
)
def noted_once(patch: Patch) -> None:
    adds = cases._adds

    def assigned(name: Any, d: str) -> list[str]:
        temporary = name is not None and name[0] == "t" and name[1:].isdigit()
        return [f"{cases.bar(name)} = {d}"] if temporary else adds(name, d)

    patch.setattr(cases, "_adds", assigned)


@planted(
    "recorded: an alias counts twice",
    """
    l9 = l0
    l9[0] = n0 * l0[0]
    return l9[0] * n1
    """,
)
def alias_counts_twice(patch: Patch) -> None:
    gather = entry.gather_cotangent

    def again(sweep: Any, at: Any, bar: Any) -> Any:
        found = gather(sweep, at, bar)
        return [None if d is None else 2.0 * d for d in found] if isinstance(found, list) else found

    patch.setattr(entry, "gather_cotangent", again)


@planted("recorded: a second `back` finds the generators as the first has left them", ASKED)
def sweeps_share_their_generators(patch: Patch) -> None:
    begin, shared = sweep.Sweep.__init__, {}  # type: ignore[var-annotated]

    def begun(self: Any, apart: Any = None) -> None:
        begin(self, apart)
        self.generators = shared

    patch.setattr(sweep.Sweep, "__init__", begun)
    patch.setattr(generators.Tape, "ended", lambda self, error=None: lambda sweep, y_bar: (y_bar, *(None,) * 9))


@planted(
    "recorded: a variable that functions share gets no cotangent from them",
    """
    def inner(m):
        nonlocal n0
        n0 = n0 * m
        return n0
    held = [inner]
    return held[0](n1) * n0
    """,
)
def shared_variables_forgotten(patch: Patch) -> None:
    add = sweep.Sweep.add

    def without(self: Any, holder: Any, slot: Any, d: Any) -> None:
        if not isinstance(holder, types.CellType):
            add(self, holder, slot, d)

    patch.setattr(sweep.Sweep, "add", without)


# ---- they are caught


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    yield
    cache_clear()


def source_of(body: str) -> str:
    return f"{HEAD}\ndef f(n0, n1, l0, a0):\n{textwrap.indent(body, '    ')}\n"


@pytest.mark.parametrize("error", PLANTED, ids=str)
def test_it_is_caught(error: Planted, monkeypatch: Patch, tmp_path: Path) -> None:
    source, way = source_of(error.body), error.name.partition(":")[0]
    assert judge(source, tmp_path, 1) in (way, "structured")  # what is reversed in its structure is recorded as well
    error.plant(monkeypatch)
    with pytest.raises(Wrong):
        judge(source, tmp_path, 1)


BY_CHANCE = {
    "carried_dropped": 40,
    "rounds_forwards": 60,
    "only_the_last_use": 40,
    "store_leaves_its_slot": 40,
    "pop_off_by_one": 400,
    "steps_forwards": 60,
    "shared_variables_forgotten": 100,
    "view_alone": 100,
    "rebound_and_left": 200,
    "stale_is_read": 60,
    "given_is_changed": 40,
    "overwritten_keeps_its_bar": 60,
}
"""Plants that random programs find, and among how many of them, the same in every run."""


@pytest.mark.parametrize("error", [e for e in PLANTED if e.plant.__name__ in BY_CHANCE], ids=str)
def test_it_is_caught_by_random_programs(error: Planted, monkeypatch: Patch, tmp_path: Path) -> None:
    features = frozenset[str]() if error.name.startswith("structured") else frozenset(FEATURES)
    if STORED_IN_PLACE <= PLANTED.index(error) < RECORDED:
        features = frozenset({OWN})
    error.plant(monkeypatch)

    @settings(
        max_examples=BY_CHANCE[error.plant.__name__],
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),
    )
    @given(programs(features, 6))
    def run(source: str) -> None:
        try:
            judge(source, tmp_path, 1)
        except Wrong:
            raise
        except Exception:  # with an error planted, much may be raised: what counts is what is wrong
            return

    with pytest.raises(Wrong):
        run()
