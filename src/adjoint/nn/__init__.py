"""Layers, activations, losses and plain gradient descent, on top of the public face of `adjoint` alone.

A model is any record (dataclass, named tuple, plain object), list, tuple or dict of arrays, and any callable can be a
layer; nothing is registered and nothing is inherited. Batches come first: `x` is (samples, features) everywhere.
"""

from adjoint.nn.activations import logsoftmax, relu, sigmoid, softmax, tanh
from adjoint.nn.labels import onecold, onehot
from adjoint.nn.layers import Chain, Dense, glorot_uniform, identity
from adjoint.nn.losses import cross_entropy, hinge_loss, logit_cross_entropy, mse
from adjoint.nn.training import gradient_descent
from adjoint.nn.tree import leaves, tree_map

__all__ = [
    "Chain",
    "Dense",
    "cross_entropy",
    "glorot_uniform",
    "gradient_descent",
    "hinge_loss",
    "identity",
    "leaves",
    "logit_cross_entropy",
    "logsoftmax",
    "mse",
    "onecold",
    "onehot",
    "relu",
    "sigmoid",
    "softmax",
    "tanh",
    "tree_map",
]
