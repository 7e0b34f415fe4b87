"""Rules for `scipy.ndimage`."""

from . import boundaries, filters, fourier, interpolation, measurements, ranks, refused

__all__ = ["boundaries", "filters", "fourier", "interpolation", "measurements", "ranks", "refused"]
