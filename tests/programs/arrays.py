"""NumPy: broadcasting, elementwise functions, reductions, shapes, construction and indexing."""

import numpy as np

from .registry import program

_rng = np.random.default_rng(7)
X = _rng.normal(size=(3, 4))
Y = _rng.normal(size=(3, 4))
POSITIVE = _rng.uniform(0.5, 2.0, size=(3, 4))
V = np.array([0.7, -1.2, 2.5, 0.3])
COLUMN = np.array([[1.5], [-0.5], [0.8]])
CUBE = _rng.normal(size=(2, 3, 4))


@program(X, V, COLUMN, 1.5, rows="numpy", order=2)
def broadcasting(x, row, column, scalar):
    return (x + row) * column - scalar / (column**2 + 1.0) + x * scalar - -row


@program(POSITIVE, V, rows="numpy")
def array_operators(x, v):
    y = x**2 / (v * v + 1.0) - x // 0.7 + x % 0.6
    y += v
    y *= 2.0
    return y - abs(v) + +x - (x > 1.0) * x**v


@program(POSITIVE * 0.4, rows="numpy", order=2)
def elementwise_trigonometry(x):
    return (
        np.sin(x) * np.cos(x)
        + np.tan(x)
        + np.arcsin(x)
        + np.arccos(x)
        + np.arctan(x)
        + np.sinh(x) / np.cosh(x)
        + np.tanh(x)
        + np.arcsinh(x)
        + np.arccosh(x + 1.0)
        + np.arctanh(x)
    )


@program(POSITIVE, rows="numpy", order=2)
def elementwise_exponentials(x):
    y = np.exp(x) + np.exp2(x) - np.expm1(x) + np.log(x) * np.log2(x) - np.log10(x) + np.log1p(x)
    return y + np.sqrt(x) + np.cbrt(x) + np.square(x) + np.reciprocal(x)


@program(POSITIVE, Y, rows="numpy")
def elementwise_of_two(x, y):
    z = np.add(x, y) * np.subtract(x, y) - np.multiply(x, y) + np.divide(y, x) + np.power(x, y)
    z = z + np.hypot(x, y) + np.arctan2(y, x) + np.logaddexp(x, y) + np.copysign(x, y)
    return z + np.maximum(x, y) * np.minimum(x, y) + np.true_divide(1.0, x) + np.fmax(x, y) - np.fmin(y, x)


@program(X * 3.0, rows="numpy")
def elementwise_signs(x):
    pieces = np.abs(x) * np.sign(x) + np.negative(x) + np.positive(x) + np.absolute(x) + np.fabs(x)
    return pieces + np.floor(x) * x + np.ceil(x) * x + np.rint(x) + np.trunc(x) * x + np.mod(x, 2.3)


@program(X, rows="numpy")
def elementwise_angles(x):
    return np.deg2rad(x) + np.rad2deg(x) / 60.0 + np.degrees(x) * 0.01 + np.radians(x) + np.sinc(x + 0.3)


@program(X, rows="numpy", order=2)
def sums(x):
    total = np.sum(x) * np.sum(x, axis=0)
    return total + x.sum(axis=-1).sum() + np.sum(x * x, axis=(0, 1), keepdims=True) + x.sum(axis=1, keepdims=True)


@program(X, rows="numpy", order=2)
def means(x):
    centred = x - np.mean(x, axis=0, keepdims=True)
    return centred * x.mean() + np.mean(x**2, axis=1, keepdims=True) + x.mean(axis=(0, -1))


@program(X, rows="numpy")
def variances(x):
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    return scaled * np.var(x) + np.std(x, axis=1, keepdims=True) + x.var(axis=0, ddof=1) + np.std(x, ddof=1)


@program(POSITIVE, rows="numpy")
def products_of_arrays(x):
    return np.prod(x) * np.prod(x, axis=0) + x.prod(axis=1, keepdims=True) + np.prod(x - 1.0, axis=1, keepdims=True)


@program(X, rows="numpy")
def extremes(x):
    y = np.max(x, axis=0) * np.min(x, axis=1, keepdims=True) + x.max() - x.min(axis=-1, keepdims=True)
    return y + np.amax(x) * np.amin(x) + np.max(x, axis=(0, 1), keepdims=True)


@program(CUBE, rows="numpy")
def reshapes(x):
    a = x.reshape(6, 4) * 2.0
    b = np.reshape(x, (4, -1)).T
    c = x.reshape((2, 12)).ravel() * np.ravel(x)
    return a @ np.ones((4, 2)), b * b, c, x.flatten()[3:], np.expand_dims(x, 1) * 2.0, np.squeeze(x[:1], axis=0)


@program(CUBE, rows="numpy", order=2)
def transposes(x):
    a = x.transpose(2, 0, 1) * 1.5
    b = np.transpose(x) * x.T
    c = np.swapaxes(x, 0, 2) + x.swapaxes(0, 2)
    return a.sum(axis=0), b, c, np.transpose(x, (1, 0, 2))[0], np.moveaxis(x, 0, -1) ** 2


@program(X, Y, V, rows="numpy")
def joins(x, y, v):
    tall = np.concatenate([x, y, v[None, :]], axis=0)
    wide = np.concatenate((x, y * 2.0), axis=-1)
    stacked = np.stack([x, y], axis=1)
    return tall * tall, wide, stacked**2, np.vstack([x, v]), np.hstack([x, y]), np.stack((v, v * v))


@program(X, rows="numpy")
def splits(x):
    left, right = np.split(x, 2, axis=1)
    first, rest = np.split(x, [1])
    return left * right, first.sum() * rest, np.array_split(x, 3, axis=1)[0]


