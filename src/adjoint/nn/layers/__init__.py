"""Layers: frozen records of arrays that can be called, one file a family."""

from adjoint.nn.layers.base import Layer, flatten, identity, train
from adjoint.nn.layers.chain import Chain
from adjoint.nn.layers.convolution import Conv
from adjoint.nn.layers.dense import Dense
from adjoint.nn.layers.dropout import Dropout
from adjoint.nn.layers.embedding import Embedding
from adjoint.nn.layers.normalization import BatchNorm, LayerNorm
from adjoint.nn.layers.pooling import AvgPool, MaxPool
from adjoint.nn.layers.skip import SkipConnection

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
    "flatten",
    "identity",
    "train",
]
