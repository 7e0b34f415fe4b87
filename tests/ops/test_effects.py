"""Every effect that a row says of an operation, and every question that is answered by it, compared with what a run
shows: none must deny it.

A claim says of an observed call that something cannot happen. A row is wrong where it did: the test then names the
call. Each claim is tried with a wrong row, too.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import itertools
import operator
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import numpy as np
import pytest

from adjoint.ir.nodes import Var
from adjoint.ops import OPS, Alloc, Keeps, Op, Returns, World, Write, find_op, holding, parameters_of
from adjoint.ops.numpy import INTO
from adjoint.ops.questions import bound_to, holds_items, of_numpy, possible, row_of, writing_names
from adjoint.recording.operations import native, outputs, ruled
from adjoint.recording.operations.base import HANDLERS, METHODS
from adjoint.rules import outside
from adjoint.rules.numpy.attributes import INACTIVE_ATTRIBUTES
from adjoint.rules.registry import RULES, find_rules
from adjoint.runtime.implicit_calls import may_change
from adjoint.transforms import aliases, effects, outs, plain_reader

from .observing import Observed, calls, observe, parts
from .tables import everything


@functools.cache
def observations() -> list[Observed]:
    """All calls that ran, of the samples of rules and of what is tried by hand."""
    found = (observe(f, args, kwargs) for f, args, kwargs in calls())
    return [o for o in found if o is not None]


def of_arrays(o: Observed) -> bool:
    """Whether all that the call is about are arrays of numbers: what is in a list, or an object, is the same there."""
    whole = not any(isinstance(x, dict | set) for x in o.values)
    return whole and not any(isinstance(p, np.ndarray) and p.dtype == object for p in parts(o.result))


def is_known(o: Observed) -> bool:
    return type(o.f).__hash__ is not None


def is_itself(o: Observed) -> bool:
    """Whether the result is an argument, or lies in the memory of one: not only what it holds."""
    tops = [o.result] if isinstance(o.result, np.ndarray | list | dict | set) else []
    if effects.of_numpy(o.f):
        tops += parts(o.result)
    given = [p for x in o.values for p in parts(x)]
    return any(_meet(a, b) for a in tops for b in given)


def _meet(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.dtype != object:
        return bool(a.size and b.size and np.shares_memory(a, b))
    return a is b


def writes(o: Observed) -> bool:
    s = o.call()
    in_place = is_known(o) and o.f in effects.IN_PLACE
    return in_place or effects.writes(o.f, list(s.args), [name for name, _ in s.kwargs])  # type: ignore[arg-type]


# ---- the claims of the rows: each gives whether the row denies what was observed


def told(o: Observed, *kinds: Any) -> set[int]:
    """The arguments of a call that its row names in effects of these kinds."""
    row = row_of(o.f)
    assert row is not None
    bound = bound_to(o.f, row, o.args, [*o.kwargs.items()])
    found = [e for e in holding(row.effects, bound) if isinstance(e, kinds) and (not isinstance(e, Keeps) or e.how)]
    return {i for e in found if e.ref for i in bound.places(e.ref)}


def row_says_written(o: Observed) -> bool:
    """`Write`: no other argument changes."""
    return bool(o.changed) and row_of(o.f) is not None and not o.changed <= told(o, Write)


def row_says_returned(o: Observed) -> bool:
    """`Returns`: the result is no other argument, holds none, and shows the memory of none."""
    if not o.shared or row_of(o.f) is None or effects.is_writer(o.f) or of_numpy(o.f) and not of_arrays(o):
        return False
    return not o.shared <= told(o, Returns, Alloc, Keeps, Write)


def row_says_new(o: Observed) -> bool:
    """`Alloc`: what is given to no `Returns` is not the result, and shares no memory with it."""
    known = bool(o.shared) and row_of(o.f) is not None
    return known and of_arrays(o) and is_itself(o) and not told(o, Returns) and not effects.is_writer(o.f)


# ---- the claims: each gives whether the table denies what was observed


def says_new(o: Observed) -> bool:
    """`is_new`: nobody else has the result."""
    return bool(o.shared) and effects.is_new(o.call(), o.f) and is_itself(o) and of_arrays(o)


def says_makes(o: Observed) -> bool:
    """`makes`: the same, where nothing but the call is known."""
    return bool(o.shared) and effects.makes(o.f, len(o.args), tuple(o.kwargs)) and is_itself(o) and of_arrays(o)


def says_gives_new(o: Observed) -> bool:
    """`gives_new`: the result of arithmetic is new."""
    return bool(o.shared) and effects.gives_new(o.call()) and is_itself(o)


def says_writes_not(o: Observed) -> bool:
    """`writes`: no argument changes."""
    return bool(o.changed) and not writes(o)


CONTAINERS = (operator.add, operator.mul, operator.or_, operator.concat, sum, np.copy)
"""Functions of which the types say that what they give is a list of the same items."""


def says_viewed(o: Observed) -> bool:
    """`viewed` and `holds_items`: the result shows no other argument than these."""
    if not o.shared or writes(o) or not of_arrays(o) or not is_known(o) or find_rules(o.f) is None:
        return False
    s = o.call()
    given = [*s.args, *(v for _, v in s.kwargs)]
    bundles = {a for a in given if isinstance(a, Var)}
    shown = effects.viewed(s, o.f, bundles, set())
    places = {i for i, a in enumerate(given) if any(a is v for v in shown)}
    if holds_items(o.f) or not any(isinstance(p, np.ndarray) for i in o.shared for p in parts(o.values[i])):
        return False
    return not o.shared <= places and o.f not in CONTAINERS and aliases.stored_into(s) is None


def says_looks(o: Observed) -> bool:
    """`looks`: the list itself is not kept in the result, and nothing changes but by an option that says so."""
    if not (o.changed or o.same) or not is_known(o):
        return False
    s = o.call()
    if not effects.looks(o.f, s.args, s.kwargs):
        return False
    if o.changed and (o.f in effects.IN_PLACE or effects.is_writer(o.f) or not writes(o)):
        return True
    return not writes(o) and of_arrays(o) and bool(o.same) and o.f is not operator.getitem


def says_view(o: Observed) -> bool:
    """`may_view`: a result of a function of NumPy lies in no memory of its arguments."""
    if not o.shared or not is_known(o) or ruled.may_view(o.f) or not o.args or not isinstance(o.args[0], np.ndarray):
        return False
    rules = find_rules(o.f)
    if rules is None or not rules.differentiable or writes(o) or not effects.of_numpy(o.f) or o.f in HANDLERS:
        return False
    name = getattr(o.f, "__name__", "")
    by_hand = (np.ndarray, name) in METHODS or o.f in TAKEN_APART or isinstance(o.f, np.ufunc)
    return not by_hand and of_arrays(o) and bool(o.shared) and ruled.is_view(o.result, o.values)


TAKEN_APART = {
    np.ndarray.view: "of another dtype, whose entries have no places of their own",
    np.ndarray.__array__: "is asked by NumPy alone",
    np.ndarray.__getitem__: "an operation of its own",
    np.asmatrix: "refused: matrices",
    np.poly1d.__pos__: "of polynomials",
    np.nan_to_num: "with `copy=False` it is refused",
    np.histogram_bin_edges: "the edges given are no numbers that flow",
}
"""Functions whose views are copied, as `ruled._apart` does for all others, and why."""


def says_out(o: Observed) -> bool:
    """`writes_out`: a function of NumPy writes into no argument; but for writers, which are operations of their own."""
    if not is_known(o) or not outputs.is_of_numpy(o.f) or not o.changed or find_rules(o.f) is None:
        return False
    by_option = any([isinstance(e, Write) and e.option for e in possible(o.f)])
    return not (by_option or effects.is_writer(o.f)) and not outputs.writes_out(o.f, o.args, o.kwargs)


def says_place(o: Observed) -> bool:
    """`place_of_out`: an array that is given there is the result, or was written."""
    at = outs.place_of_out(o.f)
    if at is None or len(o.args) <= at or not isinstance(o.args[at], np.ndarray) or o.args[at].size == 0:
        return False
    if getattr(o.f, "__module__", "") == "numpy.fft" or getattr(o.f, "__name__", "") in ("choose", "conj", "conjugate"):
        return False  # some of them take it and do not use it; `choose` has it among the arrays it chooses from
    return not o.changed and not o.shared


CLAIMS: tuple[Callable[[Observed], bool], ...] = (
    *(says_new, says_makes, says_gives_new, says_writes_not, says_viewed, says_looks, says_view, says_out, says_place),
    *(row_says_written, row_says_returned, row_says_new),
)


@pytest.mark.parametrize("denies", CLAIMS, ids=lambda f: f.__name__)
def test_no_table_denies_what_a_run_shows(denies: Callable[[Observed], bool]) -> None:
    wrong = sorted({str(o) for o in observations() if denies(o)})
    assert not wrong, "\n".join(wrong[:40])


def test_enough_is_observed() -> None:
    seen = observations()
    assert len(seen) > 8000 and len({id(o.f) for o in seen}) > 1000
    assert sum(bool(o.shared) for o in seen) > 500 and sum(bool(o.changed) for o in seen) > 200


# ---- iterators, the world, and the methods of objects


@functools.cache
def advancing() -> frozenset[Any]:
    """Functions that took an item from an iterator, at once or when their own result was asked for one."""
    found = set()
    kinds = ([0.5, 0.25], [1, 2, 3], [(0.5, 1.0)], ["a", "b"], [[1.0], [2.0]], [np.ones(2)])
    patterns: tuple[Callable[[Any], tuple[Any, ...]], ...] = (
        *(lambda i: (i,), lambda i: (1.0, i), lambda i: (i, 1.0), lambda i: (abs, i), lambda i: (",", i)),
        *(lambda i: (b"", i), lambda i: (i, float), lambda i: (np.ones(2), i), lambda i: ([1.0, 2.0], i)),
        *(lambda i: (i, i), lambda i: (lambda a, b: a, i), lambda i: ({}, i)),
    )
    for f in everything():
        for items, pattern in itertools.product(kinds, patterns):
            it: Any = iter(items)
            try:
                with np.errstate(all="ignore"), redirect_stdout(io.StringIO()):
                    y = f(*pattern(it))
                    if it.__length_hint__() == len(items) and hasattr(y, "__next__") and y is not it:
                        next(y)
            except Exception:  # noqa: S110 - how far it came is what counts
                pass
            if it.__length_hint__() != len(items):
                found.add(f)
                break
    return frozenset(found)


@pytest.mark.filterwarnings("ignore")
def test_what_is_said_to_run_through_nothing_draws_no_item() -> None:
    wrong = [f for f in advancing() if not outside.runs_through(f) and f is not iter]
    assert not wrong


def test_what_is_said_to_compute_prints_nothing_and_draws_nothing() -> None:
    """All samples of what is said only to compute leave the settings and the generators as they were."""
    wrong = []
    for o in observations():
        if is_known(o) and not outside.acts(o.f):
            out, state, errors = io.StringIO(), np.random.get_state()[1].tobytes(), np.geterr()  # type: ignore[index]
            options = np.get_printoptions()
            try:
                with redirect_stdout(out):
                    o.f(*o.args, **o.kwargs)
            except Exception:  # noqa: S110 - it has been changed by the first run
                pass
            same = state == np.random.get_state()[1].tobytes() and errors == np.geterr()  # type: ignore[index]
            if out.getvalue() or not same or str(options) != str(np.get_printoptions()):
                wrong.append(str(o))
    assert not wrong


class Probe:
    """Notes each special method that is called of it."""

    asked: list[str] = []


def _noting(name: str, y: Any) -> Any:
    def method(self: Any, *args: Any) -> Any:
        Probe.asked.append(name)
        return y

    return method


_RESULTS = {"len": 1, "bool": True, "hash": 1, "iter": iter(()), "str": "", "repr": "", "format": "", "index": 1}
for _name in (
    *(
        [
            "len",
            "bool",
            "hash",
            "iter",
            "str",
            "repr",
            "format",
            "index",
            "int",
            "float",
            "complex",
            "eq",
            "ne",
            "lt",
            "le",
            "gt",
            "ge",
            "contains",
            "getitem",
            "call",
            "abs",
        ]
    ),
    *(
        [
            "neg",
            "pos",
            "invert",
            "add",
            "radd",
            "mul",
            "rmul",
            "sub",
            "rsub",
            "getattr",
            "array",
            "next",
            "reversed",
            "round",
            "length_hint",
        ]
    ),
):
    setattr(Probe, f"__{_name}__", _noting(_name, _RESULTS.get(_name, 1)))
Probe.__getattr__ = lambda self, name: Probe.asked.append("getattr") or 1  # type: ignore[attr-defined]

ASKS_NOTHING = {
    "native._ASKS_NOTHING": native._ASKS_NOTHING,
    "plain_reader.ITSELF": plain_reader.ITSELF,
}


def asked_by(f: Any) -> list[str]:
    """The special methods of the probe that a function called; its texts are for who reads this."""
    found = []
    for args in ((Probe(),), (Probe(), int), (Probe(), "name"), (Probe, int)):
        Probe.asked.clear()
        with contextlib.suppress(Exception):
            f(*args)
            found += Probe.asked
    return found


@pytest.mark.parametrize("table", ASKS_NOTHING)
def test_what_is_said_to_ask_nothing_calls_no_method(table: str) -> None:
    assert {f: asked_by(f) for f in ASKS_NOTHING[table] if asked_by(f)} == {}


def test_attributes_of_arrays_that_hold_no_number() -> None:
    """They share no memory, and are the same whatever the numbers are."""
    a, b = np.arange(6.0).reshape(2, 3), np.arange(6.0, 12.0).reshape(2, 3)
    for name in INACTIVE_ATTRIBUTES:
        if hasattr(a, name):
            assert str(getattr(a, name)) == str(getattr(b, name)), name
            assert not any(np.shares_memory(a, part) for part in parts(getattr(a, name))), name
        assert effects._is_shape(name) or not hasattr(a, name)


OBJECTS: tuple[Callable[[], Any], ...] = (
    *(lambda: [3.0, 1.0, 2.0], lambda: {1: 2.0, 3: 4.0}, lambda: {1.0, 2.0}, lambda: bytearray(b"ab")),
    *(lambda: __import__("collections").deque([3.0, 1.0]), lambda: __import__("collections").OrderedDict(a=1, b=2)),
    *(lambda: __import__("collections").Counter("abca"), lambda: np.array([3.0, 1.0, 2.0]), lambda: np.arange(3)),
)
GIVEN: tuple[tuple[Any, ...], ...] = (
    *((), (1,), (0,), (1, 2.0), ([9.0],), ({9: 1.0},), ({1.0, 9.0},), (0, 9), (9,), ("a",), (True,), (b"z",), (3.0,)),
    *((slice(0, 1), [7.0]), (np.arange(3.0),), (7, np.float64)),
)


REMOVED = ("itemset", "newbyteorder", "ptp")
"""Methods of arrays that NumPy 2.0 to 2.2 list, and say of that they are no more."""


def changing_methods() -> set[str]:
    """The names of methods of containers and arrays that changed the object."""
    found = set()
    for make in OBJECTS:
        for name in dir(make()):
            for args in GIVEN:
                x, before = make(), make()
                if name in ("__class__", "tofile", "dump", "mT", *REMOVED) or not callable(getattr(x, name)):
                    continue
                try:
                    with np.errstate(all="ignore"):
                        getattr(x, name)(*args)
                except Exception:  # noqa: S110 - these are not its arguments
                    pass
                same = bool(np.array_equal(x, before)) if isinstance(x, np.ndarray) else x == before
                order = not isinstance(x, list | dict) or [*x] == [*before]
                if not same or not order:
                    found.add(name)
    return found


@pytest.mark.filterwarnings("ignore")
def test_methods_that_change_their_object_are_said_to() -> None:
    assert not changing_methods() - writing_names()


def test_methods_that_change_their_object_may_change_when_they_are_handed() -> None:
    for name in ("append", "sort", "update", "__setitem__", "__ior__", "popleft"):
        owners = [make() for make in OBJECTS if hasattr(make(), name)]
        assert all(may_change(getattr(x, name)) for x in owners), name


# ---- planted: each claim sees a wrong entry


def fails(denies: Callable[[Observed], bool]) -> bool:
    return any(denies(o) for o in observations())


NEW, LOOKS = (Alloc(),), ()
PLANTED: dict[Callable[[Observed], bool], dict[Any, Any]] = {
    row_says_written: {np.fill_diagonal: (), np.median: NEW, list.append: (), np.cumsum: NEW},
    row_says_returned: {np.reshape: NEW, np.diff: NEW, list.copy: NEW, max: (), dict.get: ()},
    row_says_new: {np.ravel: NEW},
    says_new: {np.reshape: NEW},
    says_makes: {np.ravel: NEW, np.asarray: NEW},
    says_gives_new: {operator.getitem: NEW},
    says_writes_not: {np.fill_diagonal: (), np.median: NEW},
    says_viewed: {list.copy: ()},
    says_looks: {operator.iadd: (), list.sort: (), dict.update: ()},
    says_view: {np.diff: NEW},
}
WRONG = [(denies, f, effects) for denies, rows in PLANTED.items() for f, effects in rows.items()]


@pytest.mark.parametrize(("denies", "f", "wrong"), WRONG)
def test_planted_rows_are_seen(denies: Callable[[Observed], bool], f: Any, wrong: Any, monkeypatch: Any) -> None:
    row = find_op(f)
    assert row is not None
    monkeypatch.setitem(OPS, id(f), row._replace(effects=wrong))
    ruled.may_view.cache_clear()
    assert any(denies(o) for o in observations() if o.f is f)
    monkeypatch.undo()
    ruled.may_view.cache_clear()


def test_each_effect_names_a_parameter() -> None:
    """Of the function, as its row or its signature says; of a ufunc's method the first one is its object."""
    for f, row in {(f, r) for r in OPS.values() for f in r.functions}:
        names = {"", "*", "self", *parameters_of(f, row).names, *keywords_of(row.functions[0])}
        effects_of = [e for e in possible(f) if not isinstance(e, World)]
        assert {e.ref for e in effects_of} | {e.option for e in effects_of} <= names | {"out", "output"}, f


