"""Results of SciPy's solvers: a dict whose items are read as attributes. Its cotangent is a dict."""

from __future__ import annotations

from typing import Any

from scipy.optimize import OptimizeResult

from ..registry import Back, rule


@rule(OptimizeResult.__getattr__)
def item_rule(self: Any, name: str) -> tuple[Any, Back]:
    """`result.x` is `result["x"]`."""

    def item_back(y_bar: Any) -> tuple[Any, ...]:
        return {name: y_bar}, None

    return getattr(self, name), item_back
