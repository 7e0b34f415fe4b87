"""The sum of the squared distances of points to their nearest centroids."""

import functools
import math

import numpy as np

import adjoint

from .problem import Function


def cost(points, centroids):
    total = 0.0
    for i in range(len(points)):
        total += distance(points[i], centroids[nearest(points[i], centroids)])
    return total


def nearest(point, centroids):
    """Which centroid is the nearest."""
    best, least = 0, math.inf
    for j in range(len(centroids)):
        square = distance(point, centroids[j])
        if square < least:
            best, least = j, square
    return best


def distance(point, centroid):
    """The square of the distance."""
    square = 0.0
    for a in range(len(point)):
        difference = point[a] - centroid[a]
        square += difference * difference
    return square


gradient = adjoint.grad(cost, 1, compile=True)


def direction(points, centroids):
    """Newton's step: the gradient over the diagonal of the Hessian, which has nothing beside its diagonal."""
    cost_of_centroids = functools.partial(cost, points)
    (diagonal,) = adjoint.hvp(cost_of_centroids, (centroids,), (np.ones_like(centroids),), compile=True)
    return gradient(points, centroids) / diagonal


def read(given):
    return np.array(given["points"], float), np.array(given["centroids"], float)


FUNCTIONS = {
    "cost": Function(read, adjoint.compile(cost), float),
    "dir": Function(read, direction, np.ndarray.tolist),
}
