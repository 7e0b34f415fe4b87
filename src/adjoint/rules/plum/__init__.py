"""Functions with several methods, by plum: differentiated by the method that plum chooses for the arguments."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="import-untyped, import-not-found, no-any-unimported, unused-ignore, attr-defined"

from __future__ import annotations

import sys
from typing import Any

import plum

from ...wrappers import CALLEES
from ..numpy.callables import in_python
from ..registry import non_differentiable

_HOME = sys.modules.get("plum._function") or sys.modules["plum.function"]


@in_python(plum.Function.__call__)
def dispatched(self, *args, **kwargs):
    """The result of the method that is chosen, as the type that it says it gives."""
    method, kind = chosen(self, args)
    return returned(method(*args, **kwargs), kind)


def chosen(function, args):
    """The method for these arguments, and the type that it gives."""
    return function._resolve_method_with_cache(args)


def returned(y, kind):
    """The result of a method as the type that it says it gives: itself, or what a conversion makes of it."""
    if kind is Any:
        return y
    convert = conversion(y, kind)
    return y if convert is None else convert(y, kind)


def conversion(y, kind):
    """The conversion to a type; None for what is of the type. `TypeError` if there is none."""
    conversions = plum.convert._f.__globals__["_convert"]
    method, _ = conversions._resolve_method_with_cache(types=(type(y), kind))
    if method is not conversions._f:
        return method
    method(y, kind)
    return None


non_differentiable(chosen, conversion)
CALLEES[plum.Function] = lambda f: [method.implementation for method in f.methods]


@in_python(_HOME._BoundFunction.__call__)
def dispatched_method(self, instance, *args, **kwargs):
    """The function with its object first, which is the object that it is bound to."""
    return self._f(instance, *args, **kwargs)


if hasattr(_HOME, "_InvokedMethod"):  # before, it was a function

    @in_python(_HOME._InvokedMethod.__call__)
    def invoked(self, *args, **kwargs):
        """The result of a method that was chosen by types."""
        return returned(self._method(*args, **kwargs), self._return_type)
