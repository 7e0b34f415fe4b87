"""The common part of layers: a layer is called for inference, and `train` is the same in training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import numpy as np

from adjoint.nn.layers.inheriting import owner, refused
from adjoint.nn.layers.trained import check_form, check_trained
from adjoint.nn.places import Placed
from adjoint.rules import non_differentiable
from adjoint.trees import structure_of
from adjoint.trees.structure import walk

L = TypeVar("L", bound=Callable[..., Any])


class Layer(Placed):
    """A layer whose call and training are one: what inherits it needs no `train` of its own.

    Nothing has to inherit it. A layer is anything that can be called; one that draws numbers or keeps statistics has a
    method `train(x, rng) -> (y, layer)` that does so and gives the layer as it is afterwards.

    Examples
    --------
    >>> class Double(Layer):
    ...     def __call__(self, x):
    ...         return 2 * x
    >>> layer = Double()
    >>> y, trained = layer.train(3.0)
    >>> y, trained is layer
    (6.0, True)
    """

    __slots__ = ()

    hands_on: ClassVar[tuple[str, ...]] = ()
    """The fields whose layers are all that `train` trains, as a chain's does: where they are the same, so is this."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        of_call, of_training = owner(cls, "__call__"), owner(cls, "train")
        order = cls.__mro__.index
        if order(of_call) < order(of_training) and of_training.__call__ is not Layer.__call__:
            cls.train, cls.hands_on = refused, cls.hands_on  # type: ignore[assignment]

    def __call__(self, x: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no `__call__`")

    def train(self, x: Any, rng: np.random.Generator | None = None) -> tuple[Any, Any]:
        """The output in training, and the layer with what it has learned of its input by the way."""
        return self(x), self


def train(layer: L, x: Any, rng: np.random.Generator | None = None) -> tuple[Any, L]:
    """The output of any layer in training, and the layer afterwards.

    Parameters
    ----------
    layer : any callable; one without a method `train` is the same in training as elsewhere.
    x : an array of a shape that the layer takes.
    rng : source of the numbers that a layer draws; without one, layers that draw take a new one.

    Returns
    -------
    y : the output.
    layer : one of the same structure; the very same where nothing has changed.

    Raises
    ------
    OptionError
        If the method `train` takes something else, or gives no pair of an output and a layer.

    Examples
    --------
    >>> y, layer = train(np.sin, 0.0)
    >>> float(y), layer is np.sin
    (0.0, True)
    """
    if _learns(layer):
        check_form(layer)
        trained: tuple[Any, L] = layer.train(x, rng)  # type: ignore[attr-defined]
        check_trained(layer, trained)
        return trained
    return layer(x), layer


def _learns(layer: Any) -> bool:
    """True for a layer that has a way of its own in training."""
    return hasattr(layer, "train")


non_differentiable(_learns)


def is_different_in_training(model: Any) -> bool:
    """True where something in a model draws numbers or keeps statistics in training, for all that its classes say.

    >>> from adjoint.nn import Chain, Dense
    >>> is_different_in_training(Chain(Dense(2, 3), np.tanh))
    False
    """
    classes = {type(node.model) for _, node in walk(structure_of(model).root)}
    return any(trains_itself(cls) and not handed_on(cls) for cls in classes)


def trains_itself(cls: type) -> bool:
    """True where objects of a class have a way of their own in training."""
    return hasattr(cls, "train") and cls.train is not Layer.train


def handed_on(cls: type) -> tuple[str, ...]:
    """The fields whose layers are all that `train` of a class trains: who writes another `train` says so anew."""
    for base in cls.__mro__:
        if "hands_on" in vars(base) or "train" in vars(base):
            return tuple(vars(base).get("hands_on", ()))
    return ()


def identity(x: Any) -> Any:
    """Return `x`: the activation of a linear layer.

    Parameters
    ----------
    x : anything.

    Returns
    -------
    `x` itself.

    Examples
    --------
    >>> identity(3.0)
    3.0
    """
    return x


def name_of(f: Any) -> str:
    """The name of an activation or a layer in the text of the layer that has it.

    >>> name_of(np.tanh), name_of(1.5)
    ('tanh', '1.5')
    """
    return getattr(f, "__name__", None) or repr(f)


def with_activation(text: str, activation: Any) -> str:
    """The text of a layer, `"Dense(2, 3"`, ended: with its activation if it has one.

    >>> with_activation("Dense(2, 3", np.tanh), with_activation("Dense(2, 3", identity)
    ('Dense(2, 3, activation=tanh)', 'Dense(2, 3)')
    """
    return f"{text})" if activation is identity else f"{text}, activation={name_of(activation)})"
