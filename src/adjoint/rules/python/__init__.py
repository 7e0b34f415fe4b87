"""Rules for plain Python, by family."""

from . import (  # noqa: F401
    cmath,
    containers,
    copies,
    cotangents,
    dicts,
    functional,
    held,
    iterables,
    iteration,
    itertools,
    math,
    objects,
    random,
    resized,
    scalars,
    sequences,
    sums,
    tangents,
    withdrawals,
)
