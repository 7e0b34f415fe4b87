"""Edges of sums, products and differences along axes, where a derivative was silently another one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback
from adjoint.errors import NoRuleError
from adjoint.testing import check_gradient

X = np.linspace(1.0, 2.0, 27).reshape(3, 3, 3) ** 2


@pytest.mark.parametrize("axis", [(0, -1), (-1, 0), (2, 0), (-1, 1), (-2, -1)])
def test_weights_along_axes_in_any_spelling(axis: Any) -> None:
    weights = np.arange(1.0, 10.0).reshape(3, 3)
    check_gradient(lambda x, w: np.average(x, axis=axis, weights=w), X, weights)
    f = lambda x: np.quantile(x, 0.4, axis=axis, method="inverted_cdf", weights=weights)  # noqa: E731
    if tuple(map(int, np.__version__.split(".")[:2])) >= (2, 4):
        check_gradient(f, X)
    else:
        with pytest.raises(NoRuleError, match="in another order"):
            gradient(lambda x: f(x).sum(), X)


def test_weights_of_one_axis_and_of_all() -> None:
    for weights, axis in ((np.arange(1.0, 4.0), 1), (np.arange(1.0, 28.0).reshape(3, 3, 3), None)):
        check_gradient(lambda x, w=weights, a=axis: np.quantile(x, 0.4, axis=a, method="inverted_cdf", weights=w), X)


def test_no_difference_at_all() -> None:
    a = np.arange(3.0)
    np.testing.assert_array_equal(gradient(lambda a: np.sum(np.diff(a, 0, prepend=0.0) ** 2), a)[0], 2 * a)
    assert gradient(lambda p: np.sum(np.diff(a, 0, prepend=p, append=p)), 1.0) == (0.0,)


def test_running_products_that_cannot_be_divided() -> None:
    small = np.array([1e-200, 1e-200, 1e100, 1e150])
    ends = [1 + small[1] + small[1] * small[2] + small[1] * small[2] * small[3], small[0] * small[1] * small[2]]
    found = gradient(lambda x: np.sum(np.cumprod(x)), small)[0]
    np.testing.assert_allclose(found[[0, 3]], ends)
    bars = pullback(np.cumprod, np.array([2.0, np.inf, 3.0]))[1](np.array([1.0, 0.0, 0.0]))[1]
    assert bars[0] == 1.0
    check_gradient(np.cumprod, np.array([2, 3, 4]), integers=True)


def test_the_quotient_of_a_remainder() -> None:
    assert gradient(np.fmod, 1.0, 0.1) == (1.0, -9.0)


def test_bessel_functions_beyond_all_numbers() -> None:
    found = gradient(lambda x: np.sum(np.i0(x)), np.array([1.0, np.nan]))[0]
    assert found[0] == pytest.approx(0.565159104) and np.isnan(found[1])


def test_a_comprehension_over_what_is_chosen() -> None:
    def total(x: Any, several: Any) -> Any:
        items = [item * item for item in (x if isinstance(several, tuple) else (several,))]
        return items[0]

    check_gradient(total, [2.0, 3.0], (1,), constant=(1,))
    check_gradient(total, [2.0, 3.0], 4.0)
