"""Models of ours as modules of PyTorch's."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from adjoint.errors import OptionError
from adjoint.nn import train
from adjoint.nn.layers.base import is_different_in_training
from adjoint.rules import non_differentiable
from adjoint.trees import Structure, are_parameters, build, is_number, structure_of

from .as_torch import as_torch, check_ours
from .programs import replaced, users_place


def as_module(model: Any) -> ModelModule:
    """A model, such as `adjoint.nn` makes them, as a `torch.nn.Module` whose parameters PyTorch trains.

    `module.train()`, as a module of PyTorch's is at first, and `module.eval()` say which of the model's two ways is
    gone: in training its `train(x, rng)`, with numbers drawn as `torch.manual_seed` says and the next statistics kept
    in the module; else its call.

    Parameters
    ----------
    model : any nesting of records, lists, tuples and dicts that can be called. It is not changed.

    Returns
    -------
    A module: its parameters and buffers are copies of those of the model, by the same paths (`layers.0.weight`; a name
    that modules have themselves, such as `training`, is followed by an underscore), and it is called as the model is,
    with tensors. `module.model()` gives the model with the present parameters and statistics.

    Raises
    ------
    StructureError
        If the model cannot be mapped over.
    NotDifferentiableError
        For a module of PyTorch's.
    OptionError
        For a class, and for what cannot be called; when called in training with more than one input, if the model is
        another there.

    Examples
    --------
    >>> import numpy as np, torch
    >>> from adjoint import nn
    >>> module = as_module(nn.Dense(3, 2, rng=np.random.default_rng(0)))
    >>> [name for name, _ in module.named_parameters()]
    ['weight', 'bias']
    >>> module(torch.ones(5, 3)).shape
    torch.Size([5, 2])
    """
    check_model(model)
    check_ours(model, "as_module", "`as_module` takes models such as those of `adjoint.nn`")
    if isinstance(model, type):
        raise OptionError(
            f"`as_module` is given the class {model.__name__}",
            "its parameters are those of one model",
            f"make one, `{model.__name__}(...)`",
            users_place(),
        )
    return ModelModule(model)


def check_model(model: Any) -> None:
    """Raise `OptionError` for what cannot be called, such as a dict of parameters."""
    if not callable(model):
        raise OptionError(
            f"`as_module` is given a {type(model).__name__}, which cannot be called",
            "a module is called as its model is",
            "give a model, such as those of `adjoint.nn` or an object with `__call__`; for parameters alone write "
            "`as_torch(lambda p, x: ...)`, and call it with tensors in their places",
            users_place(),
        )


def called(model: Any, *args: Any, **kwargs: Any) -> Any:
    """The model's own call."""
    return model(*args, **kwargs)


def trained(model: Any, seed: Any, x: Any) -> tuple[Any, list[Any]]:
    """The output in training, and the buffers afterwards; every run for one seed draws the same numbers."""
    y, new = train(model, x, np.random.default_rng(int(seed)))
    return y, buffers_of(new)


def buffers_of(model: Any) -> list[Any]:
    """The buffers of a model, by which nothing is differentiated."""
    form = structure_of(model)
    return [form.ends[i] for i in buffer_places(form)]


def buffer_places(form: Structure) -> list[int]:
    """The places of the ends that are buffers of numbers."""
    return [i for i, buffer in enumerate(form.are_buffers) if buffer and is_number(form.ends[i])]


non_differentiable(buffers_of)


class ModelModule(torch.nn.Module):
    """The module that `as_module` returns."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self._form = structure_of(model)
        self._is_different = is_different_in_training(model)
        self._places = [i for i, is_one in enumerate(are_parameters(self._form)) if is_one]
        self._still = buffer_places(self._form)
        paths = self._form.paths()
        self._paths = [self._add(paths[i], self._form.ends[i], True) for i in self._places]
        self._buffer_paths = [self._add(paths[i], self._form.ends[i], False) for i in self._still]

    def _add(self, path: str, end: Any, moves: bool) -> list[str]:
        """Keep a copy of an array by its path; the names by which it is found."""
        *folders, name = path.split(".")
        module: torch.nn.Module = self
        names = []
        for folder in folders:
            names.append(free_name(module, folder, True))
            if names[-1] not in module._modules:
                module.add_module(names[-1], torch.nn.Module())
            module = module.get_submodule(names[-1])
        names.append(free_name(module, name, False))
        tensor = torch.from_numpy(np.array(end))
        if moves:
            module.register_parameter(names[-1], torch.nn.Parameter(tensor))
        else:
            module.register_buffer(names[-1], tensor)
        return names

    def _now(self, paths: Sequence[Sequence[str]]) -> list[Any]:
        """The present tensors, also those that `torch.func.functional_call` puts in their places."""
        return [functools.reduce(getattr, names, self) for names in paths]

    def _with(self, tensors: Sequence[Any]) -> Any:
        """The model with others in place of its parameters and buffers."""
        return build(self._form, replaced(self._form.ends, [*self._places, *self._still], tensors))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The result of the model, with the present parameters."""
        kept = self._now(self._buffer_paths)
        model = self._with([*self._now(self._paths), *[buffer.clone() for buffer in kept]])
        if not (self.training and self._is_different):
            return as_torch(called)(model, *args, **kwargs)
        check_one_input(self._form.root.model, args, kwargs)
        y, buffers = as_torch(trained)(model, torch.randint(2**62, ()), *args)  # one for each sample of a `vmap`
        with torch.no_grad():
            for buffer, new in zip(kept, buffers, strict=True):
                buffer.copy_(new)
        return y

    def model(self) -> Any:
        """The model with the present parameters and statistics."""
        return self._with([t.detach().numpy().copy() for t in self._now([*self._paths, *self._buffer_paths])])


def free_name(module: torch.nn.Module, name: str, is_folder: bool) -> str:
    """The name, or where a module has it for something else the same with underscores."""
    while not name or hasattr(module, name) and not (is_folder and name in module._modules):
        name += "_"
    return name


def check_one_input(model: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
    """Raise `OptionError` where a model in training is not called as `train(x, rng)` is."""
    if len(args) != 1 or kwargs:
        raise OptionError(
            f"a {type(model).__name__} in training is called with {len(args) + len(kwargs)} inputs",
            "it is another one in training, where `train(x, rng)` of it is called",
            "give one input, as a tuple if there are several parts, or say `module.eval()`",
            users_place(),
        )
