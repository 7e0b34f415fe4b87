"""Forms of values and cotangents, which keep no data, and what has a derivative."""

from __future__ import annotations

import sys
from numbers import Number
from typing import Any

import numpy as np

from ..errors import CotangentError, NotDifferentiableError, NotScalarError, calling_place
from .blocks import parts
from .data import framework_of, holds_data
from .fields import Opaque, record_fields
from .floats import is_of_floats
from .lane_runs import joined_tangents, mapped
from .lanes import Lanes, NoLanes
from .seeds import Seeds, lengths, nth
from .structural import Tangent, class_of, fields_of, owner_of
from .tables import fitted, kind_of, zero_table
from .tuples import tuple_like
from .unknown import Unknown
from .zeros import one_like

_ANYTHING = object()
"""The form of what is nested too deeply; any cotangent will do."""


_MAX_DEPTH = 8
_NUMBERS = (int, float, complex, np.number)
_INEXACT = float | complex | np.number
_BARE = (str, bytes, type(None), range, slice)


def form_of(y: Any, level: int = 0, complete: bool = False) -> Any:
    """A value like `y` that any cotangent of `y` can be held against; arrays in it take no memory.

    What can be called may have cotangents of other forms than its fields; `complete` says that it has just these.

    >>> import numpy as np
    >>> form_of((np.ones((1000, 1000)), 2.0))[0].strides
    (0, 0)
    """
    if type(y) is float or type(y) is np.float64:  # as most are
        return y
    if isinstance(y, np.ndarray):
        dtype = np.dtype(float) if y.dtype.kind == "O" else y.dtype
        if dtype.kind not in "biufc":
            return None
        return np.ndarray(y.shape, dtype, bytes(max(dtype.itemsize, 1)), strides=(0,) * y.ndim)
    if isinstance(y, np.generic) and not isinstance(y, np.number):
        return bool(y) if isinstance(y, np.bool_) else None
    if isinstance(y, _NUMBERS):
        return y
    if level == _MAX_DEPTH:
        return _ANYTHING
    if isinstance(y, tuple):
        return tuple_like(type(y), [form_of(item, level + 1, complete) for item in tuple.__iter__(y)])
    if is_of_floats(y):
        return y.copy()
    if isinstance(y, list):
        return [form_of(item, level + 1, complete) for item in y]
    if isinstance(y, dict):
        return {key: form_of(item, level + 1, complete) for key, item in y.items()}
    if isinstance(y, _BARE):
        return None
    if isinstance(y, _VIEWS):
        return form_of(list(y), level, complete)
    if (kind := kind_of(y)) is not None:
        return zero_table(y, kind)
    free = callable(y) and not complete or hasattr(type(y), "__next__")
    fields = None if free else record_fields(y)
    if fields is None:
        if isinstance(y, np.flatiter):
            return Opaque("an iterator", (Tangent, np.ndarray))
        if hasattr(type(y), "__next__"):
            return Opaque("an iterator", (Tangent,))
        if holds_data(type(y)):
            return Opaque(f"{describe(y)}, whose numbers carry no derivative", ())
        return Opaque(describe(y), (Tangent, tuple, list, np.ndarray) if hasattr(type(y), "__iter__") else (Tangent,))
    return Tangent(owner_of(y), {name: form_of(field, level + 1, complete) for name, field in fields.items()})


_VIEWS: Any = (type({}.values()), type({}.items()))


