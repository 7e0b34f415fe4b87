"""A fraction that meets a float is one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError
from adjoint.testing import check_gradient

HALF = Fraction(1, 2)


@pytest.mark.parametrize("f", [
    lambda x: HALF * x + x * HALF + HALF,
    lambda x: HALF + x - HALF / x + x / HALF - (HALF - x),
    lambda x: x**HALF + HALF**x + x ** Fraction(3) + Fraction(3) ** x,
    lambda x: x % HALF + HALF % x + x // HALF + divmod(x, HALF)[1],
    lambda x: sum(Fraction(1, n) * x**n for n in range(1, 4)),
    lambda x: (HALF + Fraction(1, 3)) * x * HALF.denominator,
    lambda x: abs(HALF * (x + 1j * x)),
])  # fmt: skip
def test_with_floats(f: Any) -> None:
    check_gradient(f, 1.3)


def test_what_becomes_one_is_refused() -> None:
    with pytest.raises(NoRuleError, match="exact"):
        gradient(lambda x: float(Fraction(x) * HALF), 1.3)


def test_with_an_array_is_refused() -> None:
    with pytest.raises(NoRuleError):
        gradient(lambda x: (HALF * x).sum(), np.ones(2))