@program(1.5, 2.5, V, rows="numpy")
def arrays_of_scalars(x, y, v):
    a = np.array([x, y, x * y])
    b = np.array([[x, 1.0], [y, v[1]]])
    c = np.asarray(v) * np.array([v, v * x]) + np.array(2.0)
    return a, b @ b, c, np.array([v[0], x])


@program(2.0, V, rows="numpy")
def constructions(x, v):
    grid = np.linspace(0.0, 1.0, 4) * x + np.arange(4) + np.zeros(4) + np.ones_like(v) * v
    matrix = np.eye(4) * grid + np.full((4, 4), 0.5) + np.zeros((4, 1)) + np.arange(1.0, 3.0, 0.5)
    return matrix, np.linspace(x, 2.0 * x * x, 5), np.full(3, x), np.full_like(v, x), np.ones((2, 2)) * x


@program(X, Y, rows="numpy")
def where_and_clip(x, y):
    a = np.where(x > 0.0, x * y, x - y)
    b = np.clip(x, -0.5, 0.75) * y.clip(-1.0, 1.0)
    return a + b + np.where(y < 0.0, 1.0, x), np.maximum(x, 0.1), np.minimum(0.3, y), np.clip(y, None, 0.4)


@program(X, rows="numpy", order=2)
def cumulative_sums(x):
    return np.cumsum(x) * 2.0, np.cumsum(x, axis=0) ** 2, x.cumsum(axis=-1)


@program(X, rows="numpy", order=2)
def basic_indexing(x):
    a = x[0] * x[-1]
    b = x[1, 2] * x[:, 1]
    c = x[::2, 1:3] ** 2
    return a, b, c, x[::-1, ::-1] * x, x[..., 0], x[:, None, 1], x[1:][0]


@program(X, rows="numpy")
def boolean_indexing(x):
    positive = x[x > 0.0]
    rows = x[np.array([True, False, True])]
    return positive**2, rows * rows, x[:, [True, True, False, True]].sum()


@program(X, np.array([2, 0, 2, 1]), rows="numpy", order=2)
def integer_array_indexing(x, index):
    gathered = x[index]
    pairs = x[[0, 1, 1], [3, 2, 2]]
    return gathered * gathered, pairs**2, x[:, index[:2]], x[np.newaxis, 1, index], np.take(x, [1, 1, 0], axis=1)


@program(V, rows=("numpy", "control flow"))
def reading_elements_in_a_loop(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * x[i] * (i + 1)
    for i in range(1, x.shape[0]):
        total += x[i] * x[i - 1]
    return total


@program(X, rows=("numpy", "control flow"))
def iterating_over_rows(x):
    total = np.zeros(4)
    for i, row in enumerate(x):
        total = total * 0.5 + row * row * i
    first, *_ = x
    return total + first, sum(total)


@program(X, V, rows="numpy")
def methods_as_functions(x, v):
    y = x.dot(v) + x.mean(axis=1) * x.max(axis=1) + x.min(axis=1) + x.std(axis=1) + x.var(axis=1)
    z = x.ravel().cumsum().reshape(3, 4).transpose().swapaxes(0, 1).clip(-3.0, 3.0) + x.prod(axis=0)
    return y.sum(), z, float(v.sum()) * v[0], v.copy() * 2.0, x.T.item(2), v.tolist()[1], x.astype(float) * x.size


@program(X.astype(np.float32), V.astype(np.float32), np.float32(1.5), rows="numpy", rtol=1e-3)
def float32_stays(x, v, s):
    hidden = np.tanh(x * v + s) * 2.0
    return hidden.sum(axis=0) / 3 + np.mean(v**2), hidden.reshape(-1)[::2] * s, np.exp(v) - 1


@program(X, rows="numpy")
def numpy_scalars(x):
    mean = np.mean(x)
    peak = x[1, 2]
    return np.float64(2.0) * mean * peak + np.sqrt(mean * mean + 1.0) + float(peak) ** 2 + x.sum().item()


@program(np.array(1.7), rows="numpy", order=2)
def zero_dimensional(x):
    return np.sin(x) * x + x.sum() + x.reshape(1)[0] + x[()] * 2.0


@program(np.zeros((0, 3)), V, rows="numpy")
def empty_arrays(x, v):
    return x.sum(axis=0) + 1.0, np.sum(v[:0]) + v, np.concatenate([x, np.ones((1, 3))]) * 2.0


@program(np.array([1, 2, 3]), V[:3], rows="numpy", integers=True)
def integer_arrays(counts, v):
    return counts * v + counts**2, (counts / 2).sum()


@program(np.array([1.0 + 2.0j, -0.5j]), V[:2], rows="numpy")
def complex_arrays(z, v):
    w = z * v + np.exp(1j * v)
    return np.abs(w) ** 2, w.real * z.imag, np.conj(w) * z, np.real(z * w) + np.imag(w)


@program(X, rows="numpy", order=2)
def softmax_rows(x):
    shifted = x - np.max(x, axis=1, keepdims=True)
    weights = np.exp(shifted)
    return weights / weights.sum(axis=1, keepdims=True)


@program(_rng.normal(size=8), rows=("numpy", "control flow"))
def haar_wavelet(x):
    details = []
    while len(x) > 1:
        average = (x[::2] + x[1::2]) / 2.0
        details.append(x[::2] - average)
        x = average
    return np.concatenate(details) * x[0]


@program(_rng.uniform(1.0, 2.0, size=20), 0.3, rows=("numpy", "control flow"))
def heat_equation(u, k):
    for _ in range(6):
        inner = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u = np.concatenate([u[:1], inner, u[-1:]])
    return np.sum(u * u)
