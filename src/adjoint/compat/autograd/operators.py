"""autograd's operators of functions, with its signatures: by the place of an argument, and with its complex convention.

Reverse maps are conjugated where they are handed over (`borders`); forward mode has one convention only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import gradients, hessians, jacobians
from ...checkpoints import checkpoint
from . import core
from .borders import conjugated, is_complex, refuse_complex, warn_of_real
from .of_results import Contracted, Pair, Total
from .vspaces import basis_of, one_of
from .wrap_util import Argnum, ByArgument, argument, unary, unary_to_nary

Places = int | tuple[int, ...]
Keywords = dict[str, Any]


def grad(fun: Callable[..., Any], argnum: Argnum = 0) -> ByArgument:
    """The function that gives the gradient of `fun` by the argument at place `argnum`: autograd's `grad`.

    Parameters
    ----------
    fun : a function with a real scalar result; an array of one number, (1,), counts as one.
    argnum : the place of an argument, or several: then the gradients come as a tuple.

    Returns
    -------
    A function of the arguments of `fun`. Of complex arguments z = x + iy the gradient is ∂u/∂x - i ∂u/∂y, the conjugate
    of what `adjoint.grad` gives.

    Raises
    ------
    NotScalarError
        When called, if the result is not a real scalar.
    NotDifferentiableError
        If `fun` cannot be called, or `argnum` is no place.

    Examples
    --------
    >>> grad(lambda z: abs(z) ** 2)(1 + 2j)
    (2-4j)
    >>> grad(lambda x, y: x * x * y, (0, 1))(3.0, 2.0)
    (12.0, 9.0)
    """
    return ByArgument(gradient_at, fun, argnum, "grad")


def value_and_grad(fun: Callable[..., Any], argnum: Argnum = 0) -> ByArgument:
    """The function that gives the value of `fun` and its gradient, as `grad` does: autograd's `value_and_grad`.

    Parameters
    ----------
    fun : a function with a real scalar result.
    argnum : the place of an argument, or several: then the gradients come as a tuple.

    Examples
    --------
    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    return ByArgument(value_and_gradient_at, fun, argnum, "value_and_grad")


def grad_and_aux(fun: Callable[..., Any], argnum: Argnum = 0) -> ByArgument:
    """The gradient of the first of two results, and the second as it is: autograd's `grad_and_aux`.

    Parameters
    ----------
    fun : a function of two results, of which the first is a real scalar.
    argnum : the place of an argument, or several: then the gradients come as a tuple.

    Examples
    --------
    >>> grad_and_aux(lambda x: (x * x, "seen"))(3.0)
    (6.0, 'seen')
    """
    return ByArgument(gradient_and_aux_at, fun, argnum, "grad_and_aux")


def elementwise_grad(fun: Callable[..., Any], argnum: Argnum = 0) -> ByArgument:
    """The gradient of the sum of the result, Σₖ ∂yₖ/∂x: autograd's `elementwise_grad`.

    Where each element of the result depends on one of the argument alone, these are the derivatives one by one.

    Parameters
    ----------
    fun : a function with a real number or array as its result.
    argnum : the place of an argument, or several: then the gradients come as a tuple.

    Raises
    ------
    NotScalarError
        When called, if the result is complex.

    Examples
    --------
    >>> elementwise_grad(np.sin)(np.zeros(3))
    array([1., 1., 1.])
    """
    return ByArgument(elementwise_at, fun, argnum, "elementwise_grad")


def jacobian(fun: Callable[..., Any], argnum: Argnum = 0) -> ByArgument:
    """The Jacobian of `fun` by an array, of shape (*y.shape, *x.shape): autograd's `jacobian`.

    Parameters
    ----------
    fun : a function with a real number or array as its result.
    argnum : the place of an argument, a number or an array.

    Raises
    ------
    NotDifferentiableError
        When called, if the result or the argument is anything else.

    Examples
    --------
    >>> jacobian(np.cumsum)(np.ones(3))
    array([[1., 0., 0.],
           [1., 1., 0.],
           [1., 1., 1.]])
    """
    return ByArgument(jacobian_at, fun, argnum, "jacobian")


def hessian(fun: Callable[..., Any], argnum: Argnum = 0) -> ByArgument:
    """The second derivatives of `fun` by the argument at place `argnum`, of shape (*y.shape, *x.shape, *x.shape).

    `hessian(f)(x, *data)` is by `x` alone.

    Parameters
    ----------
    fun : a function with a real number or array as its result.
    argnum : the place of an argument, a number or an array.

    Examples
    --------
    >>> hessian(lambda x, scale: scale * x[0] * x[1])(np.array([1.0, 2.0]), 3.0)
    array([[0., 3.],
           [3., 0.]])
    """
    return ByArgument(hessian_at, fun, argnum, "hessian")


