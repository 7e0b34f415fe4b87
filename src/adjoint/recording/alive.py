"""True if the plain program would still hold an object: a recording keeps more alive, until the reverse."""

from __future__ import annotations

import gc
import sys
import types
import weakref
from typing import Any

from ..errors import UnsupportedSyntaxError, calling_place
from ..origin import module_of
from ..rules.registry import non_differentiable


def is_held(x: Any) -> bool:
    """Tell whether an object can be reached from the variables of the functions that run, past what is the
    recording's."""
    roots: list[Any] = []
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if not _is_ours(frame.f_globals):
            roots += [frame.f_globals, *frame.f_locals.values()]
        frame = frame.f_back
    seen = {id(roots)}
    while roots:
        found = []
        for y in roots:
            if y is x:
                return True
            if id(y) not in seen and not _is_of_recording(y):
                seen.add(id(y))
                found.append(y)
        roots = gc.get_referents(*found)
    return False


def _is_of_recording(y: Any) -> bool:
    cls = type(y)  # nothing is asked of the object itself
    if cls is types.BuiltinFunctionType or cls is types.FrameType:
        return True  # what takes down the steps is a method of their list
    if cls is dict:
        return _is_ours(y)
    of_module = y.__module__ if cls is types.FunctionType else cls.__module__
    return isinstance(of_module, str) and of_module.startswith("adjoint.") and not hasattr(y, "running")


def _is_ours(names: dict[str, Any]) -> bool:
    name = dict.get(names, "__name__")
    return isinstance(name, str) and (name == "adjoint" or name.startswith("adjoint."))


def check_held(x: Any) -> None:
    """Raise `UnsupportedSyntaxError` where the plain program may find by a weak reference that an object is gone. The
    library's own have holders that are passed over here."""
    if not type(x).__module__.startswith("adjoint.") and not is_held(x):
        raise UnsupportedSyntaxError(
            "an object is asked for by a weak reference, and nothing else holds it",
            "while derivatives are taken it is kept: the plain program may find that it is gone",
            "keep the object in a variable, or refer to it by an ordinary reference",
            calling_place(),
        )


def referent(f: weakref.ref[Any]) -> Any:
    """The object of a weak reference, which is right as long as the plain program holds it as well. Those of the
    library's own maps tell objects apart that are there."""
    y = f()
    own = module_of(f.__callback__)
    if y is not None and not own.startswith("adjoint."):
        check_held(y.__self__ if type(y) is types.MethodType else y)
    return y


non_differentiable(check_held)
