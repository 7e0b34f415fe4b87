"""Functions of `ctypes`, which cannot be looked up in a table: of constants they run, of what is differentiated they
are refused by name."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError

Of = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
callback = Of(lambda v: v * v)
cosine = Of(math.cos)
cosine.__name__ = "cosine"  # type: ignore[attr-defined]


@pytest.mark.parametrize("f", [callback, cosine])
def test_of_constants(f: Any) -> None:
    assert gradient(lambda x: f(2.0) * x, 1.3) == (f(2.0),)
    assert gradient(lambda x: callback(2.0) * x, 1.3) == (4.0,)


def test_of_what_is_differentiated() -> None:
    with pytest.raises(NoRuleError, match="cosine"):
        gradient(lambda x: cosine(x) * x, 1.3)
    with pytest.raises(NoRuleError, match="no rule"):
        gradient(lambda x: sum(map(callback, [x])), 1.3)
