"""Rules for `scipy.linalg`, by family."""

from . import banded, constructions, equations, factors, functions, refused, spectra, systems  # noqa: F401
