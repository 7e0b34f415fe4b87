"""`vmap`: a function of single examples as one of many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..derivatives.named import NamedFunction, name_after
from ..errors import BatchError, OptionError, calling_place, check_callable
from ..options import refuse_options
from ..runtime.argnums import name_of
from ..tangents.lanes import Lanes, NoLanes
from .attempts import attempts_of
from .axes import along_axes, is_integer, no_axis, number_of_lanes
from .running import run_together
from .stacking import concatenated, stacked, stacked_lanes


def vmap(
    f: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    *,
    chunk_size: int | None = None,
    strict: bool = False,
    **unknown: Any,
) -> Callable[..., Any]:
    """The function that calls `f` for each lane of its arguments, and stacks what it gives.

    A loop defines the result: ``np.stack([f(x[i], y[i]) for i in range(n)])``. Where `f` only computes, one run does
    so for all lanes together, and agrees with the loop to rounding. Functions that support lanes (elementwise
    functions, products, sums, what arranges items) are called once for all of them. Other functions, such as
    `np.sort`, are called lane by lane within that run. `vmap` runs the loop where lanes take different branches on a
    mapped value. It also does so where `f` does more than compute: it prints, draws random numbers, raises, or changes
    what it did not make.

    Parameters
    ----------
    f : a function of single examples. Its results are numbers and arrays, and tuples, lists and dicts of them.
    in_axes : the axis of the lanes in each argument: an integer for all arguments, or a tuple with one entry for each
        argument by position. An entry is an integer, None for what all lanes share, or a container with the form of
        the argument. Keyword arguments are mapped along axis 0. Of an object (a model) its arrays are mapped.
    out_axes : the axis of the lanes in the result; or a container with its form. None is for what is the same in all
        lanes.
    chunk_size : how many lanes are run together, where all of them would take too much memory.
    strict : whether to raise in place of running as a loop.

    Returns
    -------
    A function with the name of `f`. It can be differentiated, and mapped again.

    Raises
    ------
    BatchError
        When called with `strict=True`, if it would run as a loop; without, if there are no lanes and the shapes of the
        results are not known.
    OptionError
        If something else than an integer, None or a container stands for an axis, or axes have not the form of the
        arguments, or there is no such option.
    ShapeError
        When called, if arguments have different numbers of lanes, or results cannot be stacked.

    Notes
    -----
    For y_i = f(x_i) the derivative is by lanes, ẏ_i = f'(x_i) ẋ_i; cotangents of what all lanes share are summed. The
    name and the axes are those of `jax.vmap`.

    Examples
    --------
    >>> import numpy as np
    >>> from adjoint import grad, vmap
    >>> def loss(w, x, y): return (w @ x - y) ** 2
    >>> w, xs, ys = np.array([1.0, 2.0]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([0.0, 0.0, 1.0])
    >>> vmap(loss, in_axes=(None, 0, 0))(w, xs, ys)
    array([1., 4., 4.])
    >>> vmap(grad(loss), in_axes=(None, 0, 0))(w, xs, ys)  # one gradient for each example
    array([[2., 0.],
           [0., 4.],
           [4., 4.]])
    """
    check_callable(f)
    if isinstance(in_axes, dict):
        raise OptionError(
            f"`in_axes={in_axes!r}` is a dict",
            "arguments by keyword are always mapped along axis 0; a dict in a tuple is for an argument that is one",
            "give what all lanes share by position, `vmap(f, in_axes=(0, None))(x, y)`, or bind it: "
            "`vmap(functools.partial(f, y=y))(x=x)`; for one argument that is a dict write `in_axes=({...},)`",
            calling_place(),
        )
    check_axes("in_axes", in_axes)
    check_axes("out_axes", out_axes)
    refuse_options("vmap", unknown, ("in_axes", "out_axes", "chunk_size", "strict"))
    if chunk_size is not None and (not isinstance(chunk_size, (int, np.integer)) or chunk_size < 1):
        raise OptionError(
            f"`chunk_size={chunk_size!r}` is no number of lanes",
            "so many lanes are run together",
            "give a positive integer, or None for all of them",
            calling_place(),
        )
    return Mapped(f, in_axes, out_axes, chunk_size, bool(strict))


def check_axes(name: str, axes: Any) -> None:
    """Raise `OptionError` for what is no integer, None, or container of these."""
    if isinstance(axes, (tuple, list, dict)):
        for axis in axes.values() if isinstance(axes, dict) else axes:
            check_axes(name, axis)
    elif axes is not None and not is_integer(axes):
        raise no_axis(axes, f"for `{name}`")


class Mapped(NamedFunction):
    """A function for many lanes."""

    def __init__(
        self, f: Callable[..., Any], in_axes: Any, out_axes: Any, chunk_size: int | None, strict: bool
    ) -> None:
        self._f = f
        self._in_axes, self._out_axes = in_axes, out_axes
        self._chunk_size, self._strict = chunk_size, strict
        name_after(self, f)

    def __reduce__(self) -> Any:
        return type(self), (self._f, self._in_axes, self._out_axes, self._chunk_size, self._strict)

    def __repr__(self) -> str:
        return f"vmap({name_of(self._f)})"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        axes = self.axes_of(args, kwargs)
        names = self.names_of(args, kwargs)
        n = number_of_lanes([*args, *kwargs.values()], axes, names)
        return self.in_parts(self.run, args, kwargs, axes, n)

    def in_parts(self, run: Any, args: tuple[Any, ...], kwargs: dict[str, Any], axes: list[Any], n: int) -> Any:
        """The results of `run` for all lanes, or for some after the other."""
        size = self._chunk_size or n
        if n <= size:
            return run(args, kwargs, axes, n)
        found = [run(*_part(args, kwargs, axes, start, min(start + size, n))) for start in range(0, n, size)]
        return concatenated(found, self._out_axes)

    def axes_of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The axes of all arguments: those by name are mapped along the first one."""
        given = self._in_axes
        if not isinstance(given, (tuple, list)):
            return [*[given] * len(args), *[0] * len(kwargs)]
        if len(given) != len(args):
            raise OptionError(
                f"`in_axes` has {len(given)} axes, and {name_of(self._f)} got {len(args)} arguments by position",
                "it has one for each argument by position; arguments by keyword are mapped along axis 0",
                "give one integer for all of them, or as many as there are arguments",
                calling_place(),
            )
        return [*given, *[0] * len(kwargs)]

    def names_of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
        """The names of arguments in errors."""
        return [*[f"argument {i}" for i in range(len(args))], *[f"`{name}`" for name in kwargs]]

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any], axes: list[Any], n: int) -> Any:
        """The results of `n` lanes: of all together, or of one after the other."""
        known = attempts_of(self._f, (*args, *kwargs.values()))
        if n and not self._strict and known.is_left_out():
            return self.in_turn(args, kwargs, axes, n)
        try:
            y = self.together(args, kwargs, axes, n)
        except NoLanes as error:
            if self._strict or not n:
                raise self.refused(n, str(error)) from None
            known.note(together=False)
            return self.in_turn(args, kwargs, axes, n)
        known.note(together=True)
        return y

    def together(self, args: tuple[Any, ...], kwargs: dict[str, Any], axes: list[Any], n: int) -> Any:
        """The results of all lanes in one run.

        Raises
        ------
        NoLanes
            If that cannot be; nothing has been done then.
        """
        given = [along_axes(_lanes, x, axis, "") for x, axis in zip((*args, *kwargs.values()), axes, strict=True)]
        by_name = dict(zip(kwargs, given[len(args) :], strict=True))
        return stacked_lanes(run_together(self._f, n, given[: len(args)], by_name), n, self._out_axes)

    def in_turn(self, args: tuple[Any, ...], kwargs: dict[str, Any], axes: list[Any], n: int) -> Any:
        """The results of the loop."""
        return self.stack([self._f(*one, **by_name) for one, by_name in lanes(args, kwargs, axes, n)])

    def __adjoint_loop__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Why a call runs as a loop; nothing if it does not."""
        axes = self.axes_of(args, kwargs)
        n = number_of_lanes([*args, *kwargs.values()], axes, self.names_of(args, kwargs))
        try:
            self.in_parts(self.together, args, kwargs, axes, n)
        except NoLanes as error:
            return str(error)
        return ""

    def stack(self, found: list[Any]) -> Any:
        """The results of the lanes, stacked."""
        return stacked(found, self._out_axes)

    def refused(self, n: int, why: str) -> BatchError:
        """The error for lanes that cannot be run together, where they have to."""
        what = f"`{name_of(self._f)}` cannot be run for all lanes together"
        if not n:
            return BatchError(
                f"{what}, and there are no lanes",
                f"{why}; of no lane at all the shapes of the results are known only from such a run",
                "treat an empty batch before the call",
                calling_place(),
            )
        return BatchError(
            what, why, "leave off `strict=True` to run it as a loop, or change what is named", calling_place()
        )


def _lanes(x: Any, axis: int, name: str) -> Lanes:
    """The lanes of an array, which nothing may store into: they are the user's memory."""
    if type(x) is not np.ndarray or x.dtype.kind not in "biufc":
        raise NoLanes(f"{name or 'an argument'} is a {type(x).__name__} of {x.dtype}")
    data = np.moveaxis(x, axis, 0)
    data = data.view()
    data.flags.writeable = False
    return Lanes(data)


