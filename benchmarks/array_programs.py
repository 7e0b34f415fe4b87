"""Programs of statistics and of networks with small arrays, in the style of autograd's examples: they store nothing.

They are loaded twice: as they are, and with autograd's `numpy` under the same name.
"""

from __future__ import annotations

import numpy as np


def logsumexp(x, axis):
    """log Σ exp, by the largest of them."""
    top = np.max(x, axis=axis, keepdims=True)
    return np.sum(top, axis=axis) + np.log(np.sum(np.exp(x - top), axis=axis))


def normal_logpdf(x, mean, log_std):
    """The log density of a normal distribution."""
    return -0.5 * ((x - mean) / np.exp(log_std)) ** 2 - log_std - 0.5 * np.log(2 * np.pi)


def covariance(x1, x2, log_scales, log_amplitude):
    """The squared-exponential kernel."""
    d = (x1[:, None, :] - x2[None, :, :]) / np.exp(log_scales)
    return np.exp(log_amplitude) * np.exp(-0.5 * np.sum(d**2, axis=2))


def gaussian_logpdf(y, mean, cov):
    """The log density of a vector."""
    r = y - mean
    _, logdet = np.linalg.slogdet(cov)
    return -0.5 * (np.dot(r, np.linalg.solve(cov, r)) + logdet + y.shape[0] * np.log(2 * np.pi))


def gaussian_process(params, x, y):
    """The marginal likelihood of a regression."""
    mean, log_noise, log_amplitude, log_scales = params[0], params[1], params[2], params[3:]
    cov = covariance(x, x, log_scales, log_amplitude) + np.exp(log_noise) * np.eye(y.shape[0])
    return -gaussian_logpdf(y, mean, cov)


def latent_gaussian_process(params, y):
    """A Gaussian process whose inputs are latent (GPLVM)."""
    n, columns = y.shape
    latents = params[3:].reshape(n, 2)
    cov = covariance(latents, latents, np.zeros(2), params[2]) + np.exp(params[1]) * np.eye(n)
    total = np.sum(normal_logpdf(latents, 0.0, 0.0))
    for i in range(columns):
        total = total + gaussian_logpdf(y[:, i], params[0], cov)
    return -total


def deep_gaussian_process(params, x, y):
    """Two Gaussian processes, one upon the other."""
    n = x.shape[0]
    hidden = params[6:].reshape(n, 1)
    first = covariance(x, x, params[0], params[1]) + np.exp(params[2]) * np.eye(n)
    second = covariance(hidden, hidden, params[3], params[4]) + np.exp(params[5]) * np.eye(n)
    return -gaussian_logpdf(hidden[:, 0], 0.0, first) - gaussian_logpdf(y, 0.0, second)


def black_box_svi(params, noise):
    """The evidence bound of a posterior by reparametrised samples."""
    d = noise.shape[1]
    mean, log_std = params[:d], params[d:]
    samples = mean + np.exp(log_std) * noise
    mu, log_sigma = samples[:, 0], samples[:, 1]
    density = normal_logpdf(log_sigma, 0.0, np.log(1.35)) + normal_logpdf(mu, 0.0, log_sigma)
    entropy = 0.5 * d * (1.0 + np.log(2 * np.pi)) + np.sum(log_std)
    return -(entropy + np.mean(density))


def gaussian_mixture(params, x):
    """The likelihood of a mixture with full square roots of the precisions."""
    log_weights, means, roots = params["log_weights"], params["means"], params["roots"]
    weights = log_weights - logsumexp(log_weights, 0)
    terms = []
    for k in range(means.shape[0]):
        z = np.dot(x - means[k], roots[k])
        _, logdet = np.linalg.slogdet(roots[k])
        terms.append(weights[k] - 0.5 * np.sum(z**2, axis=1) + logdet)
    return -np.sum(logsumexp(np.array(terms), 0))


def mixture_inference(params, noise, x):
    """Variational inference for the means of a mixture."""
    k = noise.shape[1]
    mean, log_std = params[:k], params[k:]
    total = np.sum(log_std)
    for eps in noise:
        centers = mean + np.exp(log_std) * eps
        logits = normal_logpdf(x[:, None], centers[None, :], np.log(0.5)) - np.log(k)
        total = total + np.sum(logsumexp(logits, 1)) + np.sum(normal_logpdf(centers, 0.0, np.log(3.0)))
    return -total


def rnn(params, inputs, targets):
    """A recurrent network that predicts one symbol after the other."""
    h = params["init"]
    loss = 0.0
    for x, target in zip(inputs, targets):  # noqa: B905 - as people write it
        h = np.tanh(np.dot(x, params["in"]) + np.dot(h, params["change"]) + params["bias"])
        logits = np.dot(h, params["out"]) + params["out_bias"]
        loss = loss - np.sum(target * (logits - logsumexp(logits, 0)))
    return loss


def arguments():
    """The arguments of each program."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(20, 1)), rng.normal(size=20)
    rows = rng.normal(size=(12, 3))
    eye = np.eye(5)
    symbols = rng.integers(0, 5, 20)
    mixture = {"log_weights": np.zeros(3), "means": rng.normal(size=(3, 2)), "roots": np.stack([np.eye(2)] * 3)}
    network = {
        **{"init": np.zeros(8), "in": 0.3 * rng.normal(size=(5, 8)), "change": 0.3 * rng.normal(size=(8, 8))},
        **{"bias": np.zeros(8), "out": 0.3 * rng.normal(size=(8, 5)), "out_bias": np.zeros(5)},
    }
    return {
        "black_box_svi": (0.1 * np.ones(4), rng.normal(size=(100, 2))),
        "gaussian_process": (0.1 * np.ones(4), x, y),
        "latent_gaussian_process": (0.3 * rng.normal(size=3 + 24), rows),
        "gaussian_mixture": (mixture, rng.normal(size=(100, 2))),
        "deep_gaussian_process": (0.3 * rng.normal(size=26), x, y),
        "mixture_inference": (0.1 * np.arange(6.0), rng.normal(size=(10, 3)), rng.normal(size=30)),
        "rnn": (network, eye[symbols[:-1]], eye[symbols[1:]]),
    }
