"""A function whose code is reversed by its structure or recorded, by what it captures."""

from typing import Any


def caught(x: float) -> float:
    """Recorded, for its `try`."""
    try:
        return x * x
    finally:
        pass


def adding_one(g: Any) -> Any:
    """One more than `g`: the same code, whichever that is."""
    return lambda x: g(x) + 1.0
