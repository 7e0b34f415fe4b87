"""Tensors of tenpy."""

from __future__ import annotations

import numpy as np
import tenpy.linalg.np_conserved as npc
from realworld.programs import check

# mypy: disable-error-code="import-untyped, no-untyped-call"

A = npc.Array.from_ndarray_trivial(np.arange(4.0).reshape(2, 2), labels=["a", "b"])


def test_tensors_are_data() -> None:
    check(lambda p: (A.to_ndarray() * p.reshape(2, 2)).sum(), 1.0, 2.0, 3.0, 4.0)


def test_norms() -> None:
    made = lambda p: npc.Array.from_ndarray_trivial(p.reshape(2, 2), labels=["a", "b"])  # noqa: E731
    check(lambda p: npc.norm(made(p)) ** 2, 1.0, 2.0, 3.0, 4.0)
