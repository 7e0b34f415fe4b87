"""Samples for the functions of NumPy that call functions. What is captured is checked along with the arguments."""

import numpy as np
from rules.sampling import normal, sample_of

V = normal(3)
M = normal(2, 3)
T = normal(2, 3, 4)
CALL = np.vectorize.__call__


def cube(t):
    return t * t * t


cubes = np.vectorize(cube)
sums = np.vectorize(lambda a, b: (a * b, a + b * b))
lengths = np.vectorize(lambda a, b: (a * b).sum(), signature="(n),(n)->()")
squares = np.vectorize(lambda a: np.outer(a, a), signature="(n)->(n,n)")
both = np.vectorize(lambda a: (a.sum(), a * a), signature="(n)->(),(n)", otypes=[float, float])
line = np.vectorize(lambda p, t, k=1.0: p[0] * t + p[1] * t * k, excluded={0})
by_name = np.vectorize(lambda t, *, scale, shift: t * t * scale + shift, excluded={"scale"})


@np.vectorize
def decorated(t, u=2.0):
    return t * u if t > 0 else t * t * u


@np.vectorize(otypes=[np.float64])
def decorated_with_options(t):
    return t * t


def with_captured(x, c):
    return np.vectorize(lambda t: c * t * t)(x)


def made_within(x, c):
    @np.vectorize(otypes=[float], cache=True)
    def f(t):
        return t * t * c

    return f(x)


def recorded(x):
    kept = {"sum": 0.0}

    def f(t):
        kept["sum"] = kept["sum"] + t
        return t * kept["sum"]

    return np.vectorize(f)(x) * kept["sum"]


VECTORIZE = [
    sample_of(CALL, lambda x: cubes(x), V).but(complex=True),
    *[sample_of(CALL, lambda x: cubes(x), x).but(order=1) for x in (1.5, [1.5, 2.0], np.array(1.5))],
    sample_of(CALL, lambda x, y: sums(x, y), V, normal(2, 1)).but(strided=False),
    sample_of(CALL, lambda x, y: lengths(x, y), M, V).but(single=False),
    *[
        s.but(order=1, single=False)
        for s in (
            sample_of(CALL, lambda x, y: sums(x, y)[1], np.asfortranarray(M), 2.0).but(strided=False),
            sample_of(CALL, lambda x: squares(x), M).but(complex=True),
            sample_of(CALL, lambda x: both(x), T),
            sample_of(CALL, lambda p, x, k: line(p, x, k=k), [1.0, 2.0], V, normal(2, 1)),
            sample_of(CALL, lambda x, s, c: by_name(x, scale=s, shift=c), V, 2.0, V + 1),
            sample_of(CALL, lambda x, u: decorated(x, u), M, V),
            sample_of(CALL, lambda x: decorated_with_options(x), M),
            sample_of(CALL, lambda x: decorated_with_options(x), np.zeros((0, 2))).but(strided=False),
            sample_of(np.vectorize, with_captured, V, 2.0),
            sample_of(np.vectorize, made_within, M.T, 1.5),
            sample_of(CALL, recorded, V),
        )
    ],
]

quadratic = np.frompyfunc(lambda a, b: (a * b, a - b * b), 2, 2)


def of_parts(x, c):
    return np.piecewise(x, [x > 0.2, x < -0.1], [lambda t: t * t * c, c, lambda t: c * t])


def of_overlapping_parts(x, c):
    return np.piecewise(x, [x > -5, x > 0.2], [lambda t, k: t * t * k, lambda t, k: k], c)


OTHERS = [
    sample_of(np.ufunc.__call__, lambda a, b: quadratic(a, b), 1.5, 2.5),
    sample_of(np.frompyfunc, lambda a, b: quadratic(a, b)[1], 1.5, 2.5).but(order=1),
    sample_of(np.frompyfunc, lambda a, c: np.frompyfunc(lambda t: c * t * t, 1, 1)(a), np.float64(1.5), 2.5).but(
        order=1
    ),
    sample_of(np.apply_along_axis, lambda m: np.apply_along_axis(lambda r: (r * r).sum(), 1, m), M).but(complex=True),
    sample_of(np.apply_along_axis, lambda m, w: np.apply_along_axis(lambda r, w: np.outer(r, r) * w, 0, m, w), M, 2.0),
    sample_of(np.apply_over_axes, lambda x: np.apply_over_axes(lambda a, axis: (a * a).mean(axis), x, 1), T),
    sample_of(np.fromfunction, lambda p, q: np.fromfunction(lambda i, j, q: p * i + j * q * q, (2, 3), q=q), 2.0, 3.0),
    sample_of(np.fromiter, lambda x: np.fromiter([a * a for a in x], float), V).but(single=False, strided=False),
    sample_of(np.piecewise, of_parts, M, 2.0).but(strided=False),
    *[
        s.but(order=1, single=False)
        for s in (
            sample_of(
                np.apply_along_axis, lambda m, w: np.apply_along_axis(lambda r, w: r[:2] * w, -2, m, w=w), T, 2.0
            ),
            sample_of(np.apply_along_axis, lambda x, c: np.apply_along_axis(lambda r: c * r * r, 0, x), V, 2.0),
            sample_of(np.apply_along_axis, lambda x: np.apply_along_axis(func1d=np.cumsum, axis=1, arr=x), M.tolist()),
            sample_of(np.apply_over_axes, lambda x: np.apply_over_axes(np.sum, x, [0, -1]), T).but(complex=True),
            sample_of(np.fromfunction, lambda p: np.fromfunction(lambda i: p * p * i, (3,), dtype=int), 2.0),
            sample_of(np.fromiter, lambda x: np.fromiter((a * a for a in x), float, 2), V),
            sample_of(np.fromiter, lambda x: np.fromiter(map(cube, x), dtype=np.float64, count=2), V),
            sample_of(np.fromiter, lambda x: np.fromiter(x, np.float32), V).but(rtol=1e-3),
            sample_of(np.piecewise, of_overlapping_parts, M, 2.0),
            sample_of(np.piecewise, lambda x, c: np.piecewise(x, x > 0.2, [lambda t, k: t * t * k], k=c), V, 2.0),
            sample_of(np.piecewise, lambda x, c: np.piecewise(x, [x > 0], [lambda t: t * t, c]), np.array(1.0), 2.0),
            sample_of(np.piecewise, lambda x: np.piecewise(x, [[True, False]], [cube]), [1.5, 2.0]),
        )
    ],
]

SAMPLES = [*VECTORIZE, *OTHERS]
