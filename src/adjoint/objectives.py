"""What SciPy's optimisers take: values and derivatives as contiguous float64, from one run at each point.

`minimize`, `least_squares`, `root` and `curve_fit` ask for the value at a point and then, by another function, for the
derivative there. The functions here belong together: what the first has computed the second finds.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .api import grad, value_and_grad
from .derivatives.choice import is_structured_call
from .derivatives.named import Importable, Named, name_after
from .directional import pullback_of_arguments
from .errors import SparsityError, check_callable
from .jacobians import MAX_BYTES, blocks_of, hessian
from .maps import LinearMap
from .runtime.argnums import name_of
from .sparsity import Sparsity, sparse_matrix
from .tangents import zeros_like
from .tangents.blocks import parts
from .tangents.form import check_real
from .tangents.vectors import unravel

Array = np.ndarray[Any, np.dtype[np.float64]]


class Objective(Importable):
    """A real scalar function for `scipy.optimize.minimize` and its like: `fun`, `jac`, `hess`, `hessp`.

    Value and gradient come from one run, and are remembered by the point, so that `fun(x)` and then `jac(x)` cost what
    `value_and_grad` costs once; so does what the products with the Hessian need. Points are given as SciPy gives them,
    (n,), and reach `f` as a float64 copy; what comes back is contiguous float64. Extra arguments (`args=` of SciPy) are
    handed on as they are, and are told apart by identity: arrays given so, and what else `f` reads, are to stay as they
    are while it is optimised (else call `forget`). From several threads it is as right as `f` is.

    Parameters
    ----------
    f : the function, `f(x, *args)`.

    Examples
    --------
    >>> from scipy.optimize import minimize
    >>> rosenbrock = Objective(lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2)
    >>> found = minimize(rosenbrock.fun, [-1, 2], jac=rosenbrock.jac, hess=rosenbrock.hess, method="trust-exact")
    >>> found.x.round(4)
    array([1., 1.])
    """

    def __init__(self, f: Callable[..., Any]) -> None:
        self._f = f
        self._last: _ObjectivePoint | None = None
        self._value_and_grad = value_and_grad(f)

    def fun(self, x: Any, *args: Any) -> float:
        """The value at a point."""
        return self._at(x, args).value

    def jac(self, x: Any, *args: Any) -> Array:
        """The gradient at a point, (n,)."""
        return self._at(x, args).slope.copy()

    def hess(self, x: Any, *args: Any) -> Array:
        """The Hessian at a point, (n, n)."""
        point = self._at(x, args)
        n = point.slope.size
        return _matrix(hessian(self._f, point.x.copy(), *args, argnums=0)).reshape(n, n)

    def hessp(self, x: Any, p: Any, *args: Any) -> Array:
        """The product of the Hessian at a point with a vector, (n,)."""
        point = self._at(x, args)
        return _matrix(point.back(np.array(p, np.float64).reshape(point.x.shape))[1]).reshape(-1)

    def forget(self) -> None:
        """Forget the last point: what `f` reads has changed."""
        self._last = None

    def _at(self, x: Any, args: tuple[Any, ...]) -> _ObjectivePoint:
        x = np.array(x, np.float64, order="C")
        point = self._last
        if point is None or not point.is_at(x, args):
            value, slope = self._value_and_grad(x.copy(), *args)
            point = self._last = _ObjectivePoint(
                self._f, x, args, float(np.asarray(value).item()), _matrix(slope).reshape(-1)
            )
        return point

    def __reduce__(self) -> Any:
        return Objective, (self._f,)

    def __repr__(self) -> str:
        return f"Objective({name_of(self._f)})"


class _Point:
    """A point and what is known there."""

    def __init__(self, x: Array, args: tuple[Any, ...]) -> None:
        self.x, self.args, self.numbers = x, args, x.tobytes()

    def is_at(self, x: Array, args: tuple[Any, ...]) -> bool:
        """Whether it is this one, to the last bit."""
        if x.tobytes() != self.numbers or x.shape != self.x.shape or len(args) != len(self.args):
            return False
        return all(map(operator.is_, args, self.args))


class _ObjectivePoint(_Point):
    def __init__(self, f: Any, x: Array, args: tuple[Any, ...], value: float, slope: Array) -> None:
        super().__init__(x, args)
        self.f, self.value, self.slope = f, value, slope
        self._back: Any = None

    @property
    def back(self) -> Any:
        """The pullback of the gradient, which gives products with the Hessian."""
        if self._back is None:
            self._back = pullback_of_arguments(grad(self.f), (self.x.copy(), *self.args), {}, (0,))[1]
        return self._back


class Residuals(Importable):
    """A function with several results for `least_squares`, `root` or a `NonlinearConstraint`: `fun`, `jac`, `hess`.

    `fun` is the function itself. `jac` takes the Jacobian by columns or by rows, whatever are fewer, and runs the
    function again. Both are remembered by the point. Points and results are as `Objective` has them: (n,) to (m,), and
    `jac` is (m, n), contiguous float64; lists of numbers are results too.

    Parameters
    ----------
    f : the function, `f(x, *args)`.
    sparsity : "auto" or a pattern, as for `jacobian`: `jac` is then a `scipy.sparse.csr_array`. A pattern that is found
        is kept for the points that follow, and found anew where it no longer holds.
    max_bytes : how much memory a dense Jacobian may take.

    Examples
    --------
    >>> from scipy.optimize import root
    >>> circles = Residuals(lambda x: [x[0] ** 2 + x[1] ** 2 - 4.0, x[0] - x[1]])
    >>> root(circles.fun, [1.0, 2.0], jac=circles.jac).x.round(6)
    array([1.414214, 1.414214])
    """

    def __init__(self, f: Callable[..., Any], sparsity: Any = None, max_bytes: float = MAX_BYTES) -> None:
        check_callable(f)
        self._f = f
        self._sparsity = sparsity
        self._max_bytes = max_bytes
        self._pattern: Sparsity | None = None
        self._last: _ResidualsPoint | None = None

    def fun(self, x: Any, *args: Any) -> Array:
        """The values at a point, (m,)."""
        point = self._at(x, args)
        if point.values is None:
            point.values = _values(self._f(point.x.copy(), *args), self._f)
        return point.values.copy()

    def jac(self, x: Any, *args: Any) -> Any:
        """The Jacobian at a point, (m, n)."""
        point = self._at(x, args)
        if point.jacobian is None:
            given = (point.x.copy(), *args)
            point.jacobian = (
                _dense(self._f, given, (0,), self._max_bytes) if self._sparsity is None else self._sparse(given)
            )
        return point.jacobian.copy()

    def _sparse(self, given: tuple[Any, ...]) -> Any:
        map_ = LinearMap(self._f, given, (0,), self._mode_for(given))
        try:
            found, pattern = sparse_matrix(map_, self._sparsity if self._pattern is None else self._pattern)
        except SparsityError:
            if not isinstance(self._sparsity, str) or self._pattern is None:
                raise
            found, pattern = sparse_matrix(map_, self._sparsity)
        self._pattern = pattern
        return found

    def hess(self, x: Any, v: Any, *args: Any) -> Array:
        """Σ vᵢ ∂²fᵢ at a point, (n, n): what `NonlinearConstraint` asks for."""
        x = np.array(x, np.float64, order="C")
        weights = unravel(np.array(v, np.float64).reshape(-1), self._f(x.copy(), *args))

        def weighted(x: Any) -> Any:
            return sum([np.sum(part * w) for part, w in zip(parts(self._f(x, *args)), parts(weights), strict=True)])

        return _matrix(hessian(weighted, x)).reshape(x.size, x.size)

    def forget(self) -> None:
        """Forget the last point: what `f` reads has changed."""
        self._last = None

    def _at(self, x: Any, args: tuple[Any, ...]) -> _ResidualsPoint:
        x = np.array(x, np.float64, order="C")
        point = self._last
        if point is None or not point.is_at(x, args):
            point = self._last = _ResidualsPoint(x, args)
        return point

    def _mode_for(self, given: tuple[Any, ...]) -> str:
        """In which way `f` runs at a point, so that a sparse Jacobian takes few runs more."""
        columns, rows = self._pattern.groups if isinstance(self._pattern, Sparsity) else (0, 1)
        return "reverse" if rows <= columns or not is_structured_call(self._f, given) else "forward"

    def __reduce__(self) -> Any:
        return Residuals, (self._f, self._sparsity, self._max_bytes)

    def __repr__(self) -> str:
        return f"Residuals({name_of(self._f)})"


class _ResidualsPoint(_Point):
    def __init__(self, x: Array, args: tuple[Any, ...]) -> None:
        super().__init__(x, args)
        self.values: Array | None = None
        self.jacobian: Any = None


class Model(Named):
    """A model for `scipy.optimize.curve_fit`: it is called as the function is, and `jac` is by its parameters.

    Parameters
    ----------
    f : the model, `f(x, *params)`: an array of as many values as there are observations. Each parameter is a number.

    Examples
    --------
    >>> from scipy.optimize import curve_fit
    >>> decay = Model(lambda t, amplitude, rate: amplitude * np.exp(-rate * t))
    >>> t = np.linspace(0.0, 4.0, 9)
    >>> curve_fit(decay, t, decay(t, 3.0, 0.5), p0=[1.0, 1.0], jac=decay.jac)[0].round(6)
    array([3. , 0.5])
    """

    def __init__(self, f: Callable[..., Any]) -> None:
        check_callable(f)
        self._f = f
        self._last: _ResidualsPoint | None = None
        name_after(self, f)

    def __call__(self, x: Any, *params: Any) -> Any:
        """What the model says."""
        point = self._at(x, params)
        if point.values is None:
            point.values = _values(self._f(x, *point.x.tolist()), self._f)
        return point.values.copy()

    def jac(self, x: Any, *params: Any) -> Array:
        """Its derivatives, a column for each parameter."""
        point = self._at(x, params)
        if point.jacobian is None:
            given = (x, *point.x.tolist())
            point.jacobian = _dense(self._f, given, tuple(range(1, len(given))), MAX_BYTES)
        return np.array(point.jacobian)

    def forget(self) -> None:
        """Forget the last point: what `f` reads has changed."""
        self._last = None

    def _at(self, x: Any, params: tuple[Any, ...]) -> _ResidualsPoint:
        values, args = np.array(params, np.float64), (x,)
        point = self._last
        if point is None or not point.is_at(values, args):
            point = self._last = _ResidualsPoint(values, args)
        return point

    def __reduce__(self) -> Any:
        return Model, (self._f,)

    def __repr__(self) -> str:
        return f"Model({name_of(self._f)})"


def _values(y: Any, f: Any) -> Array:
    """The numbers of a result in one row, as an array of their own."""
    if type(y) is np.ndarray and y.dtype == np.float64:
        return y.flatten()
    check_real("the result", y, zeros_like(y), name_of(f))
    return np.concatenate([np.ravel(part) for part in parts(y)], dtype=np.float64)


def _dense(f: Any, args: tuple[Any, ...], places: tuple[int, ...], max_bytes: float) -> Array:
    """The whole Jacobian by the arguments at these places, as a matrix."""
    of_y, _, blocks = blocks_of(f, args, places, "auto", max_bytes, {})[1:]
    bands = [
        np.concatenate([block.reshape(np.size(part), -1) for block in row], axis=1)
        for part, row in zip(parts(of_y), blocks, strict=True)
    ]
    return _matrix(np.concatenate(bands))


def _matrix(a: Any) -> Array:
    """Derivatives as SciPy's compiled parts want them: contiguous float64."""
    return np.ascontiguousarray(a, dtype=np.float64)
