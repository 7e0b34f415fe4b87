"""The log likelihood of a mixture of Gaussians, with a Wishart prior on the inverse covariances."""

import math

import numpy as np

import adjoint

from .problem import Function


def objective(alpha, means, icf, x, gamma, m):
    """In loops, as one would write it for a compiler. `icf` has, for each component, the logarithms of the diagonal of
    the factor of the inverse covariance and then the entries below it, column by column."""
    n, d = x.shape
    k = len(alpha)
    diagonals = np.exp(icf[:, :d])
    sums = np.zeros(k)
    for j in range(k):
        for i in range(d):
            sums[j] += icf[j, i]
    slse = 0.0
    terms = np.zeros(k)
    centered = np.zeros(d)
    product = np.zeros(d)
    for i in range(n):
        for j in range(k):
            for a in range(d):
                centered[a] = x[i, a] - means[j, a]
                product[a] = diagonals[j, a] * centered[a]
            at = d
            for a in range(d):
                for b in range(a + 1, d):
                    product[b] += icf[j, at] * centered[a]
                    at += 1
            square = 0.0
            for a in range(d):
                square += product[a] * product[a]
            terms[j] = alpha[j] + sums[j] - 0.5 * square
        largest = terms[0]
        for j in range(1, k):
            if terms[j] > largest:
                largest = terms[j]
        total = 0.0
        for j in range(k):
            total += math.exp(terms[j] - largest)
        slse += math.log(total) + largest
    top = np.max(alpha)
    weights = math.log(np.sum(np.exp(alpha - top))) + top
    constant = -n * d * 0.5 * math.log(2.0 * math.pi)
    return constant + slse - n * weights + prior(diagonals, icf, d, k, sums, gamma, m)


def prior(diagonals, icf, d, k, sums, gamma, m):
    """The logarithm of the Wishart density of the factors."""
    degrees = d + m + 1
    constant = degrees * d * (math.log(gamma) - 0.5 * math.log(2.0)) - log_gamma(0.5 * degrees, d)
    found = 0.0
    for j in range(k):
        frobenius = 0.0
        for i in range(d):
            frobenius += diagonals[j, i] * diagonals[j, i]
        for i in range(d, icf.shape[1]):
            frobenius += icf[j, i] * icf[j, i]
        found += m * sums[j] - 0.5 * gamma * gamma * frobenius
    return found + k * constant


def log_gamma(a, d):
    """The logarithm of the multivariate gamma function."""
    found = d * (d - 1) / 4.0 * math.log(math.pi)
    for j in range(1, d + 1):
        found += math.lgamma(a + (1.0 - j) / 2.0)
    return found


def read(given):
    factors = np.concatenate([np.array(given["q"], float), np.array(given["l"], float)], axis=1)
    arrays = [np.array(given[name], float) for name in ("alpha", "mu")]
    return *arrays, factors, np.array(given["x"], float), float(given["gamma"]), int(given["m"])


def write(gradients):
    alpha, means, factors = gradients
    d = means.shape[1]
    return {"alpha": alpha.tolist(), "mu": means.tolist(), "q": factors[:, :d].tolist(), "l": factors[:, d:].tolist()}


FUNCTIONS = {
    "objective": Function(read, adjoint.compile(objective), float),
    "jacobian": Function(read, adjoint.grad(objective, (0, 1, 2), compile=True), write),
}
