"""Samples for methods of arrays and of NumPy's numbers: each by its own name, and as programs call it."""

import numpy as np
from rules.sampling import normal, sample, sample_of, uniform

A = normal(3, 4)
V = normal(4)
NUMBER = np.float64(1.5)


def of_array(x):
    y = x.reshape(4, 3).T.swapaxes(0, 1).copy().ravel().repeat(2)[::2]
    return y.take([0, 3, 5]).dot(x.flatten()[:3]) + x.trace() + x.diagonal().sum() + x.T.squeeze().mean()


def of_values(x):
    y = x.clip(-0.5, 0.8) + x.round(1) * x + x.astype(complex).real + x.view().conj()
    return y.cumsum(axis=0) * x.std() + x.var(axis=1, keepdims=True, ddof=1) - x.max() * x.min(axis=0) + x.prod()


def of_number(x):
    s = x.sum()
    y = s.reshape(1).ravel() * s.squeeze() + s.conj() * s.real + s.astype(np.float64).item() * s.repeat(1)
    return y + s.clip(-9.0, 9.0) * s.copy() + s.view() + s.round(1) * s + s.take([0]) + s.flatten() + s.compress([True])


def of_stores(x):
    y = np.zeros_like(x)
    y.fill(x[0, 0])
    y[1] = x[1] * 2
    y.put([0, 5], x[2, :2])
    z = y.ravel()
    z[3:6] *= x[0, :3]
    np.copyto(y[2], x[2], where=[True, False, True, True])
    y.sort(axis=1)
    return y * np.arange(12.0).reshape(3, 4)


def of_places(x):
    y = x.copy()
    np.fill_diagonal(y, x[0, 1:])
    np.put_along_axis(y, np.array([[0], [2], [1]]), x[:, 3:] ** 2, axis=1)
    np.place(y, y > 0.9, x[0, :2])
    np.putmask(y, y < -0.9, x)
    y.partition(2, axis=0)
    return y * y


SAMPLES = [
    sample(np.ndarray.__neg__, A).but(complex=True, order=1),
    sample(np.ndarray.__pos__, A).but(order=1),
    sample(np.ndarray.__abs__, A).but(complex=True, order=1),
    sample(np.ndarray.__divmod__, uniform(0.5, 3.5, 4), uniform(1.1, 1.4, 4)).but(order=1),
    sample(np.ndarray.__rdivmod__, uniform(1.1, 1.4, 4), 3.25).but(order=1),
    sample(np.ndarray.__deepcopy__, A, {}).but(complex=True),
    sample(np.ndarray.__array__, A).but(complex=True),
    sample(np.generic.__array__, NUMBER).but(order=1),
    sample(np.float64.__float__, NUMBER).but(order=1),
    sample(np.generic.__neg__, NUMBER).but(order=1),
    sample(np.ndarray.conj, A).but(complex=True),
    sample(np.ndarray.conjugate, A).but(complex=True, order=1),
    sample(np.ndarray.clip, A, -0.5, 0.8),
    sample(np.ndarray.sum, A, axis=(0, 1)).but(complex=True),
    sample(np.ndarray.mean, A, axis=-1, keepdims=True),
    sample(np.ndarray.prod, A, axis=1),
    sample(np.ndarray.std, A, axis=0, ddof=1),
    sample(np.ndarray.var, A),
    sample(np.ndarray.max, A, axis=0),
    sample(np.ndarray.min, A),
    sample(np.ndarray.cumsum, A, axis=1),
    sample(np.ndarray.cumprod, V),
    sample_of(np.ndarray, of_array, A).but(complex=True),
    sample_of(np.ndarray, of_values, A).but(single=False),
    sample_of(np.generic, of_number, A).but(single=False),
    sample_of(np.ndarray.fill, of_stores, A).but(order=1),
    sample_of(np.ndarray.partition, of_places, A).but(order=1),
]
