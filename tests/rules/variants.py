"""The inputs that are generated from a sample: precisions, layouts, lists, complex numbers, empty arrays."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from rules.sampling import Sample, normal

from adjoint import pullback
from adjoint.finite.differences import random_like
from adjoint.finite.structure import cotangent_like, duplicate, identical, rebuild
from adjoint.rules.knots import call_pullback, pullback_for
from adjoint.rules.registry import find_rules
from adjoint.tangents.fields import carried
from adjoint.testing import check_gradient, check_rule
from adjoint.testing.check import by_rule
from adjoint.testing.conditions import check_pullback

Convert = Callable[[Any], Any]


def variants(s: Sample) -> Iterator[Sample]:
    """The sample, and others that are made of it."""
    yield s
    once = s.but(order=1)
    if s.single:
        yield from converted(once, to_single, "float32")
        # Differences are taken in double precision, and are those of the sample itself.
        kept = once.but(differences=False)
        yield from [v for v in converted(kept, to_double, "longdouble") if is_taken(v)]
        yield from [v for v in converted(kept, to_half, "float16", objects=False) if is_taken(v)]
    if s.strided:
        yield from converted(once, to_strided, "strided")
        yield from converted(once, to_fortran, "Fortran")
    if s.lists:
        yield from [v for v in converted(once, to_list, "lists", objects=False) if is_taken(v, s)]
    if s.complex:
        yield from converted(s, to_complex, "complex")
    if s.empty:
        yield from converted(once, to_empty, "empty", objects=False)


def check(s: Sample) -> None:
    """Hold a sample and its variants to finite differences and to what a pullback has to keep."""
    for v in variants(s):
        try:
            with warnings.catch_warnings():
                if s.warns:
                    warnings.simplefilter("ignore")
                check_one(v)
        except Exception as error:
            error.add_note(f"variant: {v.variant or 'as it is'}; {v.label}")
            raise
    check_spellings(s)
    check_needs(s)


def check_needs(s: Sample) -> None:
    """Hold each cotangent to what it is where no other is needed: a rule that is told so may compute it otherwise."""
    if s.f is not s.of or len(s.args) < 2 or not takes_needs(s):
        return
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        _, all_bars = derived(s, call_pullback)
        for i, bar in enumerate(all_bars[: len(s.args)]):
            alone = pullback_for(False, *[i == j for j in range(len(s.args))])
            _, bars = derived(s, alone)
            assert identical(bars[i], bar, ulps=8), f"only argument {i} is needed; {s.label}"


def takes_needs(s: Sample) -> bool:
    """Whether the rule for such a call is told which cotangents are needed."""
    rules = find_rules(s.f)
    if rules is None or not rules.differentiable:
        return False
    method = rules.select(tuple(map(type, s.args)))
    return method is not None and "needs" in (getattr(method.call, "__kwdefaults__", None) or {})


AXES = ("axis", "axes", "axis1", "axis2", "source", "destination", "axisa", "axisb", "axisc")
"""Parameters that are axes."""


def check_spellings(s: Sample) -> None:
    """Hold a call to the same one with its axes written otherwise: the same value and the same cotangents."""
    first = None
    for v in spellings(s):
        if not is_taken(v, s):
            continue
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            first = first or derived(s)
            assert identical(derived(v), first, ulps=8), f"variant: {v.variant}; {v.label}"


def derived(s: Sample, differentiate: Any = pullback) -> Any:
    """The value of a call, and the cotangents of its arguments for a random one of the result."""
    args, kwargs = duplicate((s.args, s.kwargs))
    y, back = differentiate(s.f, *args, **kwargs)
    rng = np.random.default_rng(5)
    return y, back(cotangent_like(y, lambda leaf: random_like(leaf, rng)))[1:]


def spellings(s: Sample) -> Iterator[Sample]:
    """The call with each of its axes counted from the other end, as integers of NumPy's, and in another order. Whether
    they mean the same is seen by the value."""
    rules = find_rules(s.f)
    if rules is None or not rules.differentiable or not s.args or s.warns:
        return
    method = rules.select(tuple(map(type, s.args)))
    names = () if method is None else method.names
    arrays = [x for x in (*s.args, *s.args[0]) if isinstance(x, np.ndarray)] if is_sequence(s.args[0]) else s.args[:1]
    if not arrays or not all(np.size(x) > 1 for x in arrays):
        return
    ndim = np.ndim(arrays[0])
    places = [(i, name) for i, name in enumerate(names[: len(s.args)]) if name in AXES]
    given = [(i, s.args[i]) for i, _ in places] + [(name, x) for name, x in s.kwargs.items() if name in AXES]
    for place, axis in given:
        for variant, other in [(f"axis {x!r}", x) for n in (ndim, ndim + 1) for x in respelled(axis, n)]:
            args = tuple([other if i == place else x for i, x in enumerate(s.args)])
            yield s.but(args=args, kwargs={k: other if k == place else x for k, x in s.kwargs.items()}, variant=variant)


def is_sequence(x: Any) -> bool:
    return isinstance(x, list | tuple)


def respelled(axis: Any, ndim: int) -> Iterator[Any]:
    """Other ways to write an axis, or several, of so many."""
    if type(axis) is int:
        yield axis - ndim if axis >= 0 else axis + ndim
        yield np.int64(axis)
    elif is_sequence(axis) and all(type(x) is int for x in axis):
        yield type(axis)([x - ndim if x >= 0 else x + ndim for x in axis])
        yield type(axis)([np.int64(x) for x in axis])
        yield type(axis)(reversed(axis))
        yield list(axis) if type(axis) is tuple else tuple(axis)


def check_one(s: Sample) -> None:
    """Check one call: the rule by itself where there is one for it, else what is made of the program."""
    ruled = s.f is s.of and has_rule(s)
    options: dict[str, Any] = {"kwargs": s.kwargs, "rtol": s.rtol, "atol": s.atol, "constant": s.constant}
    if s.differences:
        options |= {"integers": s.integers, "smooth": s.smooth, "order": s.order}
        (check_rule if ruled else check_gradient)(s.f, *s.args, **options)
    else:
        with np.errstate(all="ignore"):
            differentiate = by_rule if ruled else pullback
            check_pullback(differentiate, s.f, *s.args, with_keywords=ruled, differences=False, **options)


def has_rule(s: Sample) -> bool:
    """Whether there is a rule for the types of the arguments, or one that says that nothing flows."""
    rules = find_rules(s.f)
    return rules is not None and (not rules.differentiable or rules.select(tuple(map(type, s.args))) is not None)


def is_taken(v: Sample, other: Sample | None = None) -> bool:
    """Whether the plain function takes such arguments: NumPy has no linear algebra in half precision, and lists are
    added otherwise than arrays. With `other`, the result must be its."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", DeprecationWarning)  # what is to go is not asked for
            y = v.f(*duplicate(v.args), **duplicate(v.kwargs))
            return other is None or identical(y, other.f(*duplicate(other.args), **duplicate(other.kwargs)))
    except (TypeError, AttributeError, ValueError, IndexError, BufferError, DeprecationWarning, RuntimeError):
        return False


