"""Rules for `scipy.ndimage`."""

import scipy.ndimage

from ..effects import declare
from . import boundaries, filters, fourier, interpolation, measurements, ranks, refused

__all__ = ["boundaries", "filters", "fourier", "interpolation", "measurements", "ranks", "refused"]

declare(
    scipy.ndimage,
    but="distance_transform_bf distance_transform_cdt distance_transform_edt generic_gradient_magnitude"
    " generic_laplace geometric_transform value_indices",
)
