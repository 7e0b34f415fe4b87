"""Functions that run compiled: `adjoint.compile`."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from .derivatives.named import NamedFunction, name_after
from .errors import check_callable
from .options import refuse_options
from .rules.knots import call_pullback
from .rules.registry import Back, rule
from .runtime.argnums import name_of
from .wrappers import TRANSPARENT

P = ParamSpec("P")
R = TypeVar("R")


def compile(f: Callable[P, R], *, strict: bool = False, **unknown: Any) -> Callable[P, R]:
    """The same function, run as one compiled program of loops.

    It is compiled when it is first called with arguments of new kinds (types, dtypes and ranks, not shapes), by Numba
    (`pip install 'numba>=0.62'`). What cannot be compiled runs as it is, with one `CompileFallbackWarning` that says
    why; so does a call in which plain Python would raise. Gradients are compiled by
    `grad(f, compile=True)` and `value_and_grad(f, compile=True)`.

    Parameters
    ----------
    f : a function of ordinary Python and NumPy: numbers, arrays of float64, int64 and bool, tuples, lists, dicts and
        objects of these.
    strict : raise where it cannot be compiled.

    Returns
    -------
    A function with the name and signature of `f`; it can be pickled if `f` can.

    Raises
    ------
    CompileError
        When called, with `strict`, if `f` cannot be compiled.
    OptionError
        If there is no such option.

    Examples
    --------
    >>> import numpy as np
    >>> def smooth(x):
    ...     out = np.zeros(len(x))
    ...     for i in range(1, len(x)):
    ...         out[i] = 0.5 * (x[i] + out[i - 1])
    ...     return out
    >>> compile(smooth)(np.array([1.0, 2.0, 3.0]))  # doctest: +SKIP
    array([0., 1., 2.])
    """
    check_callable(f)
    refuse_options("compile", unknown, ("strict",))
    return Compiled(f, strict)


class Compiled(NamedFunction):
    """A function that runs compiled."""

    def __init__(self, f: Callable[..., Any], strict: bool) -> None:
        self._f = f
        self._strict = strict
        name_after(self, f)

    def __reduce__(self) -> Any:
        return Compiled, (self._f, self._strict)

    def __repr__(self) -> str:
        return f"compiled({name_of(self._f)})"

    @property
    def py_func(self) -> Callable[..., Any]:
        """The function as it is, under the name by which Numba's functions have it."""
        return self._f

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return run(self._f, args, kwargs, "strict" if self._strict else True)


TRANSPARENT[Compiled] = "_f"


def to_file(path: str | os.PathLike[str], f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None:
    """Write the compiled program of a function's value and gradients as a module that does not need this library.

    The module has one function, `value_and_grad`, with the parameters of `f`: it gives the value, and the gradients by
    all arguments that are floats or arrays of them. It needs NumPy, and is compiled where Numba is installed. All that
    `f` calls is inlined; numbers that it has from elsewhere are written down as they are now.

    Parameters
    ----------
    path : where the module is written.
    f : a real scalar function.
    args, kwargs : arguments of the kinds for which it is made: numbers, arrays, flags and strings. `f` is not run.

    Raises
    ------
    CompileError
        If the program cannot be compiled, with the line, or has other arguments; nothing is written then.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> def loss(x, y):
    ...     return x * x * y
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "loss_gradient.py")
    ...     to_file(file, loss, 1.0, 2.0)
    ...     module = {}
    ...     exec(file.read_text(), module)
    >>> module["value_and_grad"](3.0, 2.0)
    (18.0, (12.0, 9.0))
    """
    from .compiled.files import write

    check_callable(f)
    write(pathlib.Path(path), f, args, kwargs)


def run(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], mode: Any) -> Any:
    """A call by the compiled program."""
    from .compiled.entry import called

    return called(f, args, kwargs, mode)


@rule(run, calls=True)
def run_rule(f: Any, args: Any, kwargs: Any, mode: Any) -> tuple[Any, Back]:
    """Its derivative is that of the function."""
    y, back = call_pullback(f, *args, **kwargs)

    def run_back(y_bar: Any) -> tuple[Any, ...]:
        bars = back(y_bar)
        return bars[0], tuple(bars[1 : 1 + len(args)]), None, None

    return y, run_back


__all__ = ["Compiled", "compile", "to_file"]
