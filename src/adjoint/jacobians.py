"""Jacobians: all first derivatives of a function at once, by columns, by rows, or by groups that share a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar, overload

from .api import Compile
from .blocks import Mode, attempted, blocks_of
from .derivatives.named import NamedFunction, name_after
from .derivatives.slots import places_of
from .errors import NotDifferentiableError, calling_place, check_callable
from .maps import LinearMap
from .options import NO, default, options_of, refuse_options
from .rules.registry import non_differentiable
from .runtime.argnums import Argnums, is_one, name_of
from .sparse import sparse_blocks
from .tangents.blocks import arranged, parts

P = ParamSpec("P")
R = TypeVar("R")

MAX_BYTES = 2 * 1024**3
"""How much memory a Jacobian may take unless more is allowed."""
NONE: Final[Any] = default(None)
AUTO: Final[Any] = default("auto")
MOST: Final = default(MAX_BYTES)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a Jacobian or a Hessian, by its options."""

    argnums: Argnums | None
    mode: Mode
    max_bytes: float
    sparsity: Any
    compile: Compile


def asked_of(argnums: Any, mode: Any, max_bytes: Any, sparsity: Any, compile: Any) -> Asked:
    """The options of a call, looked at."""
    _check_mode(mode)
    return Asked(argnums, mode, max_bytes, sparsity, compile)


@overload
def jacobian(
    f: Callable[P, Any],
    /,
    *,
    argnums: int | str = 0,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
) -> Callable[P, Any]: ...
@overload
def jacobian(
    f: Callable[P, Any],
    /,
    *,
    argnums: Sequence[int | str],
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
) -> Callable[P, tuple[Any, ...]]: ...
@overload
def jacobian(
    f: Callable[..., Any],
    /,
    *args: Any,
    argnums: int | str,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    **kwargs: Any,
) -> Any: ...
@overload
def jacobian(
    f: Callable[..., Any],
    /,
    *args: Any,
    argnums: Sequence[int | str] | None = None,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    **kwargs: Any,
) -> tuple[Any, ...]: ...
def jacobian(
    f: Callable[..., Any],
    /,
    *args: Any,
    argnums: Argnums | None = NONE,
    mode: Mode = AUTO,
    max_bytes: float = MOST,
    sparsity: Any = NONE,
    compile: Compile = NO,
    **kwargs: Any,
) -> Any:
    """The Jacobians of a function by each of its arguments: Jᵢ[k, l] = ∂yₖ/∂xₗ.

    Of a call, `jacobian(f, *args)`, it is a tuple with one for each argument; of a function, `jacobian(f)`, the
    function that gives the Jacobian by the first, or by those that `argnums` names, as `grad` does.

    Of an array by an array it is an array, of the shape of the result followed by that of the argument. Of structures
    (lists, tuples, dicts, records) it has the structure of the result, with that of the argument in place of each
    number or array there, and such an array in place of each of these. float32 by float32 stays float32; integers count
    as real numbers.

    Parameters
    ----------
    f : the function; its results and the arguments asked for consist of real numbers and arrays.
    args, kwargs : its arguments; those given by keyword are constants.
    argnums : the argument (its position or name), or several of them; if nothing is said, all of those of the call, and
        the first of a function.
    mode : "forward" takes one tangent for each number of the arguments, "reverse" one cotangent for each number of the
        result; "auto" takes what is less (a program that stores is always taken in reverse). What only computes may run
        once for each tangent; anything else, what draws or prints, at most twice by "auto" and once by the others.
    max_bytes : how much memory the Jacobians may take.
    sparsity : "auto", or a pattern where entries may be: a matrix with a row for each number of the result and a
        column for each number of the argument (of SciPy's sparse ones or an array), or what `find_sparsity` gave.
        Then columns that share no row are taken together, or rows that share no column, and the Jacobian is a
        `scipy.sparse.csr_array` with such rows and columns. It is compared with a derivative along a random direction.
    compile : run it as compiled loops, 32 directions at a time, as `grad` does with `compile`; what cannot be compiled
        runs as it does without, with one `CompileFallbackWarning`, or raises if this is "strict".

    Returns
    -------
    A tuple with a Jacobian for each argument; that of one argument if `argnums` names just that. Without arguments, a
    function with the name and signature of `f`, which gives that; it can be pickled if `f` can.

    Raises
    ------
    NotDifferentiableError
        If the result or an argument asked for is not made of real numbers, or there is no such argument or mode.
    TooLargeError
        If more memory would be needed than `max_bytes`.
    SparsityError
        If there are entries where the pattern has none, or it has another shape.
    OptionError
        If an option has the name of a parameter of `f`.
    CompileError
        With `compile="strict"`, if it cannot be compiled.

    Source
    ------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., sections 3.1, 3.2 (modes) and chapter 8 (sparsity).

    Examples
    --------
    >>> import numpy as np
    >>> jacobian(lambda x: x * x, np.array([1.0, 2.0]))[0]
    array([[2., 0.],
           [0., 4.]])
    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    >>> jacobian(lambda p: {"sum": p["a"] + p["b"]}, {"a": 1.0, "b": np.ones(2)}, argnums=0)
    {'sum': {'a': array([1., 1.]), 'b': array([[1., 0.],
           [0., 1.]])}}
    """
    check_callable(f)
    called = args or kwargs
    options = options_of(
        "jacobian",
        f if called else None,
        argnums=argnums,
        mode=mode,
        max_bytes=max_bytes,
        sparsity=sparsity,
        compile=compile,
    )
    if not called:
        return OfFunction(f, _jacobian, by_first(asked_of(*options)))
    return _jacobian(f, args, kwargs, asked_of(*options))


