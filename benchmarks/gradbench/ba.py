"""Bundle adjustment: how far observed points lie from where the cameras should see them.

A camera is a rotation (an axis times an angle), a centre, a focal length, a principal point and two coefficients of
radial distortion: eleven numbers.
"""

import math

import numpy as np

import adjoint

from .problem import Function


def rotated(axis, x, y, z):
    """Rodrigues's formula."""
    square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]
    if square == 0.0:
        return (
            x + axis[1] * z - axis[2] * y,
            y + axis[2] * x - axis[0] * z,
            z + axis[0] * y - axis[1] * x,
        )
    angle = math.sqrt(square)
    u, v, w = axis[0] / angle, axis[1] / angle, axis[2] / angle
    cosine, sine = math.cos(angle), math.sin(angle)
    along = (u * x + v * y + w * z) * (1.0 - cosine)
    return (
        x * cosine + (v * z - w * y) * sine + u * along,
        y * cosine + (w * x - u * z) * sine + v * along,
        z * cosine + (u * y - v * x) * sine + w * along,
    )


def projected(camera, point):
    """Where a camera sees a point."""
    x, y, z = rotated(camera[:3], point[0] - camera[3], point[1] - camera[4], point[2] - camera[5])
    x, y = x / z, y / z
    square = x * x + y * y
    distortion = 1.0 + camera[9] * square + camera[10] * square * square
    return x * distortion * camera[6] + camera[7], y * distortion * camera[6] + camera[8]


def objective(cameras, points, weights, features, observed):
    """The weighted distances of all observations, and what keeps the weights at 1."""
    distances = np.zeros((len(weights), 2))
    for i in range(len(weights)):
        x, y = projected(cameras[observed[i, 0]], points[observed[i, 1]])
        distances[i, 0] = weights[i] * (x - features[i, 0])
        distances[i, 1] = weights[i] * (y - features[i, 1])
    return distances, spread(weights)


def spread(weights):
    return 1.0 - weights * weights


def distances_of(own, features):
    """The distances where each observation has a camera, a point and a weight of its own, in a row of `own`."""
    distances = np.zeros((len(own), 2))
    for i in range(len(own)):
        x, y = projected(own[i, :11], own[i, 11:14])
        distances[i, 0] = own[i, 14] * (x - features[i, 0])
        distances[i, 1] = own[i, 14] * (y - features[i, 1])
    return distances


def gathered(cameras, points, weights, observed):
    """For each observation its camera, its point and its weight."""
    return np.concatenate([cameras[observed[:, 0]], points[observed[:, 1]], weights[:, None]], axis=1)


def jacobian(cameras, points, weights, features, observed):
    """The whole sparse Jacobian in rows: where they begin, the columns, and the entries.

    No two observations share a number where each has its own, so that one cotangent gives a row of each of them.
    """
    p = len(weights)
    entries, columns = np.empty(31 * p), np.empty(31 * p, np.int32)
    blocks, block_columns = (a[: 30 * p].reshape(p, 2, 15) for a in (entries, columns))

    own = gathered(cameras, points, weights, observed)
    _, back = adjoint.pullback(distances_of, own, features, compile=True)
    for k in range(2):
        seed = np.zeros((p, 2))
        seed[:, k] = 1.0
        blocks[:, k] = back(seed)[1]
    _, back = adjoint.pullback(spread, weights, compile=True)
    entries[30 * p :] = back(np.ones(p))[1]

    numbers = numbered(cameras, points, weights)
    block_columns[:] = gathered(*numbers, observed)[:, None]
    columns[30 * p :] = numbers[-1]
    rows = np.concatenate([np.arange(0, 30 * p, 15), np.arange(30 * p, 31 * p + 1)])
    return rows, columns, entries


def numbered(*arrays):
    """The columns of the entries of some arrays."""
    ends = np.cumsum([a.size for a in arrays])
    return [np.arange(n - a.size, n, dtype=np.int32).reshape(a.shape) for a, n in zip(arrays, ends, strict=True)]


def read(given):
    n, m, p = int(given["n"]), int(given["m"]), int(given["p"])
    observed = np.stack([np.arange(p) % n, np.arange(p) % m], axis=1)
    return (
        np.tile(np.array(given["cam"], float), (n, 1)),
        np.tile(np.array(given["x"], float), (m, 1)),
        np.full(p, float(given["w"])),
        np.tile(np.array(given["feat"], float), (p, 1)),
        observed,
    )


def write(found):
    distances, spreads = found
    p = len(spreads)
    return {
        "reproj_error": {"elements": distances[0].tolist(), "repeated": p},
        "w_err": {"element": float(spreads[0]), "repeated": p},
    }


def write_matrix(found):
    """The first thirty entries of each array, and the last one."""
    names = ("rows", "cols", "vals")
    return {name: [*a[:30].tolist(), a[-1].item()] for name, a in zip(names, found, strict=True)}


FUNCTIONS = {
    "objective": Function(read, adjoint.compile(objective), write),
    "jacobian": Function(read, jacobian, write_matrix),
}
