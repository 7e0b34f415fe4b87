"""Layers: frozen records of arrays that can be called, one file a family."""

from adjoint.nn.layers.attention import MultiHeadAttention
from adjoint.nn.layers.attention_weights import causal_mask
from adjoint.nn.layers.base import Layer, identity, train
from adjoint.nn.layers.chain import Chain
from adjoint.nn.layers.convolution import Conv
from adjoint.nn.layers.dense import Dense
from adjoint.nn.layers.dropout import Dropout
from adjoint.nn.layers.embedding import Embedding
from adjoint.nn.layers.gru import GRU, GRUCell
from adjoint.nn.layers.lstm import LSTM, LSTMCell, LSTMState
from adjoint.nn.layers.normalization import BatchNorm, LayerNorm
from adjoint.nn.layers.pooling import AvgPool, MaxPool
from adjoint.nn.layers.rnn import RNN, RNNCell
from adjoint.nn.layers.shapes import flatten
from adjoint.nn.layers.skip import SkipConnection

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "AvgPool",
    "BatchNorm",
    "Chain",
    "Conv",
    "Dense",
    "Dropout",
    "Embedding",
    "GRUCell",
    "LSTMCell",
    "LSTMState",
    "Layer",
    "LayerNorm",
    "MaxPool",
    "MultiHeadAttention",
    "RNNCell",
    "SkipConnection",
    "causal_mask",
    "flatten",
    "identity",
    "train",
]
