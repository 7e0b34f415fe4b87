"""Measures in words."""

from __future__ import annotations


def of_seconds(seconds: float) -> str:
    """A time in words.

    >>> of_seconds(0.00123), of_seconds(2.5e-7)
    ('1.23 ms', '0.25 µs')
    """
    if seconds >= 1.0:
        return f"{seconds:.3g} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} µs"


def of_bytes(n: float) -> str:
    """A size in words.

    >>> of_bytes(2048), of_bytes(3.5e6)
    ('2.05 kB', '3.5 MB')
    """
    return f"{n / 1e6:.3g} MB" if n >= 1e6 else f"{n / 1e3:.3g} kB" if n >= 1e3 else f"{n:.0f} B"
