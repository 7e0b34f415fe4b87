"""Rules for `scipy.signal`."""

import scipy.signal

from ..effects import declare
from . import convolutions, filters, refused, resampling, selections, spectra, waveforms, windows

__all__ = ["convolutions", "filters", "refused", "resampling", "selections", "spectra", "waveforms", "windows"]

declare(scipy.signal.windows)
declare(
    scipy.signal,
    shows="deconvolve normalize sosfiltfilt sweep_poly unique_roots",
    but="argrelextrema coherence csd find_peaks_cwt freqz periodogram spectrogram stft welch",
)
