"""Checks by `fit` of what it is given, before the first step and at it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from adjoint.errors import NotScalarError, OptionError, StructureError, calling_place
from adjoint.nn.arguments import is_whole
from adjoint.nn.given import names_of, takes
from adjoint.nn.optimizers.base import check_optimizer
from adjoint.nn.training.supervising import Supervised
from adjoint.trees import are_parameters, structure_of

from ...origin import module_of


def check_given(model: Any, loss: Any, batches: Any, optimizer: Any, epochs: Any, validation: Any) -> None:
    """Raise `OptionError` or `StructureError` for what can be seen before the first step."""
    _check_model(model, loss)
    _check_loss(loss, model)
    if not is_whole(epochs) or epochs < 0:
        raise OptionError(
            f"epochs={epochs!r} is no number of epochs",
            "each runs through the batches",
            "give 1 or more",
            calling_place(),
        )
    if isinstance(batches, tuple) and any([isinstance(part, np.ndarray) for part in batches]):
        raise OptionError(
            "`batches` is a tuple of arrays, which looks like one batch",
            "each of them would be taken for a batch by itself",
            "give `minibatches(x, y, size=32)`, `[(x, y)]` for one batch of all, or a list where each array is a batch",
            calling_place(),
        )
    _check_batches("batches", batches, epochs)
    check_optimizer(optimizer)
    if validation is not None and not callable(validation):
        _check_validation(validation, epochs)
        if isinstance(validation, tuple):
            check_taken(loss, model, validation)


def check_taken(loss: Callable[..., Any], model: Any, batch: tuple[Any, ...], *more: Any) -> None:
    """Raise `OptionError` unless a loss, or its way in training, takes a model and the items of a batch."""
    called = loss.train if more else loss  # type: ignore[attr-defined]
    if takes(called, model, *batch, *more):
        return
    given = f"{len(batch)} argument{'s' * (len(batch) != 1)} of the batch" + ", and a generator" * bool(more)
    raise OptionError(
        f"the loss takes {names_of(called)}, and is given the model and {given}",
        "a batch that is a tuple or a list gives one argument for each item, any other gives one",
        "let each batch be a tuple `(x, y)`, such as `[(x, y)]` and `minibatches(x, y)` have it"
        if isinstance(loss, Supervised)
        else "let it take what the batches have; of a loss of predictions and targets `supervised(loss)` makes one",
        calling_place(),
    )


def of_no_number(error: NotScalarError, of: str) -> NotScalarError:
    """The error to raise where the gradient of a loss of that name was asked for, and it is an array."""
    asked, _, found = error.what.partition("` was asked for, but it returns ")
    if asked != f"the gradient of `{of}" or not found.startswith("an array"):
        return error
    return NotScalarError(
        f"the loss gives {found}",
        "a step goes down along the gradient of one number",
        'reduce it, by `np.mean` or `reduction="mean"` of the loss',
        error.place,
    )


def _check_model(model: Any, loss: Any) -> None:
    if _has_parameters(model):
        return
    if callable(model) and not callable(loss) or _has_parameters(loss):
        raise OptionError(
            "the model has nothing to train, and what is given as the loss has: they may be swapped",
            "`fit` takes the model, the loss, the batches and the optimizer, in this order",
            "give `fit(model, loss, batches, optimizer)`",
            calling_place(),
        )
    raise StructureError(
        "the model has nothing to train",
        "parameters are floating-point numbers and arrays, and not static; integers stay as they are",
        "give a model with parameters: 1.0 for 1, arrays of floats",
        calling_place(),
    )


def _has_parameters(model: Any) -> bool:
    return any(are_parameters(structure_of(model)))


def _check_loss(loss: Any, model: Any) -> None:
    if not callable(loss):
        raise OptionError(
            f"a {type(loss).__name__} is no loss",
            "a loss is called with the model and each batch",
            "give `supervised(mse)`, or a function of your own, `lambda model, x, y: ...`",
            calling_place(),
        )
    function = loss.func if isinstance(loss, functools.partial) else loss
    if callable(model) and module_of(function).startswith("adjoint.nn.losses"):
        name = function.__name__
        raise OptionError(
            f"`{name}` is a loss of predictions and targets",
            "`fit` calls the loss with the model and each batch",
            f"give `supervised({name})`, which calls the model",
            calling_place(),
        )
    if isinstance(loss, Supervised) and not callable(model):
        raise OptionError(
            f"the model is a {type(model).__name__}, which cannot be called",
            "`supervised` calls the model with the inputs of each batch",
            "give a model that can be called, or a loss of your own, `lambda model, x, y: ...`",
            calling_place(),
        )


def _check_validation(validation: Any, epochs: int) -> None:
    if isinstance(validation, tuple) and validation and all(isinstance(part, tuple) for part in validation):
        raise OptionError(
            "`validation` is a tuple of tuples, which may be one batch or several",
            "a tuple is one batch, whose items the loss is given",
            "give a list of batches: `[(x, y), (x, y)]`, of one of them as well",
            calling_place(),
        )
    _check_batches("validation", validation, epochs)


def _check_batches(name: str, given: Any, epochs: int) -> None:
    """Raise unless something can be run through, in each epoch anew."""
    if isinstance(given, Mapping):
        raise OptionError(
            f"`{name}` is a {type(given).__name__}, whose keys would be taken for batches",
            "what is given is run through, each epoch",
            "give a list of batches, of one dict as well: `[{...}]`",
            calling_place(),
        )
    if not _can_be_run_through(given):
        raise OptionError(
            f"`{name}` is a {type(given).__name__}, which cannot be run through",
            "what is given is run through, each epoch",
            "give a list of batches, `minibatches(...)`, or an object with `__iter__`",
            calling_place(),
        )
    if epochs > 1 and isinstance(given, Iterator):
        raise OptionError(
            f"`{name}` can be run through once, and there are {epochs} epochs",
            f"a {type(given).__name__} is empty after that",
            "give a list, `minibatches(...)`, or an object whose `__iter__` begins anew",
            calling_place(),
        )


def _can_be_run_through(x: Any) -> bool:
    if isinstance(x, str | bytes | type) or isinstance(x, np.ndarray) and x.ndim == 0:
        return False
    return any([inspect.getattr_static(type(x), name, None) is not None for name in ("__iter__", "__getitem__")])
