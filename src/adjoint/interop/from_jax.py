"""Functions of JAX's within programs of ours."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp

from adjoint.errors import NotDifferentiableError, calling_place, check_callable
from adjoint.rules import non_differentiable, rule
from adjoint.trees import is_parameter

from .programs import unknown_within


def from_jax(f: Callable[..., Any]) -> FromJax:
    """A function of JAX's as one of NumPy's arrays, to be used inside of programs that are differentiated.

    x̄ = Jᵀ ȳ by `jax.vjp`; the pullback is a function of JAX's again, so that second derivatives are by JAX too.

    Parameters
    ----------
    f : takes arrays, by position, and returns an array, or a tuple of arrays; `jax.jit(f)` too.

    Returns
    -------
    A function of arrays and numbers. Other arguments are passed on, and a derivative by numbers in them is refused. It
    returns arrays.

    Raises
    ------
    NotDifferentiableError
        When called with an array or a NumPy number of double precision while JAX has single precision alone.

    Examples
    --------
    >>> import adjoint, jax
    >>> import numpy as np
    >>> softplus = from_jax(jax.nn.softplus)
    >>> adjoint.grad(lambda x: np.sum(softplus(x) ** 2))(np.zeros(2, np.float32)).round(4)
    array([0.6931, 0.6931], dtype=float32)
    """
    check_callable(f)
    return FromJax(f)


class FromJax:
    """What `from_jax` gives."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f
        functools.update_wrapper(self, f, updated=())

    def __call__(self, /, *args: Any) -> Any:
        """What `f` returns, as arrays."""
        for x in args:
            check_precision(x)
        return jax.tree_util.tree_map(np.array, self.f(*args))

    def __repr__(self) -> str:
        return f"from_jax({self.f!r})"


class PulledByJax:
    """x̄ = Jᵀ ȳ as a function of JAX's: of the items of ȳ, then of the arguments that have derivatives."""

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], which: list[int]) -> None:
        self.f, self.args, self.which = f, args, which

    def __call__(self, y_bars: Any, *moved: Any) -> Any:
        y, back = jax.vjp(self.at, *moved)
        outputs = y if isinstance(y, tuple) else (y,)
        given = (None,) * len(outputs) if y_bars is None else y_bars if isinstance(y, tuple) else (y_bars,)
        bars = [bar_of(bar, output) for bar, output in zip(given, outputs, strict=True)]
        return back(tuple(bars) if isinstance(y, tuple) else bars[0])

    def at(self, *moved: Any) -> Any:
        """`f` of these arguments and the others."""
        at = dict(zip(self.which, moved, strict=True))
        return self.f(*[at.get(i, x) for i, x in enumerate(self.args)])


def bar_of(bar: Any, output: Any) -> Any:
    """A cotangent as JAX has it: of a complex array the conjugate of ours."""
    if output.dtype.kind not in "fc":
        return np.zeros(output.shape, jax.dtypes.float0)
    return jnp.zeros_like(output) if bar is None else jnp.conj(jnp.asarray(bar, output.dtype))


def which_move(args: tuple[Any, ...]) -> list[int]:
    """The arguments that have derivatives."""
    return [i for i, x in enumerate(args) if is_parameter(x)]


def pulled(f: Callable[..., Any], y_bar: Any, *args: Any) -> list[Any]:
    """The cotangents of the arguments, as a function of ȳ and of the arguments; None of what has none."""
    which = which_move(args)
    bars = PulledByJax(f, args, which)(y_bar, *[jnp.asarray(args[i]) for i in which])
    found: list[Any] = [None] * len(args)
    for i, bar in zip(which, bars, strict=True):
        found[i] = np.conj(np.array(bar))
    return found


@rule(FromJax.__call__)
def from_jax_rule(self: FromJax, /, *args: Any) -> tuple[Any, Any]:
    """x̄ = Jᵀ ȳ, by JAX."""
    others = unknown_within(args)

    def from_jax_back(y_bar: Any) -> tuple[Any, ...]:
        bars = pulled(self.f, y_bar, *args)
        return None, *[other if bar is None else bar for bar, other in zip(bars, others, strict=True)]

    return self(*args), from_jax_back


@rule(pulled)
def pulled_rule(f: Callable[..., Any], y_bar: Any, *args: Any) -> tuple[Any, Any]:
    """The same by the pullback of JAX's pullback."""
    which = which_move(args)
    bars = y_bar if isinstance(y_bar, tuple) else (y_bar,)
    there = [i for i, bar in enumerate(bars) if bar is not None]
    of_bars = bars_of(f, which, there, len(bars), isinstance(y_bar, tuple))

    def pulled_back(x_bars: Any) -> tuple[Any, ...]:
        given = None if x_bars is None else tuple([x_bars[i] for i in which])
        found = pulled(of_bars, given, *[bars[i] for i in there], *args)
        at = dict(zip(there, found, strict=False))
        items = tuple([at.get(i) for i in range(len(bars))])
        return None, items if isinstance(y_bar, tuple) else items[0], *found[len(there) :]

    return pulled(f, y_bar, *args), pulled_back


def bars_of(f: Callable[..., Any], which: list[int], there: list[int], n: int, is_tuple: bool) -> Callable[..., Any]:
    """The pullback as a function of JAX's: of the items of ȳ that are there, of `n`, then of all arguments."""

    def of_bars(*given: Any) -> Any:
        items = dict(zip(there, given, strict=False))
        bars = tuple([items.get(i) for i in range(n)])
        args = given[len(there) :]
        found = PulledByJax(f, args, which)(bars if is_tuple else bars[0], *[args[i] for i in which])
        return tuple([jnp.conj(bar) for bar in found])

    return of_bars


def check_precision(x: Any) -> None:
    """Raise for double precision that JAX would round to single precision without a word."""
    if (
        isinstance(x, np.ndarray | np.generic)
        and x.dtype.kind in "fc"
        and jnp.asarray(np.zeros(0, x.dtype)).dtype != x.dtype
    ):
        raise NotDifferentiableError(
            f"a function of JAX's is given an array of {x.dtype}",
            "JAX has single precision alone, unless it is told otherwise",
            'say `jax.config.update("jax_enable_x64", True)`, or hand over `x.astype(np.float32)`',
            calling_place(),
        )


non_differentiable(which_move, bars_of, check_precision)