def _jacobian(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], asked: Asked) -> Any:
    """One Jacobian, or a tuple of them."""
    return _value_and_jacobian(f, args, kwargs, asked, False)[1]


def _value_and_jacobian(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], asked: Asked, with_value: bool = True
) -> tuple[Any, Any]:
    """The value of a call, if it is asked for, and what `_jacobian` gives."""
    places = places_of(f, asked.argnums, args, kwargs)
    single, mode, sparsity = is_one(asked.argnums), asked.mode, asked.sparsity
    given = f, args, places, mode, kwargs, asked.compile
    compiled = attempted(False, given, asked.max_bytes, sparsity, with_value) if asked.compile else None
    if sparsity is not None:
        y, sparse = compiled or sparse_blocks(LinearMap(f, args, places, mode, kwargs), sparsity, with_value)
        return y, sparse[0] if single else sparse
    y, of_y, of_xs, blocks = compiled or blocks_of(f, args, places, mode, asked.max_bytes, kwargs)
    found, first = [], 0
    for of_x in of_xs:
        n = first + len(parts(of_x))
        found.append(arranged(of_y, [arranged(of_x, row[first:n])[0] for row in blocks])[0])
        first = n
    return y, found[0] if single else tuple(found)


@overload
def value_and_jacobian(
    f: Callable[P, R],
    argnums: int | str = 0,
    *,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
) -> Callable[P, tuple[R, Any]]: ...
@overload
def value_and_jacobian(
    f: Callable[P, R],
    argnums: Sequence[int | str],
    *,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
) -> Callable[P, tuple[R, tuple[Any, ...]]]: ...
def value_and_jacobian(
    f: Callable[P, R],
    argnums: Argnums = 0,
    *,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    **unknown: Any,
) -> Callable[P, tuple[R, Any]]:
    """The function that gives the value of `f` and its Jacobian, as `jacobian(f)` does, by one run of `f`.

    Parameters
    ----------
    f, argnums, mode, max_bytes, sparsity, compile : as for `jacobian`.

    Returns
    -------
    A function with the name and signature of `f`, which gives `(y, J)`; J is a tuple if `argnums` names several
    arguments. It can be pickled if `f` can.

    Raises
    ------
    NotDifferentiableError, TooLargeError, SparsityError, CompileError
        When called, as `jacobian` does.
    OptionError
        If there is no such option.

    Examples
    --------
    >>> import numpy as np
    >>> value_and_jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    (array([1., 4.]), array([[2., 0.],
           [0., 4.]]))
    """
    check_callable(f)
    refuse_options("value_and_jacobian", unknown, OPTIONS)
    return OfFunction(f, _value_and_jacobian, asked_of(argnums, mode, max_bytes, sparsity, compile))


OPTIONS = ("argnums", "mode", "max_bytes", "sparsity", "compile")


class OfFunction(NamedFunction):
    """The derivatives of a function by arguments that it is given later."""

    def __init__(self, f: Callable[..., Any], of_call: Callable[..., Any], asked: Asked) -> None:
        self._f = f
        self._of_call = of_call
        self._asked = asked
        name_after(self, f)

    def __reduce__(self) -> Any:
        return OfFunction, (self._f, self._of_call, self._asked)

    def __repr__(self) -> str:
        return f"{SHOWN[self._of_call]}({name_of(self._f)})"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._of_call(self._f, args, kwargs, self._asked)


SHOWN: dict[Any, str] = {_jacobian: "J", _value_and_jacobian: "value and J"}


def by_first(asked: Asked) -> Asked:
    """The same of a function: by its first argument, if nothing is said."""
    return asked if asked.argnums is not None else Asked(0, asked.mode, asked.max_bytes, asked.sparsity, asked.compile)


def _check_mode(mode: str) -> None:
    if mode not in ("auto", "forward", "reverse"):
        raise NotDifferentiableError(
            f"`mode` is {mode!r}",
            "derivatives are taken by columns or by rows",
            'say "forward", "reverse" or "auto"',
            calling_place(),
        )


non_differentiable(by_first, _check_mode)
