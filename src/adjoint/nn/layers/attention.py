"""Attention of several heads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from adjoint.errors import ShapeError, calling_place
from adjoint.nn.arguments import check_counts, check_flags, source
from adjoint.nn.layers.attention_weights import attention_weights, causal_mask, check_heads, check_mask
from adjoint.nn.layers.base import Layer
from adjoint.nn.layers.dense import Dense
from adjoint.nn.layers.described import by_shapes
from adjoint.nn.layers.dropout import drawn
from adjoint.nn.places import layer_here
from adjoint.nn.tree import field
from adjoint.rules import non_differentiable


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MultiHeadAttention(Layer):
    """Attention of several heads: concat(head₁, ..., headₙ) Wₒ + bₒ, with headᵢ = softmax(Qᵢ Kᵢᵀ / √d) Vᵢ.

    (A. Vaswani et al., "Attention is all you need", 2017; d is features / heads.) Q, K and V are linear in query, key
    and value, and head i has the i-th d features of each. Shapes: query (samples, queries, features), key and value
    (samples, keys, features), result (samples, queries, features); a mask (queries, keys), (samples, 1, queries, keys)
    or what else broadcasts to (samples, heads, queries, keys). What may attend to nothing has the bias alone.

    Parameters
    ----------
    features : the width of query, key, value and result.
    heads : how many; they share the features.
    causal : whether each step attends to itself and to earlier ones only.
    dropout : in training, the share of attention weights that are set to 0; the others grow by 1 / (1 - dropout).
    bias : whether the four linear maps have one.
    rng : source of the weights (`glorot_uniform`).
    dtype : of the parameters.

    Raises
    ------
    OptionError
        If the heads do not divide the features, `dropout` is not in [0, 1), or another argument is not what it is said
        to be.
    ShapeError
        If query, key and value do not fit, or a mask is not of flags: True where attention is allowed (`attn_mask` of
        PyTorch's layer is True where it is not).

    Examples
    --------
    >>> layer = MultiHeadAttention(8, 2, causal=True)
    >>> x = np.ones((5, 7, 8))
    >>> layer(x).shape, layer(x[:, :3], np.ones((5, 3, 8))).shape
    ((5, 7, 8), (5, 3, 8))
    """

    query: Dense
    key: Dense
    value: Dense
    output: Dense
    heads: int = field(static=True)
    causal: bool = field(static=True)
    dropout: float = field(static=True)

    def __init__(
        self,
        features: int,
        heads: int,
        *,
        causal: bool = False,
        dropout: float = 0.0,
        bias: bool = True,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        check_counts(features=features, heads=heads)
        check_flags(causal=causal)
        check_heads(features, heads, dropout)
        rng = source(rng)
        for name in ("query", "key", "value", "output"):
            object.__setattr__(self, name, Dense(features, features, bias=bias, rng=rng, dtype=dtype))
        for name, option in (("heads", heads), ("causal", causal), ("dropout", float(dropout))):
            object.__setattr__(self, name, option)

    def __call__(self, query: Any, key: Any = None, value: Any = None, mask: Any = None) -> Any:
        """Attention of `query` to `key` (to itself, if it is not given), of `value` (the key, if it is not given)."""
        return self.attend(query, key, value, mask, 0.0, None)

    def train(
        self, x: Any, rng: np.random.Generator | None = None, key: Any = None, value: Any = None, mask: Any = None
    ) -> tuple[Any, MultiHeadAttention]:
        """The same with dropout, drawn from `rng`, and the layer."""
        return self.attend(x, key, value, mask, self.dropout, rng), self

    def attend(self, query: Any, key: Any, value: Any, mask: Any, rate: float, rng: np.random.Generator | None) -> Any:
        """The result, with a share of the attention weights dropped."""
        key = query if key is None else key
        value = key if value is None else value
        mask = allowed(self, query, key, value, mask)
        q, k, v = self.split(self.query(query)), self.split(self.key(key)), self.split(self.value(value))
        weights = attention_weights(q, k, mask)
        if rate > 0:
            weights = weights * drawn(weights, rate, rng)
        return self.output((weights @ v).swapaxes(1, 2).reshape(query.shape))

    def split(self, x: Any) -> Any:
        """(samples, steps, features) as (samples, heads, steps, features / heads)."""
        samples, steps, features = x.shape
        return x.reshape(samples, steps, self.heads, features // self.heads).swapaxes(1, 2)

    @by_shapes
    def __repr__(self) -> str:
        options = ", causal=True" * self.causal + f", dropout={self.dropout:g}" * (self.dropout > 0)
        return f"MultiHeadAttention({len(self.query.weight)}, {self.heads}{options})"


def allowed(layer: MultiHeadAttention, query: Any, key: Any, value: Any, mask: Any) -> Any:
    """The mask of what may attend to what, by the one given and by time; None for all to all."""
    features = len(layer.query.weight)
    shapes = tuple(map(np.shape, (query, key, value)))
    fit = all(len(shape) == 3 and shape[2] == features for shape in shapes)
    if not fit or len({shape[0] for shape in shapes}) > 1 or shapes[1] != shapes[2]:
        raise ShapeError(
            f"query, key and value have the shapes {shapes[0]}, {shapes[1]} and {shapes[2]}{layer_here()}",
            f"they are (samples, steps, {features}), key and value of as many steps, all of as many samples",
            "add an axis for one sample (`x[None]`), or bring them to one width by `nn.Dense` before",
            calling_place(),
        )
    samples, queries, keys = shapes[0][0], shapes[0][1], shapes[1][1]
    if mask is not None:
        check_mask(mask, (samples, layer.heads, queries, keys))
    if not layer.causal:
        return mask
    return causal_mask(queries, keys) if mask is None else causal_mask(queries, keys) & mask


non_differentiable(allowed)
