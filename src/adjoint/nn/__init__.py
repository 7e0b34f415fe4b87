"""Layers, activations, losses, what a model is made of, and plain gradient descent, on the public face of `adjoint`.

A model is any record (dataclass, named tuple, plain object), list, tuple or dict of arrays, and any callable can be a
layer; nothing is registered and nothing is inherited. Batches come first: `x` is (samples, features) everywhere.
"""

from adjoint.nn import optimizers as optimizers
from adjoint.nn.activations import (
    elu,
    gelu,
    leaky_relu,
    log_softmax,
    logsoftmax,
    relu,
    selu,
    sigmoid,
    silu,
    softmax,
    softplus,
    tanh,
)
from adjoint.nn.checkpoints import load, load_state_dict, save, state_dict
from adjoint.nn.convolution import conv
from adjoint.nn.initializers import (
    glorot_normal,
    glorot_uniform,
    he_normal,
    he_uniform,
    orthogonal,
    truncated_normal,
)
from adjoint.nn.labels import onecold, onehot
from adjoint.nn.layers import (
    AvgPool,
    BatchNorm,
    Chain,
    Conv,
    Dense,
    Dropout,
    Embedding,
    Layer,
    LayerNorm,
    MaxPool,
    SkipConnection,
    flatten,
    identity,
    train,
)
from adjoint.nn.losses import cross_entropy, hinge_loss, logit_cross_entropy, mse
from adjoint.nn.pooling import avg_pool, max_pool
from adjoint.nn.training import gradient_descent
from adjoint.nn.tree import (
    as_model,
    field,
    freeze,
    leaves,
    named_leaves,
    ravel,
    tree_leaves,
    tree_map,
    tree_map_with_path,
)

__all__ = [
    "AvgPool",
    "BatchNorm",
    "Chain",
    "Conv",
    "Dense",
    "Dropout",
    "Embedding",
    "Layer",
    "LayerNorm",
    "MaxPool",
    "SkipConnection",
    "as_model",
    "avg_pool",
    "conv",
    "cross_entropy",
    "elu",
    "field",
    "flatten",
    "freeze",
    "gelu",
    "glorot_normal",
    "glorot_uniform",
    "gradient_descent",
    "he_normal",
    "he_uniform",
    "hinge_loss",
    "identity",
    "leaky_relu",
    "leaves",
    "load",
    "load_state_dict",
    "log_softmax",
    "logit_cross_entropy",
    "logsoftmax",
    "max_pool",
    "mse",
    "named_leaves",
    "onecold",
    "onehot",
    "orthogonal",
    "ravel",
    "relu",
    "save",
    "selu",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "state_dict",
    "tanh",
    "train",
    "tree_leaves",
    "tree_map",
    "tree_map_with_path",
    "truncated_normal",
]
