"""Bessel functions: by the argument; a derivative by the order is not known.

Source: NIST Digital Library of Mathematical Functions, 10.6, 10.29, 10.51, 11.4 and 9.2.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special

from ....tangents import is_whole, unbroadcast, unknown
from ...numpy.lifting import refuse
from ...numpy.linear import bring_back
from ...registry import non_differentiable, rule, scalar_rule
from .outputs import several

# Of any order


@scalar_rule(special.jv)
def jv_partials(v, z, y):
    return unknown("the order `v`"), (special.jv(v - 1, z) - special.jv(v + 1, z)) / 2


@scalar_rule(special.yv, special.yn)
def yv_partials(v, z, y):
    return unknown("the order `v`"), (special.yv(v - 1, z) - special.yv(v + 1, z)) / 2


@scalar_rule(special.iv)
def iv_partials(v, z, y):
    return unknown("the order `v`"), (special.iv(v - 1, z) + special.iv(v + 1, z)) / 2


@scalar_rule(special.kv, special.kn)
def kv_partials(v, z, y):
    return unknown("the order `v`"), -(special.kv(v - 1, z) + special.kv(v + 1, z)) / 2


@scalar_rule(special.kve)
def kve_partials(v, z, y):
    return unknown("the order `v`"), y - (special.kve(v - 1, z) + special.kve(v + 1, z)) / 2


@scalar_rule(special.hankel1, returns=None)
def hankel1_partials(v, z, y):
    return unknown("the order `v`"), (special.hankel1(v - 1, z) - special.hankel1(v + 1, z)) / 2


@scalar_rule(special.hankel2, returns=None)
def hankel2_partials(v, z, y):
    return unknown("the order `v`"), (special.hankel2(v - 1, z) - special.hankel2(v + 1, z)) / 2


@scalar_rule(special.hankel1e, returns=None)
def hankel1e_partials(v, z, y):
    return unknown("the order `v`"), (special.hankel1e(v - 1, z) - special.hankel1e(v + 1, z)) / 2 - 1j * y


@scalar_rule(special.hankel2e, returns=None)
def hankel2e_partials(v, z, y):
    return unknown("the order `v`"), (special.hankel2e(v - 1, z) - special.hankel2e(v + 1, z)) / 2 + 1j * y


def _scaled_by_imaginary_part(f):
    """y = w(z) exp(-|Im z|), which is not holomorphic: z̄ = ȳ conj(w′ exp(-|Im z|)) - i sign(Im z) Re(conj(ȳ) y)."""

    @rule(f)
    def scaled_rule(v, z):
        y = f(v, z)

        def scaled_back(y_bar):
            z_bar = y_bar * np.conj((f(v - 1, z) - f(v + 1, z)) / 2)
            if np.iscomplexobj(z):
                z_bar = z_bar - 1j * np.sign(np.imag(z)) * np.real(np.conj(y_bar) * y)
            return None if is_whole(v) else unknown("the order `v`"), unbroadcast(z_bar, z)

        return y, scaled_back


_scaled_by_imaginary_part(special.jve)
_scaled_by_imaginary_part(special.yve)


@rule(special.ive)
def ive_rule(v, z):
    """y = I(z) exp(-|Re z|): z̄ = ȳ conj(I′ exp(-|Re z|)) - sign(Re z) Re(conj(ȳ) y)."""
    y = special.ive(v, z)

    def ive_back(y_bar):
        z_bar = y_bar * np.conj((special.ive(v - 1, z) + special.ive(v + 1, z)) / 2)
        z_bar = z_bar - np.sign(np.real(z)) * np.real(np.conj(y_bar) * y)
        return None if is_whole(v) else unknown("the order `v`"), unbroadcast(z_bar, z)

    return y, ive_back


# Of order 0 and 1


@scalar_rule(special.j0)
def j0_partial(x, y):
    return -special.j1(x)


@scalar_rule(special.j1)
def j1_partial(x, y):
    return (special.j0(x) - special.jv(2, x)) / 2


@scalar_rule(special.y0)
def y0_partial(x, y):
    return -special.y1(x)


@scalar_rule(special.y1)
def y1_partial(x, y):
    return (special.y0(x) - special.yv(2, x)) / 2


@scalar_rule(special.i0)
def i0_partial(x, y):
    return special.i1(x)


@scalar_rule(special.i1)
def i1_partial(x, y):
    return (special.i0(x) + special.iv(2, x)) / 2


@scalar_rule(special.i0e)
def i0e_partial(x, y):
    return special.i1e(x) - np.sign(x) * y


@scalar_rule(special.i1e)
def i1e_partial(x, y):
    return (special.i0e(x) + special.ive(2, x)) / 2 - np.sign(x) * y


@scalar_rule(special.k0)
def k0_partial(x, y):
    return -special.k1(x)


@scalar_rule(special.k1)
def k1_partial(x, y):
    return -(special.k0(x) + special.kv(2, x)) / 2


@scalar_rule(special.k0e)
def k0e_partial(x, y):
    return y - special.k1e(x)


@scalar_rule(special.k1e)
def k1e_partial(x, y):
    return y - (special.k0e(x) + special.kve(2, x)) / 2


# Derivatives of any order, and spherical functions


def _derivatives(f):
    """The n-th derivative, whose derivative is the one after it."""

    @rule(f)
    def derivative_rule(v, z, n=1):
        y = f(v, z, n)

        def derivative_back(y_bar):
            return (
                None if is_whole(v) else unknown("the order `v`"),
                bring_back(y_bar * np.conj(f(v, z, n + 1)), z),
                None,
            )

        return y, derivative_back


for _f in (special.jvp, special.yvp, special.ivp, special.kvp, special.h1vp, special.h2vp):
    _derivatives(_f)


def _spherical(f, before, after):
    """f′ₙ = (± n fₙ₋₁ ± (n + 1) fₙ₊₁) / (2n + 1), by the signs given, and the same of f″."""

    @rule(f)
    def spherical_rule(n, z, derivative=False):
        y = f(n, z, derivative)

        def spherical_back(y_bar):
            if derivative:
                below = f(np.maximum(np.subtract(n, 1), 0), z, True)
                above = f(np.add(n, 1), z, True)
                k = np.asarray(n)
                slope = (before * k * below + after * (k + 1) * above) / (2 * k + 1)
            else:
                slope = f(n, z, True)
            return None if is_whole(n) else unknown("the order `n`"), bring_back(y_bar * np.conj(slope), z), None

        return y, spherical_back


_spherical(special.spherical_jn, 1, -1)
_spherical(special.spherical_yn, 1, -1)
_spherical(special.spherical_in, 1, 1)
_spherical(special.spherical_kn, -1, -1)


# Airy, Struve, Kelvin


@several(special.airy)
def airy_partials(z, ys):
    return ((ys[1], z * ys[0], ys[3], z * ys[2]),)


@several(special.airye)
def airye_partials(z, ys):
    # Ai exp(ζ), Bi exp(-|Re ζ|), ζ = ⅔ z√z.
    return (
        (
            ys[1] + root(z) * ys[0],
            z * ys[0] + root(z) * ys[1],
            ys[3] - root(z) * ys[2],
            z * ys[2] - root(z) * ys[3],
        ),
    )


def root(x):
    """√x, and 0 left of 0; the scaling of Bi is not holomorphic."""
    if np.iscomplexobj(x):
        refuse("airye", "its second pair is not holomorphic", "use `scipy.special.airy`")
    return np.sqrt(np.maximum(x, 0))


@several(special.itairy)
def itairy_partials(x, ys):
    return ((special.airy(x)[0], special.airy(x)[2], special.airy(-x)[0], special.airy(-x)[2]),)


@scalar_rule(special.struve)
def struve_partials(v, x, y):
    return (
        unknown("the order `v`"),
        (special.struve(v - 1, x) - special.struve(v + 1, x) + struve_term(v, x)) / 2,
    )


@scalar_rule(special.modstruve)
def modstruve_partials(v, x, y):
    return (
        unknown("the order `v`"),
        (special.modstruve(v - 1, x) + special.modstruve(v + 1, x) + struve_term(v, x)) / 2,
    )


def struve_term(v, x):
    """(x/2)ᵛ / (√π Γ(v + 3/2))."""
    return np.power(x / 2, v) * special.rgamma(v + 1.5) / math.sqrt(math.pi)


@scalar_rule(special.ber)
def ber_partial(x, y):
    return special.berp(x)


@scalar_rule(special.bei)
def bei_partial(x, y):
    return special.beip(x)


@scalar_rule(special.ker)
def ker_partial(x, y):
    return special.kerp(x)


@scalar_rule(special.kei)
def kei_partial(x, y):
    return special.keip(x)


@scalar_rule(special.berp)
def berp_partial(x, y):
    return -special.bei(x) - y / x


@scalar_rule(special.beip)
def beip_partial(x, y):
    return special.ber(x) - y / x


@scalar_rule(special.kerp)
def kerp_partial(x, y):
    return -special.kei(x) - y / x


@scalar_rule(special.keip)
def keip_partial(x, y):
    return special.ker(x) - y / x


@several(special.kelvin)
def kelvin_partials(x, ys):
    return ((ys[2], ys[3], 1j * ys[0] - ys[2] / x, 1j * ys[1] - ys[3] / x),)


# Integrals


@several(special.itj0y0)
def itj0y0_partials(x, ys):
    return ((special.j0(x), special.y0(x)),)


@several(special.iti0k0)
def iti0k0_partials(x, ys):
    return ((special.i0(x), special.k0(x)),)


@several(special.it2j0y0)
def it2j0y0_partials(x, ys):
    return (((1 - special.j0(x)) / x, -special.y0(x) / x),)


@several(special.it2i0k0)
def it2i0k0_partials(x, ys):
    return (((special.i0(x) - 1) / x, -special.k0(x) / x),)


@scalar_rule(special.itstruve0)
def itstruve0_partial(x, y):
    return special.struve(0, x)


@scalar_rule(special.it2struve0)
def it2struve0_partial(x, y):
    return -special.struve(0, x) / x


@scalar_rule(special.itmodstruve0)
def itmodstruve0_partial(x, y):
    return special.modstruve(0, x)


@scalar_rule(special.besselpoly)
def besselpoly_partials(a, lmb, nu, y):
    return (
        nu * y / a - 2 * special.besselpoly(a, lmb + 1, nu + 1),
        unknown("the exponent `lmb`"),
        unknown("the order `nu`"),
    )


@scalar_rule(special.wright_bessel)
def wright_bessel_partials(a, b, x, y):
    return unknown("the parameter `a`"), unknown("the parameter `b`"), special.wright_bessel(a, a + b, x)


if hasattr(special, "log_wright_bessel"):

    @scalar_rule(special.log_wright_bessel)
    def log_wright_bessel_partials(a, b, x, y):
        return (
            unknown("the parameter `a`"),
            unknown("the parameter `b`"),
            np.exp(special.log_wright_bessel(a, a + b, x) - y),
        )


non_differentiable(
    special.jn_zeros, special.jnp_zeros, special.yn_zeros, special.ynp_zeros, special.jnjnp_zeros,
    special.jnyn_zeros, special.y0_zeros, special.y1_zeros, special.y1p_zeros, special.ai_zeros, special.bi_zeros,
    special.ber_zeros, special.bei_zeros, special.berp_zeros, special.beip_zeros, special.ker_zeros,
    special.kei_zeros, special.kerp_zeros, special.keip_zeros, special.kelvin_zeros,
)  # fmt: skip
