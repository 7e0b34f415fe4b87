"""Windows: constants but for the shape of some, which is a number."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy import signal
from scipy.signal import windows

from ....tangents import unknown
from ...knots import call_pullback
from ...numpy.lifting import composed
from ...registry import non_differentiable, not_implemented, rule


def counted(M, sym):  # noqa: N803
    """The number of points of the whole window."""
    return M if sym else M + 1


def centred(M, sym):  # noqa: N803
    """The places of M points around their middle; a periodic window lacks its last one.

    >>> centred(3, True), centred(3, False)
    (array([-1.,  0.,  1.]), array([-1.5, -0.5,  0.5]))
    """
    return np.arange(float(M)) - (counted(M, sym) - 1) / 2


def arch(M, sym):  # noqa: N803
    """√(1 - (n / α)²) at these places.

    >>> arch(3, True)
    array([0., 1., 0.])
    """
    alpha = (counted(M, sym) - 1) / 2
    return np.sqrt(np.maximum(1 - (centred(M, sym) / alpha) ** 2, 0.0)) if alpha else np.ones(M)


non_differentiable(counted, centred, arch)


@composed(windows.gaussian)
def gaussian(M, std, sym=True, *, xp=None, device=None):  # noqa: N803
    """exp(-n² / 2σ²)."""
    if M <= 1:
        return np.ones(M)
    n = centred(M, sym)
    return np.exp(-n * n / (2 * std * std))


@composed(windows.general_gaussian)
def general_gaussian(M, p, sig, sym=True, *, xp=None, device=None):  # noqa: N803
    """exp(-|n / σ|²ᵖ / 2)."""
    if M <= 1:
        return np.ones(M)
    n = np.abs(centred(M, sym))
    zero = n == 0
    return np.where(zero, 1.0, np.exp(-0.5 * (np.where(zero, 1.0, n) / sig) ** (2 * p)))


@composed(windows.exponential)
def exponential(M, center=None, tau=1.0, sym=True, *, xp=None, device=None):  # noqa: N803
    """exp(-|n - c| / τ)."""
    if M <= 1:
        return np.ones(M)
    n = counted(M, sym)
    middle = (n - 1) / 2 if center is None else center
    return np.exp(-np.abs(np.arange(float(M)) - middle) / tau)


@composed(windows.kaiser)
def kaiser(M, beta, sym=True, *, xp=None, device=None):  # noqa: N803
    """I₀(β √(1 - (n / α)²)) / I₀(β)."""
    if M <= 1:
        return np.ones(M)
    return np.i0(beta * arch(M, sym)) / np.i0(beta)


@composed(windows.general_cosine)
def general_cosine(M, a, sym=True):  # noqa: N803
    """Σ aₖ cos(2πk n / N)."""
    if M <= 1:
        return np.ones(M)
    n = counted(M, sym)
    places = np.linspace(-np.pi, np.pi, n)[:M]
    total = np.zeros(M)
    for k in range(len(a)):
        total = total + a[k] * np.cos(k * places)
    return total


@composed(windows.general_hamming)
def general_hamming(M, alpha, sym=True, *, xp=None, device=None):  # noqa: N803
    """α + (1 - α) cos(n)."""
    if M <= 1:
        return np.ones(M)
    n = counted(M, sym)
    return alpha + (1.0 - alpha) * np.cos(np.linspace(-np.pi, np.pi, n)[:M])


@composed(windows.kaiser_bessel_derived)
def kaiser_bessel_derived(M, beta, *, sym=True, xp=None, device=None):  # noqa: N803
    """√ of the sums of a Kaiser window, up and down."""
    sums = np.cumsum(kaiser(M // 2 + 1, beta))
    half = np.sqrt(sums[:-1] / sums[-1])
    return np.concatenate((half, half[::-1]))


@composed(windows.tukey)
def tukey(M, alpha=0.5, sym=True, *, xp=None, device=None):  # noqa: N803
    """(1 - cos(2πd / αN)) / 2 where the distance d from the ends is below αN / 2, and 1 between."""
    n = counted(M, sym)
    if M <= 1 or alpha <= 0:
        return np.ones(M)
    width = min(alpha, 1.0) * (n - 1) / 2
    d = (n - 1) / 2 - np.abs(centred(M, sym))
    tapered = d < width
    return np.where(tapered, (1 - np.cos(np.pi * np.where(tapered, d / width, 1.0))) / 2, 1.0)


@composed(windows.chebwin)
def chebwin(M, at, sym=True, *, xp=None, device=None):  # noqa: N803
    """Σ T(β cos(πk / n)) cos(2πk m / n), by its largest value; β is where T is as far above its ripples as is asked.

    Source: C. Dolph, "A current distribution for broadside arrays", Proc. IRE 34 (1946).
    """
    n = counted(M, sym)
    if M <= 1:
        return np.ones(M)
    k = np.arange(float(n))
    x = np.cosh(np.arccosh(10 ** (np.abs(at) / 20)) / (n - 1)) * np.cos(np.pi * k / n)
    before, t = np.ones(n), x
    for _ in range(n - 2):
        before, t = t, 2 * x * t - before
    w = np.cos(np.outer(centred(n, True), 2 * np.pi * k / n)) @ t
    return (w / np.max(w))[:M]


@composed(windows.taylor)
def taylor(M, nbar=4, sll=30, norm=True, sym=True, *, xp=None, device=None):  # noqa: N803
    """1 + 2 Σ Fₘ cos(2πm n / N), by its value in the middle.

    Source: W. Carrara, R. Goodman, R. Majewski, Spotlight Synthetic Aperture Radar (1995), app. D.
    """
    n = counted(M, sym)
    if M <= 1:
        return np.ones(M)
    a = np.arccosh(10 ** (sll / 20)) / np.pi
    order = np.arange(1.0, nbar)
    count = len(order) + 1
    zeros = count**2 / (a**2 + (count - 0.5) ** 2) * (a**2 + (order - 0.5) ** 2)
    w, middle = np.ones(M), 1.0
    for m in order:
        others = order[order != m]
        f = -((-1) ** m) * np.prod(1 - m**2 / zeros) / np.prod(1 - m**2 / others**2)
        w, middle = w + f * np.cos(2 * np.pi * m * centred(M, sym) / n), middle + f
    return w / middle if norm else w


@rule(signal.get_window)
def get_window_rule(window: str, Nx, fftbins=True, *, xp=None, device=None):  # noqa: N803
    """A window without parameters."""

    def get_window_back(y_bar):
        return None, None

    return signal.get_window(window, Nx, fftbins), get_window_back


@rule(signal.get_window)
def get_window_with_parameters_rule(window, Nx, fftbins=True, *, xp=None, device=None):  # noqa: N803
    """A window by its name and its parameters, or one of Kaiser by its parameter alone."""
    y = signal.get_window(window, Nx, fftbins)
    named = isinstance(window, tuple)
    name, shape = (window[0], window[1:]) if named else ("kaiser", (window,))
    f = shaped(name)
    if f is None:
        known = tuple([unknown("the shape of the window")] * len(shape))
        return y, lambda y_bar: ((None, *known) if named else known[0], None)
    _, back = call_pullback(f, Nx, *shape, sym=not fftbins)

    def get_window_with_parameters_back(y_bar):
        bars = back(y_bar)[2 : 2 + len(shape)]
        return (None, *bars) if named else bars[0], None

    return y, get_window_with_parameters_back


_SHAPED = {
    windows.gaussian: "gaussian gauss gss",
    windows.general_gaussian: "general_gaussian general_gauss ggs",
    windows.exponential: "exponential poisson",
    windows.kaiser: "kaiser ksr",
    windows.kaiser_bessel_derived: "kaiser_bessel_derived kbd",
    windows.general_cosine: "general_cosine",
    windows.general_hamming: "general_hamming",
    windows.tukey: "tukey tuk",
    windows.chebwin: "chebwin cheb",
    windows.taylor: "taylor taylorwin",
}
_BY_NAME = {name: f for f, names in _SHAPED.items() for name in names.split()}


def shaped(name):
    """The window of this name, if it has a shape by which it is differentiated.

    >>> shaped("gauss").__name__
    'gaussian'
    """
    return _BY_NAME.get(name.replace(" ", "_"))


non_differentiable(shaped)

_CONSTANT = (
    "barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "cosine", "flattop", "hamming", "hann",
    "lanczos", "nuttall", "parzen", "triang",
)  # fmt: skip
non_differentiable(*[getattr(windows, name) for name in _CONSTANT if hasattr(windows, name)])

not_implemented(
    windows.dpss,
    why="it is an eigenvector of a matrix whose derivative by the bandwidth is wanted, and its sign is chosen",
    way_out="use `windows.kaiser`, which comes close and has one",
)
