"""Windows: constants but for the shape of some, which is a number."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy import signal
from scipy.signal import windows

from ....tangents import unknown
from ...numpy.lifting import composed
from ...registry import non_differentiable, rule


def centred(M, sym):  # noqa: N803
    """The places of M points around their middle; a periodic window lacks its last one.

    >>> centred(3, True), centred(3, False)
    (array([-1.,  0.,  1.]), array([-1.5, -0.5,  0.5]))
    """
    n = M if sym else M + 1
    return np.arange(float(M)) - (n - 1) / 2


def arch(M, sym):  # noqa: N803
    """√(1 - (n / α)²) at these places.

    >>> arch(3, True)
    array([0., 1., 0.])
    """
    alpha = ((M if sym else M + 1) - 1) / 2
    return np.sqrt(np.maximum(1 - (centred(M, sym) / alpha) ** 2, 0.0)) if alpha else np.ones(M)


non_differentiable(centred, arch)


@composed(windows.gaussian)
def gaussian(M, std, sym=True, *, xp=None, device=None):  # noqa: N803
    """exp(-n² / 2σ²)."""
    n = centred(M, sym)
    return np.exp(-n * n / (2 * std * std))


@composed(windows.general_gaussian)
def general_gaussian(M, p, sig, sym=True, *, xp=None, device=None):  # noqa: N803
    """exp(-|n / σ|²ᵖ / 2)."""
    n = np.abs(centred(M, sym))
    zero = n == 0
    return np.where(zero, 1.0, np.exp(-0.5 * (np.where(zero, 1.0, n) / sig) ** (2 * p)))


@composed(windows.exponential)
def exponential(M, center=None, tau=1.0, sym=True, *, xp=None, device=None):  # noqa: N803
    """exp(-|n - c| / τ)."""
    n = M if sym else M + 1
    middle = (n - 1) / 2 if center is None else center
    return np.exp(-np.abs(np.arange(float(M)) - middle) / tau)


@composed(windows.kaiser)
def kaiser(M, beta, sym=True, *, xp=None, device=None):  # noqa: N803
    """I₀(β √(1 - (n / α)²)) / I₀(β)."""
    return np.i0(beta * arch(M, sym)) / np.i0(beta)


@composed(windows.general_cosine)
def general_cosine(M, a, sym=True):  # noqa: N803
    """Σ aₖ cos(2πk n / N)."""
    n = M if sym else M + 1
    places = np.linspace(-np.pi, np.pi, n)[:M]
    total = np.zeros(M)
    for k in range(len(a)):
        total = total + a[k] * np.cos(k * places)
    return total


@composed(windows.general_hamming)
def general_hamming(M, alpha, sym=True, *, xp=None, device=None):  # noqa: N803
    """α + (1 - α) cos(n)."""
    n = M if sym else M + 1
    return alpha + (1.0 - alpha) * np.cos(np.linspace(-np.pi, np.pi, n)[:M])


@rule(signal.get_window)
def get_window_rule(window: str, Nx, fftbins=True, *, xp=None, device=None):  # noqa: N803
    """A window without parameters."""

    def get_window_back(y_bar):
        return None, None

    return signal.get_window(window, Nx, fftbins), get_window_back


@rule(signal.get_window)
def get_window_with_parameters_rule(window, Nx, fftbins=True, *, xp=None, device=None):  # noqa: N803
    """A window whose parameters have no derivative here."""

    def get_window_with_parameters_back(y_bar):
        return tuple([unknown("the window")] * len(window)) if isinstance(window, tuple) else unknown(
            "the window"
        ), None

    return signal.get_window(window, Nx, fftbins), get_window_with_parameters_back


_CONSTANT = (
    "barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "cosine", "flattop", "hamming", "hann",
    "lanczos", "nuttall", "parzen", "triang",
)  # fmt: skip
_SHAPED = ("chebwin", "dpss", "kaiser_bessel_derived", "taylor", "tukey")

non_differentiable(*[getattr(windows, name) for name in _CONSTANT if hasattr(windows, name)])


def _declare_shaped(f):
    def shaped_rule(M, *shape, **options):  # noqa: N803
        """A window whose shape has no derivative here."""
        n = len(shape) + len(options)

        def shaped_back(y_bar):
            return None, *[unknown("the shape of the window")] * n

        return f(M, *shape, **options), shaped_back

    rule(f)(shaped_rule)


for _name in _SHAPED:
    if hasattr(windows, _name):
        _declare_shaped(getattr(windows, _name))
