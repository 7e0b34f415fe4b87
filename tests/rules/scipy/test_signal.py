"""`scipy.signal` at its edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError

signal = pytest.importorskip("scipy.signal")

X = np.sin(np.arange(12.0) ** 1.3)


def test_the_places_of_peaks_carry_nothing() -> None:
    def heights(x: Any) -> Any:
        return x[signal.find_peaks(x)[0]].sum()

    expected = np.zeros(12)
    expected[signal.find_peaks(X)[0]] = 1.0
    assert np.array_equal(gradient(heights, X)[0], expected)


@pytest.mark.parametrize("program", [
    lambda x: signal.find_peaks(x, height=0.0)[1]["peak_heights"].sum(),
    lambda x: signal.butter(2, x[1])[0][0],
    lambda x: signal.lsim(([1.0], [1.0, 1.0]), x, np.arange(12.0))[1].sum(),
    lambda x: signal.filtfilt([1.0], [1.0, 0.5], x, method="gust").sum(),
    lambda x: signal.savgol_filter(x, 4, 2).sum(),
    lambda x: signal.resample_poly(x, 2, 3, padtype="line").sum(),
    lambda x: signal.istft(np.outer(x, np.ones(4)) + 0j)[1].sum(),
])  # fmt: skip
def test_refused(program: Any) -> None:
    with pytest.raises(NoRuleError):
        gradient(program, X)


def test_a_filter_that_is_designed_from_constants() -> None:
    def filtered(x: Any) -> Any:
        b, a = signal.butter(2, 0.3)
        return signal.lfilter(b, a, x)[-1]

    impulse = signal.lfilter(*signal.butter(2, 0.3), np.eye(1, 12)[0])
    assert np.allclose(gradient(filtered, X)[0], impulse[::-1])


def test_the_shape_of_a_window_is_refused() -> None:
    for window in (lambda a: signal.windows.dpss(5, a), lambda a: signal.get_window(("dpss", a), 5)):
        with pytest.raises(NoRuleError, match="window"):
            gradient(lambda a, f=window: f(a).sum(), 0.5)


def test_a_window_by_its_length() -> None:
    for window in (
        lambda n: signal.windows.tukey(n, 0.5),
        lambda n: signal.windows.chebwin(n, 50.0),
        lambda n: signal.windows.taylor(n, 4),
        lambda n: signal.windows.exponential(n),
        lambda n: signal.windows.kaiser_bessel_derived(n, 2.0),
        lambda n: signal.get_window(("gaussian", 2.0), n),
    ):
        assert gradient(lambda x, n, window=window: x * window(n)[2], 2.0, 6) == (window(6)[2], 0.0)


def test_stores_of_detrend_are_refused() -> None:
    def f(x: Any) -> Any:
        y = x * 1.0
        signal.detrend(y, overwrite_data=True)
        return (y * y).sum()

    with pytest.raises(NoRuleError, match="leave it off"):
        gradient(f, X)
