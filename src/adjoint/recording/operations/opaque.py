"""Calls of what is not looked into: right as long as nothing has to flow through them.

They run as they are. What they may have been given, and what they may keep, is a *loss* (`recording.lost`): a cotangent
that flows to their result is one that nobody knows, and so is that of all they were given. It is an error only where it
reaches what is differentiated.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ...errors import AdjointError, MutationError, NotDifferentiableError, calling_place
from ...origin import is_users, is_users_class, module_of, own_name
from ...rules.registry import non_differentiable
from ...runtime.handed import check_handed, functions_in
from ...runtime.implicit_calls import PLAIN
from ...runtime.local_stores import all_code
from ...runtime.refusing import no_rule
from ...tangents import Unknown, tuple_like
from ...tangents.data import holds_data, in_data
from ...tangents.fields import contents_carried
from ...tangents.tables import is_table, memory_of
from ...tangents.unknown import refused
from ...tangents.windows import owner_of
from ...wrappers import held_by
from ..cuts import constant_name, noted
from ..lost import Loss, losses_in, note_lost, note_outside
from ..observer import refuse
from ..places import Held, check_proxy, gather_cotangent, place, scatter_cotangent
from ..reached import note_stored
from ..sweep import Sweep, is_valued
from .base import NOTHING, Back, Result, is_nonzero, is_passive, nothing
from .closed import closed, is_changing, numbers_in
from .contents import arrays_in, carries, contents_of, is_out_of_sight, items_of, library_fields
from .inspected import only_inspects
from .native import check_asked, checked
from .shown import at_users
from .stored import Stored, apart_from, changed_in, fields_held, identities_in, stored_since

Values = tuple[Any, ...]


def plain(f: Any, args: Values, kwargs: dict[str, Any]) -> Result:
    """A call through which nothing flows."""
    values, owner = (*args, *kwargs.values()), getattr(f, "__self__", None)
    note_views((owner, *values))
    if noted.open:
        note_stored(values, ())
    objects = [v for v in values if type(v) not in PLAIN and is_users_class(type(v))]
    contents = [contents_of(v) for v in objects]
    try:
        y, back = checked(f, args, kwargs)
    finally:  # what was changed before an exception has a derivative, too
        if objects and contents != [contents_of(v) for v in objects]:
            refuse(_changing(f))
    if (
        type(y) is np.ndarray
        and type(f) is types.FunctionType
        and _is_in(y, values)
        and is_users(f.__code__.co_filename)
    ):
        y = constant_name(y)  # what flows to an array goes by its place, and nothing flows here
    if isinstance(y, bytes | bytearray | memoryview) and any(map(carries, values)):
        return y, losing(no_rule(f), y, values, [place(v) for v in values])
    _bind(y, values if owner is None else (owner, *values))
    return y, found_in(y, values) or back


def _is_in(y: Any, values: Values) -> bool:
    """Tell whether a result lies in the memory of an argument."""
    owner = owner_of(y)
    return any([owner_of(a) is owner for a in arrays_in(values)])


def opaque(f: Any, args: Values, kwargs: dict[str, Any], error: AdjointError | None = None) -> Result:
    """A call of what has no rule and cannot be looked into; `error` is the refusal, if it is another one."""
    if _shows(f):
        return f(*args, **kwargs), nothing
    given = (*args, *kwargs.values())
    owner = getattr(f, "__self__", None)
    note_views((owner, *given))
    values = given if owner is None or isinstance(owner, types.ModuleType | type) else (owner, *given)
    held = (owner, *given) if issubclass(type(f), types.FunctionType | type) else (owner, *given, *held_by(f))
    keeps, inspects = own_name(f) in _KEEPING, only_inspects(f)
    if not keeps and not inspects:
        check_handed(f, held)
    handed = [] if keeps else list(functions_in(held))
    f, args, kwargs = at_users(f, args, kwargs)
    if not handed and all(map(is_passive, values)):
        y = f(*args, **kwargs)
        return y, read_in(y, values) or nothing
    check_asked(f, given)
    places = [place(v) for v in values]
    behind = [p for g in handed for p in places_behind(g)]
    watched = () if inspects else (*values, *_sharing(values))
    note_stored(watched, watched)
    contents, fields = [contents_of(v) for v in watched], None if inspects else fields_held(values, places)
    before = None if in_data(module_of(f)) else numbers_in(values)
    try:
        y = f(*args, **kwargs)
    except BaseException:
        if contents != [contents_of(v) for v in watched]:
            refuse(error or _changing(f))
        raise
    changed = [v for a, v in zip(contents, watched, strict=True) if a != contents_of(v)]
    if any(contents_carried(v) is None for v in changed):
        refuse(error or _changing(f))
        return y, nothing
    check_proxy(y)
    plain_ones = [v for v in values if library_fields(v) is None]  # an object may have made what it holds in this call
    if isinstance(y, np.ndarray) and any(owner_of(y) is owner_of(a) for a in arrays_in(plain_ones)):
        return y, nothing  # a view
    if error is not None:  # it may have stored what was there already
        changed += [v for v in watched if contents_carried(v) is not None and _is_given_more(v, values)]
    stored = [*([] if fields is None else stored_since(fields)), *changed_in(changed)]
    reads = behind or any([p is not None or is_valued(v) for p, v in zip(places, values, strict=True)])
    if not reads and not stored and not losses_in(values):
        return y, read_in(y, values) or nothing
    _bind(y, values)
    back = losing(error or no_rule(f, values), y, values, places, behind, stored)
    if before is not None and before != numbers_in(values) or is_changing(f, args, kwargs):
        for loss in losses_in([v for v in values if holds_data(type(v))]):
            loss.root().changed = True
    return y, back if len(values) == len(given) else _without_owner(back)


def _is_given_more(x: Any, values: Values) -> bool:
    """Tell whether a call is given other numbers, which it may store into an object."""
    return any([v is not x and (carries(v) or is_out_of_sight(v)) for v in values])


def losses_of(x: Any) -> list[Loss]:
    """The loss to which cotangents of an object out of sight go."""
    return (losses_in((x,)) or [note_outside(x)]) if is_out_of_sight(x) else []


def losing(
    error: AdjointError, y: Any, values: Values, places: list[Any], behind: Sequence[Any] = (), stored: Stored = ()
) -> Losing:
    """The reverse of a call that may have made its result, or what it keeps, of anything that it was given.

    `error` is the refusal of its derivative, `behind` are places of what the functions among the values read, `stored`
    the fields that the call stored.
    """
    loss, unknown = Loss(), refused(error)
    loss.give((*places, *behind), unknown)
    for known in losses_in([x for x in values if not isinstance(x, bytes | str)]):
        loss.join(known)
    read = losses_in([x for x in values if isinstance(x, bytes | str)])
    if behind or read or loss.into is not None or any(map(carries, values)):
        for x in (*closed(y), *[x for v in values for x in closed(v) if not isinstance(x, bytes | str)]):
            note_lost(x, loss)
    at = apart_from(place(y), {identity for p in places for identity in identities_in(p)})
    return Losing(unknown, loss, read, values, places, at, stored)


class Losing:
    """The reverse of a call that is not looked into: what is known of no operand flows to all of them."""

    __slots__ = ("at", "loss", "places", "read", "stored", "unknown", "values")

    def __init__(
        self, unknown: Unknown, loss: Loss, read: list[Loss], values: Values, places: list[Any], at: Any, stored: Stored
    ) -> None:
        self.unknown = unknown
        self.loss = loss
        self.read = read
        self.values = values
        self.places = places
        self.at = at
        self.stored = stored

    def __call__(self, sweep: Sweep, y_bar: Any) -> Any:
        flows = self.flows(sweep, y_bar)
        if sweep.lost is not None:
            return sweep.lost(self, flows)
        if not flows:
            return NOTHING
        return (None, *[_given(sweep, v, p, self.unknown) for v, p in zip(self.values, self.places, strict=True)])

    def flows(self, sweep: Sweep, y_bar: Any) -> bool:
        """Tell whether a cotangent comes to the result, or to what the call has kept."""
        found = is_nonzero(gather_cotangent(sweep, self.at, y_bar))
        for own, name, p in self.stored:
            found = is_nonzero(gather_cotangent(sweep, p, sweep.take(own, name))) or found
        if found:
            self.loss.reach(sweep)
        elif not self.loss.is_reached(sweep):
            return False
        for other in self.read:
            other.reach(sweep)
        return True


def _given(sweep: Sweep, x: Any, at: Any, found: Unknown) -> Any:
    """Let what is not known flow to a value; gives the part by value."""
    if at is not None:
        scatter_cotangent(sweep, at, found)
    return _all(x, found) if is_valued(x) else None


def _all(x: Any, found: Unknown) -> Any:
    """The cotangent of a number, or of a tuple, of which nothing is known."""
    if isinstance(x, tuple):
        return tuple_like(type(x), [_all(item, found) for item in tuple.__iter__(x)])
    return found if is_valued(x) else None


def _without_owner(back: Back) -> Back:
    """The same without the first operand, which is the object that a method is bound to."""

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        if len(d) > 1 and isinstance(d[1], Unknown):
            d[1].refuse()  # a number has no place from which it could flow on
        return (d[0], *d[2:])

    return reverse


def read_in(y: Any, values: Values) -> Back | None:
    """The reverse of reading `y` from objects, some of which may be out of sight: then they may be an argument's."""
    if is_valued(y) or isinstance(y, np.ndarray):
        for x in values:
            if is_out_of_sight(x) and not losses_in((x,)):
                note_outside(x)
    _bind(y, values)
    return found_in(y, values)


