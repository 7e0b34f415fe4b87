"""Every public function, class and method of NumPy has rules, or carries no derivative, or is refused by name, or is
recorded by an operation of its own: none of them is unknown."""

from __future__ import annotations

import importlib
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import adjoint.recording.operations.build  # noqa: F401 - declares the operations
from adjoint.recording.operations.base import HANDLERS, METHODS
from adjoint.rules.numpy import ATTRIBUTES, INACTIVE_ATTRIBUTES
from adjoint.rules.registry import RULES, find_rules, key_of, non_differentiable, not_implemented, rule
from adjoint.runtime.spec import OPERATORS

SERIES = ("polynomial", "chebyshev", "legendre", "laguerre", "hermite", "hermite_e", "polyutils")
MODULES = [
    *("numpy", "numpy.linalg", "numpy.fft", "numpy.emath", "numpy.random", "numpy.lib.stride_tricks"),
    *("numpy.ma", "numpy.rec", "numpy.char", "numpy.strings", "numpy.polynomial"),
    *(f"numpy.polynomial.{name}" for name in SERIES),
]
CLASSES = [
    *(np.ndarray, np.generic, np.float64, np.float32, np.longdouble, np.complex128, np.int64, np.bool_),
    *(np.random.Generator, np.random.RandomState),
]


AS_BYTES = "makes bytes of numbers: recorded programs note it, and refuse the numbers that are read from there"
ELSEWHERE: dict[Any, str] = {
    np.ndarray: "makes views of memory, which recorded programs follow by the memory that they show",
    **dict.fromkeys([np.save, np.savez, np.savez_compressed], AS_BYTES),
    **{
        getattr(cls, n): AS_BYTES
        for cls in (np.ndarray, np.generic)
        for n in ("tobytes", "tostring", "tofile", "dump", "dumps")
        if hasattr(cls, n)
    },
}
"""What has neither rules nor an operation of its own, and why."""


def module_named(name: str) -> Any:
    return np.emath if name == "numpy.emath" else importlib.import_module(name)


def public(owner: Any) -> Iterator[tuple[str, Any]]:
    """What a module or class offers that can be called, but for errors, warnings and the runners of its tests."""
    for name in sorted(owner.__all__ if owner is np.char else dir(owner)):  # what else is there is not its own
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what is deprecated
            f = getattr(owner, name)
        error = isinstance(f, type) and issubclass(f, BaseException)
        if not name.startswith("_") and callable(f) and not error and type(f).__name__ != "PytestTester":
            yield name, f


def states(f: Any, owner: Any = None, name: str = "") -> list[str]:
    """What is known of a function: one word, unless something is wrong."""
    function = getattr(f, "__func__", f)  # the functions of `np.random` are bound
    rules = find_rules(f) or find_rules(function) or find_rules(type(f).__call__)
    found = []
    if rules is not None:
        refused = [method for method in rules.methods if method.name.endswith("_refused")]
        ruled = len(refused) < len(rules.methods)
        found += ["ruled"] * ruled + ["refused"] * bool(refused) + ["inactive"] * (not rules.differentiable)
    if not found and (
        _is_known(function, HANDLERS) or any((c, name) in METHODS for c in getattr(owner, "__mro__", ()))
    ):
        found.append("recorded")
    return found or ["elsewhere"] * _is_known(f, ELSEWHERE)


def _is_known(f: Any, table: Any) -> bool:
    try:
        return f in table or key_of(f) in table
    except TypeError:
        return False


def wrong(owner: Any) -> list[str]:
    """The names of which nothing is known, or more than one thing."""
    return [name for name, f in public(owner) if len(states(f, owner, name)) != 1]


@pytest.mark.parametrize("name", MODULES)
def test_every_function(name: str) -> None:
    assert wrong(module_named(name)) == []


@pytest.mark.parametrize("cls", CLASSES)
def test_every_method(cls: type) -> None:
    assert wrong(cls) == []


MEMORY = {"base", "ctypes", "data"}
"""Attributes that show the memory itself: recorded programs follow `base`, and no function takes the others."""


ONE = np.ones((1, 1))
"""An array: to read what NumPy 2 has done away with raises an error."""


def test_every_attribute_of_arrays() -> None:
    names = {name for name in dir(np.ndarray) if not name.startswith("_") and not callable(getattr(np.ndarray, name))}
    assert {n for n in names if hasattr(ONE, n)} - {*ATTRIBUTES, *INACTIVE_ATTRIBUTES} - MEMORY == set()


