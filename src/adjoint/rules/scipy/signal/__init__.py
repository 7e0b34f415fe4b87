"""Rules for `scipy.signal`."""

from . import convolutions, filters, refused, resampling, selections, spectra, windows

__all__ = ["convolutions", "filters", "refused", "resampling", "selections", "spectra", "windows"]