def keywords_of(f: Any) -> set[str]:
    try:
        return {*inspect.signature(f).parameters}
    except (TypeError, ValueError):
        return {"key", "default", "start", "initial"}


SAME_LENGTH: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    *((list.sort, ([2.0, 1.0],)), (list.reverse, ([2.0, 1.0],)), (operator.setitem, ([1.0, 2.0], 0, 9.0))),
    *((dict.update, ({"a": 1.0}, {"a": 2.0})), (operator.setitem, ({"a": 1.0}, "a", 2.0))),
    *((bytearray.reverse, (bytearray(b"ab"),)), (operator.setitem, (np.array([None]), 0, 2.0))),
)


@pytest.mark.parametrize(("f", "args"), SAME_LENGTH)
def test_a_change_that_keeps_the_length_is_observed(f: Any, args: tuple[Any, ...]) -> None:
    found = observe(f, args, {})
    assert found is not None and found.changed == {0}


def test_planted_places_of_out_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "place_of_out", lambda f: None)
    assert fails(says_out)
    monkeypatch.setitem(OPS, id(np.cumsum), Op((np.cumsum,), INTO, "a out"))
    assert fails(says_writes_not)


@pytest.mark.filterwarnings("ignore")
def test_planted_functions_that_act_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "_STILL", outside._STILL | {sum})
    with pytest.raises(AssertionError):
        test_what_is_said_to_run_through_nothing_draws_no_item()
    monkeypatch.setitem(ASKS_NOTHING, "plain_reader.ITSELF", frozenset([len]))
    with pytest.raises(AssertionError):
        test_what_is_said_to_ask_nothing_calls_no_method("plain_reader.ITSELF")
    known = writing_names()
    monkeypatch.setitem(globals(), "writing_names", lambda: known - {"rotate"})
    with pytest.raises(AssertionError):
        test_methods_that_change_their_object_are_said_to()


def test_every_differentiable_function_of_numpy_is_observed() -> None:
    """But for those that are given functions, or texts that say what to do."""
    seen = {id(o.f) for o in observations()}
    public = [getattr(m, name) for m in (np, np.linalg, np.fft, np.ndarray) for name in dir(m)]
    wanted = [f for f in public if type(f).__hash__ is not None and f in RULES and RULES[f].differentiable]
    missing = {f.__name__ for f in wanted if id(f) not in seen}
    assert missing <= {
        "apply_along_axis",
        "apply_over_axes",
        "fromfunction",
        "piecewise",
        "vectorize",
        "frompyfunc",
        "to_device",
        "bmat",
        "from_dlpack",
        "block",
        "select",
        *("__float__", "byteswap", "recarray", "nested_iters"),
    }, missing


def test_functions_of_masked_arrays_write_where_their_ufunc_does() -> None:
    a = np.array([1.0, 2.0])
    np.ma.add(a, a, a)  # type: ignore[no-untyped-call]
    assert a.tolist() == [2.0, 4.0] and outs.place_of_out(np.ma.add) == 2
