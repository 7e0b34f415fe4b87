"""Calls that store, taken the general way each time: tests look on at it, or have it give up."""

from __future__ import annotations

from typing import Any

from adjoint.derivatives.plans import forget_plans


def without_plans(patch: Any) -> None:
    """Forget all entry plans, and make none of calls that store."""
    for module in ("adjoint.derivatives", "adjoint.derivatives.planning"):
        patch.setattr(f"{module}.storing_plan", lambda *args: None)
    forget_plans()
