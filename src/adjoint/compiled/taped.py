"""Calls by compiled programs whose reverse runs later, with any cotangent."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..classify import kind_of
from ..runtime.binding import gather, layout_of
from ..runtime.tables import table_of
from ..tangents import Tangent, densify
from ..tangents.structural import owner_of
from .effects import hand_back, stored_arrays, with_own
from .entry import find, run
from .fallbacks import gave_up, refuse
from .inputs import gradient_like, is_called_as_record
from .programs import rebuilt
from .pullbacks import Halves, halves
from .values import Arr, CannotCompile, Items, Known, Value

Back = Callable[[Any], tuple[Any, ...]]


def taped_call(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], mode: Any, inner: bool = False
) -> tuple[Any, Back] | None:
    """The value of a call and its pullback, which gives the cotangents of the function, of each argument, then of each
    keyword; None where there is no compiled program, where plain Python may raise, or where an `inner` call stores into
    arrays of a caller that is not compiled."""
    if kind_of(f) in ("bound", "partial") or is_called_as_record(f):
        refuse(f, CannotCompile("a method that is bound, an object that is called, or a partial function"), mode)
        return None
    found = find(f, args, kwargs, (), mode, halves)
    if found is None:
        return None
    program, _, values, given = found
    if inner and program.inputs.copies:
        refuse(f, CannotCompile("a store into an array of a function that is not compiled"), mode)
        return None
    status, outs = run(program, f, mode, given)
    if status:
        gave_up(f, args, kwargs, program.inputs, values, status, mode)
        return None
    stored = stored_arrays(program.inputs, values)
    n, m = len(program.shared), len(program.shared) + len(stored)
    result, tape = outs[:n], outs[m:]
    hand_back(stored, outs[n:m])
    copies: list[Any] = [np.array(x) if shared else x for x, shared in zip(result, program.shared, strict=True)]
    y = rebuilt(program.result, with_own(program.inputs, program.result, copies, stored), program.scalar)

    def back(y_bar: Any) -> tuple[Any, ...]:
        bars = cotangents(program, values, given, tape, y, y_bar)
        return arranged(args, kwargs, values[0], bars)

    return y, back


def cotangents(
    program: Halves, values: tuple[Any, ...], given: list[Any], tape: Any, y: Any, y_bar: Any
) -> tuple[Any, ...]:
    """The cotangents of the function and its parameters."""
    seeds: list[Any] = []
    put_seeds(program.result, y, densify(y_bar, y), seeds)
    moved = [given[i] for i in program.chosen]
    shadows = [np.zeros(x.shape) for x in moved if isinstance(x, np.ndarray)]
    try:
        _, numbers = program.back(*given, *tape, *seeds, *shadows)
    except CannotCompile as reason:
        refuse(values[0], reason, "strict")
        raise
    arrays, scalars = iter(shadows), iter(numbers)
    paths = [program.inputs.paths[i] for i in program.chosen]
    found = {p: next(arrays if isinstance(x, np.ndarray) else scalars) for p, x in zip(paths, moved, strict=True)}
    return captured(values[0], found), *[
        None if type(x) in (int, bool, str) else gradient_like(x, found, (k,))
        for k, x in enumerate(values[1:], start=1)
    ]


def put_seeds(v: Value, y: Any, d: Any, seeds: list[Any]) -> None:
    """The cotangents of the floats of a result, in order; arrays are copies, for they are used up."""
    if isinstance(v, tuple | Items):
        items = v.items if isinstance(v, Items) else v
        keys = v.keys if isinstance(v, Items) and v.cls is dict else range(len(items))
        for key, item in zip(keys, items, strict=True):
            put_seeds(item, y[key], None if d is None else d[key], seeds)
    elif isinstance(v, Arr):
        if v.kind == "f":
            seeds.append(np.zeros(np.shape(y)) if d is None else np.array(densify(d, y), np.float64))
    elif not isinstance(v, Known) and v.kind == "f":
        seeds.append(0.0 if d is None else float(d))


def captured(f: types.FunctionType, found: dict[Any, Any]) -> Tangent[Any] | None:
    """The cotangent of a function: those of what it captures."""
    names = {path[1] for path in found if path[0] == 0 and isinstance(path[1], str)}
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    bars = {name: gradient_like(cells[name].cell_contents, found, (0, name)) for name in cells if name in names}
    return Tangent(owner_of(f), bars) if bars else None


def arranged(
    args: tuple[Any, ...], kwargs: dict[str, Any], function: types.FunctionType, bars: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The cotangents of parameters as those of the call."""
    layout = layout_of(function, table_of(function).signature, len(args), tuple(kwargs))
    assert layout is not None
    return gather(layout, function, bars)
