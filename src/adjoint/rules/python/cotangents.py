"""The functions that reverse code is made of, so that it can be differentiated again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tangents import (
    Tangent,
    accumulate,
    add_at,
    added,
    added_if_any,
    along_partial,
    apart,
    apply_back,
    apply_partial,
    as_dense,
    as_dense_items,
    buffer_like,
    completed,
    densify,
    field_bar,
    instantiate_zeros,
    item_bar,
    new_tangent,
    one_like,
    outline,
    quietly,
    release,
    sum_of_product,
    tangent,
    tangents,
    tuple_like,
    unbroadcast,
    with_field,
    within,
    zeros_like,
)
from ...tangents.static import are_known, static_fields
from ...tangents.structural import class_of, fields_of
from ...tangents.tables import kind_of
from ...tangents.tuples import plain_tuple
from ..calls import are_flags, wide
from ..checked import like
from ..elementwise import products_of_singular, products_quietly
from ..knots import call_pullback, pullback_for
from ..registry import Back, Numeric, non_differentiable, rule, scalar_rule
from .iteration import place, source_of


@scalar_rule(accumulate)
def accumulate_partials(a, b, y):  # type: ignore[no-untyped-def]
    return 1, 1


@rule(accumulate, linear="*")
def accumulate_rule(a: Any, b: Any) -> tuple[Any, Back]:
    """`a + b`, where None is neutral."""
    m, n = outline(a), outline(b)

    def accumulate_back(y_bar: Any) -> tuple[Any, ...]:
        return within(y_bar, m), within(y_bar, n)

    return accumulate(a, b), accumulate_back


@rule(within, linear="d | of")
def within_rule(d: Any, of: Any) -> tuple[Any, Back]:
    """Give nothing to what lies outside."""

    def within_back(y_bar: Any) -> tuple[Any, ...]:
        return y_bar, None

    return within(d, of), within_back


@rule(unbroadcast, linear="d | like")
def unbroadcast_rule(d: Any, like: Any) -> tuple[Any, Back]:
    """Summing is adjoint to repeating."""

    def unbroadcast_back(y_bar: Any) -> tuple[Any, ...]:
        return None if d is None else rebroadcast(y_bar, d), None

    return unbroadcast(d, like), unbroadcast_back


@rule(sum_of_product, linear="d p | like")
def sum_of_product_rule(d: Any, p: Any, like: Any) -> tuple[Any, Back]:
    """Σ d p: each factor gets ȳ times the other."""

    def sum_of_product_back(y_bar: Any) -> tuple[Any, ...]:
        return unbroadcast(y_bar * p, d), unbroadcast(y_bar * d, p), None

    return sum_of_product(d, p, like), sum_of_product_back


def rebroadcast(y_bar: Any, like: Any) -> Any:
    """The adjoint of `unbroadcast`: ȳ repeated to the shape of `like`, or summed to it where that is smaller (or where
    there is nothing to be repeated).

    >>> import numpy as np
    >>> rebroadcast(2.0, np.zeros(2))
    array([2., 2.])
    """
    if isinstance(like, np.ndarray) and like.size > np.size(y_bar) > 0:
        y_bar = np.broadcast_to(y_bar, like.shape)
    return unbroadcast(y_bar, like)


@rule(rebroadcast, linear="y_bar | like")
def rebroadcast_rule(y_bar: Any, like: Any) -> tuple[Any, Back]:
    """Repeating is adjoint to summing."""

    def rebroadcast_back(d: Any) -> tuple[Any, ...]:
        return rebroadcast(d, y_bar), None

    return rebroadcast(y_bar, like), rebroadcast_back


@scalar_rule(apply_partial)
def apply_partial_partials(y_bar, p, d):  # type: ignore[no-untyped-def]
    return np.conj(p), y_bar


@rule(apply_partial, returns="elementwise", linear="y_bar p")
def apply_partial_rule(y_bar: Numeric, p: Numeric, singular: bool = False) -> tuple[Any, Back]:
    """d = ȳ conj(p), so its cotangent Δ gives Δ p for ȳ and conj(Δ) ȳ for p."""

    def apply_partial_back(d_bar: Any) -> tuple[Any, ...]:
        return (
            unbroadcast(apply_partial(d_bar, np.conj(p), singular), y_bar),
            unbroadcast(np.conj(d_bar) * y_bar, p),
            None,
        )

    return apply_partial(y_bar, p, singular), apply_partial_back


@rule(along_partial, returns="elementwise", linear="x_dot p | singular")
def along_partial_rule(x_dot: Numeric, p: Numeric, singular: bool = False) -> tuple[Any, Back]:
    """d = ẋ p, so its cotangent Δ gives conj(p) Δ for ẋ and conj(ẋ) Δ for p."""

    def along_partial_back(y_bar: Any) -> tuple[Any, ...]:
        of_dot = unbroadcast(apply_partial(y_bar, p, singular), x_dot)
        return of_dot, unbroadcast(apply_partial(y_bar, x_dot, singular), p), None

    return along_partial(x_dot, p, singular), along_partial_back


@rule(quietly)
def quietly_rule(f: Any, *args: Any) -> tuple[Any, Back]:
    """`f(*args)` without warnings, and its reverse without them."""
    y, back = quietly(call_pullback, f, *args)

    def quietly_back(y_bar: Any) -> tuple[Any, ...]:
        return quietly(back, y_bar)  # type: ignore[no-any-return]

    return y, quietly_back


@rule(products_quietly)
def products_quietly_rule(
    partials: Any, quick: Any, y_bar: Any, operands: Any, y: Any, needs: Any = None
) -> tuple[Any, Back]:
    """As of what does the same step by step."""
    ds, back = call_pullback(products_of_singular, partials, None, y_bar, operands, y, needs)

    def products_quietly_back(d_bars: Any) -> tuple[Any, ...]:
        return back(d_bars)[1:]

    return ds, products_quietly_back


@rule(add_at)
def add_at_rule(buffer: Any, index: Any, d: Any) -> tuple[Any, Back]:
    """`buffer[index] += d`, as a function of the old buffer."""
    flows = d is not None

    def add_at_back(y_bar: Any) -> tuple[Any, ...]:
        return y_bar, None, y_bar[index] if flows else None

    return add_at(buffer, index, d), add_at_back


@rule(added, added_if_any)
def added_rule(target: Any, index: Any, d: Any) -> tuple[Any, Back]:
    """`target[index] += d`, as a function of the old cotangent."""

    def added_back(y_bar: Any) -> tuple[Any, ...]:
        bar = None if d is None else item_bar(y_bar, index)
        return y_bar, None, unbroadcast(bar, d) if isinstance(target, np.ndarray) and bar is not None else bar

    return added_if_any(target, index, d), added_back


@rule(as_dense_items)
def started_items_rule(d: Any, like: Any) -> tuple[Any, Back]:
    """Nothing, or `d`."""

    def started_items_back(y_bar: Any) -> tuple[Any, ...]:
        return None if d is None else y_bar, None

    return as_dense_items(d, like), started_items_back


@rule(as_dense)
def started_rule(d: Any, like: Any) -> tuple[Any, Back]:
    """Nothing, or `d` repeated."""

    def as_dense_back(y_bar: Any) -> tuple[Any, ...]:
        return None if d is None else rebroadcast(y_bar, d), None

    return as_dense(d, like), as_dense_back


@rule(densify, linear="d | x")
def densify_rule(d: Any, x: Any) -> tuple[Any, Back]:
    """The zeros that it puts in are constants; of a real cotangent it makes a complex one for a complex number."""
    had, real = outline(d), type(x) is complex and isinstance(d, float)

    def densify_back(y_bar: Any) -> tuple[Any, ...]:
        return unbroadcast(y_bar, d) if real else within(y_bar, had), None

    return densify(d, x), densify_back


@rule(wide, linear="x | whole")
def wide_rule(x: Any, whole: bool = False) -> tuple[Any, Back]:
    """Numbers stay what they are, and integers the numbers that they are; through flags nothing flows."""
    moves = not are_flags(x)
    return wide(x, whole), lambda y_bar: (y_bar if moves else None, None)


@rule(completed, linear="d | y")
def completed_rule(d: Any, y: Any) -> tuple[Any, Back]:
    """The zeros that it puts in are constants."""
    had = outline(d)

    def completed_back(y_bar: Any) -> tuple[Any, ...]:
        return within(y_bar, had), None

    return completed(d, y), completed_back


@rule(Tangent, new_tangent)
def tangent_rule(cls: Any, fields: dict) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """The cotangent of a cotangent has its fields."""

    def tangent_back(y_bar: Any) -> tuple[Any, ...]:
        return None, fields_of(y_bar)

    return Tangent(cls, fields), tangent_back


@rule(fields_of)
def fields_of_rule(tangent: Tangent) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """The cotangents by field."""
    cls = class_of(tangent)

    def fields_of_back(y_bar: Any) -> tuple[Any, ...]:
        return (Tangent(cls, y_bar),)

    return fields_of(tangent), fields_of_back


@rule(Tangent.__getitem__)
def getitem_cotangent_rule(self: Any, name: str) -> tuple[Any, Back]:
    """`g["weights"]`."""
    cls = class_of(self)

    def getitem_cotangent_back(y_bar: Any) -> tuple[Any, ...]:
        return Tangent(cls, {name: y_bar}), None

    return self[name], getitem_cotangent_back


@rule(Tangent.__add__)
def add_cotangents_rule(self: Any, other: Any) -> tuple[Any, Back]:
    """`g + g`."""
    return accumulate_rule(self, other)


non_differentiable(Tangent.__iter__, Tangent.__len__, Tangent.__contains__, Tangent.__eq__, Tangent.__repr__)


@rule(tangent)
def tangent_by_names_rule(owner: Any, names: tuple, *bars: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """The cotangent of a cotangent has its fields."""

    def tangent_by_names_back(y_bar: Any) -> tuple[Any, ...]:
        return None, None, *[field_bar(y_bar, name) for name in names]

    return tangent(owner, names, *bars), tangent_by_names_back


@rule(tangents)
def tangents_rule(owners: list, names: tuple, *columns: Any) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """The cotangents of cotangents of records have their fields."""

    def tangents_back(y_bar: Any) -> tuple[Any, ...]:
        return None, None, *[[field_bar(d, name) for d in y_bar] for name in names]

    return tangents(owners, names, *columns), tangents_back


@rule(with_field)
def with_field_rule(d: Any, name: str, value: Any, owner: Any) -> tuple[Any, Back]:
    """A field of a tangent is replaced: the others are as they were."""

    def with_field_back(y_bar: Any) -> tuple[Any, ...]:
        rest = {k: v for k, v in fields_of(y_bar).items() if k != name}
        return (Tangent(class_of(y_bar), rest) if rest and d is not None else None), None, field_bar(y_bar, name), None

    return with_field(d, name, value, owner), with_field_back


@rule(instantiate_zeros, linear="d")
def or_zero_rule(d: Any) -> tuple[Any, Back]:
    """`d`, or 0 if nothing flowed."""
    flows = d is not None

    def or_zero_back(y_bar: Any) -> tuple[Any, ...]:
        return (y_bar if flows else None,)

    return instantiate_zeros(d), or_zero_back


@rule(apply_back)
def apply_back_rule(back: Any, d: Any, n: int, *, needs: Any = None) -> tuple[Any, Back]:
    """`back(d)`, unless nothing flowed (and `back` waits for nothing that flows elsewhere)."""
    if d is None and not getattr(back, "always", False):

        def nothing_back(_: Any) -> tuple[Any, ...]:
            return None, None, None

        return apply_back(back, d, n), nothing_back
    pull = call_pullback if needs is None or needs[0] else pullback_for(False, True)
    y, back_of_back = pull(back, d)

    def apply_back_back(y_bar: Any) -> tuple[Any, ...]:
        back_bar, d_bar = back_of_back(y_bar)
        return back_bar, d_bar, None

    return y, apply_back_back


@rule(field_bar, linear="d")
def field_bar_rule(d: Any, name: str) -> tuple[Any, Back]:
    """One field of a cotangent."""
    cls = class_of(d) if isinstance(d, Tangent) else type(d)
    names = getattr(cls, "_fields", ())

    def field_bar_back(y_bar: Any) -> tuple[Any, ...]:
        if d is None:
            return None, None
        if isinstance(d, Tangent):
            return Tangent(cls, {name: y_bar}), None
        return tuple_like(cls, [y_bar if field == name else None for field in names]), None

    return field_bar(d, name), field_bar_back


@rule(item_bar, linear="d | key")
def item_bar_rule(d: Any, key: Any) -> tuple[Any, Back]:
    """One item of a cotangent."""
    source = None if d is None or isinstance(d, dict | np.ndarray | np.generic) else source_of(d)

    def item_bar_back(y_bar: Any) -> tuple[Any, ...]:
        if d is None:
            return None, None
        if isinstance(d, dict):
            return {key: y_bar}, None
        return add_at(buffer_like(d), key, y_bar) if source is None else place(source, key, y_bar), None

    return item_bar(d, key), item_bar_back


non_differentiable(buffer_like, one_like, zeros_like, class_of, pullback_for, outline, plain_tuple)
non_differentiable(are_known, kind_of, static_fields)


@rule(release, linear="d | x taken zeros")
def release_rule(d: Any, x: Any, taken: Any, zeros: bool = True) -> tuple[Any, Back]:
    """Copies change nothing of what flows, and the zeros that it puts in are constants."""
    had = outline(d)
    return release(d, x, taken, zeros), lambda y_bar: (within(y_bar, had), None, None)


@rule(like, linear="bar | x")
def like_rule(bar: Any, x: Any) -> tuple[Any, Back]:
    """A cotangent in the precision of its argument: the same numbers."""
    return like(bar, x), lambda y_bar: (like(y_bar, bar), None)


@rule(apart)
def apart_rule(bars: Any, args: Any) -> tuple[Any, Back]:
    """Copies change nothing of what flows."""
    return apart(bars, args), lambda y_bar: (y_bar, None)