def note_views(values: Iterable[Any]) -> None:
    """Note the memory that views among these values show, which were made beforehand: what is read through one may be
    made of what was stored there."""
    for x in values:
        if type(x) is memoryview and isinstance(x.obj, np.ndarray) and not losses_in((x,)):
            note_outside(x).give([owner_of(x.obj)], refused(_seen_through()))


def _seen_through() -> NotDifferentiableError:
    return NotDifferentiableError(
        "what is read through a `memoryview` may be made of a number that is differentiated",
        "the view was made before, of an array that is stored into: which of its bytes are read is not known",
        "read the array itself, or `np.asarray(view)`",
        calling_place(),
    )


def _bind(y: Any, values: Values) -> None:
    """Note that what was read may be a part of what it was read from, or hold it: what is stored into one of them may
    be read from the others."""
    apart = not is_valued(y) or isinstance(y, tuple) or holds_data(type(y))
    parts = [x for x in closed(y) if _is_apart(x)] if apart else []
    arrays = [*_numbers_in(y)] if apart else []
    sources = [x for v in values for x in closed(v) if _is_apart(x)] if parts or arrays else []
    if not sources:
        return
    loss = Loss()
    for x in (*sources, *parts):
        note_lost(x, loss)
    for a in arrays:
        loss.read(a, refused(_shared(sources[0])))


