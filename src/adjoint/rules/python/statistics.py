"""The module `statistics`: what its functions call in C or by exact fractions. The rest is read as it is written."""

from __future__ import annotations

import math
import statistics
from typing import Any

from ...ops.registry import each
from ...tangents import unbroadcast
from ..registry import Back, rule, scalar_rule
from .iteration import Items, source_of, spread

each((), statistics.mean, statistics.fmean)
each((), statistics.variance, statistics.pvariance, statistics.stdev, statistics.pstdev)


@scalar_rule(statistics._normal_dist_inv_cdf, returns="float")  # type: ignore[attr-defined]
def inv_cdf_partials(p, mu, sigma, y):  # type: ignore[no-untyped-def]
    return sigma * math.sqrt(2 * math.pi) * math.exp(((y - mu) / sigma) ** 2 / 2), 1, (y - mu) / sigma


@rule(statistics._mean_stdev)  # type: ignore[attr-defined]
def mean_stdev_rule(data: Items) -> tuple[Any, Back]:
    """m = Σ xᵢ / n and s = √(Σ (xᵢ - m)² / (n - 1)), so x̄ᵢ = m̄ / n + s̄ (xᵢ - m) / ((n - 1) s)."""
    source, items = source_of(data), list(data)
    mean, stdev = statistics._mean_stdev(items)  # type: ignore[attr-defined]
    n = len(items)

    def mean_stdev_back(y_bar: Any) -> tuple[Any, ...]:
        mean_bar = 0.0 if y_bar[0] is None else y_bar[0] / n
        stdev_bar = 0.0 if y_bar[1] is None or stdev == 0 else y_bar[1] / ((n - 1) * stdev)
        return (spread(source, [unbroadcast(mean_bar + stdev_bar * (x - mean), x) for x in items]),)

    return (mean, stdev), mean_stdev_back
