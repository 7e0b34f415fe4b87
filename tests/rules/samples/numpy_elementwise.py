"""Samples for the functions of NumPy that work element by element."""

import inspect
import operator

import numpy as np
from rules.sampling import elementwise, normal, sample, sample_of, uniform

A = normal(2, 3)
B = normal(2, 3, seed=1)
POSITIVE = np.abs(A) + 0.5
Z = normal(2, 3, dtype=np.complex128)
MASK = np.array([[True, False, True], [False, True, True]])
HOLES = np.array([[0.5, np.nan, 1.5], [np.inf, -0.5, -np.inf]])

# Of what is not smooth only the first derivative is checked, and arguments lie away from kinks.
UNARY = [
    *((f, -2.0, 2.0, True) for f in (np.positive, np.negative, np.square, np.exp, np.exp2, np.expm1, np.sin, np.cos)),
    *((f, -2.0, 2.0, True) for f in (np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.sinc)),
    *((f, -2.0, 2.0, False) for f in (np.deg2rad, np.rad2deg, np.radians, np.degrees, np.i0)),
    *((f, 0.3, 2.0, False) for f in (np.cbrt, np.fabs, np.abs)),
    *((f, 0.3, 2.0, True) for f in (np.sqrt, np.log, np.log2, np.log10, np.log1p, np.reciprocal)),
    *((f, -0.9, 0.9, True) for f in (np.arcsin, np.arccos, np.arctanh, np.tan)),
    (np.arccosh, 1.2, 3.0, True),
]
BINARY = [
    *((f, (-2.0, 2.0), (0.4, 2.0), True) for f in (np.add, np.subtract, np.multiply, np.true_divide)),
    *((f, (-2.0, 2.0), (0.4, 2.0), False) for f in (np.logaddexp, np.logaddexp2, np.arctan2, np.hypot)),
    *((f, (0.4, 2.0), (-2.0, 2.0), True) for f in (np.power,)),
    *((f, (0.2, 0.9), (1.1, 2.0), False) for f in (np.maximum, np.minimum, np.fmax, np.fmin, np.copysign)),
    *((f, (2.2, 2.9), (1.1, 1.4), False) for f in (np.remainder, np.fmod)),
    (np.heaviside, (0.2, 0.9), (-1.0, 1.0), False),
]


def few(samples, *places):
    """Some of the samples of an elementwise function: the first with all variants, the others as they are."""
    return [samples[0], *[samples[i].but(order=1, single=False, strided=False, complex=False) for i in places]]


def written(f, out, **options):
    """A program that has a ufunc write into an array, which is read then."""

    def program(*xs):
        y = out.copy()
        f(*xs, out=y, **options)
        return y * y

    return program


def dtyped(f, dtype, **options):
    """A program that calls a ufunc in a given precision."""

    def program(*xs):
        return f(*xs, dtype=dtype, **options)

    return program


