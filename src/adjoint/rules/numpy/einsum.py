"""`np.einsum`: y = Σ of products of operands, so the cotangent of each is the einsum of ȳ with the others."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import functools
import math
import string
from typing import Any

import numpy as np

from ...tangents import ghost, lane_zeros, stops_at, unbroadcast
from ..registry import Back, non_differentiable, rule
from .lifting import refuse_out
from .linear import bring_back, cast


@rule(np.einsum, linear="*operands*")
def einsum_rule(*operands: Any, out=None, optimize=False, needs=None, **kwargs):
    """y = Σ a b ... over the indices that the output does not have."""
    refuse_out(out)
    y = np.einsum(*operands, optimize=optimize, **kwargs)
    if isinstance(operands[0], str):
        subscripts, values, first, step = operands[0], operands[1:], 1, 1
    else:
        end = len(operands) // 2 * 2
        values, first, step = operands[:end:2], 0, 2
        subscripts = _from_lists(operands[1:end:2], operands[end] if len(operands) % 2 else None)
    if stops_at(values, y):
        return y, lambda y_bar: (None,) * len(operands)
    arrays = [np.asarray(value) for value in values]
    ndims = tuple([a.ndim for a in arrays])
    inputs, output, used, order = _plan(subscripts, ndims, needs, len(operands), first, step)
    kept = [a if use else ghost(a) for a, use in zip(arrays, used, strict=True)]
    likes = [None if type(value) is np.ndarray else value for value in values]

    def einsum_back(y_bar):
        return tuple(
            [None if k is None else _brought(operand_bar(y_bar, k, inputs, output, kept), likes[k]) for k in order]
        )

    return y, einsum_back


def _from_lists(lists: Any, output: Any) -> str:
    """The subscripts of the form `np.einsum(a, [0, 1], b, [1, 2], [0, 2])`."""

    def text(items: Any) -> str:
        return "".join("..." if i is ... else string.ascii_letters[i] for i in items)

    inputs = ",".join(map(text, lists))
    return inputs if output is None else f"{inputs}->{text(output)}"


def indices_of(subscripts: str, ndims: list[int]) -> tuple[list[str], str]:
    """One letter for each axis of the operands and of the result: no ellipsis, and the result written out.

    >>> indices_of("i...,ij", [3, 2])
    (['iYZ', 'ij'], 'YZj')
    """
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    free = [letter for letter in reversed(string.ascii_letters) if letter not in subscripts]
    extra = [n - len(term.replace("...", "")) if "..." in term else 0 for term, n in zip(terms, ndims, strict=True)]
    longest = max(extra)
    names = "".join(sorted(free[:longest]))
    inputs = [term.replace("...", names[longest - n :]) for term, n in zip(terms, extra, strict=True)]
    if arrow:
        return inputs, right.replace("...", names)
    letters = left.replace("...", "").replace(",", "")
    return inputs, names + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))


@functools.lru_cache(maxsize=1000)
def _plan(subscripts: str, ndims: tuple[int, ...], needs: Any, n: int, first: int, step: int) -> Any:
    """The letters of the operands and of the result; which operands are used, for the cotangents of the others; and of
    the n arguments, which is what operand, if its cotangent is wanted."""
    inputs, output = indices_of(subscripts, list(ndims))
    wanted = {k: first + step * k for k in range(len(inputs)) if needs is None or needs[first + step * k]}
    used = tuple([any(j != k for j in wanted) for k in range(len(inputs))])
    places = {place: k for k, place in wanted.items()}
    return tuple(inputs), output, used, tuple([places.get(i) for i in range(n)])


def _brought(d: Any, like: Any) -> Any:
    return d if like is None else bring_back(d, like)


@functools.lru_cache(maxsize=1000)
def _factors(inputs: tuple[str, ...], output: str, k: int) -> Any:
    """The factors of operand `k`'s cotangent, if that is a product entry by entry: the other operand, and how the axes
    of ȳ and of that are laid out in it. None where it is a sum, or of more.

    >>> _factors(("ij", "ik"), "ijk", 0), _factors(("i", "kji"), "kji", 1)
    (None, (0, None, ((0,), (None, None, slice(None, None, None)))))
    """
    own, j = inputs[k], 1 - k
    if len(inputs) != 2 or any(len(set(term)) < len(term) for term in (*inputs, output)):
        return None
    if set(own) != {*output, *inputs[j]}:
        return None
    return j, _layout(output, own), _layout(inputs[j], own)


def _layout(term: str, own: str) -> Any:
    """The order of the axes, and where there are new ones; None where all is in place."""
    if term == own or not term:
        return None
    order = tuple(sorted(range(len(term)), key=lambda i: own.index(term[i])))
    return order, tuple([slice(None) if c in term else None for c in own])


def _laid(a: Any, layout: Any) -> Any:
    return a if layout is None else a.transpose(layout[0])[layout[1]]


@functools.lru_cache(maxsize=1000)
def _terms(inputs: tuple[str, ...], output: str, k: int) -> tuple[str, str, str]:
    """The letters of operand `k`; those that ȳ or another operand has; and what gives a cotangent with these."""
    others = inputs[:k] + inputs[k + 1 :]
    known = set(output).union(*others)
    letters = "".join(dict.fromkeys(inputs[k]))
    reached = "".join(c for c in letters if c in known)
    return letters, reached, f"{','.join([output, *others])}->{reached}"


SMALL = 20_000
"""Products of so few entries take less time than the search for an order, and than what follows from one."""


@functools.lru_cache(maxsize=1000)
def _path(subscripts: str, shapes: tuple[tuple[int, ...], ...]) -> Any:
    """The order in which operands of these shapes are contracted; False where all are at once."""
    terms = subscripts.partition("->")[0].split(",")
    sizes: dict[str, int] = {}
    for c, n in [pair for term, shape in zip(terms, shapes, strict=True) for pair in zip(term, shape, strict=True)]:
        sizes[c] = max(sizes.get(c, 1), n)
    work = math.prod(sizes.values()) if len(shapes) > 2 else sum(map(math.prod, shapes))
    return work > SMALL and np.einsum_path(subscripts, *[np.broadcast_to(0.0, shape) for shape in shapes])[0]


def _contracted(subscripts: str, arrays: list[Any]) -> Any:
    return np.einsum(subscripts, *arrays, optimize=_path(subscripts, tuple(map(np.shape, arrays))))


non_differentiable(_plan, _factors, _terms, _path)


def operand_bar(y_bar: Any, k: int, inputs: tuple[str, ...], output: str, arrays: list[Any]) -> Any:
    """The cotangent of operand `k`."""
    own, shape = inputs[k], arrays[k].shape
    if (factors := _factors(inputs, output, k)) is not None:
        j, of_y, of_a = factors
        d = _laid(y_bar, of_y) * _laid(arrays[j].conj(), of_a)
        if d.shape == shape:
            return cast(d, arrays[k].dtype)
        letters = reached = own
    else:
        letters, reached, subscripts = _terms(inputs, output, k)
        d = _contracted(subscripts, [y_bar, *[a.conj() for i, a in enumerate(arrays) if i != k]])
    if letters == own and d.shape == shape:  # as it nearly always is
        return cast(d, arrays[k].dtype)
    # An index of length 1 is repeated along the others' length, and an index of this operand alone is summed.
    sizes = {c: n for c, n in zip(own, shape, strict=True)}
    axes = tuple(i for i, c in enumerate(reached) if sizes[c] == 1 and d.shape[i] != 1)
    if axes:
        d = np.sum(d, axis=axes, keepdims=True)
    d = np.reshape(d, tuple(sizes[c] if c in reached and d.shape[reached.index(c)] != 1 else 1 for c in letters))
    d = np.broadcast_to(d, tuple(sizes[c] for c in letters))
    if len(letters) < len(own):
        d = on_diagonals(d, letters, own, shape)
    return cast(d, arrays[k].dtype)


@rule(operand_bar)
def operand_bar_rule(y_bar: Any, k: Any, inputs: Any, output: Any, arrays: Any) -> tuple[Any, Back]:
    """It is linear in ȳ and in each other operand: with its own cotangent as operand k it is of the same form."""

    def operand_bar_back(d_bar: Any) -> tuple[Any, ...]:
        replaced = [d_bar if i == k else a for i, a in enumerate(arrays)]
        result = _contracted(f"{','.join(inputs)}->{output}", replaced)
        bars = [None if i == k else operand_bar(y_bar, i, inputs, output, replaced) for i in range(len(arrays))]
        return unbroadcast(result, y_bar), None, None, None, bars

    return operand_bar(y_bar, k, inputs, output, arrays), operand_bar_back


def on_diagonals(d: Any, letters: str, own: str, shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, with `d` where equal letters of `own` have equal indices.

    >>> on_diagonals(np.array([1.0, 2.0]), "i", "ii", (2, 2))
    array([[1., 0.],
           [0., 2.]])
    """
    x_bar = lane_zeros(shape, np.result_type(d))
    np.einsum(f"{own}->{letters}", x_bar)[...] = d
    return x_bar
