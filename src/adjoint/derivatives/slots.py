"""Some arguments of a call as the inputs of a linear map: their zeros, and tangents in their slots."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import NotDifferentiableError, OptionError, TooLargeError, calling_place
from ..rules.registry import non_differentiable
from ..runtime.argnums import Argnums, name_of, place_of, wanted_by
from ..tangents import zeros_like
from ..tangents.blocks import parts
from ..tangents.form import check_real


def places_of(
    f: Any, argnums: Argnums | None, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> tuple[int, ...]:
    """The places of the arguments that `argnums` names; all of them for None.

    >>> places_of(pow, None, (2.0, 3.0)), places_of(pow, -1, (2.0, 3.0))
    ((0, 1), (1,))
    """
    if argnums is None:
        return tuple(range(len(args)))
    wanted = wanted_by(argnums)
    places = tuple([place_of(f, which, args, kwargs or {}) for which in wanted])
    for which, place in zip(wanted, places, strict=True):
        if place >= len(args):
            raise NotDifferentiableError(
                f"argument {which!r} of `{name_of(f)}` is given by keyword",
                "a Jacobian is by arguments that are given by position; the others are constants",
                f"give it by position; where it can be given by name alone, write `lambda x: {name_of(f)}({which}=x)`",
                calling_place(),
            )
    return places


def zeros_of(f: Any, args: tuple[Any, ...], places: tuple[int, ...]) -> Any:
    """The zero tangents of the arguments at these places, which must be made of real numbers."""
    zeros = tuple([zeros_like(args[i]) for i in places])
    for i, zero in zip(places, zeros, strict=True):
        check_real(f"argument {i}", args[i], zero, name_of(f))
    return zeros


def placed(dots: tuple[Any, ...], n: int, places: tuple[int, ...]) -> tuple[Any, ...]:
    """Tangents for `n` arguments from those at some places, None for the others.

    >>> placed((1.0,), 3, (1,))
    (None, 1.0, None)
    """
    by_place = dict(zip(places, dots, strict=True))
    return tuple([by_place.get(i) for i in range(n)])


def needed(n: int, places: tuple[int, ...]) -> tuple[bool, ...]:
    """The slots of a call that are asked for: the function first, then its arguments.

    >>> needed(2, (1,))
    (False, False, True)
    """
    return (False, *(i in places for i in range(n)))


def check_size(of_y: Any, of_xs: Any, max_bytes: float, name: str) -> None:
    """Raise `TooLargeError` if the blocks would take more memory than that."""
    if not isinstance(max_bytes, int | float) or not max_bytes > 0:
        raise OptionError(
            f"`max_bytes` is {max_bytes!r}",
            "it says how many bytes the derivatives may take",
            "give a positive number, such as `4 * 1024**3`",
            calling_place(),
        )
    m, n = count(of_y), count(of_xs)
    width = max([dtype_of(part).itemsize for part in (*parts(of_y), *parts(of_xs))], default=8)
    if m * n * width > max_bytes:
        raise TooLargeError(
            f"the derivatives of the {m:,} numbers that `{name}` gives by {n:,} take {_bytes(m * n * width)}, "
            f"and {_bytes(max_bytes)} are allowed",
            "every one of them is asked for, the zeros included",
            'take products by `jvp`, `vjp` or `hvp`, a sparse one by `sparsity="auto"`, some arguments at a time by '
            "`argnums`, or allow more by `max_bytes`",
            calling_place(),
        )


def _bytes(n: float) -> str:
    for unit_, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if n >= size:
            return f"{n / size:.3g} {unit_}"
    return f"{n:.0f} bytes"


def count(zeros: Any) -> int:
    """The number of numbers in a tangent."""
    return sum([int(np.size(part)) for part in parts(zeros)])


def dtype_of(part: Any) -> Any:
    """The type of a number, or of those of an array."""
    return np.asarray(part).dtype


non_differentiable(check_size, count, dtype_of, needed, placed, places_of, zeros_of)
