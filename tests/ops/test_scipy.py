"""Effects of functions of SciPy: which have a row, and what programs do that store after they have called one."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from rules.tables import FAMILIES, samples_of

from adjoint import pullback
from adjoint.derivatives import choice
from adjoint.ops import OPS, find_op, holding
from adjoint.ops.questions import bound_to, gives_new, row_of
from adjoint.rules.outside import acts
from adjoint.rules.registry import RULES, find_rules
from adjoint.rules.rulesets import RuleSet

from .observing import Observed, observe

pytest.importorskip("scipy")
from scipy import fft, integrate, interpolate, linalg, ndimage, signal, sparse, spatial, special, stats  # noqa: E402

from adjoint.rules.scipy.effects import computing, showing  # noqa: E402

# ---- which functions have a row

WITHOUT = {
    "scipy.integrate": "they run functions that they are handed",
    "scipy.optimize": "they run functions that they are handed",
    "scipy.sparse.linalg": "operators run functions of their own, and starting vectors are drawn",
}
DO_MORE = {
    *("register_backend", "set_backend", "set_global_backend", "skip_backend", "set_workers"),
    *("seterr", "geterr", "save_npz", "load_npz", "rand", "random", "random_array", "directed_hausdorff"),
    *("convex_hull_plot_2d", "delaunay_plot_2d", "voronoi_plot_2d"),
}
"""Functions that set what holds for the process, draw, read files or show pictures."""
CALLING = {
    *("argrelextrema", "coherence", "csd", "find_peaks_cwt", "freqz", "periodogram", "spectrogram", "stft", "welch"),
    *("generic_gradient_magnitude", "generic_laplace", "geometric_transform", "boxcox", "yeojohnson"),
}
"""Functions that may be handed a function."""
WRITING = {"distance_transform_bf", "distance_transform_cdt", "distance_transform_edt", "value_indices"}
"""Functions that write into arrays by other names, or give what nobody stores beside."""


def of_scipy() -> Iterator[tuple[Any, RuleSet]]:
    find_rules(linalg.solve)
    for rules in [*RULES.values()]:
        f = rules.function
        module = getattr(f, "__module__", None) or ""
        if module.startswith("scipy.") and "." not in getattr(f, "__qualname__", ".") and not isinstance(f, type):
            yield f, rules


def test_which_functions_with_a_rule_have_no_row() -> None:
    missing = {f.__name__: f.__module__ for f, rules in of_scipy() if rules.refusal is None and row_of(f) is None}
    open_ = {name for name, module in missing.items() if not any(map(module.startswith, WITHOUT))}
    assert open_ <= DO_MORE | CALLING | WRITING | {"get_blas_funcs", "find_best_blas_type", "get_lapack_funcs"}, open_


def test_functions_of_the_standard_library_have_rows() -> None:
    """But for what runs functions, sets what holds for the process, or takes numbers and texts alone."""
    modules = {"itertools", "operator", "_operator", "heapq", "bisect", "math", "cmath", "copy"}
    functions = [rules.function for rules in [*RULES.values()]]
    plain = [f for f in functions if isinstance(f, types.BuiltinFunctionType | types.FunctionType)]
    missing = {f.__name__ for f in plain if f.__module__ in modules and find_op(f) is None}
    assert not missing


# ---- small arrays, of which more functions give what they are given


@functools.cache
def small_calls() -> list[Observed]:
    found = []
    for family in FAMILIES:
        for s in samples_of(family):
            for n in (1, 2) if s.f is s.of and find_op(s.f) is not None and "scipy" in family else ():
                found.append(observe(s.f, cut(s.args, n), cut(s.kwargs, n)))
    return [o for o in found if o is not None]


def cut(x: Any, n: int) -> Any:
    """Arguments with as many entries along each axis."""
    if isinstance(x, np.ndarray):
        return np.ascontiguousarray(x[tuple([slice(n)] * x.ndim)])
    if isinstance(x, tuple):
        return tuple([cut(item, n) for item in x])
    return {name: cut(item, n) for name, item in x.items()} if isinstance(x, dict) else x


def test_what_small_arrays_show() -> None:
    wrong = [str(o) for o in small_calls() if o.shared and says_new(o)]
    assert not wrong
    assert len(small_calls()) > 100


def test_a_row_that_is_wrong_of_small_arrays_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    row = find_op(linalg.det)
    assert row is not None and row.effects is showing
    monkeypatch.setitem(OPS, id(linalg.det), row._replace(effects=computing))
    assert [str(o) for o in small_calls() if o.shared and says_new(o)]


def says_new(o: Observed) -> bool:
    row = row_of(o.f)
    return row is not None and gives_new(tuple(holding(row.effects, bound_to(o.f, row, o.args, [*o.kwargs.items()]))))


# ---- programs that store after a call


M = np.array([[3.0, 1.0], [1.0, 2.0]])
A = np.array([0.3, 0.5, 0.2, 0.8, 0.4])
GRID = np.arange(5.0)


def with_solve(a: Any) -> Any:
    a = a.copy()
    y = linalg.solve(M, a[:2])
    a[0] = y[0]
    return a @ a + y[1]


def with_factors(a: Any) -> Any:
    b = np.zeros((2, 2))
    for i in range(3):
        b[0, 0] = a[i]
        b[1, 1] = a[i + 1]
        c = linalg.cho_factor(b @ b.T + M)
        b[1] = linalg.cho_solve(c, b[0]) + linalg.expm(b)[0] + linalg.inv(b + M)[1]
    return np.sum(b)


def with_lu(a: Any) -> Any:
    b = np.diag(a[:2]) + M
    p, lower, upper = linalg.lu(b)
    b[0] = lower[1] + upper[0]
    return np.sum(b @ p)


def with_fft(a: Any) -> Any:
    a = a.copy()
    y = fft.fft(a)
    a[0] = y[1].real
    z = fft.dct(a)
    a[1] = z[2]
    return a @ a


def with_special(a: Any) -> Any:
    a = a.copy()
    for i in range(3):
        a[i] = special.logsumexp(a[i:]) + special.softmax(a)[0]
    return a @ a


def with_signal(a: Any) -> Any:
    a = a.copy()
    for i in range(1, 3):
        a[i] = signal.lfilter([1.0, 0.5], [1.0, 0.2], a)[i] + signal.convolve(a, a[:2])[0]
    return a @ signal.windows.hann(5)


def with_integrals(a: Any) -> Any:
    b = a.copy()
    b[0] = integrate.trapezoid(b)
    b[1] = integrate.simpson(b)
    b[2:] = integrate.cumulative_trapezoid(b)[:3]
    return b @ b


def with_spline(a: Any) -> Any:
    b = a.copy()
    spline = interpolate.CubicSpline(GRID, b)
    b[0] = spline(0.3)
    b[1] = interpolate.PchipInterpolator(GRID, b)(1.4)
    return b @ b


def with_filters(a: Any) -> Any:
    b = a.copy()
    b[1:] = ndimage.gaussian_filter1d(b, 1.0)[1:]
    b[0] = stats.gmean(b) + spatial.distance.euclidean(b, A)
    return b @ b


STORING = (
    *(with_solve, with_factors, with_lu, with_fft, with_special, with_signal, with_integrals, with_spline),
    with_filters,
)


def check(f: Callable[..., Any], a: np.ndarray) -> None:
    """The gradient of a number, compared with differences, three times over."""
    steps = 1e-6 * np.eye(a.size).reshape(a.size, *a.shape)
    expected = np.array([(f(a + e) - f(a - e)) / 2e-6 for e in steps]).reshape(a.shape)
    given = a.copy()
    for _ in range(3):
        y, back = pullback(f, given)
        assert y == pytest.approx(f(a), rel=1e-9)
        for _ in range(2):
            np.testing.assert_allclose(back(1.0)[1], expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_array_equal(given, a)


@pytest.mark.parametrize("f", STORING, ids=lambda f: f.__name__)
def test_stores_after_calls_are_reversed_in_their_structure(f: Any) -> None:
    check(f, A)
    assert not choice.was_recorded(f)


# ---- what is given back, shown or held


def of_one_matrix(a: Any) -> Any:
    b = a.reshape(1, 1, 1)[:, :, :1].copy()
    y = linalg.det(b)
    b[0] = 5.0 * a[0] ** 2
    return np.sum(y * b) + np.sum(y)


def to_the_first_power(a: Any) -> Any:
    b = a.reshape(2, 2) * 1.0
    y = linalg.fractional_matrix_power(b, 1)
    b[0] = 5.0 * a[:2] ** 2
    return np.sum(y * y) + np.sum(b)


def of_no_axes(a: Any) -> Any:
    b = a * (1.0 + 0.0j)
    y = fft.fftn(b, axes=())
    b[0] = 5.0 * a[0] ** 2
    return np.sum((y * y).real) + b[1].real


def with_remainder(a: Any) -> Any:
    b = a * 1.0
    _, rest = signal.deconvolve(b, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    b[0] = 5.0 * a[0] ** 2
    return np.sum(rest * rest)


def held_by_an_object(a: Any) -> Any:
    b = a * 1.0
    held = interpolate.RegularGridInterpolator((GRID[: b.size],), b)
    b[1] = 5.0 * a[0] ** 2
    return held([0.8])[0] + held([0.8])[0] ** 2


def held_by_a_spline(a: Any) -> Any:
    b = a * 1.0
    held = interpolate.BSpline([0.0, 0, 1, 2, 3, 4, 4], b, 1)
    b[1] = 5.0 * a[0] ** 2
    return held(0.8) + held(1.3) ** 2


def in_sparse_data(a: Any) -> Any:
    b = a * 1.0
    held = sparse.csr_array((b, (np.arange(b.size), np.arange(b.size))))
    b[1] = 5.0 * a[0] ** 2
    return np.sum(held @ a)


def written_over(a: Any) -> Any:
    b = a[:2] * 1.0
    y = linalg.solve(M, b, overwrite_b=True)
    return np.sum(y * y)


def detrended(a: Any) -> Any:
    b = a * 1.0
    y = signal.detrend(b, overwrite_data=True)
    return np.sum(y * y) + b @ a


def into_an_output(a: Any) -> Any:
    b = a * 1.0
    out = np.zeros_like(b)
    ndimage.gaussian_filter1d(b, 1.0, output=out)
    b[0] = out[1]
    return np.sum(b * out)


HAZARDS = {
    **{of_one_matrix: A[:1], to_the_first_power: A[:4], of_no_axes: A[:3], with_remainder: A},
    **{held_by_an_object: A, held_by_a_spline: A, in_sparse_data: A, detrended: A, into_an_output: A, written_over: A},
}


@pytest.mark.parametrize("f", HAZARDS, ids=lambda f: f.__name__)
def test_what_is_shown_is_seen_to_change(f: Any) -> None:
    try:
        check(f, HAZARDS[f])
    except Exception as error:  # what is refused is not silent
        assert type(error).__module__.startswith("adjoint"), error


@pytest.mark.parametrize("f", [linalg.logm, lambda a: linalg.fractional_matrix_power(a, 0.3)], ids=["logm", "power"])
def test_estimates_of_norms_draw(f: Any) -> None:
    """Of NumPy's own generator: a run of these is not done again in silence."""
    rng, before = np.random.default_rng(0), np.random.get_state()
    for _ in range(20):
        a = rng.normal(size=(5, 5))
        f(a @ a.T)
    moved = str(np.random.get_state()) != str(before)
    np.random.set_state(before)
    assert moved and acts(linalg.logm) and acts(linalg.fractional_matrix_power) and not acts(linalg.expm)
