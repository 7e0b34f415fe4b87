"""Calls of tangent-linear programs in others, before these are compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .spec import Spec


@dataclass(eq=False)
class Pushed:
    """The tangent-linear program of a generated rule, in one that calls it."""

    spec: Spec

    def __call__(self, *args: Any) -> Any:
        return self.spec.push(*args)

    @property
    def __name__(self) -> str:
        return f"{self.spec.name}_frule"
