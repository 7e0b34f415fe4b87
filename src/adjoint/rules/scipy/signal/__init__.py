"""Rules for `scipy.signal`."""

from . import convolutions, filters, refused, resampling, selections, spectra, waveforms, windows

__all__ = ["convolutions", "filters", "refused", "resampling", "selections", "spectra", "waveforms", "windows"]