def fit(d: Any, form: Any, of: Any, path: str = "") -> Any:
    """`d` as a cotangent of a value of this form: with its structure, its shapes and its precision.

    Parameters
    ----------
    d : the cotangent; None where nothing flows.
    form : what `form_of` gave.
    of, path : whose cotangent it is, and where in it, for the error.

    Raises
    ------
    CotangentError
        If it is none.

    Examples
    --------
    >>> import numpy as np
    >>> fit([1, 2], form_of(np.ones(2, np.float32)), "y")
    array([1., 2.], dtype=float32)
    """
    if d is None or form is _ANYTHING:
        return d
    if type(d) is Lanes:
        return d  # made by the library itself
    if type(d) is Seeds:
        return _fit_seeds(d.value, form, of, path)
    if form is None:
        if path and type(d) in (float, int) and d == 0:
            return None
        raise _misfit(d, "carries no derivative", of, path)
    if isinstance(form, np.ndarray):
        return _fit_array(d, form, of, path)
    if isinstance(form, bool) and path:  # a flag within a container
        if np.any(d):
            raise _misfit(d, "is true or false, and carries no derivative", of, path)
        return None
    if isinstance(form, _NUMBERS):
        return _fit_number(d, form, of, path)
    if isinstance(form, tuple | list):
        if not isinstance(d, tuple | list) or len(d) != len(form):
            raise _misfit(d, f"is a {type(form).__name__} of {len(form)}", of, path)
        if is_of_floats(d) and is_of_floats(form):
            return [*d]
        given = d if isinstance(d, list) else tuple.__iter__(d)
        items = [fit(item, f, of, f"{path}[{i}]") for i, (item, f) in enumerate(zip(given, form, strict=True))]
        return items if isinstance(form, list) else tuple_like(type(form), items)
    if isinstance(form, dict):
        if not isinstance(d, dict) or not d.keys() <= form.keys():
            raise _misfit(d, f"is a dict with the keys {', '.join(map(repr, form))}", of, path)
        return {key: fit(item, form[key], of, f"{path}[{key!r}]") for key, item in d.items()}
    if (kind := kind_of(form)) is not None:
        return fitted(d, form, kind, of)
    if isinstance(form, Opaque) and not isinstance(d, form.kinds):
        raise _misfit(d, f"is {form.what}", of, path)
    if isinstance(form, Tangent):
        fields = fields_of(form)
        if not isinstance(d, Tangent) or not fields_of(d).keys() <= fields.keys():
            raise _misfit(d, f"is a {class_of(form).__name__} with the fields {', '.join(fields)}", of, path)
        return Tangent(class_of(d), {k: fit(item, fields[k], of, f"{path}.{k}") for k, item in fields_of(d).items()})
    return d


def _fit_seeds(d: Any, form: Any, of: Any, path: str) -> Any:
    """Each of several cotangents, as the lanes of one."""
    found = {*lengths(d, form)}
    if not found:
        return fit(d, form, of, path)
    n = found.pop() if len(found) == 1 else None
    if n:
        try:
            return joined_tangents([_inexact(fit(nth(d, form, i), form, of, path)) for i in range(n)])
        except (CotangentError, NoLanes):
            pass
    several = len(found) > 1 and None not in found
    given = describe(d) + (f" with {' and '.join(sorted(map(str, found)))} along the first axes" if several else "")
    at = f", at `{path.lstrip('.')}`," if path else ""
    raise CotangentError(
        f"the seeds given to {of}{at} are {given}; {_wanted(form)}",
        "there is at least one seed"
        if n == 0
        else "each number or array of a seed has one more axis in front, which is as long everywhere",
        "stack them: `seeds(np.stack([...]))`, or a structure of such arrays; None where there are none",
        calling_place(),
    ) from None


def _inexact(d: Any) -> Any:
    """A seed whose integers are floats: in lanes, integers that are the same in all count, and are no tangents."""
    return float(d) if isinstance(d, int) else mapped(_inexact, d)


def _wanted(form: Any) -> str:
    """A description of n seeds of a value of this form."""
    if isinstance(form, np.ndarray | _INEXACT | int):
        shape = ", ".join(["n", *map(str, np.shape(form))])
        return f"n seeds for {describe(form)} have the shape ({shape}{',' * (not np.ndim(form))})"
    if form is None or isinstance(form, Opaque):
        return f"they are for {'what carries no derivative' if form is None else form.what}"
    return f"n seeds for {describe(form)} have its structure, and shapes that begin with n"


def _fit_number(d: Any, form: Any, of: Any, path: str) -> Any:
    if type(d) is float and (type(form) is float or type(form) is np.float64):  # as most are
        return type(form)(d)
    if isinstance(d, bool | np.bool_) and not isinstance(form, bool):
        d = float(d)
    if not (isinstance(d, _NUMBERS) or isinstance(d, np.ndarray) and d.ndim == 0 and d.dtype.kind in "biufc"):
        raise _misfit(d, f"is a number (a {type(form).__name__})", of, path)
    if np.iscomplexobj(d) and not np.iscomplexobj(form):
        raise _misfit(d, "is real", of, path)
    if isinstance(form, np.inexact):
        return type(form)(d)  # type: ignore[arg-type]
    return d.item() if isinstance(d, np.ndarray | np.generic) and not isinstance(form, np.generic) else d


