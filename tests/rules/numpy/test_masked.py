"""Masked arrays are refused with the same reason, whether by a function or by a method."""

from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError

A = np.arange(3.0)
M = np.ma.masked_array(A, [False, True, False])


@pytest.mark.parametrize("f", [lambda x: (M * x).sum(), lambda x: (M * x).mean(), lambda x: np.ma.sum(M * x)])
def test_what_a_mask_hides(f: Any) -> None:
    with pytest.raises(NoRuleError, match="no rule looks at masks"):
        gradient(f, A)
    with pytest.raises(NoRuleError, match="no rule looks at masks"):
        gradient(lambda x: x.sum(), M)
