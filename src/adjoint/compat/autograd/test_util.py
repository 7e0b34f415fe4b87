"""Derivatives held to finite differences, as autograd's `test_util` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from ...directional import jvp, vjp
from ...errors import OptionError, WrongGradientError, calling_place
from ...runtime.argnums import name_of
from .vspaces import vspace
from .wrap_util import Argnum, ByArgument, unary_to_nary

STEP = 1e-6
TOLERANCE = 1e-6


def scalar_close(a: Any, b: Any) -> bool:
    """True if two numbers agree to 1e-6, absolutely or relative to their sum.

    >>> scalar_close(1.0, 1.0 + 1e-7), scalar_close(1.0, 1.1)
    (True, False)

    Parameters
    ----------
    a, b : the numbers.
    """
    return bool(abs(a - b) < TOLERANCE or abs(a - b) / abs(a + b) < TOLERANCE)


def check_equivalent(x: Any, y: Any) -> None:
    """Raise `WrongGradientError` unless two values lie in one space and agree along a random direction.

    Parameters
    ----------
    x, y : the values: numbers, arrays and structures of these.

    Examples
    --------
    >>> check_equivalent((1.0, [2.0]), (1.0, [2.0 + 1e-9]))
    """
    space, other = vspace(x), vspace(y)
    if space != other:
        raise _wrong(f"{space} is not {other}", "values of two spaces are compared")
    v = space.randn()
    if not scalar_close(space.inner_prod(x, v), space.inner_prod(y, v)):
        raise _wrong(f"{x!r} is not {y!r}", "they differ along a random direction")


def check_vjp(f: Callable[[Any], Any], x: Any) -> None:
    """Raise `WrongGradientError` unless ⟨w, J v⟩ by the reverse map and by differences agree, for random v and w.

    Parameters
    ----------
    f : any function of numbers, arrays and structures of these.
    x : the argument at which its derivative is checked.

    Examples
    --------
    >>> check_vjp(np.sin, np.array([0.5, 2.0]))
    """
    y, back = vjp(f, x)
    of_x, of_y = vspace(x), vspace(y)
    v, w = of_x.randn(), of_y.randn()
    bar = back(like(w, y))[0]
    if vspace(bar) != of_x:
        raise _wrong(f"the cotangent of `{name_of(f)}` lies in {vspace(bar)}", f"its argument lies in {of_x}")
    found, expected = of_x.inner_prod(v, bar), of_y.inner_prod(w, difference(f, x, v))
    if not scalar_close(found, expected):
        what = f"derivative (VJP) check of {name_of(f)} failed: the reverse map gives {found} at {x!r}"
        raise _wrong(what, f"differences give {expected}")


def check_jvp(f: Callable[[Any], Any], x: Any) -> None:
    """Raise `WrongGradientError` unless the tangent along a random direction is that of differences.

    Parameters
    ----------
    f : any function of numbers, arrays and structures of these.
    x : the argument at which its derivative is checked.

    Examples
    --------
    >>> check_jvp(np.sin, np.array([0.5, 2.0]))
    """
    v = vspace(x).randn()
    check_equivalent(jvp(f, (x,), (like(v, x),))[1], difference(f, x, v))


def difference(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    """(f(x + h v) - f(x - h v)) / 2h."""
    space = vspace(x)
    after, before = (f(like(space.add(x, space.scalar_mul(v, h)), x)) for h in (STEP / 2, -STEP / 2))
    of_y = vspace(after)
    return of_y.scalar_mul(of_y.add(after, of_y.scalar_mul(before, -1.0)), 1.0 / STEP)


def like(v: Any, x: Any) -> Any:
    """A value of the space of `x`, with numbers of Python where `x` has such.

    >>> like((np.array(1.0), [np.array(2j)]), (3.0, [1j]))
    (1.0, [2j])
    """
    if isinstance(x, tuple | list):
        items = [like(a, b) for a, b in zip(v, x, strict=True)]
        return items if isinstance(x, list) else type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, dict):
        return {key: like(v[key], item) for key, item in x.items()}
    if isinstance(x, np.ndarray):
        return v
    if isinstance(x, np.generic):
        return np.asarray(v)[()]
    return complex(v) if isinstance(x, complex) else float(v)


def check_grads(
    f: Callable[..., Any], argnum: Argnum = 0, modes: Sequence[str] = ("fwd", "rev"), order: int = 2
) -> ByArgument:
    """`check_grads(f)(*args)`: hold the derivatives of `f` to finite differences, as autograd does.

    Parameters
    ----------
    f : any function of numbers, arrays and structures of these.
    argnum : the places of the arguments by which it is differentiated.
    modes : "fwd", "rev", or both.
    order : up to which derivatives are checked; of the second both modes are checked within both.

    Raises
    ------
    OptionError
        If there is no such mode.
    WrongGradientError
        When called, where a derivative and the differences disagree; it is an `AssertionError`.

    Examples
    --------
    >>> check_grads(lambda x, y: x * np.sin(y), (0, 1))(2.0, 0.5)
    """
    if not all([mode in ("fwd", "rev") for mode in modes]):
        raise OptionError(
            f"`modes` is {modes!r}",
            "there are two, forward and reverse",
            'give ["fwd"], ["rev"] or both',
            calling_place(),
        )
    made: ByArgument = _check_grads(f, argnum, modes, order)
    return made


@unary_to_nary
def _check_grads(f: Callable[[Any], Any], x: Any, modes: Sequence[str], order: int) -> None:
    if "fwd" in modes:
        check_jvp(f, x)
        if order > 1:
            along = named(lambda x, v: jvp(f, (x,), (v,))[1], "jvp", f)
            check_grads(along, (0, 1), modes, order - 1)(x, like(vspace(x).randn(), x))
    if "rev" in modes:
        check_vjp(f, x)
        if order > 1:
            y = f(x)
            back = named(lambda x, w: vjp(f, x)[1](w)[0], "vjp", f)
            check_grads(back, (0, 1), modes, order - 1)(x, like(vspace(y).randn(), y))


def named(derivative: Callable[..., Any], kind: str, f: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, named after what it is the derivative of."""
    derivative.__name__ = f"{kind}_{name_of(f)}"
    return derivative


def combo_check(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., None]:
    """`combo_check(f, *options)(*lists, **lists)`: `check_grads(f, *options)` of every combination of arguments.

    Parameters
    ----------
    fun : the function.
    args, kwargs : the options of `check_grads`, such as `argnum`, `modes` and `order`.

    Examples
    --------
    >>> combo_check(np.sum)([np.ones(2), np.ones((2, 2))], axis=[None, 0])
    """

    def check(*lists: Sequence[Any], **named: Sequence[Any]) -> None:
        for given in product(*lists):
            for values in product(*named.values()):
                check_grads(fun, *args, **kwargs)(*given, **dict(zip(named, values, strict=True)))

    return check


def _wrong(what: str, why: str) -> WrongGradientError:
    return WrongGradientError(
        what, why, "correct the derivative that is declared for a function in it", calling_place()
    )


__all__ = ["check_equivalent", "check_grads", "check_jvp", "check_vjp", "combo_check", "scalar_close"]
