"""Functions of a library: what they do hangs on texts and flags."""

from __future__ import annotations

from typing import Any

SEEN: list[Any] = []


def power(x: Any, method: str = "square", verbose: bool = False, scale: Any = None) -> Any:
    if verbose:
        SEEN.append(method)
    if method == "square":
        y = x * x
    elif method == "cube":
        y = x**3
    else:
        raise ValueError(f"unknown method {method!r}")
    return y if scale is None else y * scale


def alternating(x: Any, n: int, flag: bool = True) -> Any:
    if n == 0:
        return x
    return x * alternating(x, n - 1, False) if flag else x + alternating(x, n - 1, True)


def rebinding(x: Any, flag: bool = True) -> Any:
    y = x
    for _ in range(3):
        if flag:
            y = y * x
        flag = not flag
    return y


def swapping(x: Any, a: bool = True, b: bool = False) -> Any:
    for _ in range(2):
        a, b = b, a
        if a:
            x = x * x
    return x


def named(x: Any, kind: str = "a", *, other: str = "b", on: bool = True) -> Any:
    table = {"a": x, "b": x * x, "c": x**3}
    return table[kind] * table[other] + (len(kind) if on is True else 0) * x


def captured(x: Any, flag: bool) -> Any:
    f = lambda t: t * x if flag else t  # noqa: E731
    return f(x) + int(flag) * x + (x if not flag else 0.0)


def counting(x: Any, name: str = "ab", flag: bool = True) -> Any:
    for c in name:
        x = x * x if c == "a" else x + 1.0
    return x * flag + (flag + 1) * x


def handing_on(x: Any, **options: Any) -> Any:
    return power(x, **options)


def unsettled(x: Any, values: Any = None, *, strict: bool = False) -> Any:
    """In a branch that is not taken, what cannot be followed."""
    if strict:
        SEEN.sort()
        x.name = "x"
    return x * x
