"""Arguments that many programs take: new ones at each call."""

import numpy as np


def vector():
    return (np.array([0.7, -1.2, 1.5, 0.4]),)


def vector_and_number():
    return np.array([0.7, -1.2, 1.5, 0.4]), 0.8


def two_vectors():
    return np.array([0.7, -1.2, 1.5, 0.4]), np.array([1.1, 0.6, -0.9, 1.3])


def matrix():
    return (np.array([[0.7, -1.2, 0.5], [1.1, 0.3, -0.6], [0.2, 0.9, 1.4]]),)


def matrix_and_vector():
    return np.array([[0.7, -1.2, 0.5], [1.1, 0.3, -0.6], [0.2, 0.9, 1.4]]), np.array([1.3, -0.4, 0.8])
