"""Functions of numbers at and near their joints, poles and limits: compiled as without, value and two derivatives."""

from __future__ import annotations

import importlib.util
import linecache
import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled.arithmetic import as_compiled
from compiled.needs import needs_numba

from adjoint import grad, hvp, value_and_grad
from adjoint.compiled import entry, meanings, numba_cache
from adjoint.compiled.elementary import ELEMENTARY
from adjoint.compiled.meanings.calls import MEANINGS
from adjoint.compiled.meanings.library import OF_NUMBERS
from adjoint.errors import CompileError

if importlib.util.find_spec("scipy") is not None:
    from scipy import special

    from adjoint.compiled.meanings import special as _special
else:
    special = None

Array = np.ndarray[Any, Any]
SIZES = np.array(
    [0.0, 1e-300, 1e-160, 1e-20, 1e-8, 1e-3, 0.3, 0.5, 1.0, 1.5, 2.0, 30.0, 40.0, 750.0, 1e10, 1e160, 1e308]
)
GRID = np.concatenate([SIZES, -SIZES, np.nextafter([1.0, -1.0, 0.3], 2.0), [np.inf, -np.inf, np.nan]])
FEW = np.array(
    [0.0, -0.0, 1e-160, -1e-8, 1e-3, 0.5, -0.5, 1.0, -1.0, 2.0, -30.0, 750.0, -1e10, np.inf, -np.inf, np.nan]
)
NEXT = np.nextafter(-1.0, 2.0)
PAIRS = [np.ravel(x) for x in np.meshgrid(FEW, FEW)]
OPERATORS = {operator.add, operator.sub, operator.mul, operator.neg, operator.pos, operator.truediv, operator.mod}


def where(x: Any) -> Any:
    return np.where(x > 0.0, np.sqrt(x) * np.log(x), np.where(x == 0.0, 0.0, np.exp(x) / x))


def masked(x: Any, y: Any) -> Any:
    return np.where(y == 0.0, 0.0, x / y) + np.where(x <= 0.0, 1.0, np.arctan2(y, x) * x ** (-0.5))


def clipped(x: Any, y: Any) -> Any:
    return np.clip(x, -1.0, y) + np.maximum(np.minimum(x, y), 0.5) * np.fmax(x, 1.0)


def of_numbers() -> dict[str, Callable[..., Any]]:
    """All functions of one number or two that are compiled, by their names."""
    found = [f for f, (fn, _) in ELEMENTARY.items() if fn.ruled is not None] + [*OF_NUMBERS]
    found += [np.power, np.float_power, np.heaviside, np.nan_to_num, where, masked, clipped]
    if special is not None:
        of_special = {f for f in MEANINGS if isinstance(f, np.ufunc) and getattr(special, f.__name__, None) is f}
        found += sorted(of_special, key=lambda f: f.__name__)
    names = {f"{module_of(f)}.{f.__name__}": f for f in found}
    return {name: f for name, f in names.items() if takes_arrays(f)}


def module_of(f: Callable[..., Any]) -> str:
    module = getattr(f, "__module__", None)  # ufuncs of NumPy have one since 2.2
    return module.rpartition(".")[2] if module else "numpy" if getattr(np, f.__name__, None) is f else "special"


def takes_arrays(f: Callable[..., Any]) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return isinstance(f(*[np.ones(2)] * arity(f)), np.ndarray)
    except (TypeError, ValueError):
        return False


def arity(f: Callable[..., Any]) -> int:
    if isinstance(f, np.ufunc):
        return f.nin
    return 2 if f in (operator.add, operator.sub, operator.mul, operator.truediv, operator.mod, masked, clipped) else 1


def weighted(f: Callable[..., Any]) -> Callable[..., Any]:
    """Σ w f(x), whose derivative by w is the value of f entry by entry."""
    names = ", ".join(f"x{k}" for k in range(arity(f)))
    text = f"def program({names}, w):\n    return np.sum(f({names}) * w)\n"
    file = f"<joints of {f.__name__} {id(f)}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    space = {"f": f, "np": np}
    exec(compile(text, file, "exec"), space)  # noqa: S102 - what has just been written
    return space["program"]


def close(a: Array, b: Array, rtol: float, atol: Any = 0.0) -> Array:
    with np.errstate(all="ignore"):
        return (a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= rtol * np.abs(b) + atol)


def differs(what: str, xs: list[Array], found: Array, expected: Array, bad: Array) -> list[str]:
    rows = [*zip(*[x.tolist() for x in xs], strict=True)]
    return [f"{what} at {rows[k]}: {found[k]} for {expected[k]}" for k in np.flatnonzero(bad)[:3]]


