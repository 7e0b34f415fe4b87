"""Many reads from one object of a library: what each may have changed is noted once."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from adjoint import gradient

from ..regressions.counting import calls


def reading(n: int) -> Any:
    file = io.BytesIO()
    np.savez(file, **{f"a{i}": np.arange(3.0) + i for i in range(n)})
    file.seek(0)
    data = np.load(file)

    def f(x: float) -> Any:
        total = 0.0
        for i in range(n):
            try:
                total = total + (data[f"a{i}"] * x).sum()
            except KeyError:
                break
        return total

    return f


def test_reverse_goes_through_the_object_once_for_each_read() -> None:
    """And not for each pair of reads: fifty took twenty seconds."""
    gradient(reading(2), 2.0)
    small, large = (calls(gradient, reading(n), 2.0) for n in (8, 24))
    assert large < 12 * small
    assert gradient(reading(40), 2.0) == (float(sum(3 + 3 * i for i in range(40))),)
