"""The rest of `scipy.signal`: the design of filters and systems, refused by name."""
# mypy: disable-error-code="import-untyped"

from scipy import signal

from ...registry import not_implemented

_DESIGN = (
    "abcd_normalize", "band_stop_obj", "bessel", "besselap", "bilinear", "bilinear_zpk", "buttap", "butter", "buttord",
    "cheb1ap", "cheb1ord", "cheb2ap", "cheb2ord", "cheby1", "cheby2", "cont2discrete", "ellip", "ellipap", "ellipord",
    "findfreqs", "firls", "firwin", "firwin2", "firwin_2d", "gammatone", "iircomb", "iirdesign", "iirfilter",
    "iirnotch", "iirpeak", "invres", "invresz", "kaiser_atten", "kaiser_beta", "kaiserord", "lp2bp",
    "lp2bp_zpk", "lp2bs", "lp2bs_zpk", "lp2hp", "lp2hp_zpk", "lp2lp", "lp2lp_zpk", "minimum_phase", "normalize",
    "place_poles", "remez", "residue", "residuez", "savgol_coeffs", "sos2tf", "sos2zpk", "ss2tf", "ss2zpk", "tf2sos",
    "tf2ss", "tf2zpk", "unique_roots", "zpk2sos", "zpk2ss", "zpk2tf", "closest_STFT_dual_window",
)  # fmt: skip
_SYSTEMS = (
    "StateSpace", "TransferFunction", "ZerosPolesGain", "bode", "dbode", "dfreqresp", "dimpulse", "dlsim", "dlti",
    "dstep", "freqresp", "freqs", "freqs_zpk", "freqz_zpk", "group_delay", "impulse", "lsim", "lti", "step",
)  # fmt: skip
_TRANSFORMS = (
    "CZT", "ShortTimeFFT", "ZoomFFT", "czt", "czt_points", "envelope", "hilbert2", "istft", "lombscargle", "zoom_fft",
    "vectorstrength",
)  # fmt: skip
_OTHERS = (
    "cspline1d", "cspline1d_eval", "cspline2d", "deconvolve", "peak_prominences", "peak_widths", "qspline1d",
    "qspline1d_eval", "qspline2d", "sepfir2d", "spline_filter", "symiirorder1", "symiirorder2", "whittaker_henderson",
    "gauss_spline",
    "cwt", "morlet", "morlet2", "ricker", "daub", "qmf", "cascade", "lsim2", "impulse2", "step2", "cmplx_sort",
)  # fmt: skip

for _names, _why, _way_out in (
    (_DESIGN, "how a filter is designed is not followed", "design it beforehand, or optimise its coefficients"),
    (
        _SYSTEMS,
        "linear systems have no rules, as objects or by their polynomials",
        "use `lfilter`, `sosfilt` or `freqz`, or `scipy.integrate.solve_ivp`",
    ),
    (
        _TRANSFORMS,
        "it is computed by SciPy in steps, by plans or windows, that have no rules",
        "use `stft`, `welch` or `scipy.fft`, which have rules",
    ),
    (
        _OTHERS,
        "it is computed by loops, most of them in C, that are not looked into",
        "use `convolve` or `lfilter`, which have rules",
    ),
):
    for _name in _names:
        if hasattr(signal, _name):
            not_implemented(getattr(signal, _name), why=_why, way_out=_way_out)
