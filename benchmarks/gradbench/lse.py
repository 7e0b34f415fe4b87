"""The logarithm of a sum of exponentials."""

import numpy as np


def primal(x):
    largest = np.max(x)
    return np.log(np.sum(np.exp(x - largest))) + largest