def _numbers_in(x: Any, depth: int = 3) -> Iterator[Any]:
    """The arrays of numbers in a value, which may hold itself."""
    if isinstance(x, np.ndarray) and x.dtype.kind in "fc":
        yield x
    elif isinstance(x, list | tuple | dict) and depth:
        for item in items_of(x):
            yield from _numbers_in(item, depth - 1)


def bind_table(y: Any, values: Values) -> None:
    """The same of what a rule of labelled arrays gives, which may be a view of one, or lie in the memory of an array
    that the program stores into."""
    tables = [x for x in values if holds_data(type(x))]
    arrays = arrays_in(values)
    if not tables and not arrays:
        return
    owners = {id(owner_of(a)) for a in memory_of(y)}
    known = bool(owners) and all(map(is_table, tables))
    if tables and not (known and owners.isdisjoint([id(owner_of(a)) for x in tables for a in memory_of(x)])):
        _bind(y, values)
    shared = [a for a in arrays if id(owner_of(a)) in owners]
    if shared:
        loss = Loss()
        note_lost(y, loss)
        for a in shared:
            loss.read(a, refused(_shared(y)))


def _is_apart(x: Any) -> bool:
    """Tell whether an object keeps what it holds where nothing is known of it."""
    return not isinstance(x, bytes | str) and (holds_data(type(x)) or is_out_of_sight(x))