def _fit_array(d: Any, form: np.ndarray[Any, Any], of: Any, path: str) -> Any:
    given = d
    if isinstance(d, list | int | float | complex):
        d = _as_array(d)
    if not isinstance(d, np.ndarray | np.number) or d.shape != form.shape or d.dtype.kind not in "biufc":
        raise _misfit(
            given if isinstance(given, int | float | complex) else d, f"is an array of shape {form.shape}", of, path
        )
    if d.dtype.kind == "c" and form.dtype.kind != "c":
        raise _misfit(d, f"is an array of real numbers ({form.dtype})", of, path)
    return np.asarray(d, form.dtype if form.dtype.kind in "fc" else np.float64)


def _as_array(d: Any) -> Any:
    try:
        return np.asarray(d)
    except ValueError:  # rows of different lengths
        return d


def _misfit(d: Any, what: str, of: Any, path: str) -> CotangentError:
    at, there = (f", at `{path.lstrip('.')}`,", " there") if path else ("", "")
    return CotangentError(
        f"the cotangent given to {of}{at} is {describe(d)}; the result{there} {what}",
        "a cotangent has the structure and the shapes of the value that it belongs to",
        "pass a number for a number, an array for an array, a `Tangent` for an object, None where nothing flows",
        calling_place(),
    )


def describe(d: Any) -> str:
    """A description of a value, in a few words.

    >>> describe(1.0), describe((1, 2))
    ('a float', 'a tuple of 2')
    """
    if isinstance(d, np.ndarray):
        return f"an array of shape {d.shape} ({d.dtype})"
    if isinstance(d, tuple | list):
        return f"a {type(d).__name__} of {len(d)}"
    if isinstance(d, dict):
        return f"a dict with the keys {', '.join(map(repr, d)) or '(none)'}"
    if type(d) is Seeds:
        return f"seeds of {describe(d.value)}"
    name = type(d).__name__
    what = f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    return what + (", whose numbers are exact" if isinstance(d, Number) and not isinstance(d, int | _INEXACT) else "")


def brought(x: Any) -> str:
    """The way in which a value of a kind that carries no derivative becomes one that does; empty where there is no such
    way.

    >>> brought(True)
    'pass a float, `float(x)`, or choose another argument with `argnums`'
    """
    if isinstance(x, np.ndarray):
        listed = ", or pass a list: `x.tolist()`" if x.dtype.kind == "O" else ""
        return f"convert it: `x.astype(float)`, where all items are numbers{listed}"
    if isinstance(x, bool | np.bool_):
        return "pass a float, `float(x)`, or choose another argument with `argnums`"
    library = type(x).__module__.partition(".")[0]
    if library in _OF_TABLES:
        kinds: Any = getattr(x, "dtypes", None)
        kinds = kinds.items() if library == "pandas" and hasattr(kinds, "items") else ()
        others = [name for name, kind in kinds if getattr(kind, "kind", "O") not in "fciu"]
        left = f"leave out the column {others[0]!r}, which holds no numbers, or " if others else ""
        return left + 'take the numbers out: `df["a"].to_numpy()`'
    if library in _OF_OTHERS:
        return "convert it to an array: `np.asarray(x)`, of a tensor of PyTorch `x.detach().numpy()`"
    return ""


_OF_OTHERS = ("torch", "jax", "jaxlib", "tensorflow")
"""Libraries with arrays of their own."""
_OF_TABLES = ("pandas", "polars", "pyarrow")