SAMPLES = [
    *[s for f, low, high, z in UNARY for s in few(elementwise(f, low, high, complex=z), 1, 3, 4)],
    *[s for f, first, second, z in BINARY for s in few(elementwise(f, *first, second, complex=z), 1, 4, 5, 6)],
    *[s for f in (np.multiply, np.hypot) for s in elementwise(f, 0.3, 2.0, (0.4, 2.0))],
    *elementwise(np.log, 0.3, 2.0, complex=True),
    # In single precision the result is a double, of which differences are not exact enough.
    *[s.but(single=False) for s in elementwise(np.float_power, 0.4, 2.0, (-2.0, 2.0), complex=True)],
    *[s.but(single=False) for s in elementwise(np.nextafter, 0.2, 0.9, (1.1, 2.0))],
    # the series of sinc, and where it ends
    sample(np.sinc, np.array([-0.31, -0.29, -1e-3, 0.0, 1e-9, 0.3])),
    # sequences, and integers
    *[sample(f, [0.5, 1.5]) for f in (np.exp, np.abs, np.sqrt, np.real, np.i0, np.conj, np.sign, np.angle, np.modf)],
    *[sample(f, ((0.5, 1.5), [2.5, np.float64(3.5)])) for f in (np.square, np.nan_to_num, np.unwrap)],
    *[sample(f, POSITIVE, [1.5, 2.5, 0.75]) for f in (np.power, np.arctan2, np.divmod, operator.add, operator.pow)],
    *[sample(f, (1.5, 2.5, 0.75), POSITIVE) for f in (np.hypot, np.true_divide, operator.mul, operator.truediv)],
    *[sample(f, [0.5, 1.5], [2.5, 0.25]) for f in (np.add, np.logaddexp)],
    sample_of(np.multiply, lambda x: np.multiply(np.array([1, 2, 3]), x), A),
    # complex numbers
    *[sample(f, Z) for f in (np.abs, np.conj, np.real, np.imag, np.angle, np.real_if_close, np.nan_to_num)],
    *[sample(f, complex(Z[1, 1])).but(order=1) for f in (np.abs, np.conj, np.real, np.imag, np.angle, np.exp)],
    *([sample(np.sign, Z)] if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else []),
    sample(np.sign, A),
    *[sample(f, A) for f in (np.conj, np.real, np.imag, np.angle, np.real_if_close, np.i0)],
    sample(np.angle, Z, True),
    sample(np.angle, Z, deg=True),
    sample(np.real_if_close, Z.real + 0j, 1000).but(order=1),
    sample_of(np.ndarray.conj, lambda z: z.conj() * z, Z),
    sample_of(np.generic.conjugate, lambda z: z[0, 0].conjugate() * z, Z),
    # two results
    sample(np.divmod, 5 * POSITIVE, 0.75),
    sample(np.divmod, 5 * POSITIVE, np.array([0.7, 0.6, 1.1])),
    sample(np.modf, 5 * A),
    sample(np.modf, 2.25),
    sample(np.frexp, 5 * A),
    sample(np.frexp, np.zeros((0, 2))).but(single=False),
    sample(np.ldexp, A, np.array([1, 2, -3])),
    sample(np.remainder, 5 * POSITIVE, np.array([0.7, -0.6, 1.1])),
    sample(np.remainder, [5.25, -1.5], 0.7),
    # clip
    sample(np.clip, A, -0.25, 0.3),
    sample(np.clip, A, None, 0.3),
    sample(np.clip, A, a_min=-0.25, a_max=None),
    sample(np.clip, A, B - 1.0, B[0] + 1.0),
    sample(np.clip, A, B + 1.0, B - 1.0),
    sample(np.clip, [0.25, 0.75], 0.0, 0.5),
    sample(np.clip, 0.75, 0.0, 0.5),
    *(
        [sample_of(np.clip, lambda a, low, high: np.clip(a, min=low, max=high), A, -0.25, 0.3)]
        if "min" in inspect.signature(np.clip).parameters  # NumPy 2.1
        else []
    ),
    sample_of(np.clip, lambda a: np.clip(a, -0.25, 0.3, dtype=np.float64, casting="unsafe"), A),
    sample_of(np.ndarray.clip, lambda a, low: a.clip(low, max=0.3), A, -0.25),
    sample_of(np.ndarray.clip, written(np.clip, np.zeros((2, 3))), A, -0.25, 0.3),
    # where
    sample(np.where, MASK, A, B),
    sample(np.where, MASK, A, 0.5),
    sample(np.where, MASK, 1.5, B[0]),
    sample(np.where, MASK[0], A, B[:, :1]).but(complex=True),
    sample(np.where, True, A, B),
    sample(np.where, [True, False, True], [1.5, 2.5, 3.5], B),
    sample(np.where, MASK, Z, B),
    # nan_to_num
    sample_of(
        np.nan_to_num,
        lambda a, n, p, m: np.nan_to_num(np.where(MASK, a, HOLES), nan=n, posinf=p, neginf=m),
        A,
        0.5,
        2.0,
        -3.0,
    ),
    sample_of(np.nan_to_num, lambda a: np.nan_to_num(np.where(MASK, a, np.nan)), Z),
    sample_of(np.nan_to_num, lambda a, n: np.nan_to_num(np.where(MASK, a, np.nan), nan=n), A, B),
    # unwrap
    sample(np.unwrap, np.cumsum(2.5 * POSITIVE, axis=1)),
    sample(np.unwrap, np.cumsum(2.5 * POSITIVE, axis=1), axis=0),
    sample(np.unwrap, np.cumsum(2.5 * POSITIVE), 4.0),
    sample_of(np.unwrap, lambda p, w: np.unwrap(p, period=w), np.cumsum(2.5 * POSITIVE), 4.25),
    # keywords of ufuncs
    sample_of(np.exp, written(np.exp, np.ones((2, 3))), A),
    sample_of(np.exp, written(np.exp, B, where=MASK), A),
    sample_of(np.multiply, written(np.multiply, B, where=MASK), A, B),
    sample_of(np.true_divide, written(np.true_divide, B, where=POSITIVE > 0.8), A, POSITIVE[0]),
    sample_of(np.hypot, written(np.hypot, np.zeros((2, 3), np.float32), casting="unsafe"), A, B).but(
        rtol=1e-3, order=1
    ),
    sample_of(np.exp, dtyped(np.exp, np.float64), A),
    sample_of(np.exp, dtyped(np.exp, np.complex128), A),
    sample_of(np.power, dtyped(np.power, np.float64, casting="unsafe"), POSITIVE, Z.real),
    sample_of(np.multiply, lambda x, y: np.multiply(x, y, signature="dd->d"), A, B),
    sample_of(np.sin, lambda z: np.sin(z, dtype=np.float64, casting="unsafe"), A),
    sample_of(np.divmod, dtyped(np.divmod, np.float64), 5 * POSITIVE, 0.75),
    sample_of(np.conj, dtyped(np.conj, np.complex128), A),
    sample_of(np.ldexp, lambda x: np.ldexp(x, 2, casting="unsafe"), uniform(0.5, 2.0, 3)),
]
