"""Products with Hessians and with the matrices of Gauss and Newton: what takes a few gradients, whatever the size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .api import Compile
from .derivatives.products import planned_product, product_in_line
from .directional import check_number, pullback_of_arguments, vjp
from .forward import check_tangents, check_tuples, fitted_tangents, pushforward
from .gradients import grad
from .options import NO, options_of, refuse_foreign
from .rules.registry import non_differentiable
from .runtime.argnums import name_of
from .runtime.targets import only_once
from .tangents import check_all_numbers, densify, zeros_like
from .tangents.blocks import parts
from .tangents.seeds import holds_seeds, seeds
from .tangents.vectors import ravel, unravel


def hvp(
    f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], /, *, compile: Compile = NO, **kwargs: Any
) -> tuple[Any, ...]:
    """The product of the Hessian of a real scalar function with a vector, H v.

    H is symmetric, so that the derivative of the gradient along v is what the pullback of the gradient gives for v. It
    costs a few gradients, whatever the size; for many products at one point, `linearize` or `pullback` the gradient.

    Parameters
    ----------
    f : a function with a real scalar result, or an array of one number.
    args, kwargs : its arguments; those given by keyword are constants.
    tangents : v, one for each of `args`, with its structure and shapes; None stands for zero.
    compile : run it as compiled loops, forward mode over reverse, as `grad` does with `compile`.

    Returns
    -------
    H v: a tuple with one tangent for each of `args`, as `gradient` has; None for what carries no derivative.

    Raises
    ------
    NotScalarError
        If the result is not a real scalar.
    CotangentError
        If there are not as many tangents as arguments, or one has another structure than its argument.

    References
    ----------
    Pearlmutter, "Fast exact multiplication by the Hessian", 1994; Christianson, "Automatic Hessians by reverse
    accumulation", 1992.

    Examples
    --------
    >>> import numpy as np
    >>> hvp(lambda x: x[0] ** 2 * x[1], (np.array([3.0, 2.0]),), (np.array([1.0, 0.0]),))
    (array([4., 6.]),)
    """
    if compile is NO:
        compile = False
    else:
        (compile,) = options_of("hvp", f, compile=compile)
    if not compile and (planned := planned_product(f, args, tangents, kwargs)) is not None:
        return planned  # type: ignore[no-any-return]
    check_tuples("hvp", f, args, tangents)
    if kwargs:
        refuse_foreign("hvp", f, kwargs)
    check_number("tangents", len(tangents), len(args), name_of(f))
    check_all_numbers(tuple(args))
    zeros = zeros_like(tuple(args))
    places = tuple([i for i, zero in enumerate(zeros) if zero is not None])
    along = tuple([tangents[i] for i in places])
    if compile and (numbered := tuple([i for i in places if parts(zeros[i])])):  # an empty container has no numbers
        check_tangents(f, tuple(args), along, places)
        found = product_by_compiled(f, tuple(args), numbered, kwargs, compile, tuple([tangents[i] for i in numbered]))
        if found is not None:
            items = dict(zip(numbered, found, strict=True))
            return tuple([items.get(i, zero) for i, zero in enumerate(zeros)])
    check_tangents(f, tuple(args), along, places)  # as the arguments are now: the function may change them
    if not holds_seeds(along):
        dots = fitted_tangents(f, tuple(args), tuple(tangents), 0)[1:]
        bars = product_in_line(f, tuple(args), dots, kwargs, zeros, name_of(f))
        if bars is not None:
            return tuple([densify(bar, zero) for bar, zero in zip(bars, zeros, strict=True)])
    _, back = pullback_of_arguments(grad(f, places), tuple(args), kwargs, places)
    bars, zeros = back(along), back.repeated(zeros, along)
    return tuple([densify(bar, zero) for bar, zero in zip(bars[1:], zeros, strict=True)])


@only_once
def product_by_compiled(
    f: Any, args: tuple[Any, ...], places: tuple[int, ...], kwargs: dict[str, Any], compile: Compile, along: Any
) -> Any:
    """H v by a compiled program; None where there is none."""
    from .compiled_maps import NotCompiledError, ProductMap

    map_ = ProductMap(f, args, places, "forward", kwargs, compile)
    try:
        found = unravel(map_.push(ravel(along, map_.of_xs)), map_.of_xs)
        map_.settle()
        return found
    except NotCompiledError:
        return None


def ggnvp(
    f: Callable[..., Any],
    loss: Callable[[Any], Any],
    args: Sequence[Any],
    tangents: Sequence[Any],
    /,
    **kwargs: Any,
) -> tuple[Any, ...]:
    """The product of the generalised Gauss-Newton matrix of `loss(f(*args))` with a vector: Jᵀ H J v.

    J is the Jacobian of `f`, H the Hessian of `loss` at its result. Where `loss` is convex the matrix has no negative
    eigenvalue, which the Hessian of the whole may have; for half the sum of squares it is Jᵀ J.

    Parameters
    ----------
    f : a function with any result.
    loss : a real scalar function of that result.
    args, kwargs : the arguments of `f`; those given by keyword are constants.
    tangents : v, one for each of `args`, with its structure and shapes, or several by `seeds`; None stands for zero.

    Returns
    -------
    A tuple with one tangent for each of `args`, complete.

    Raises
    ------
    NotScalarError
        If the loss is not a real scalar.
    CotangentError
        If there are not as many tangents as arguments, or one has another structure than its argument.

    References
    ----------
    Schraudolph, "Fast curvature matrix-vector products for second-order gradient descent", 2002.

    Examples
    --------
    >>> import numpy as np
    >>> A, v = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([1.0, 0.0])
    >>> ggnvp(lambda x: A @ x, lambda y: 0.5 * np.sum(y * y), (np.zeros(2),), (v,))
    (array([1., 2.]),)
    """
    check_tuples("ggnvp", f, args, tangents)
    if kwargs:
        refuse_foreign("ggnvp", f, kwargs)
    check_number("tangents", len(tangents), len(args), name_of(f))
    y, y_dot = pushforward(f, args, tangents, **kwargs)
    back = vjp(f, *args, **kwargs)[1]
    if holds_seeds(tuple(tangents)):
        return back(seeds(hvp(loss, (y,), (seeds(y_dot),))[0]))
    return back(hvp(loss, (y,), (y_dot,))[0])


non_differentiable(check_all_numbers, holds_seeds)
