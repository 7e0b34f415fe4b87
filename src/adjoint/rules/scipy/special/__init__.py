"""Rules for `scipy.special`, by family."""

from . import (  # noqa: F401
    bessel,
    distributions,
    elliptic,
    errors,
    exponential,
    gamma,
    hypergeometric,
    incomplete,
    information,
    orthogonal,
    refused,
)