def test_every_operator_of_arrays() -> None:
    """The special methods of operators are these operators."""
    operators = {name for names in OPERATORS.values() for name in names if name is not None}
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
        for special in (f"__{name}__", f"__r{name}__", f"__i{name}__"):
            known = special in operators or (np.ndarray, special) in METHODS
            assert known or states(getattr(np.ndarray, special), np.ndarray, special), special


@pytest.mark.parametrize("method", ["reduce", "accumulate", "outer", "reduceat", "at"])
def test_every_method_of_ufuncs(method: str) -> None:
    """Those that NumPy knows: most are for ufuncs of two arguments alone."""
    ufuncs = {f for f in vars(np).values() if isinstance(f, np.ufunc)}
    if method != "at":
        ufuncs = {f for f in ufuncs if f.nin == 2 and f.signature is None and (f.nout == 1 or method == "outer")}
    ufuncs -= {np.ldexp} if method not in ("outer", "at") else set()  # of a float and an integer
    missing = [f.__name__ for f in ufuncs if len(states(getattr(f, method), np.ufunc, method)) != 1]
    assert missing == []


NO_DERIVATIVE = """floor ceil round rint around fix trunc all any argmax argmin argpartition argsort argwhere nonzero
flatnonzero count_nonzero searchsorted ndim shape floor_divide logical_and logical_or logical_not logical_xor
isfinite isinf isnan isneginf isposinf allclose isclose array_equal array_equiv greater greater_equal less less_equal
equal not_equal iscomplexobj iscomplex size isscalar isreal zeros_like ones_like empty_like result_type"""
"""What HIPS autograd lists as without derivative; `sign` and `full_like` have one here, of their complex sign and of
what they are filled with."""

DIFFERENTIABLE = """add multiply subtract divide true_divide mod remainder power negative abs absolute fabs reciprocal
maximum minimum fmax fmin logaddexp logaddexp2 arctan2 hypot square sqrt nan_to_num exp exp2 expm1 log log2 log10 log1p
sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh sinc rad2deg degrees deg2rad radians reshape
ravel squeeze expand_dims swapaxes moveaxis rollaxis transpose roll array_split split vsplit hsplit dsplit broadcast_to
tile repeat kron diag diagonal flipud fliplr rot90 trace triu tril full atleast_1d atleast_2d atleast_3d pad where clip
sort partition linspace sum mean prod var std max min amax amin cumsum inner matmul dot tensordot outer cross einsum
diff gradient real imag conj conjugate angle real_if_close stack vstack hstack column_stack append block select array
concatenate sign full_like linalg.det linalg.slogdet linalg.inv linalg.pinv linalg.solve linalg.norm linalg.eigh
linalg.eig linalg.cholesky linalg.svd fft.fft fft.ifft fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.rfft fft.irfft
fft.rfft2 fft.irfft2 fft.rfftn fft.irfftn fft.fftshift fft.ifftshift
cumprod quantile median percentile interp convolve correlate trapezoid nansum nanmean take take_along_axis ediff1d cbrt
copysign float_power flip insert delete piecewise unwrap polyval vander vdot ptp average cov corrcoef apply_along_axis
meshgrid i0 heaviside logspace geomspace vecdot matvec linalg.qr linalg.lstsq linalg.matrix_power linalg.cond
linalg.eigvals linalg.eigvalsh linalg.svdvals linalg.tensorinv"""
"""What HIPS autograd lists, and then what it lacks."""


def found(path: str) -> Any:
    owner, _, name = path.rpartition(".")
    return getattr(getattr(np, owner) if owner else np, name, None)


def test_what_others_cover_is_covered() -> None:
    given = [path for path in DIFFERENTIABLE.split() if found(path) is not None]
    assert len(given) >= len(DIFFERENTIABLE.split()) - 1  # `matvec` is new in NumPy 2.2
    assert [path for path in given if states(found(path)) != ["ruled"]] == []
    assert [path for path in NO_DERIVATIVE.split() if states(found(path)) != ["inactive"]] == []


def test_a_name_of_which_nothing_is_known_is_seen() -> None:
    def planted(x: Any) -> Any:
        return x

    def known(x: Any) -> Any:
        return x

    module = types.SimpleNamespace(planted=planted, known=known, sin=np.sin)
    non_differentiable(known)
    assert wrong(module) == ["planted"]
    not_implemented(planted, why="it is planted", way_out="pull it out")
    assert states(planted) == ["refused"] and wrong(module) == []
    rule(planted)(lambda x: (x, lambda y_bar: (y_bar,)))
    assert states(planted) == ["ruled", "refused"] and wrong(module) == ["planted"]
    for f in (planted, known):
        RULES.pop(f)
