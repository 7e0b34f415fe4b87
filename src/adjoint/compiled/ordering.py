"""Order statistics as ordinary programs: what is sorted is read by the places that are found, and moves with them."""

from __future__ import annotations

from typing import Any

import numpy as np


def order_of(x: Any) -> Any:
    """The places of the entries from the smallest to the largest, nan last; of equal ones, in their order.

    Runs are merged to such of twice the length, again and again.
    """
    n = len(x)
    places = np.arange(n) + 0
    merged = np.zeros(n, np.int64)
    width = 1
    while width < n:
        start = 0
        while start < n:
            middle, end = min(start + width, n), min(start + 2 * width, n)
            left, right = start, middle
            for k in range(start, end):
                from_left = right >= end
                if left < middle and right < end:
                    a, b = x[places[left]], x[places[right]]
                    from_left = not (b < a or (a != a and b == b))
                if from_left:
                    merged[k] = places[left]
                    left = left + 1
                else:
                    merged[k] = places[right]
                    right = right + 1
            start = start + 2 * width
        for k in range(n):
            places[k] = merged[k]
        width = 2 * width
    return places


def sort(a: Any) -> Any:
    """From the smallest to the largest."""
    return a[order_of(a)]


def argsort(a: Any, stable: Any = False) -> Any:
    """The places of the entries in order. In which order those of equal ones are is NumPy's to say."""
    places = order_of(a)
    if not stable:
        for k in range(len(a) - 1):
            low, high = a[places[k]], a[places[k + 1]]
            if low == high or (low != low and high != high):
                raise ValueError("equal entries")
    return places


def median(a: Any) -> Any:
    """The item in the middle, or the mean of the two that are there."""
    n = len(a)
    if n == 0:
        raise ValueError("nothing is in the middle")
    s = sort(a)
    if s[n - 1] != s[n - 1]:
        return s[n - 1] * s[n - 1]  # nan, and so is the slope
    return (s[(n - 1) // 2] + s[n // 2]) / 2.0


def quantile(a: Any, q: Any) -> Any:
    """Below which a share q of the entries lies, on the line between the two nearest."""
    n = len(a)
    if n == 0 or q < 0.0 or q > 1.0 or q != q:
        raise ValueError("no such share")
    s = sort(a)
    if s[n - 1] != s[n - 1]:
        return s[n - 1] * s[n - 1]  # nan, and so is the slope
    place = (n - 1) * q
    low = min(int(place), n - 1)
    high = min(low + 1, n - 1)
    t = place - low
    if t < 0.5:
        return s[low] + (s[high] - s[low]) * t
    return s[high] - (s[high] - s[low]) * (1.0 - t)


def percentile(a: Any, q: Any) -> Any:
    """The same for a share in hundredths."""
    return quantile(a, q / 100.0)


def searchsorted(a: Any, v: Any, side: Any = "left") -> Any:
    """Before which entry a number comes; after those that equal it, from the right."""
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        entry = a[middle]
        below = entry < v or (v != v and entry == entry) or (side == "right" and (entry == v or v != v))
        if below:
            low = middle + 1
        else:
            high = middle
    return low


def cumprod(a: Any) -> Any:
    """∏ of all up to each."""
    found = np.empty(len(a))
    product = 1.0
    for i in range(len(a)):
        product = product * a[i]
        found[i] = product
    return found


def nanmax(a: Any) -> Any:
    """The largest but nan."""
    if np.all(np.isnan(a)):
        raise ValueError("all are nan")
    return np.max(np.where(np.isnan(a), -np.inf, a))


def nanmin(a: Any) -> Any:
    """The smallest but nan."""
    if np.all(np.isnan(a)):
        raise ValueError("all are nan")
    return np.min(np.where(np.isnan(a), np.inf, a))
