"""Functions of other frameworks within programs that are differentiated: what is said, and of which line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint.errors import AdjointError


def check_way_out(f: Callable[..., Any], forward: bool, said: str) -> None:
    """Differentiating a function is refused, its way out says that, and its place is in the file of the function."""
    x = np.ones(3)
    with pytest.raises(AdjointError) as caught:
        adjoint.jvp(f, (x,), (x,)) if forward else adjoint.grad(f)(x)
    assert said in caught.value.way_out
    assert caught.value.place is not None and caught.value.place.filename == f.__code__.co_filename
