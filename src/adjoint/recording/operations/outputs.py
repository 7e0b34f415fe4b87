"""Results that functions write into arrays of the caller's: `out=` and `where=`.

What is stored comes in the place of what was there: the cotangent of a result is read from the shadow and taken away
there, then the operands are given theirs. An operand may lie in the same memory, so that the order counts.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...errors import MutationError, calling_place
from ...ops.questions import stores_early
from ...origin import module_of
from ...rules.calls import wide
from ...rules.elementwise import takes_whole
from ...rules.faithful import check_faithful
from ...rules.numpy.linear import bring_back, cast
from ...rules.reads import parameters_read
from ...rules.registry import find_rules, non_differentiable
from ...rules.rulesets import RuleSet
from ...runtime.effects import place_of_out
from ...runtime.targets import select
from ...tangents import Unknown, apply_partial, ghost, quietly, unbroadcast
from ...tangents.windows import DIFFERENTIABLE, Array, share_memory
from ..lost import losses_in
from ..memory import check_store, other_owners
from ..places import place, scatter_cotangent
from ..sweep import Sweep, is_valued
from .base import NOTHING, Back, Record, Result
from .contents import carries
from .conversions import SEQUENCES, check_numbers, is_of_numbers, object_stored
from .opaque import closed, losing, note_views
from .partly import wholly
from .ruled import snapshot

Values = tuple[Any, ...]


class Operand(NamedTuple):
    """An operand as it was when the operation ran: enough to give it its cotangent."""

    place: Any
    like: Any
    back: Back | None = None
    """Of an object that is not looked into: what flows to the numbers that NumPy has made of it is not known."""

    def give(self, sweep: Sweep, d: Any) -> Any:
        """Give the cotangent of what the operand was broadcast to; the result is the part by value."""
        if self.back is not None:
            return self.back(sweep, d)[1]
        return scatter_cotangent(sweep, self.place, d if type(d) is Unknown else bring_back(d, self.like))


def operand(x: Any) -> Operand | None:
    """None for what carries no derivative."""
    if isinstance(x, np.ndarray):
        return Operand(x, ghost(x)) if x.dtype.kind in DIFFERENTIABLE else None
    check_numbers(x)
    if isinstance(x, np.flatiter) or isinstance(x, SEQUENCES) and is_of_numbers(x):
        return Operand(place(x), snapshot(x)) if np.asarray(x).dtype.kind in DIFFERENTIABLE else None
    if is_valued(x):
        return Operand(None, x)
    values = (x, *closed(x))
    note_views(values)
    if not carries(x) and not losses_in(values):
        return None
    return Operand(None, x, losing(object_stored(), None, values, [place(v) for v in values]))


def kept(x: Any) -> Any:
    """An operand as it is now: a number, or an array of our own."""
    return np.array(x) if isinstance(x, np.ndarray | list | tuple) else x


def conj(x: Any) -> Any:
    """The complex conjugate, which for real numbers is the number itself."""
    return x.conjugate() if np.iscomplexobj(x) else x


def taken(sweep: Sweep, a: Array, mask: Any = None) -> Any:
    """Contents of the shadow of an array, where the mask is true; it is zero there afterwards."""
    if a.dtype.kind not in DIFFERENTIABLE:
        return None
    if mask is None:
        return sweep.take_array(a)
    shadow = sweep.shadow(a)
    if shadow is None or type(shadow) is Unknown:
        return shadow
    d = np.where(mask, shadow, 0)
    np.copyto(shadow, 0, where=mask)
    return d


def forgotten(a: Array, mask: Any = None) -> Back:
    """The reverse of a store of what has no derivative."""

    def forgotten_back(sweep: Sweep, y_bar: Any) -> Any:
        taken(sweep, a, mask)
        return NOTHING

    return forgotten_back


def places_stored(a: Array, index: Any) -> Any:
    """Mask of the places of an array that a store names; None where one shadow of its memory is all there is."""
    if not other_owners(a):
        return None
    stored = np.zeros(a.shape, bool)
    stored[index] = True
    return stored


def seen_by_all(a: Array, stored: Any, back: Back) -> Back:
    """The reverse of a store at these places, which all names of the memory see: what flows to these flows on by the
    name that the store knows."""
    if stored is None:
        return back
    others = other_owners(a)

    def seen_back(sweep: Sweep, y_bar: Any) -> Any:
        for owner in others:
            sweep.move_array(owner, a, stored)
        return back(sweep, y_bar)

    return seen_back


non_differentiable(operand, places_stored)


# ---- what a function writes into arrays of the caller's


def followed(
    f: Any, rules: RuleSet, call: Callable[[], Any], args: Values, kwargs: dict[str, Any], mask: Any = None
) -> Result | None:
    """`call()`, which writes `f(*args, **kwargs)` into arrays (where the mask is true); `back` gives the cotangents of
    these values. None if there is no rule for them: then nothing was called."""
    found = select(rules, args, kwargs)
    if found is None:
        return None
    values = (*args, *kwargs.values())
    places = [place(v) for v in values]
    method, _, slots = found
    prepared = _by_partials(f, method, args, kwargs, mask) or _by_rule(f, found, args, kwargs, places, mask)
    y = call()
    parts = y if isinstance(y, tuple) else (y,)
    back, models = prepared(y)
    flows = [_flows(model, part) for model, part in zip(models, parts, strict=True)]

    def followed_back(sweep: Sweep, y_bar: Any) -> Any:
        given = y_bar if isinstance(y, tuple) and y_bar is not None else (y_bar,) * len(parts)
        ds = [_result_bar(sweep, part, d, mask) for part, d in zip(parts, given, strict=True)]
        for d in ds:
            if type(d) is Unknown:
                flows_to = [p is not None or is_valued(v) for p, v in zip(places, values, strict=True)]
                return None, *[
                    scatter_cotangent(sweep, p, d if to else None) for p, to in zip(places, flows_to, strict=True)
                ]
        ds = [unbroadcast(d, model) if flow else None for d, model, flow in zip(ds, models, flows, strict=True)]
        if all([d is None for d in ds]):
            return NOTHING
        bars = back(tuple(ds) if isinstance(y, tuple) else ds[0])
        n = len(bars)
        return (
            None,
            *[scatter_cotangent(sweep, p, bars[i] if i < n else None) for p, i in zip(places, slots, strict=True)],
        )

    return y, followed_back


def _result_bar(sweep: Sweep, part: Any, d: Any, mask: Any) -> Any:
    if isinstance(part, np.ndarray):
        return taken(sweep, part, mask)
    return d if mask is None or np.all(mask) else None


def _flows(model: Any, part: Any) -> bool:
    """Tell whether the derivative of a result lives on in what it was cast to."""
    source, target = np.asarray(model).dtype, np.asarray(part).dtype
    return source.kind in DIFFERENTIABLE and (target.kind in "fc" or source == target)


def _by_rule(f: Any, found: Any, args: Values, kwargs: dict[str, Any], places: list[Any], mask: Any) -> Any:
    """The reverse by the whole rule, which is given copies."""
    method, picks, _ = found
    copies = [_copied(v, p) for v, p in zip((*args, *kwargs.values()), places, strict=True)]
    if isinstance(f, np.ufunc):
        kwargs = {name: v for name, v in kwargs.items() if name not in OF_CALL}
        copies = [_harmless(x, mask) for x in copies]
    keywords = {k: snapshot(v) for i, (k, v) in enumerate(kwargs.items(), start=len(args)) if i not in picks}

    def prepared(y: Any) -> Any:
        with np.errstate(all="ignore"):  # NumPy has warned already
            model, back = method.call(*[copies[i] for i in picks], **keywords)
        return back, [ghost(part) for part in model] if isinstance(y, tuple) else [ghost(model)]

    return prepared


def _copied(x: Any, at: Any) -> Any:
    """An operand for the rule, which runs besides the call: it draws from another generator in the same state."""
    return copy.deepcopy(x) if isinstance(x, GENERATORS) else snapshot(x) if at is not None else x


def _harmless(x: Any, mask: Any) -> Any:
    """An operand with ones where it is not used, of which no function makes anything infinite."""
    if mask is None or not isinstance(x, np.ndarray) or np.broadcast_shapes(x.shape, mask.shape) != x.shape:
        return x
    return np.where(mask, x, np.ones((), x.dtype))


def _by_partials(f: Any, method: Any, args: Values, kwargs: dict[str, Any], mask: Any) -> Any:
    """The reverse by the partials of an elementwise function, which keeps what these use; None if there are none, or if
    it is not known in which dtypes it computes."""
    partials = method.partials
    dtypes = dtypes_of(f, args, kwargs) if partials is not None and isinstance(f, np.ufunc) else None
    if dtypes is None or len(dtypes) != len(args) + 1:
        return None
    used = parameters_read(partials, len(args) + 1)
    converted = "dtype" in kwargs or "signature" in kwargs
    copies = [
        None if not use else np.array(x, dtype) if converted else wide(kept(x), takes_whole(partials))
        for x, dtype, use in zip(args, dtypes[:-1], used[:-1], strict=True)
    ]
    likes = [ghost(x) for x in args]
    singular = method.singular or mask is not None  # where nothing was computed, partials may be infinite

    def prepared(y: Any) -> Any:
        result = cast(np.array(y), dtypes[-1]) if used[-1] else None
        model = np.broadcast_to(np.zeros((), dtypes[-1]), np.shape(y))

        def partials_back(d: Any) -> list[Any]:
            ps = quietly(partials, *copies, result) if singular else partials(*copies, result)
            ps = ps if isinstance(ps, tuple) else (ps,)
            return [bring_back(apply_partial(d, p, singular), like) for p, like in zip(ps, likes, strict=True)]

        return partials_back, [model]

    return prepared


def dtypes_of(f: np.ufunc, args: Values, kwargs: dict[str, Any]) -> Values | None:
    """The dtypes of operands and results in which a ufunc computes; None if they are not known."""
    given = [type(x) if type(x) in (int, float, complex) else np.asarray(x).dtype for x in args]
    signature = kwargs.get("signature")
    if kwargs.get("dtype") is not None:
        signature = (*[None] * f.nin, *[np.dtype(kwargs["dtype"])] * f.nout)
    try:
        found: Values = f.resolve_dtypes((*given, *[None] * f.nout), signature=signature)
    except (TypeError, ValueError):
        return None
    return found if all([dtype.kind in "biufc" for dtype in found]) else None


GENERATORS = (np.random.Generator, np.random.RandomState)

OF_CALL = ("out", "where", "casting", "order", "dtype", "subok", "signature", "sig")
"""Keywords that say how a ufunc is called, not what it computes."""


def is_of_numpy(f: Any) -> bool:
    """Tell whether `out` of a function means what it means in NumPy."""
    if isinstance(f, np.ufunc) or isinstance(getattr(f, "__self__", None), np.ufunc):
        return True
    owner = getattr(f, "__objclass__", None)
    return owner is np.ndarray or owner is None and module_of(f).partition(".")[0] == "numpy"


def writes_out(f: Any, args: Values, kwargs: dict[str, Any]) -> bool:
    """Tell whether a call writes into `out`, or leaves places of its result as they were."""
    if isinstance(f, np.ufunc):
        return len(args) > f.nin or kwargs.get("out") is not None or kwargs.get("where", True) is not True
    return (kwargs.get("out") is not None or _out_by_position(f, args) is not None) and is_of_numpy(f)


def _out_by_position(f: Any, args: Values) -> int | None:
    at = place_of_out(f)
    return at if at is not None and at < len(args) and args[at] is not None else None


def check_apart(f: Any, a: Array, x: Any) -> None:
    """Raise `MutationError` if a function stores into memory that it has not read yet."""
    if isinstance(x, list | tuple):
        for item in x:
            check_apart(f, a, item)
    elif isinstance(x, np.ndarray) and np.may_share_memory(a, x) and share_memory(a, x):
        raise MutationError(
            f"`{f.__name__}` stores into memory that it reads",
            "what it finds there depends on how far it has come",
            "give it a copy: `np.array(a)`",
            calling_place(),
        )


@wholly
def with_out(record: Record, k: int, f: Any, args: Values, kwargs: dict[str, Any]) -> Result | None:
    """A call of a function of NumPy with `out`, or of a ufunc with `where`; of a method with its array in front.

    None if it is no such call, or if there is no rule for it: then nothing was called.
    """
    rules = find_rules(f) if writes_out(f, args, kwargs) else None
    if rules is None:
        return None
    mask = None
    if isinstance(f, np.ufunc):
        inputs, outs = args[: f.nin], [*args[f.nin :]]
        named = {name: v for name, v in kwargs.items() if name not in OF_CALL or name in ("dtype", "signature")}
        where = kwargs.get("where", True)
        mask = None if where is True else np.array(where, bool)
    else:
        at = _out_by_position(f, args)
        outs = [] if at is None else [args[at]]
        inputs = tuple([None if i == at else v for i, v in enumerate(args)])
        named = {name: v for name, v in kwargs.items() if name != "out"}
    out = kwargs.get("out")
    for a in (*outs, *(out if isinstance(out, tuple) else (out,))):
        if isinstance(a, np.ndarray):
            check_faithful(type(a))
            check_store(a)
            if stores_early(f):
                check_apart(f, a, (*inputs, *named.values()))
    if not rules.differentiable:
        y = f(*args, **kwargs)
        backs = [forgotten(a, mask) for a in (y if isinstance(y, tuple) else (y,)) if isinstance(a, np.ndarray)]
        return y, _all_of(backs)
    found = followed(f, rules, lambda: f(*args, **kwargs), inputs, named, mask)
    if found is None:
        return None
    y, back = found
    labels = {name: i for i, name in enumerate(named, start=len(inputs) + 1)}
    order = [*range(len(inputs) + 1), *[None] * (len(args) - len(inputs)), *[labels.get(name) for name in kwargs]]

    def with_out_back(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        return tuple([None if i is None else d[i] for i in order])

    return y, with_out_back


def _all_of(backs: list[Back]) -> Back:
    def all_back(sweep: Sweep, y_bar: Any) -> Any:
        for back in backs:
            back(sweep, None)
        return NOTHING

    return all_back


non_differentiable(dtypes_of, writes_out, is_of_numpy, check_apart)


__all__ = [
    "Operand", "check_apart", "conj", "followed", "forgotten", "kept", "operand", "taken", "with_out", "writes_out",
]  # fmt: skip
