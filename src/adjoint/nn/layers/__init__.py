"""Layers: frozen records of arrays that can be called, one file a family."""

from adjoint.nn.layers.base import Layer, identity, train
from adjoint.nn.layers.chain import Chain
from adjoint.nn.layers.dense import Dense

__all__ = ["Chain", "Dense", "Layer", "identity", "train"]