def lanes(
    args: tuple[Any, ...], kwargs: dict[str, Any], axes: list[Any], n: int
) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The arguments of each lane; a list, since second derivatives follow it, and no generator."""
    columns = [_of_each(x, axis, n) for x, axis in zip((*args, *kwargs.values()), axes, strict=True)]
    k = len(args)
    return [(one[:k], dict(zip(kwargs, one[k:], strict=True))) for one in zip(*columns, strict=True)]


def _of_each(x: Any, axis: Any, n: int) -> Any:
    """An argument as it is in each of the lanes."""
    if axis is None:
        return [x] * n
    if isinstance(x, np.ndarray):
        return np.moveaxis(x, axis, 0)
    return [along_axes(lambda a, at, name: np.moveaxis(a, at, 0)[i], x, axis, "") for i in range(n)]  # noqa: B023


def _part(args: Any, kwargs: Any, axes: list[Any], start: int, stop: int) -> Any:
    """The arguments of some of the lanes."""

    def cut(a: Any, at: int, name: str) -> Any:
        return a[(*[slice(None)] * at, slice(start, stop))]

    values = [along_axes(cut, x, axis, "") for x, axis in zip((*args, *kwargs.values()), axes, strict=True)]
    return tuple(values[: len(args)]), dict(zip(kwargs, values[len(args) :], strict=True)), axes, stop - start
