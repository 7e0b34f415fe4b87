"""Rules for `scipy.linalg`, by family."""

import scipy.linalg

from ..effects import declare
from . import banded, constructions, equations, factors, functions, refused, spectra, systems  # noqa: F401

declare(
    scipy.linalg,
    shows="det hessenberg matrix_balance qr_delete qr_insert qr_update rsf2csf schur",
    estimates="fractional_matrix_power logm",
)