def _shared(x: Any) -> MutationError:
    name = f"{type(x).__module__}.{type(x).__qualname__}"
    return MutationError(
        f"a number is stored into an array that was read from a `{name}`",
        "the two may be one memory, so that what is read from there later may be made of it",
        "store into a copy: `np.array(a)`",
        calling_place(),
    )


def _sharing(values: Values) -> list[Any]:
    """Arrays that may share memory with something that is out of sight in these values, or of which one is a row."""
    rows = [v.base for v in values if isinstance(v, np.void) and isinstance(v.base, np.ndarray)]
    losses = losses_in([v for v in values if not isinstance(v, bytes | str)])
    return rows + [a for loss in losses for a in loss.arrays()]


def found_in(y: Any, values: Values) -> Back | None:
    """The reverse of reading `y` from where numbers may have gone; None where they have not."""
    losses = losses_in(values)
    if not losses:
        return None
    loss = losses[0]
    for x in closed(y):
        note_lost(x, loss)
    at = place(y)
    if at is None and not is_valued(y):
        return None

    def found_back(sweep: Sweep, y_bar: Any) -> Any:
        found = gather_cotangent(sweep, at, y_bar)
        if is_nonzero(found):
            for known in losses:
                known.reach(sweep)
        scatter_cotangent(sweep, at, found)  # it may have been stored by what is followed
        return NOTHING

    return found_back


def shared_with(owner: Any) -> list[tuple[Any, Any]]:
    """The arrays that an object out of sight may share memory with, and what is in them."""
    note_views((owner,))
    return [(a, contents_of(a)) for a in _sharing((owner,))]


def stored_out_of_sight(how: Any, owner: Any, value: Any, shared: list[tuple[Any, Any]]) -> Back:
    """The reverse of a store into an object of C code, before which that was in the arrays it may share memory with;
    the operand is the value."""
    if any(contents != contents_of(a) for a, contents in shared):
        refuse(_changing(how))
    back = losing(no_rule(how), None, (owner, value), [place(owner), place(value)])

    def store_back(sweep: Sweep, y_bar: Any) -> Any:
        return None, back(sweep, None)[2]

    return store_back


def places_behind(f: Any) -> Iterator[Any]:
    """The places of what a function reads besides its arguments: what it captures, and numbers of its module."""
    yield place(f)
    if isinstance(f, types.FunctionType):
        scope = f.__globals__
        names = [name for code in all_code(f.__code__) for name in code.co_names if carries(scope.get(name))]
        if names:
            yield Held(scope, "dict", tuple(names), tuple([place(scope[name]) for name in names]))


def _changing(f: Any) -> MutationError:
    return MutationError(
        f"`{getattr(f, '__name__', f)}` changes what it is given",
        "it is not looked into and has no rule, so that its derivative is not known",
        "change the values in Python, or write a rule for a function that gives new ones",
        calling_place(),
    )


def _shows(f: Any) -> bool:
    """Tell whether a method of a bar of tqdm only shows what it is told: items come out of a bar as they went in."""
    return own_name(f) in _SHOWING and module_of(f).startswith("tqdm.")


_SHOWING = frozenset(["set_postfix", "set_postfix_str", "set_description", "set_description_str", "write", "display"])
_KEEPING = frozenset(
    ["__setitem__", "__getitem__", "__delitem__", "__contains__", "__eq__", "__len__", "add", "discard", "remove"]
)
"""Methods of containers, which keep functions and call none."""


# What is found out about a call is no part of what it computes.
non_differentiable(_bind, _sharing, note_views, shared_with, places_behind, functions_in, held_by, losses_in)

__all__ = [
    "bind_table", "closed", "found_in", "is_out_of_sight", "losing", "losses_of", "note_views", "opaque", "plain",
    "read_in", "shared_with", "stored_out_of_sight",
]  # fmt: skip
