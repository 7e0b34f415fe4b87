"""The layer of a model that is running, for errors of arrays that it does not take."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from adjoint.rules import non_differentiable
from adjoint.runtime.travelling import with_texts
from adjoint.trees import structure_of
from adjoint.trees.structure import walk

_ADJOINT = str(Path(__file__).parents[1])


class Placed:
    """A layer or a cell: errors name it while it is running, and pickles bring the texts of functions that it holds."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _shown(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        reduced: Any = super().__reduce_ex__(protocol)
        make, parts, *state = reduced
        return *with_texts(make, parts, (self,)), *state


def _shown(model: Any) -> str:
    """A table of a model, for notebooks."""
    from adjoint.nn.showing import Summary

    return Summary(model, repr(model))._repr_html_()


def layer_here() -> str:
    """The layer that is running, and its place in the model that it is called by: a part of a sentence, or nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from adjoint.nn import Chain, Dense
    >>> Chain(Dense(2, 3), Dense(4, 1))(np.ones((5, 2)))
    Traceback (most recent call last):
        ...
    adjoint.errors.ShapeError: x has the shape (5, 3), in Dense(4, 1) at `layers.1` ...
    """
    running = list(_running())
    layer = next((x for x in running if isinstance(x, Placed)), None)
    if layer is None:
        return ""
    cls = type(layer)
    text = repr(layer) if cls.__module__.startswith("adjoint.") else f"`{cls.__name__}`"
    path = next(filter(None, [_path(layer, model) for model in reversed(running)]), "")
    return f", in {text}" + f" at `{path}`" * bool(path)


def _running() -> Iterator[Any]:
    """The objects that are called, the innermost first, up to what is no method of such a one.

    A derivative runs a method with its names, so that they are found there as well.
    """
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        ours = frame.f_code.co_filename.startswith((_ADJOINT, "<adjoint "))
        x = frame.f_locals.get("self") if "self" in frame.f_code.co_varnames else None
        if callable(x) and not _is_of_the_engine(x):
            yield x
        elif not ours:
            return
        frame = frame.f_back


def _is_of_the_engine(x: Any) -> bool:
    module = type(x).__module__
    return module.startswith("adjoint.") and not module.startswith("adjoint.nn.")


def _path(layer: Any, model: Any) -> str:
    """The path to the first place of a layer in a model; nowhere in what is no model."""
    try:
        return next((".".join(path) for path, node in walk(structure_of(model).root) if node.model is layer), "")
    except Exception:  # whatever an object says of itself: there is another error to tell of
        return ""


non_differentiable(layer_here)