def check_scalar(y: Any, of: str) -> None:
    """Raise `NotScalarError` unless `y`, the result of the function `of`, is one real number, or an array of one."""
    real = isinstance(y, int | float | np.floating | np.integer) and not isinstance(y, bool)
    if real or isinstance(y, np.ndarray) and y.size == 1 and y.dtype.kind in "fiu":
        return
    if isinstance(y, Unknown):
        y.refuse()
    if (kind := kind_of(y)) is not None and kind.seen(y).size == 1:
        return
    what = _asked_for(of)
    why = f"only a real scalar, or an array of one real number, has a {what}"
    way_out = "use `adjoint.pullback` with a cotangent of your own"
    if isinstance(y, np.ndarray):
        way_out = "use `adjoint.jacobian` for all the derivatives of an array, " + way_out.removeprefix("use ")
        if what == "Hessian":
            way_out = "use `adjoint.jacobian` of `adjoint.jacobian` for all the second derivatives of an array, or give"
            way_out += " a function that returns one of its numbers"
        if what == "covariance":
            why = "a negative log-likelihood is one number"
            way_out = "return the sum: of residuals in units of their errors `0.5 * np.sum(residuals**2)`"
    elif isinstance(y, Number) and not isinstance(y, int | _INEXACT):
        why = "a step that is small, but not zero, means nothing to exact numbers"
        way_out = "compute with floats: give `float(x)` in place of a fraction or a decimal"
    elif isinstance(y, complex | np.complexfloating):
        way_out = "return a real number of it, `abs(z) ** 2` or `z.real`; of a holomorphic function "
        way_out += "`adjoint.calculus.derivative(f)(z)` is the derivative; or use `adjoint.pullback`"
    elif isinstance(y, tuple) and len(y) == 2 and isinstance(y[0], float | np.floating):
        way_out = "for a loss with other results beside it write `grad(f, has_aux=True)`; else return one number, or "
        way_out += "use `adjoint.pullback` with a cotangent of your own"
    elif type(y).__module__.partition(".")[0] in _OF_OTHERS:
        why, way_out = "it is an array of another library", brought(y)
        if (framework := framework_of(type(y).__module__)) is not None:
            way_out = f"differentiate what {framework[0]} computes by `adjoint.interop.{framework[1]}(f)`; or {way_out}"
    elif y is None:
        why, way_out = "a function without `return` returns None", "let it return the number: `return loss`"
    elif isinstance(y, bool | np.bool_ | str | bytes):
        why, way_out = "text and truth values do not change by small steps", "return the number that they are made of"
    elif hasattr(type(y), "__next__"):
        way_out = (
            f"differentiate a function that runs through it and returns a number: `lambda *args: sum({of}(*args))`"
        )
    elif callable(y):
        why, way_out = "a function is made here, and not called", "call it: `jacobian(f)(x)`, `grad(f)(x)`"
    raise NotScalarError(
        f"the {what} of `{of}` was asked for, but it returns {describe(y)}, not a real scalar",
        why,
        way_out,
        calling_place(),
    )


def _asked_for(of: str) -> str:
    """The derivative that is being taken of a function of that name: what takes gradients for another one says so."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code.co_name in _BY_GRADIENTS and frame.f_globals.get("__package__") == _PACKAGE:
            what, name = _BY_GRADIENTS[frame.f_code.co_name]
            f = frame.f_locals.get(name)
            if (getattr(f, "__name__", None) or type(f).__name__) == of:
                return what
    return "gradient"


_BY_GRADIENTS = {
    "hessian": ("Hessian", "f"),
    "_hessian": ("Hessian", "f"),
    "hvp": ("Hessian", "f"),
    "covariance": ("covariance", "nll"),
}
"""The takers of gradients for another derivative: its name, and that of its function there."""
_PACKAGE = (__package__ or "").partition(".")[0]


def check_pair(y: Any, of: str) -> None:
    """Raise `NotScalarError` unless `y` is a pair: the loss that is differentiated, and what came with it."""
    if not isinstance(y, tuple) or len(y) != 2:
        raise NotScalarError(
            f"with `has_aux`, `{of}` is to return a pair `(loss, aux)`, and returns {describe(y)}",
            "the loss is differentiated, the other is handed through",
            "return two values, or leave `has_aux` off",
            calling_place(),
        )


def check_real(what: str, value: Any, zeros: Any, of: str) -> None:
    """Raise `NotDifferentiableError` unless a value, whose zero tangent this is, has numbers and only real ones.

    `what` says what it is to the function `of`.
    """
    found = parts(zeros)
    if not found or any([np.iscomplexobj(part) for part in found]):
        way_out = "choose others by `argnums`, or use `adjoint.pullback` with a cotangent of your own"
        if what == "the result":
            way_out = "let it return numbers, an array or a structure of such"
            way_out += "; of complex ones, their real and imaginary parts" if found else ""
        raise NotDifferentiableError(
            f"{what} of `{of}` is {describe(value)}, not real numbers",
            "a Jacobian is an array of real derivatives",
            way_out,
            calling_place(),
        )


def scalar_seed(y: Any, of: str) -> Any:
    """The seed of a gradient: 1 of the type and shape of `y`, which must be one real number, or an array of one."""
    if type(y) is float:
        return 1.0
    check_scalar(y, of)
    return one_like(y)
