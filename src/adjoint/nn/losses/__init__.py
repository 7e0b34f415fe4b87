"""Losses: how far predictions are from targets, as a number. Predictions come first, targets second.

Their shapes must agree: a column of predictions against a row of targets would broadcast to a matrix and train on
nonsense. `reduction=` is "mean" (over the samples; of losses of numbers, over all of these), "sum" or "none". Integers
and flags among targets are taken in the precision of the predictions.
"""

from adjoint.nn.losses.binary import binary_cross_entropy, hinge, hinge_loss, logit_binary_cross_entropy
from adjoint.nn.losses.classes import cross_entropy, kl_divergence, logit_cross_entropy
from adjoint.nn.losses.regression import huber, mae, mse, poisson

__all__ = [
    "binary_cross_entropy",
    "cross_entropy",
    "hinge",
    "hinge_loss",
    "huber",
    "kl_divergence",
    "logit_binary_cross_entropy",
    "logit_cross_entropy",
    "mae",
    "mse",
    "poisson",
]
