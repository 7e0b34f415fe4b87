"""Names that autograd has kept and advises against: methods of primitives, and `util.quick_grad_check`.

They work, with a `DeprecationWarning` that names what to use.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from . import extend
from .test_util import check_grads
from .vspaces import vspace


def primitive(f_raw: Callable[..., Any]) -> Callable[..., Any]:
    """`extend.primitive`, with the methods `defgrad`, `defvjp` and `defvjp_is_zero` of older versions of autograd.

    `f.defgrad(maker, argnum)` declares `maker(ans, *args)`, which gives g ↦ the cotangent of that argument;
    `f.defvjp(vjp, argnum)` declares `vjp(g, ans, vs, gvs, *args)`, where `vs` and `gvs` are the spaces of the argument
    and of g; `f.defvjp_is_zero(argnums)` declares that nothing flows.

    Parameters
    ----------
    f_raw : the function. Its code is not looked into: it has the derivatives that are declared.

    Raises
    ------
    NotDifferentiableError
        If it cannot be called.

    References
    ----------
    The meaning is that of autograd's `core.primitive_with_deprecation_warnings`.

    Examples
    --------
    >>> import warnings
    >>> from adjoint.compat.autograd import grad
    >>> square = primitive(lambda x: x * x)
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     square.defgrad(lambda ans, x: lambda g: 2.0 * g * x)
    >>> grad(square)(3.0)
    6.0
    """
    f = extend.primitive(f_raw)
    makers: dict[int, Any] = {}

    def declare(argnum: int, maker: Any) -> None:
        makers[argnum] = maker
        extend.defvjp(f, *makers.values(), argnums=list(makers))

    def defgrad(gradfun: Callable[..., Any], argnum: int = 0) -> None:
        _warn("the method `defgrad`", "autograd.extend.defvjp")
        declare(argnum, gradfun)

    def defvjp(vjpfun: Callable[..., Any], argnum: int = 0) -> None:
        _warn("the method `defvjp`", "autograd.extend.defvjp")
        declare(argnum, _staged(vjpfun, argnum))

    def defvjp_is_zero(argnums: Iterable[int] = (0,)) -> None:
        _warn("the method `defvjp_is_zero`", "None in autograd.extend.defvjp")
        for argnum in argnums:
            declare(argnum, None)

    vars(f).update(defgrad=defgrad, defvjp=defvjp, defvjp_is_zero=defvjp_is_zero)
    return f


def _staged(vjpfun: Callable[..., Any], argnum: int) -> Callable[..., Any]:
    """The reverse map as `extend.defvjp` takes it, of one that is given g together with the arguments."""

    def maker(ans: Any, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
        return lambda g: vjpfun(g, ans, vspace(args[argnum]), vspace(g), *args, **kwargs)

    return maker


def quick_grad_check(
    fun: Callable[..., Any],
    arg0: Any,
    extra_args: tuple[Any, ...] = (),
    kwargs: dict[str, Any] | None = None,
    verbose: bool = True,
    eps: float = 1e-4,
    rtol: float = 1e-4,
    atol: float = 1e-6,
    rs: Any = None,
) -> None:
    """Hold the gradient by the first argument to finite differences: `check_grads` of first order, in reverse mode.

    Parameters
    ----------
    extra_args, kwargs : what `fun` gets besides.
    verbose, eps, rtol, atol, rs : taken and not looked at, as in autograd.

    Raises
    ------
    WrongGradientError
        If they disagree.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     quick_grad_check(lambda x, y: x**2 + y, 1.0, (2.0,))
    """
    _warn("`quick_grad_check`", "autograd.test_util.check_grads")
    check_grads(lambda x: fun(x, *extra_args, **(kwargs or {})), modes=["rev"], order=1)(arg0)


def _warn(what: str, instead: str) -> None:
    warnings.warn(f"{what} is deprecated in autograd; use {instead}", DeprecationWarning, stacklevel=3)


__all__ = ["primitive", "quick_grad_check"]