def faults(f: Callable[..., Any], xs: list[Array]) -> list[str]:
    """Where values and derivatives are not those of the other tiers."""
    program, w = weighted(f), np.ones(len(xs[0]))
    n, places = len(xs), range(len(xs))
    found, wrong = [], []
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for mode in ("strict", False):
            values = np.asarray(grad(program, n, compile=mode)(*xs, w))
            slopes = [np.asarray(d) for d in value_and_grad(program, tuple(places), compile=mode)(*xs, w)[1]]
            along = [[w if i == k else 0.0 * w for i in places] + [None] for k in places]
            curves = [hvp(program, (*xs, w), v, compile=mode)[:n] for v in along]
            found.append((values, slopes, curves))
        (values, slopes, curves), (plain, plain_slopes, plain_curves) = found
        wrong += differs("value", xs, values, plain, ~close(values, plain, 1e-12, 1e-15))
        finite = np.isfinite(plain)
        for k in places:
            bad = ~np.isnan(plain) & ~close(slopes[k], plain_slopes[k], 1e-9)
            wrong += differs(f"derivative {k}", xs, slopes[k], plain_slopes[k], bad)
            finite = finite & np.isfinite(plain_slopes[k])
        if f in (np.power, np.float_power):
            finite &= xs[0] != 0.0  # the mixed one is infinite there, in any order
        extreme = np.any([(np.abs(x) > 1e150) | (np.abs(x) < 1e-150) & (x != 0) for x in xs], axis=0)
        for j in places:
            scale = np.max([np.abs(np.nan_to_num(c, posinf=0.0, neginf=0.0)) for c in plain_curves[j]], axis=0)
            for k in places:
                a, b = np.asarray(curves[j][k]), np.asarray(plain_curves[j][k])
                lost = extreme & (~np.isfinite(a) | (np.maximum(np.abs(a), np.abs(b)) < 1e-290))
                bad = finite & np.isfinite(b) & ~lost & ~close(a, b, 1e-6, 1e-10 * scale + 1e-14)
                wrong += differs(f"second derivative {j}{k}", xs, a, b, bad)
    return wrong


FUNCTIONS = of_numbers()
NEAR_POLES = np.array([-0.75, -1.25, -1.999, -2.5, 2.5, 3.0, 11.0, 12.5, 171.0])


def grid_of(f: Callable[..., Any]) -> list[Array]:
    if arity(f) == 2:
        return PAIRS
    of_gamma = special is not None and f in (special.gamma, special.gammaln, special.psi)
    return (
        [np.concatenate([SIZES[:-1], -SIZES[:-1], NEAR_POLES])] if of_gamma else [GRID]
    )  # SciPy loses digits beside -1


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arrays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [as_compiled])
    f = FUNCTIONS[name]
    assert not faults(f, grid_of(f))


def of_one(f: Callable[..., Any]) -> Callable[..., Any]:
    text, file = "def program(x):\n    return f(x)\n", f"<joints of one {f.__name__} {id(f)}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    space = {"f": f}
    exec(compile(text, file, "exec"), space)  # noqa: S102 - what has just been written
    return space["program"]


ONE = {name: f for name, f in FUNCTIONS.items() if arity(f) == 1}
ONE |= {
    f"math.{f.__name__}": f
    for f, (fn, _) in ELEMENTARY.items()
    if getattr(f, "__module__", None) == "math" and fn.ruled and fn.arity == 1
}


@pytest.mark.parametrize("name", ONE)
def test_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What plain Python raises is raised, too."""
    monkeypatch.setattr(entry, "COMPILER", [as_compiled])
    program = of_one(ONE[name])
    for x in [x for x in [*GRID.tolist(), *NEAR_POLES.tolist()] if x == 0.0 or 1e-150 < abs(x) < 1e150 and x != NEXT]:
        results = []
        for mode in (True, False):
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    results.append(value_and_grad(program, compile=mode)(x))
                except (ArithmeticError, ValueError) as error:
                    results.append(type(error))
        (found, expected) = results
        if isinstance(found, type) or isinstance(expected, type):
            assert found is expected, x
        elif not math.isnan(expected[0]):
            assert close(np.array(found), np.array(expected, float), 1e-9, 1e-15).all(), x


def test_all_functions_are_looked_at() -> None:
    assert {"numpy.sinc", "numpy.arctan2", "numpy.divide", "numpy.abs", "_operator.truediv"} <= {
        *FUNCTIONS,
        "numpy.abs",
    }
    assert len(FUNCTIONS) >= (80 if special is not None else 60)
    assert special is None or {"special.expit", "special.xlogy", "special.entr", "special.psi"} <= FUNCTIONS.keys()


def smooth_by_abs(x: Any) -> Any:
    e = np.exp(-np.abs(x))
    return np.where(x >= 0.0, 1.0, e) / (1.0 + e)


@pytest.mark.skipif(special is None, reason="SciPy is not installed")
def test_a_wrong_joint_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted error: the logistic function by |x|, whose compiled derivative at 0 is that of a kink."""
    monkeypatch.setattr(entry, "COMPILER", [as_compiled])
    assert not faults(special.expit, [GRID])
    assert _special is meanings.special
    monkeypatch.setitem(MEANINGS, special.expit, lambda lower, x: lower.call_function(smooth_by_abs, [x]))
    wrong = faults(lambda x: special.expit(x), [GRID])
    assert wrong and all("(0.0,)" in line or "(-0.0,)" in line for line in wrong)


@needs_numba
@pytest.mark.skipif(special is None, reason="SciPy is not installed")
def test_by_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])

    def together(x: Any) -> Any:
        return (
            special.expit(x) + special.log_expit(x) + special.psi(x) * np.sinc(x) + special.log_ndtr(x) + np.abs(x) / x
        )

    x = np.array([1e-8, 0.3, 0.5, 1.0, 2.0, 30.0, 170.0, 0.0, -0.0, -1e-3, -2.5])
    program, w = weighted(together), np.ones(len(x))
    with np.errstate(all="ignore"):
        found, expected = [value_and_grad(program, (0, 1), compile=mode)(x, w) for mode in ("strict", False)]
        curves = [hvp(program, (x, w), (w, None), compile=mode)[0] for mode in ("strict", False)]
    for a, b in zip(found[1], expected[1], strict=True):
        assert close(a, b, 1e-9, 1e-14).all()
    assert (close(*curves, 1e-9, 1e-14) | ~np.isfinite(curves[1])).all()


def test_refusals() -> None:
    if special is not None:
        with pytest.raises(CompileError):
            value_and_grad(lambda x, n: special.polygamma(n, x), compile="strict")(0.5, 2)