def converted(s: Sample, convert: Convert, variant: str, objects: bool = True) -> Iterator[Sample]:
    """The call with its arrays converted, and with those of sparse matrices if `objects`, if that changes any."""
    changed: list[bool] = []

    def watched(x: Any) -> Any:
        y = convert(x)
        changed.append(y is not x)
        return y

    args = tuple([mapped(watched, x, objects) for x in s.args])
    kwargs = {name: mapped(watched, x, objects) for name, x in s.kwargs.items()}
    if any(changed):
        yield s.but(args=args, kwargs=kwargs, variant=variant)


def mapped(convert: Convert, x: Any, objects: bool) -> Any:
    """The structure with its arrays converted."""
    if isinstance(x, np.ndarray):
        return convert(x)
    if type(x) in (list, tuple):
        return type(x)([mapped(convert, item, objects) for item in x])
    if objects and carried(type(x)):
        return rebuild(lambda _, leaf: convert(leaf), x)
    return x


def of_kind(**kinds: Any) -> Convert:
    """A conversion by the kind of the dtype: f or c."""
    return lambda x: x.astype(kinds[x.dtype.kind]) if x.dtype.kind in kinds else x


to_single = of_kind(f=np.float32, c=np.complex64)
to_double = of_kind(f=np.longdouble, c=np.clongdouble)
to_half = of_kind(f=np.float16)


def to_strided(x: Any) -> Any:
    """The same values, read-only, in memory that is neither contiguous nor in order."""
    if x.dtype.kind not in "fc" or x.ndim == 0 or x.size == 0:
        return x
    spaced = np.repeat(np.flip(x), 2, axis=-1)
    view = np.flip(spaced[..., ::2])
    view.flags.writeable = False
    return view


def to_fortran(x: Any) -> Any:
    """The same values, column after column."""
    return np.asfortranarray(x) if x.dtype.kind in "fc" and min(x.shape[:2], default=0) > 1 and x.ndim > 1 else x


def to_list(x: Any) -> Any:
    """Nested lists of numbers."""
    return x.tolist() if x.dtype in (np.float64, np.complex128) and x.ndim and x.size else x


def to_complex(x: Any) -> Any:
    """The same real parts, with imaginary ones."""
    return x + 1j * normal(*x.shape, seed=7) * 0.5 if x.dtype.kind == "f" else x


def to_empty(x: Any) -> Any:
    """No item of the first axis."""
    return x[:0] if x.dtype.kind in "fc" and x.ndim else x