def hessian_tensor_product(fun: Callable[..., Any], argnum: Argnum = 0) -> ByArgument:
    """The product of the Hessian with an array of the shape of the argument, which is given as the last argument.

    Parameters
    ----------
    fun : a function with a real scalar result.
    argnum : the place of the argument by which it is differentiated.

    Examples
    --------
    >>> hessian_tensor_product(lambda x: (x**3).sum())(np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([  6., 120.])
    """
    return grad(Contracted(grad(fun, argnum), True), argnum)


def tensor_jacobian_product(fun: Callable[..., Any], argnum: Argnum = 0) -> ByArgument:
    """The product of an array, which is given as the last argument, with the Jacobian: over all axes of the array.

    Parameters
    ----------
    fun : a function with a real number or array as its result.
    argnum : the place of the argument by which it is differentiated.

    Examples
    --------
    >>> tensor_jacobian_product(np.cumsum)(np.ones(3), np.array([1.0, 0.0, 1.0]))
    array([2., 1., 1.])
    """
    return jacobian(Contracted(fun, False), argnum)


hessian_vector_product = hessian_tensor_product
vector_jacobian_product = tensor_jacobian_product


@unary_to_nary
def make_vjp(fun: Callable[[Any], Any], x: Any) -> tuple[Callable[[Any], Any], Any]:
    """`make_vjp(fun, argnum)(*args)`: the reverse map g ↦ Jᵀ g at this point, and the value.

    Parameters
    ----------
    fun : any function of numbers, arrays and structures of these.
    x : the argument at the place `argnum` (0 if not given) of the call; the others are constants.

    Examples
    --------
    >>> back, y = make_vjp(lambda x: 3.0 * x)(2.0)
    >>> y, back(1.0)
    (6.0, 3.0)
    """
    return core.make_vjp(fun, x)


@unary_to_nary
def make_jvp(fun: Callable[[Any], Any], x: Any) -> Callable[[Any], tuple[Any, Any]]:
    """`make_jvp(fun, argnum)(*args)`: the map ẋ ↦ (y, J ẋ) at this point.

    Parameters
    ----------
    fun : any function of numbers, arrays and structures of these.
    x : the argument at the place `argnum` (0 if not given) of the call; the others are constants.

    Examples
    --------
    >>> make_jvp(lambda x: 3.0 * x)(2.0)(1.0)
    (6.0, 3.0)
    """
    return core.make_jvp(fun, x)


@unary_to_nary
def make_jvp_reversemode(fun: Callable[[Any], Any], x: Any) -> Callable[[Any], Any]:
    """`make_jvp_reversemode(fun, argnum)(*args)`: the map ẋ ↦ J ẋ, without the value; it runs in forward mode.

    Examples
    --------
    >>> make_jvp_reversemode(lambda x: 3.0 * x)(2.0)(1.0)
    3.0
    """
    push = core.make_jvp(fun, x)
    return lambda v: push(v)[1]


@unary_to_nary
def make_hvp(fun: Callable[[Any], Any], x: Any) -> tuple[Callable[[Any], Any], Any]:
    """`make_hvp(fun, argnum)(*args)`: the map v ↦ H v at this point, and the gradient.

    Parameters
    ----------
    fun : a function with a real scalar result.
    x : the argument at the place `argnum` (0 if not given) of the call; the others are constants.

    Examples
    --------
    >>> times, g = make_hvp(lambda x: x**3)(2.0)
    >>> g, times(1.0)
    (12.0, 12.0)
    """
    return core.make_vjp(grad(fun), x)


def half_of_squares(x: Any) -> Any:
    """½ Σ x² over the last axis.

    >>> float(half_of_squares(np.array([3.0, 4.0])))
    12.5
    """
    return 0.5 * np.sum(x**2, axis=-1)


def make_ggnvp(f: Callable[..., Any], g: Callable[[Any], Any] = half_of_squares, f_argnum: Argnum = 0) -> ByArgument:
    """`make_ggnvp(f, g)(*args)`: the map v ↦ Jᵀ H J v of the generalized Gauss-Newton matrix of g ∘ f.

    Parameters
    ----------
    f : the inner function, with a real array as its result: a model.
    g : the outer function, convex and of a real scalar result: a loss. Half of the sum of squares if nothing is said.
    f_argnum : the place of the argument of `f` by which it is differentiated.

    References
    ----------
    N. Schraudolph, "Fast curvature matrix-vector products for second-order gradient descent", 2002.

    Examples
    --------
    >>> make_ggnvp(lambda x: 2.0 * x)(np.ones(2))(np.array([1.0, 0.0]))
    array([4., 0.])
    """
    made: ByArgument = gauss_newton(f, f_argnum, g)
    return made


