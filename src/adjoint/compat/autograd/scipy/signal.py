"""`autograd.scipy.signal`: SciPy's, with autograd's own `convolve`, which chooses axes."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ....errors import ShapeError, calling_place
from ....rules.registry import Back, non_differentiable, rule

Array = np.ndarray[Any, Any]
Axes = Sequence[Sequence[int]]


def convolve(
    A: Array,  # noqa: N803
    B: Array,  # noqa: N803
    axes: Axes | None = None,
    dot_axes: Axes = ((), ()),
    mode: Literal["full", "valid", "same"] = "full",
) -> Array:
    """The convolution over pairs of axes, summed over others: Σₖ Σ_d A[i, d, k] B[j, d, n - k].

    Parameters
    ----------
    A, B : arrays.
    axes : the axes over which is convolved, of `A` and of `B`; None: all.
    dot_axes : the axes over which is summed, of `A` and of `B`.
    mode : "full", all shifts that overlap; "valid", those where one lies within the other; "same", those in the middle,
        as many as `A` has.

    Returns
    -------
    An array of shape (*other axes of A, *other axes of B, *convolved axes).

    Raises
    ------
    ShapeError
        If there is no such mode, if the axes do not belong together, or, with "valid", if neither lies in the other.

    References
    ----------
    The meaning is that of autograd's `scipy.signal.convolve`.

    Examples
    --------
    >>> convolve(np.array([1.0, 2.0]), np.array([1.0, 10.0, 100.0]))
    array([  1.,  12., 120., 200.])
    >>> convolve(np.ones((2, 3)), np.ones((3, 2)), axes=[[1], [0]], mode="valid").shape
    (2, 2, 1)
    """
    of_a, of_b = places(np.shape(A), np.shape(B), axes, dot_axes, mode)
    if mode == "valid" and exceeds(np.shape(A), np.shape(B), of_a[1], of_b[1]):
        swapped = convolve(B, A, (of_b[1], of_a[1]), (of_b[2], of_a[2]), mode)
        n, m = len(of_b[0]), len(of_a[0])
        order = [*range(n, n + m), *range(n), *range(n + m, n + m + len(of_a[1]))]
        return np.transpose(swapped, order)
    return _convolved(A, B, of_a, of_b, mode)


def _convolved(A: Array, B: Array, of_a: Any, of_b: Any, mode: str) -> Array:  # noqa: N803
    """Windows of the longer operand, multiplied with the other from its end."""
    if mode == "valid":  # the longer one is B
        fixed, sliding, of_fixed, of_sliding = A, B, of_a, of_b
    else:
        fixed, sliding, of_fixed, of_sliding = B, A, of_b, of_a
    sizes = tuple([np.shape(fixed)[axis] for axis in of_fixed[1]])
    padded = np.pad(sliding, widths(np.ndim(sliding), of_sliding[1], sizes, mode)) if mode != "valid" else sliding
    windows = np.lib.stride_tricks.sliding_window_view(padded, sizes, axis=tuple(of_sliding[1]))
    flipped = np.flip(fixed, tuple(of_fixed[1]))
    names_fixed, names_windows, result = subscripts(of_a, of_b, fixed is A)
    y: Array = np.einsum(flipped, names_fixed, windows, names_windows, result)
    return y


def places(a: Any, b: Any, axes: Any, dot_axes: Any, mode: str) -> Any:
    """Of each operand the axes that are left, those convolved over, and those summed over."""
    if axes is None:
        axes = [range(len(a)), range(len(a))]
    conv = [[axis % len(shape) for axis in one] for shape, one in zip((a, b), axes, strict=True)]
    dots = [[axis % len(shape) for axis in one] for shape, one in zip((a, b), dot_axes, strict=True)]
    _check(a, b, conv, dots, mode)
    return tuple(
        [
            ([i for i in range(len(shape)) if i not in one and i not in dot], one, dot)
            for shape, one, dot in zip((a, b), conv, dots, strict=True)
        ]
    )


def _check(a: Any, b: Any, conv: Any, dots: Any, mode: str) -> None:
    def refuse(what: str, way_out: str) -> ShapeError:
        why = "the axes of the operands belong together in pairs, and `mode` says which shifts are taken"
        return ShapeError(f"`convolve` is given {what}", why, way_out, calling_place())

    if mode not in ("full", "valid", "same"):
        raise refuse(f"mode {mode!r}", 'give "full", "valid" or "same"')
    if len(conv[0]) != len(conv[1]) or len(dots[0]) != len(dots[1]):
        raise refuse(f"axes {conv} and dot_axes {dots}", "name as many axes of the one as of the other")
    if any([a[i] != b[j] for i, j in zip(dots[0], dots[1], strict=True)]):
        raise refuse(f"shapes {a} and {b} with dot_axes {dots}", "sum over axes of one length")
    if mode == "valid" and exceeds(a, b, conv[0], conv[1]) and exceeds(b, a, conv[1], conv[0]):
        raise refuse(f"shapes {a} and {b} with mode 'valid'", "let one be the longer along all axes")


def exceeds(a: Any, b: Any, of_a: Any, of_b: Any) -> bool:
    """Tell whether the first is the longer along one of the pairs of axes."""
    return any([a[i] > b[j] for i, j in zip(of_a, of_b, strict=True)])


def widths(n: int, axes: Any, sizes: Any, mode: str) -> list[tuple[int, int]]:
    """The numbers of zeros that are put around an array of `n` axes, along which others of these sizes slide."""
    found = [(0, 0)] * n
    for axis, size in zip(axes, sizes, strict=True):
        after = (size - 1) // 2
        found[axis] = (size - 1, size - 1) if mode == "full" else (size - 1 - after, after)
    return found


def subscripts(of_a: Any, of_b: Any, a_is_fixed: bool) -> tuple[list[int], list[int], list[int]]:
    """The axes of both operands and of the result as numbers, for `einsum`: the fixed one, the windows, the result."""
    left_a, conv_a, dot_a = of_a
    left_b, conv_b, dot_b = of_b
    number = iter(range(100))
    names_a: list[int] = [0] * (len(left_a) + len(conv_a) + len(dot_a))
    names_b: list[int] = [0] * (len(left_b) + len(conv_b) + len(dot_b))
    result = []
    for names, axes in ((names_a, left_a), (names_b, left_b)):
        for axis in axes:
            names[axis] = next(number)
            result.append(names[axis])
    for i, j in zip(dot_a, dot_b, strict=True):
        names_a[i] = names_b[j] = next(number)
    within, shifts = [], []
    fixed, sliding = (names_a, names_b) if a_is_fixed else (names_b, names_a)
    for i, j in zip(conv_a, conv_b, strict=True):
        in_fixed, in_sliding = (i, j) if a_is_fixed else (j, i)
        within.append(next(number))
        shifts.append(next(number))
        fixed[in_fixed], sliding[in_sliding] = within[-1], shifts[-1]
    return fixed, [*sliding, *within], [*result, *shifts]


@rule(convolve, linear="A B | axes dot_axes mode")
def convolve_rule(
    A: Any,  # noqa: N803
    B: Any,  # noqa: N803
    axes: Any = None,
    dot_axes: Any = ((), ()),
    mode: Any = "full",
) -> tuple[Array, Back]:
    """Ā is ȳ, in its place among all shifts, correlated with B; B̄ is it correlated with A."""
    y = convolve(A, B, axes, dot_axes, mode)
    of_a, of_b = places(np.shape(A), np.shape(B), axes, dot_axes, mode)
    start = starts(np.shape(A), np.shape(B), of_a[1], of_b[1], len(of_a[0]) + len(of_b[0]), mode)

    def convolve_back(y_bar: Array) -> tuple[Any, ...]:
        full = np.pad(y_bar, start)
        n, m = len(of_a[0]), len(of_b[0])
        left_a, left_b = list(range(n)), list(range(n, n + m))
        return correlated(full, B, A, of_b, of_a, left_b), correlated(full, A, B, of_a, of_b, left_a)

    return y, convolve_back


def correlated(full: Array, other: Array, like: Array, of_other: Any, of_like: Any, left: list[int]) -> Array:
    """The cotangent of one operand, from that of all shifts and the other operand."""
    conv = list(range(np.ndim(full) - len(of_other[1]), np.ndim(full)))
    flipped = np.conj(np.flip(other, tuple(of_other[1])))
    found = convolve(full, flipped, (conv, of_other[1]), (left, of_other[0]), "valid")
    found = np.transpose(found, order_of(of_other, of_like))
    return found if np.iscomplexobj(like) else np.real(found)


def order_of(of_other: Any, of_like: Any) -> list[int]:
    """The places of the axes of an operand in what `correlated` computes: those left, those summed over, the
    convolved."""
    summed = [of_like[2][of_other[2].index(axis)] for axis in sorted(of_other[2])]
    found = [*of_like[0], *summed, *of_like[1]]
    return [found.index(axis) for axis in range(len(found))]


def starts(a: Any, b: Any, of_a: Any, of_b: Any, left: int, mode: str) -> list[tuple[int, int]]:
    """The numbers of shifts that a mode leaves off, before and after, along each axis of the result."""
    found = [(0, 0)] * left
    for i, j in zip(of_a, of_b, strict=True):
        least = min(a[i], b[j])
        after = (b[j] - 1) // 2
        same = (after, b[j] - 1 - after)
        found.append({"full": (0, 0), "valid": (least - 1, least - 1), "same": same}[mode])
    return found


non_differentiable(places, starts, order_of)


def __getattr__(name: str) -> Any:
    """Look a name up in SciPy."""
    return getattr(importlib.import_module("scipy.signal"), name)
