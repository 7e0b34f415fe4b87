"""autograd's boxes: values are never wrapped here, so that nothing is one. Also `autograd.numpy.numpy_boxes`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ...derivatives import stop_gradient as getval
from ...errors import MissingLibraryError, calling_place
from ...rules.registry import non_differentiable


def isbox(x: Any) -> bool:
    """Tell whether a value is one of autograd's tracers: never.

    >>> isbox(1.0)
    False
    """
    return False


non_differentiable(isbox)


class NoBox(type):
    """The class of the classes of boxes: nothing is one."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return False


class Box(metaclass=NoBox):
    """autograd's wrapper of a value that is traced, for `isinstance`: here nothing is one, as values stay plain.

    Examples
    --------
    >>> isinstance(1.0, Box)
    False
    """

    def __init__(self, *args: Any) -> None:
        raise _refused("a box")

    @classmethod
    def register(cls, *args: Any) -> NoReturn:
        """Refused: there is nothing to register for."""
        raise _refused("the register of boxes")


INTERNALS = frozenset(
    [
        *("JVPNode", "Node", "SparseBox", "SparseObject", "VJPNode", "add_outgrads", "backward_pass"),
        *("find_top_boxed_args", "full_graph", "new_box", "primitive_jvps", "primitive_vjps", "register_notrace"),
        *("sparse_add", "toposort", "trace", "trace_stack"),
    ]
)
"""Names of autograd's own, of which nothing corresponds here."""


def refused_names(module: str) -> Callable[[str], Any]:
    """The `__getattr__` of a module, which refuses what belongs to autograd's tracer."""

    def look_up(name: str) -> Any:
        if name in INTERNALS:
            raise _refused(f"`autograd.{module.rpartition('.')[2]}.{name}`")
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return look_up


def _refused(what: str) -> MissingLibraryError:
    return MissingLibraryError(
        f"{what} is not there",
        "it belongs to the tracer of autograd; here the code of a function is transformed, and nothing is traced",
        "declare derivatives by `extend.defvjp`, take them by `make_vjp`",
        calling_place(),
    )


class ArrayBox(Box):
    """autograd's wrapper of an array, for `isinstance` and hints: nothing is one."""


__all__ = ["ArrayBox", "Box", "getval", "isbox"]
