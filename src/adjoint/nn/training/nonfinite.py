"""The origin of a nan or an infinity of a training: the batch, a parameter, a layer, or a gradient."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from adjoint.errors import NonFiniteError, calling_place
from adjoint.nn.optimizers.base import GradientTransformation, Parameters, stepped
from adjoint.nn.tree import named_leaves, tree_leaves
from adjoint.trees import Structure, are_parameters, structure_of
from adjoint.trees.structure import walk


class NonFiniteGradient(Exception):
    """A gradient has a nan or an infinity; it bears the path of the parameter."""


class OfFinite(GradientTransformation):
    """An optimizer of finite gradients: for others it raises `NonFiniteGradient`. The state is the optimizer's."""

    def __init__(self, optimizer: GradientTransformation) -> None:
        self._optimizer = optimizer

    def start(self, parameters: Parameters) -> Any:
        return self._optimizer.start(parameters)

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        for path, gradient in updates.items():
            if not np.isfinite(gradient).all():
                raise NonFiniteGradient(path)
        return stepped(self._optimizer, updates, state, parameters)

    def check(self, state: Any, parameters: Parameters) -> None:
        self._optimizer.check(state, parameters)

    def check_masks(self, form: Structure) -> None:
        self._optimizer.check_masks(form)


def nonfinite_in(model: Any, but: Collection[str] = ()) -> list[str]:
    """The paths of the leaves of a model that are not finite, but for some.

    >>> nonfinite_in({"w": np.ones(2), "b": [1.0, np.nan], "c": np.inf}, but=["c"])
    ['b.1']
    """
    return [path for path, leaf in named_leaves(model).items() if path not in but and not _is_finite(leaf)]


def check_start(model: Any) -> None:
    """Raise `NonFiniteError` for a parameter that is not finite before the first step; a buffer may be.

    >>> check_start({"low": -np.inf})
    Traceback (most recent call last):
        ...
    adjoint.errors.NonFiniteError: the parameter `low` is not finite before the first step ...
    """
    form = structure_of(model)
    for path, x, is_one in zip(form.paths(), form.ends, are_parameters(form), strict=True):
        if is_one and not _is_finite(x):
            raise NonFiniteError(
                f"the parameter `{path}` is not finite before the first step",
                "no step makes it finite, and none has to move it where nothing flows",
                OF_START,
                calling_place(),
            )


OF_START = "a finite number there; a bound that nothing is to train is static, `nn.field(static=True)`"


OF_STEP = (
    "a smaller learning rate, `optimizers.clip_by_global_norm`, or `adjoint.inspect.debug_nans()`, which names the line"
)


def failure(
    what: str,
    model: Any,
    batch: tuple[Any, ...],
    replay: Callable[[Any], Any],
    gradient: str | None = None,
    start: Collection[str] = (),
) -> NonFiniteError:
    """The error of a step: what is not finite and when, and where it is from.

    Parameters
    ----------
    what : "the loss is nan at step 3 of epoch 1".
    model, batch : of this step.
    replay : runs the loss of a model again.
    gradient : the path of a parameter whose gradient is not finite.
    start : the paths of leaves that were not finite before the first step.
    """
    found = nonfinite_in(model)
    of_start = bool(found) and found[0] in start
    why = _of_leaf(found[0], of_start) if found else _of_batch(batch)
    if why is None:
        try:
            why = _of_layers(model, replay)
        except Exception as error:  # a model that cannot be copied, or looks at its classes
            why = f"parameters and batch are finite, and its layers could not be looked at: {_short(error)}"
    if why is None and gradient is not None:
        why = "all values on the way to the loss are finite, and what goes back is not: " + (
            "a slope is infinite there, as that of a root at 0"
        )
    return NonFiniteError(
        what,
        why or "what all layers give is finite: it comes about in the loss itself",
        OF_START if of_start else OF_STEP,
        calling_place(),
    )


def _of_leaf(path: str, of_start: bool) -> str:
    return f"the parameter `{path}` is not finite " + (
        "before the first step" if of_start else "after the update before"
    )


def _of_batch(batch: tuple[Any, ...]) -> str | None:
    for i, part in enumerate(batch):
        if not _are_finite(part):
            return f"the batch is not finite: item {i} of it has a nan or an infinity"
    return None


class _Found(Exception):
    """The first value that is not finite; it bears its place."""


def _of_layers(model: Any, replay: Callable[[Any], Any]) -> str | None:
    """The first layer which is given, or gives, what is not finite, by running the loss again on a watched copy.

    What it raises says that it could not look.
    """
    try:
        replay(_watched(model))
    except _Found as found:
        return str(found)
    return None


def _short(error: Exception) -> str:
    return f"{type(error).__name__} ({str(error).partition(chr(10))[0]})"


def _watched(model: Any) -> Any:
    """A copy of a model in which each record that is called looks at what it is given and gives."""
    model = copy.deepcopy(model)
    for path, node in walk(structure_of(model).root):
        cls = type(node.model)
        if isinstance(vars(cls).get("__module__"), str) and callable(node.model) and not hasattr(cls, "__watched__"):
            object.__setattr__(node.model, "__class__", _watching(cls, ".".join(path)))
    return model


def _watching(cls: Any, path: str) -> type:
    """A class whose objects look at what they are called with, and at what they give."""

    def watched(method: Any) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not _are_finite(args):
                raise _Found(f"what goes into {_layer(path)} is the first that is not finite")
            result = method(self, *args, **kwargs)
            if not _are_finite(result):
                raise _Found(f"what {_layer(path)} gives is the first that is not finite")
            return result

        return call

    methods = {name: watched(getattr(cls, name)) for name in ("__call__", "train") if hasattr(cls, name)}
    return type(cls.__name__, (cls,), {"__slots__": (), "__watched__": True, **methods})


def _layer(path: str) -> str:
    return f"the layer `{path}`" if path else "the model"


def _are_finite(x: Any) -> bool:
    return all(_is_finite(leaf) for leaf in tree_leaves(x))


def _is_finite(leaf: Any) -> bool:
    array = np.asarray(leaf)
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())
