"""A loss that calls a model with layers that are otherwise in training, as in inference: the likeliest slip."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from adjoint.cells import bound_value
from adjoint.nn.training.reach import first_other

from ...origin import module_of


def warn_of_inference(model: Any, loss: Any) -> None:
    """Warn where a loss runs layers that draw or keep statistics as in inference, for all that its code says.

    It is silent where it cannot be sure: of a model of a class of one's own, of a loss that is no plain function, or
    calls others than those of libraries, and where something is named `train`.
    """
    if not isinstance(loss, FunctionType) or not _is_known(type(model)) or (found := first_other(model)) is None:
        return
    codes = [*_codes(loss.__code__)]
    names = {name for code in codes for name in code.co_names}
    if (
        "train" in names
        or any(["train" in code.co_consts for code in codes])
        or any(map(_may_train, _reached(loss, names)))
    ):
        return
    path, cls = found
    warnings.warn(
        f"the loss runs the layer `{'.'.join(path)}`, a `{cls.__name__}`, as in inference, where it draws and counts "
        "nothing; give `supervised(loss)` of a loss of predictions and targets, or a loss with a method `train`",
        UserWarning,
        stacklevel=4,
    )


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those that are written in it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _reached(f: FunctionType, names: set[str]) -> Iterator[Any]:
    """The values that a function reaches by the names of globals, and those it captures."""
    found = [f.__globals__[name] for name in names if name in f.__globals__]
    found += [bound_value(cell, f) for cell in f.__closure__ or ()]
    yield from [x for x in found if not _is_library(x)]


def _is_library(x: Any) -> bool:
    return isinstance(x, ModuleType) and x.__name__.partition(".")[0] in _LIBRARIES


def _may_train(x: Any) -> bool:
    """True if something that a loss reaches may train a model, or hold what does."""
    return (
        isinstance(x, (dict, list, tuple, set)) or not _is_known(x if callable(x) else type(x)) or hasattr(x, "train")
    )


def _is_known(x: Any) -> bool:
    """True if it is of a library: our own, NumPy's, or Python's."""
    root = module_of(x).partition(".")[0]
    return root in _LIBRARIES


_LIBRARIES = frozenset(["adjoint", "numpy", *sys.stdlib_module_names])
