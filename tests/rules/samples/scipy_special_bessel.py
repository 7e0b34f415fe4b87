"""Samples for `scipy.special`: Bessel functions and relatives."""

from typing import Any

import numpy as np
from rules.sampling import Sample, elementwise, sample, sample_of, uniform
from scipy import special

X = uniform(0.5, 4.0, 2, 3)
N = np.array([0, 1, 2])


def by_order(f: Any, complex: bool = False) -> list[Sample]:
    """Of whole orders, which are not differentiated, and of a real one that is constant."""
    return [
        sample(f, N, X).but(complex=complex),
        sample(f, 1, 1.5).but(single=False),
        sample(f, 2, np.zeros((0, 2))).but(order=1, single=False, strided=False),
        sample_of(f, lambda x: f(0.5, x), X),
    ]


def spherical(f: Any, complex: bool = False) -> list[Sample]:
    """SciPy makes these in a decorator: a copy of one, as finite differences move it, would have no rule."""
    programs: dict[str, Any] = {
        "spherical_jn": (lambda z: special.spherical_jn(N, z), lambda z: special.spherical_jn(1, z, derivative=True)),
        "spherical_yn": (lambda z: special.spherical_yn(N, z), lambda z: special.spherical_yn(N, z, True)),
        "spherical_in": (lambda z: special.spherical_in(N, z), lambda z: special.spherical_in(N, z, True)),
        "spherical_kn": (lambda z: special.spherical_kn(N, z), lambda z: special.spherical_kn(N, z, True)),
    }
    value, slope = programs[f.__name__]
    return [
        sample_of(f, value, X).but(complex=complex),
        sample_of(f, value, 1.5),
        sample_of(f, slope, X).but(complex=complex),
    ]


def of_numbers_and_arrays(f: Any, low: float, high: float, *others: Any, complex: bool = False) -> list[Sample]:
    """The first two of `elementwise`."""
    return elementwise(f, low, high, *others, complex=complex)[:2]


SAMPLES = [
    *by_order(special.jv, complex=True),
    *by_order(special.yv, complex=True),
    *by_order(special.iv, complex=True),
    *by_order(special.kv, complex=True),
    *by_order(special.jve, complex=True),
    *by_order(special.yve, complex=True),
    *by_order(special.ive, complex=True),
    *by_order(special.kve, complex=True),
    *by_order(special.hankel1, complex=True),
    *by_order(special.hankel2, complex=True),
    *by_order(special.hankel1e, complex=True),
    *by_order(special.hankel2e, complex=True),
    sample(special.yn, N, X),
    sample(special.kn, N, X),
    *elementwise(special.j0, -4.0, 4.0),
    *of_numbers_and_arrays(special.j1, -4.0, 4.0),
    *of_numbers_and_arrays(special.y0, 0.5, 4.0),
    *of_numbers_and_arrays(special.y1, 0.5, 4.0),
    *of_numbers_and_arrays(special.i0, -4.0, 4.0),
    *of_numbers_and_arrays(special.i1, -4.0, 4.0),
    *elementwise(special.i0e, -4.0, 4.0),
    *of_numbers_and_arrays(special.i1e, -4.0, 4.0),
    *of_numbers_and_arrays(special.k0, 0.5, 4.0),
    *of_numbers_and_arrays(special.k1, 0.5, 4.0),
    *of_numbers_and_arrays(special.k0e, 0.5, 4.0),
    *of_numbers_and_arrays(special.k1e, 0.5, 4.0),
    sample(special.jvp, N, X).but(complex=True),
    sample(special.jvp, 1, X, 2),
    sample(special.yvp, N, X, 2),
    sample(special.ivp, N, X, n=2),
    sample(special.kvp, N, X),
    sample(special.h1vp, N, X).but(complex=True),
    sample(special.h2vp, N, X),
    *spherical(special.spherical_jn, complex=True),
    *spherical(special.spherical_yn),
    *spherical(special.spherical_in),
    *spherical(special.spherical_kn),
    sample(special.airy, X - 2.0).but(complex=True),
    sample(special.airy, 1.5),
    sample(special.airye, X),
    sample(special.itairy, X - 2.0),
    *by_order(special.struve),
    *by_order(special.modstruve),
    *of_numbers_and_arrays(special.ber, 0.5, 4.0),
    *of_numbers_and_arrays(special.bei, 0.5, 4.0),
    *of_numbers_and_arrays(special.ker, 0.5, 4.0),
    *of_numbers_and_arrays(special.kei, 0.5, 4.0),
    sample(special.berp, X),
    sample(special.beip, X),
    sample(special.kerp, X),
    sample(special.keip, X),
    sample(special.kelvin, X),
    sample(special.itj0y0, X),
    sample(special.iti0k0, X),
    sample(special.it2j0y0, X),
    sample(special.it2i0k0, X),
    sample(special.itstruve0, X),
    sample(special.it2struve0, X),
    sample(special.itmodstruve0, X),
    sample_of(special.besselpoly, lambda a: special.besselpoly(a, 0.5, 1.5), X),
    sample_of(special.wright_bessel, lambda x: special.wright_bessel(0.5, 1.5, x), X),
]
if hasattr(special, "log_wright_bessel"):
    SAMPLES += [sample_of(special.log_wright_bessel, lambda x: special.log_wright_bessel(0.5, 1.5, x), X)]
