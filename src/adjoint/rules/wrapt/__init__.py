"""Decorators of wrapt, whose wrappers are objects of C: differentiated by the function that does the wrapping, called
as wrapt calls it."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="import-untyped, import-not-found, no-any-unimported, unused-ignore, attr-defined"

from __future__ import annotations

import wrapt

from ...wrappers import CALLEES
from ..numpy.callables import in_python
from ..registry import non_differentiable, not_implemented
from .versions import WAY_OUT, WHY, check_version, is_old

_OF_METHODS = ("function", "instancemethod", "callable")


def is_enabled(wrapper):
    """Tell whether the function that wraps is called at all."""
    enabled = wrapper._self_enabled
    return enabled is None or bool(enabled() if callable(enabled) else enabled)


def instance_of(wrapper):
    """The object that a wrapper says to be of: its own, or that of the method it was put around."""
    own = wrapper._self_instance
    if own is not None or wrapper._self_binding not in (*_OF_METHODS, "classmethod"):
        return own
    return getattr(wrapper.__wrapped__, "__self__", None)


def bound_instance_of(wrapper):
    """The same of a wrapper that was read from an object or a class."""
    if wrapper._self_binding in _OF_METHODS:
        return wrapper._self_instance
    return getattr(wrapper.__wrapped__, "__self__", None)


def takes_instance(wrapper, args):
    """Tell whether a method that was read from a class is given its object as the first argument."""
    of_class = wrapper._self_binding in _OF_METHODS and wrapper._self_instance is None
    return of_class and bool(args) and isinstance(args[0], getattr(wrapper, "_self_owner", object))


if is_old():
    not_implemented(wrapt.ObjectProxy, wrapt.CallableObjectProxy, why=WHY, way_out=WAY_OUT)
non_differentiable(check_version, is_enabled, takes_instance)
CALLEES[wrapt.FunctionWrapper] = CALLEES[wrapt.BoundFunctionWrapper] = lambda f: [f._self_wrapper, f.__wrapped__]


@in_python(wrapt.FunctionWrapper.__call__)
def wrapping(self, /, *args, **kwargs):
    """The result of the function that wraps, for this call."""
    check_version()
    if not is_enabled(self):
        return self.__wrapped__(*args, **kwargs)
    return self._self_wrapper(self.__wrapped__, instance_of(self), args, kwargs)


@in_python(wrapt.BoundFunctionWrapper.__call__)
def wrapping_method(self, /, *args, **kwargs):
    """The same of a method."""
    check_version()
    if not is_enabled(self):
        return self.__wrapped__(*args, **kwargs)
    if takes_instance(self, args):
        wrapped = wrapt.PartialCallableObjectProxy(self.__wrapped__, args[0])
        return self._self_wrapper(wrapped, args[0], args[1:], kwargs)
    return self._self_wrapper(self.__wrapped__, bound_instance_of(self), args, kwargs)
