"""A module that holds what other modules store, and what its own functions do."""

from __future__ import annotations

from typing import Any

result: Any = None
scale: Any = 1.0
latest: Any = None
mode: Any = "plain"
flag: Any = False


def constant() -> Any:
    return 1.0


hook: Any = constant


def renew(x: Any) -> None:
    global result, scale, latest
    result = x * x
    scale = x * x
    latest = x


def reset() -> None:
    global result, scale, latest, mode, flag, hook
    result, scale, latest, mode, flag, hook = None, 1.0, None, "plain", False, constant
