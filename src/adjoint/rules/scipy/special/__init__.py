"""Rules for `scipy.special`, by family."""

import scipy.special

from ..effects import declare
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

declare(scipy.special, but="errstate geterr seterr")
