"""Tensors with numbers that are drawn, and a derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
from interop.needed import needed

torch = needed("torch")


def tensor(*shape: int, dtype: Any = torch.float64, seed: int = 0, **options: Any) -> Any:
    """One of this shape."""
    numbers = np.random.default_rng(seed).normal(size=shape)
    return torch.tensor(numbers, dtype=dtype, requires_grad=True, **options)
