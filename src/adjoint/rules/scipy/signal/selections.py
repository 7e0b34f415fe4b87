"""Selections of samples: medians and ranks of windows, peaks."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, index, import-untyped"

import numpy as np
from scipy import signal

from ...numpy.lifting import composed, refuse
from ...numpy.linear import nested
from ...registry import non_differentiable, rule


def neighbours(shape, domain):
    """The places in the padded array of all that lies in the window around each sample, flat."""
    domain = np.asarray(domain)
    padded = [n + m - 1 for n, m in zip(shape, domain.shape, strict=True)]
    corners = np.ravel_multi_index(np.indices(shape).reshape(len(shape), -1), padded)
    offsets = np.ravel_multi_index(np.nonzero(domain), padded)
    return corners[:, None] + offsets


def full(kernel, ndim):
    """A window of this size."""
    sizes = [3] * ndim if kernel is None else [int(kernel)] * ndim if np.ndim(kernel) == 0 else list(kernel)
    return np.ones([int(n) for n in sizes])


non_differentiable(neighbours, full)


def ranked(a, domain, rank):
    """The sample of each window that has this rank, with zeros beyond the edges."""
    pads = [(n // 2, n - 1 - n // 2) for n in np.shape(domain)]
    windows = np.ravel(np.pad(a, pads))[neighbours(a.shape, domain)]
    return np.reshape(np.sort(windows, axis=-1)[:, rank], a.shape)


@composed(signal.order_filter)
def order_filter_of(a, domain, rank):
    """The sample of this rank."""
    return ranked(np.asarray(a) * 1.0, domain, rank)


@composed(signal.medfilt)
def medfilt_of(volume, kernel_size=None):
    """The sample in the middle."""
    values = np.asarray(volume) * 1.0
    domain = full(kernel_size, values.ndim)
    return ranked(values, domain, domain.size // 2)


@composed(signal.medfilt2d)
def medfilt2d_of(input, kernel_size=3):
    """The sample in the middle."""
    values = np.asarray(input) * 1.0
    domain = full(kernel_size, 2)
    return ranked(values, domain, domain.size // 2)


@composed(signal.wiener)
def wiener_of(im, mysize=None, noise=None):
    """The mean of the window, and of the difference to it what is above the noise."""
    values = np.asarray(im) * 1.0
    kernel = full(mysize, values.ndim)
    mean = signal.correlate(values, kernel, "same") / kernel.size
    variance = signal.correlate(values**2, kernel, "same") / kernel.size - mean**2
    level = np.mean(np.ravel(variance)) if noise is None else noise
    above = variance >= level
    return np.where(above, mean + (values - mean) * (1 - level / np.where(above, variance, 1.0)), mean)


@rule(signal.find_peaks)
def find_peaks_rule(
    x, height=None, threshold=None, distance=None, prominence=None, width=None, wlen=None, rel_height=0.5,
    plateau_size=None,
):  # fmt: skip
    """The places carry no derivative; what else is said of the peaks is refused."""
    y = signal.find_peaks(x, height, threshold, distance, prominence, width, wlen, rel_height, plateau_size)

    def find_peaks_back(y_bar):
        if y_bar[1] is not None and any([bar is not None for bar in y_bar[1].values()]):
            refuse(
                "scipy.signal.find_peaks: what it says of the peaks", "it is of many kinds, in a dict", "use x[peaks]"
            )
        return (nested(np.zeros(np.shape(x)), x),)

    return y, find_peaks_back


non_differentiable(
    signal.argrelextrema, signal.argrelmax, signal.argrelmin, signal.find_peaks_cwt, signal.unit_impulse,
    signal.max_len_seq, signal.choose_conv_method, signal.check_COLA, signal.check_NOLA, signal.correlation_lags,
)  # fmt: skip
