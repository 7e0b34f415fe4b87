"""Values and derivatives for SciPy's optimizers, as contiguous float64, from one run at each point.

`minimize`, `least_squares`, `root` and `curve_fit` ask for the value at a point and then, by another function, for the
derivative there. The functions here belong together: what the first has computed the second finds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .api import Compile
from .blocks import attempted, blocks_of
from .derivatives.choice import is_structured_call
from .derivatives.named import Importable, Named, name_after
from .errors import SparsityError, check_callable
from .gradients import value_and_grad
from .hessians import hessian
from .maps import LinearMap
from .of_functions import MAX_BYTES
from .points import Array, ObjectivePoint, ResidualsPoint
from .rules.scipy.choices import through_steps
from .runtime.argnums import name_of
from .sparse import Sparsity, sparse_matrix
from .tangents import zeros_like
from .tangents.blocks import parts
from .tangents.form import check_real
from .tangents.vectors import as_many, real_numbers, unravel


class Objective(Importable):
    """A real scalar function for `scipy.optimize.minimize` and its like: `fun`, `jac`, `hess`, `hessp`; for samplers
    `value_and_grad`.

    Value and gradient come from one run, and are remembered by the point, so that `fun(x)` and then `jac(x)` cost what
    `value_and_grad` costs once; so does what the products with the Hessian need. Points are given as SciPy gives them,
    (n,), and reach `f` as a float64 copy; what comes back is contiguous float64.

    Extra arguments (`args=` of SciPy) are handed on as they are, and are told apart by identity. Such arrays, and all
    else that `f` reads, must stay as they are during the optimisation (else call `forget`). It is as safe with several
    threads as `f` is.

    Parameters
    ----------
    f : the function, `f(x, *args)`.
    like : a model, or a dict of parameters, that `f` takes for `x`: any nesting of records, lists, tuples and dicts.
        Points are then the vectors of its parameters, as `nn.ravel` has them: it is at `x0`, and `unravel(x)` gives
        back the model of a point. Integers are no parameters; a model without any is refused (`OptionError`), and so
        is a point that is no vector (`NotDifferentiableError`).
    compile : take values, gradients and Hessians by compiled programs, as `grad` does with `compile`; of a model,
        values and gradients.

    Attributes
    ----------
    x0 : the vector of the parameters given as `like`, where the optimizer starts; None without `like`.

    Examples
    --------
    >>> from scipy.optimize import minimize
    >>> rosenbrock = Objective(lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2)
    >>> found = minimize(rosenbrock.fun, [-1, 2], jac=rosenbrock.jac, hess=rosenbrock.hess, method="trust-exact")
    >>> found.x.round(4)
    array([1., 1.])
    >>> parabola = Objective(lambda p: (p["a"] - 1.0) ** 2 + np.sum(p["b"] ** 2), like={"a": 0.0, "b": np.ones(2)})
    >>> found = minimize(parabola.fun, parabola.x0, jac=parabola.jac)
    >>> round(parabola.unravel(found.x)["a"], 6)
    1.0
    """

    def __init__(self, f: Callable[..., Any], like: Any = None, compile: Compile = False) -> None:
        self._given = f, like, compile
        self._f, self.x0, self._unravel = _of_vectors(f, like)
        self._last: ObjectivePoint | None = None
        self._value_and_grad = value_and_grad(f, compile=compile)

    def unravel(self, x: Any) -> Any:
        """Turn the vector `x` back into the parameters given as `like`."""
        return x if self._unravel is None else self._unravel(x)

    def fun(self, x: Any, *args: Any) -> float:
        """The value at a point."""
        return self._at(x, args).value

    def jac(self, x: Any, *args: Any) -> Array:
        """The gradient at a point, (n,)."""
        return self._at(x, args).slope.copy()

    def value_and_grad(self, x: Any, *args: Any) -> tuple[float, Array]:
        """The value and the gradient at a point: what samplers take, and `minimize` with `jac=True`.

        >>> Objective(lambda p: -0.5 * np.sum(p["a"] ** 2), like={"a": np.zeros(2)}).value_and_grad([1.0, 2.0])
        (-2.5, array([-1., -2.]))
        """
        point = self._at(x, args)
        return point.value, point.slope.copy()

    def hess(self, x: Any, *args: Any) -> Array:
        """The Hessian at a point, (n, n)."""
        point = self._at(x, args)
        n = point.slope.size
        compiled = self._given[2] if self._unravel is None else False
        return _matrix(hessian(self._f, point.x.copy(), *args, argnums=0, compile=compiled)).reshape(n, n)

    def hessp(self, x: Any, p: Any, *args: Any) -> Array:
        """The product of the Hessian at a point with a vector, (n,)."""
        point = self._at(x, args)
        return _matrix(point.back(as_many(p, point.x.size, "a direction is").reshape(point.x.shape))[1]).reshape(-1)

    def forget(self) -> None:
        """Forget the last point: what `f` reads has changed."""
        self._last = None

    def _at(self, x: Any, args: tuple[Any, ...]) -> ObjectivePoint:
        x = real_numbers(x)
        point = self._last
        if point is None or not point.is_at(x, args):
            value, slope = self._value_and_grad(self.unravel(x.copy()), *args)
            slope = slope if self._unravel is None else self._unravel.vector(slope)
            point = self._last = ObjectivePoint(
                self._f, x, args, float(np.asarray(value).item()), _matrix(slope).reshape(-1)
            )
        return point

    def __reduce__(self) -> Any:
        return Objective, self._given

    def __repr__(self) -> str:
        return f"Objective({name_of(self._given[0])})"


def _of_vectors(f: Any, like: Any) -> tuple[Any, Any, Any]:
    """A function of models like this as one of vectors, the vector of this one, and what makes a model of a vector."""
    if like is None:
        return f, None, None
    from .trees import OfVector, ravel_like

    x0, unravel = ravel_like(like)
    return OfVector(f, unravel), x0, unravel


class Residuals(Importable):
    """A function with several results for `least_squares`, `root` or a `NonlinearConstraint`: `fun`, `jac`, `hess`.

    `fun` is the function itself. `jac` takes the Jacobian by columns or by rows, whichever are fewer, and runs the
    function again. Both cache the last point. Points and results are as `Objective` has them: (n,) to (m,), and
    `jac` is (m, n), contiguous float64; lists of numbers are results too.

    Parameters
    ----------
    f : the function, `f(x, *args)`.
    sparsity : "auto" or a pattern, as for `jacobian`: `jac` is then a `scipy.sparse.csr_array`. A pattern that is found
        is kept for the points that follow, and found anew where it no longer holds.
    max_bytes : how much memory a dense Jacobian may take.
    like : a model, or a dict of parameters, that `f` takes for `x`; as for `Objective`.
    compile : take dense Jacobians by compiled programs, as `jacobian` does with `compile`; not those of a model.

    Attributes
    ----------
    x0 : the vector of the parameters given as `like`, where a fit starts; None without `like`.

    Examples
    --------
    >>> from scipy.optimize import root
    >>> circles = Residuals(lambda x: [x[0] ** 2 + x[1] ** 2 - 4.0, x[0] - x[1]])
    >>> root(circles.fun, [1.0, 2.0], jac=circles.jac).x.round(6)
    array([1.414214, 1.414214])

    With parameters by name, `x0` is where they start, and `unravel` gives them their names again:

    >>> from scipy.optimize import least_squares
    >>> t = np.linspace(0.0, 4.0, 9)
    >>> data = 3.0 * np.exp(-0.5 * t)
    >>> start = {"amplitude": 1.0, "rate": 1.0}
    >>> decay = Residuals(lambda p: p["amplitude"] * np.exp(-p["rate"] * t) - data, like=start)
    >>> decay.x0
    array([1., 1.])
    >>> found = least_squares(decay.fun, decay.x0, jac=decay.jac)
    >>> {name: round(p, 6) for name, p in decay.unravel(found.x).items()}
    {'amplitude': 3.0, 'rate': 0.5}
    """

    def __init__(
        self,
        f: Callable[..., Any],
        sparsity: Any = None,
        max_bytes: float = MAX_BYTES,
        like: Any = None,
        compile: Compile = False,
    ) -> None:
        check_callable(f)
        self._given = f, sparsity, max_bytes, like, compile
        self._f, self.x0, self._unravel = _of_vectors(f, like)
        self._compile = compile if like is None else False
        self._sparsity = sparsity
        self._max_bytes = max_bytes
        self._pattern: Sparsity | None = None
        self._last: ResidualsPoint | None = None

    def unravel(self, x: Any) -> Any:
        """Turn the vector `x` back into the parameters given as `like`."""
        return x if self._unravel is None else self._unravel(x)

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
                self._sparse(given)
                if self._sparsity is not None
                else _dense(self._f, given, (0,), self._max_bytes, self._compile)
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
        x = real_numbers(x)
        y = self._f(x.copy(), *args)
        weights = unravel(as_many(v, sum([np.size(part) for part in parts(y)]), "`v` is"), y)

        def weighted(x: Any) -> Any:
            return sum([np.sum(part * w) for part, w in zip(parts(self._f(x, *args)), parts(weights), strict=True)])

        return _matrix(hessian(weighted, x)).reshape(x.size, x.size)

    def forget(self) -> None:
        """Forget the last point: what `f` reads has changed."""
        self._last = None

    def _at(self, x: Any, args: tuple[Any, ...]) -> ResidualsPoint:
        x = real_numbers(x)
        point = self._last
        if point is None or not point.is_at(x, args):
            point = self._last = ResidualsPoint(x, args)
        return point

    def _mode_for(self, given: tuple[Any, ...]) -> str:
        """In which way `f` runs at a point, so that a sparse Jacobian takes few runs more."""
        columns, rows = self._pattern.groups if isinstance(self._pattern, Sparsity) else (0, 1)
        return "reverse" if rows <= columns or not is_structured_call(self._f, given) else "forward"

    def __reduce__(self) -> Any:
        return Residuals, self._given

    def __repr__(self) -> str:
        return f"Residuals({name_of(self._given[0])})"


class Model(Named):
    """A model for `scipy.optimize.curve_fit`: it is called as the function is, and `jac` is by its parameters.

    Parameters
    ----------
    f : the model, `f(x, *params)`: an array of as many values as there are observations. Each parameter is a number.
    like : a model, or a dict of parameters, that `f` takes as its second and last argument; as for `Objective`. Each
        number of it is a parameter: it is at `p0`, and `unravel(params)` gives back the model.
    compile : take `jac` by compiled programs, as `jacobian` does with `compile`; not that of a model.

    Examples
    --------
    >>> from scipy.optimize import curve_fit
    >>> decay = Model(lambda t, amplitude, rate: amplitude * np.exp(-rate * t))
    >>> t = np.linspace(0.0, 4.0, 9)
    >>> curve_fit(decay, t, decay(t, 3.0, 0.5), p0=[1.0, 1.0], jac=decay.jac)[0].round(6)
    array([3. , 0.5])
    >>> decay = Model(lambda t, p: p["amplitude"] * np.exp(-p["rate"] * t), like={"amplitude": 1.0, "rate": 1.0})
    >>> found = curve_fit(decay, t, decay(t, 3.0, 0.5), p0=decay.p0, jac=decay.jac)[0]
    >>> {name: round(p, 6) for name, p in decay.unravel(found).items()}
    {'amplitude': 3.0, 'rate': 0.5}
    """

    def __init__(self, f: Callable[..., Any], like: Any = None, compile: Compile = False) -> None:
        check_callable(f)
        self._f, self._given = f, (f, like, compile)
        _, self.p0, self._unravel = _of_vectors(f, like)
        self._compile = compile if like is None else False
        self._last: ResidualsPoint | None = None
        name_after(self, f)

    def __call__(self, x: Any, *params: Any) -> Any:
        """The prediction of the model."""
        point = self._at(x, params)
        if point.values is None:
            f, given, _ = self._call(x, point.x)
            point.values = _values(f(*given), self._f)
        return point.values.copy()

    def unravel(self, params: Any) -> Any:
        """Turn the vector `params` back into the parameters given as `like`."""
        return params if self._unravel is None else self._unravel(params)

    def _call(self, x: Any, params: Array) -> tuple[Any, tuple[Any, ...], tuple[int, ...]]:
        """The callee and its arguments, and which of these are the parameters."""
        if self._unravel is None:
            return self._f, (x, *params.tolist()), tuple(range(1, 1 + len(params)))
        from .trees import OfNumbers

        return OfNumbers(self._f, self._unravel), (x, params.copy()), (1,)

    def jac(self, x: Any, *params: Any) -> Array:
        """Its derivatives, a column for each parameter."""
        point = self._at(x, params)
        if point.jacobian is None:
            f, given, places = self._call(x, point.x)
            point.jacobian = _dense(f, given, places, MAX_BYTES, self._compile)
        return np.array(point.jacobian)

    def forget(self) -> None:
        """Forget the last point: what `f` reads has changed."""
        self._last = None

    def _at(self, x: Any, params: tuple[Any, ...]) -> ResidualsPoint:
        values, args = real_numbers(params, "the parameters are"), (x,)
        point = self._last
        if point is None or not point.is_at(values, args):
            point = self._last = ResidualsPoint(values, args)
        return point

    def __reduce__(self) -> Any:
        return Model, self._given

    def __repr__(self) -> str:
        return f"Model({name_of(self._f)})"


def _values(y: Any, f: Any) -> Array:
    """The numbers of a result in one row, as an array of their own."""
    if type(y) is np.ndarray and y.dtype == np.float64:
        return y.flatten()
    check_real("the result", y, zeros_like(y), name_of(f))
    return np.concatenate([np.ravel(part) for part in parts(y)], dtype=np.float64)


def _dense(f: Any, args: tuple[Any, ...], places: tuple[int, ...], max_bytes: float, compile: Compile) -> Array:
    """The whole Jacobian by the arguments at these places, as a matrix."""
    compiled = attempted(False, (f, args, places, "auto", {}, compile), max_bytes, None) if compile else None
    _, of_y, _, blocks = compiled or blocks_of(f, args, places, "auto", max_bytes, {})
    bands = [
        np.concatenate([block.reshape(np.size(part), -1) for block in row], axis=1)
        for part, row in zip(parts(of_y), blocks, strict=True)
    ]
    return _matrix(np.concatenate(bands))


def _matrix(a: Any) -> Array:
    """Derivatives as SciPy's compiled parts want them: contiguous float64."""
    return np.ascontiguousarray(a, dtype=np.float64)


__all__ = ["Model", "Objective", "Residuals", "through_steps"]
