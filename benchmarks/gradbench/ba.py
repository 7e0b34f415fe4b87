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
    p = len(weights)
    distances, spread = np.zeros((p, 2)), np.zeros(p)
    for i in range(p):
        x, y = projected(cameras[observed[i, 0]], points[observed[i, 1]])
        distances[i, 0] = weights[i] * (x - features[i, 0])
        distances[i, 1] = weights[i] * (y - features[i, 1])
        spread[i] = 1.0 - weights[i] * weights[i]
    return distances, spread


def residuals(own, features):
    """The same where each observation has a camera, a point and a weight of its own, side by side in a row of `own`."""
    p = len(own)
    distances, spread = np.zeros((p, 2)), np.zeros(p)
    for i in range(p):
        x, y = projected(own[i, :11], own[i, 11:14])
        distances[i, 0] = own[i, 14] * (x - features[i, 0])
        distances[i, 1] = own[i, 14] * (y - features[i, 1])
        spread[i] = 1.0 - own[i, 14] * own[i, 14]
    return distances, spread


def jacobian(cameras, points, weights, features, observed):
    """The whole sparse Jacobian in rows: where they begin, the columns, and the entries.

    No two observations share a number in `own`, so that one cotangent gives a row of each of them.
    """
    n, m, p = len(cameras), len(points), len(weights)
    own = np.concatenate([cameras[observed[:, 0]], points[observed[:, 1]], weights[:, None]], axis=1)
    _, back = adjoint.pullback(residuals, own, features, compile=True)
    zero = np.zeros((p, 2)), np.zeros(p)
    blocks = np.empty((p, 2, 15))
    for k in range(2):
        seed = np.zeros((p, 2))
        seed[:, k] = 1.0
        blocks[:, k] = back((seed, zero[1]))[1]
    last = back((zero[0], np.ones(p)))[1][:, 14]
    columns = np.empty((p, 2, 15), np.int64)
    columns[:, :, :11] = (11 * observed[:, 0, None] + np.arange(11))[:, None]
    columns[:, :, 11:14] = (11 * n + 3 * observed[:, 1, None] + np.arange(3))[:, None]
    own_weight = 11 * n + 3 * m + np.arange(p)
    columns[:, :, 14] = own_weight[:, None]
    rows = np.concatenate([15 * np.arange(2 * p), 30 * p + np.arange(p + 1)])
    return rows, np.concatenate([columns.ravel(), own_weight]), np.concatenate([blocks.ravel(), last])


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
    distances, spread = found
    p = len(spread)
    return {
        "reproj_error": {"elements": distances[0].tolist(), "repeated": p},
        "w_err": {"element": float(spread[0]), "repeated": p},
    }


def write_matrix(found):
    """The first thirty entries of each array, and the last one."""
    names = ("rows", "cols", "vals")
    return {name: [*a[:30].tolist(), a[-1].item()] for name, a in zip(names, found, strict=True)}


FUNCTIONS = {
    "objective": Function(read, adjoint.compile(objective), write),
    "jacobian": Function(read, jacobian, write_matrix),
}