@unary_to_nary
def gauss_newton(fun: Callable[[Any], Any], x: Any, g: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Forward through `fun`, through the Hessian of `g`, and back."""
    back, y = core.make_vjp(fun, x)
    times, _ = core.make_vjp(grad(g), y)
    push = core.make_jvp(fun, x)
    return lambda v: back(times(push(v)[1]))


@unary_to_nary
def deriv(fun: Callable[[Any], Any], x: Any) -> Any:
    """`deriv(fun, argnum)(*args)`: the tangent of the result where every coordinate moves by 1, by forward mode.

    Parameters
    ----------
    fun : any function of numbers, arrays and structures of these.
    x : the argument at the place `argnum` (0 if not given) of the call; the others are constants.

    Examples
    --------
    >>> deriv(lambda x: x**3)(2.0)
    12.0
    """
    return core.make_jvp(fun, x)(one_of(x))[1]


@unary_to_nary
def holomorphic_grad(fun: Callable[[Any], Any], x: Any) -> Any:
    """`holomorphic_grad(fun)(z)`: the complex derivative f'(z) of a holomorphic function; it warns of a real `z`.

    Parameters
    ----------
    fun : a holomorphic function of a complex number or array.
    x : the argument at the place `argnum` (0 if not given) of the call; the others are constants.

    Examples
    --------
    >>> holomorphic_grad(lambda z: z**3)(1 + 2j)
    (-9+12j)
    """
    warn_of_real(x)
    return grad(lambda z: np.real(fun(z)))(x)


# ---- what the operators do at a call


def gradient_at(f: Callable[..., Any], argnum: Places, args: tuple[Any, ...], kwargs: Keywords) -> Any:
    """The gradient, in autograd's convention."""
    return conjugated(gradients.grad(f, argnum)(*args, **kwargs))


def value_and_gradient_at(f: Callable[..., Any], argnum: Places, args: tuple[Any, ...], kwargs: Keywords) -> Any:
    """The value and the gradient."""
    y, bar = gradients.value_and_grad(f, argnum)(*args, **kwargs)
    return y, conjugated(bar)


def gradient_and_aux_at(f: Callable[..., Any], argnum: Places, args: tuple[Any, ...], kwargs: Keywords) -> Any:
    """The gradient of the first result, and the second."""
    bar, aux = gradients.grad(Pair(f), argnum, has_aux=True)(*args, **kwargs)
    return conjugated(bar), aux


def elementwise_at(f: Callable[..., Any], argnum: Places, args: tuple[Any, ...], kwargs: Keywords) -> Any:
    """The gradient of the sum of the result."""
    return gradient_at(Total(f), argnum, args, kwargs)


def jacobian_at(f: Callable[..., Any], argnum: Places, args: tuple[Any, ...], kwargs: Keywords) -> Any:
    """The Jacobian by one argument; by a complex one row after row, in autograd's convention."""
    x = argument(argnum, args)
    if is_complex(x):
        back, y = core.make_vjp(unary(f, argnum, args, kwargs), x)
        refuse_complex(y, f)
        return np.reshape(np.stack([back(e) for e in basis_of(y)]), np.shape(y) + np.shape(x))
    return jacobians.jacobian(f, argnums=argnum)(*args, **kwargs)


def hessian_at(f: Callable[..., Any], argnum: Places, args: tuple[Any, ...], kwargs: Keywords) -> Any:
    """The Hessian of a real number; of an array the Jacobian of the Jacobian."""
    x = argument(argnum, args)
    if not is_complex(x) and np.ndim(core.make_vjp(unary(f, argnum, args, kwargs), x)[1]) == 0:
        return hessians.hessian(f, argnums=argnum)(*args, **kwargs)
    return jacobian_at(jacobian(f, argnum), argnum, args, kwargs)


__all__ = [
    "checkpoint",
    "deriv",
    "elementwise_grad",
    "grad",
    "grad_and_aux",
    "hessian",
    "hessian_tensor_product",
    "hessian_vector_product",
    "holomorphic_grad",
    "jacobian",
    "make_ggnvp",
    "make_hvp",
    "make_jvp",
    "make_jvp_reversemode",
    "make_vjp",
    "tensor_jacobian_product",
    "value_and_grad",
    "vector_jacobian_product",
]
