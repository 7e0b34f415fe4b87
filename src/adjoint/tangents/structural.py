"""The cotangent of a record: its class and one cotangent per field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any, Generic, TypeVar

import numpy as np

from ..errors import CotangentError, NotDifferentiableError, calling_place

M = TypeVar("M")


ADDED: dict[str, Callable[[Any, Any], Any]] = {}
"""The sum and the multiple of cotangents: `accumulate`, which knows all of them, says what they are."""


class _Made:
    """One that is being made: its slots are stored into as those of any object are, which is quicker."""

    __slots__ = ("_cls", "_fields")


class Tangent(_Made, Generic[M]):
    """The cotangent of an object (or a function with captured values): one entry per field, None where nothing flows.

    Fields are read as attributes or items. Tangents of one class add and subtract, and are scaled by numbers, part by
    part; None stays None. There are no methods but dunders, since a field may be called anything. `Tangent[Line]` is
    the type of one of a `Line`.

    Parameters
    ----------
    cls : the class of the object; of a function, the function itself.
    fields : the entries by the names of the fields.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> g = Tangent(SimpleNamespace, {"weights": [1.0, 2.0], "name": None})
    >>> g.weights, g["name"]
    ([1.0, 2.0], None)
    >>> g
    Tangent(SimpleNamespace)(weights=[1.0, 2.0], name=None)
    >>> (g + g - 0.5 * g) / 2
    Tangent(SimpleNamespace)(weights=[0.75, 1.5], name=None)
    """

    __slots__ = ()
    __array_ufunc__ = None  # numbers of NumPy leave `0.1 * g` to the cotangent

    def __init__(self, cls: Any, fields: dict[str, Any]) -> None:
        if type(fields) is not dict and not isinstance(fields, Mapping):
            raise CotangentError(
                f"the fields of a `Tangent` are {fields!r}",
                "it has the cotangents of an object by the names of its fields",
                'give a dict: `Tangent(Line, {"slope": 1.0})`',
                calling_place(),
            )
        _set_class(self, cls)
        _set_fields(self, {**fields})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        try:
            return self._fields[name]
        except KeyError:
            known = ", ".join(self._fields) or "none"
            raise AttributeError(f"this cotangent has no field {name!r} (fields: {known})") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a cotangent is immutable")

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: NumPy would make something of the names of the fields."""
        raise NotDifferentiableError(
            "an array of objects is not differentiated",
            "no rule looks into what its items are",
            "make the numbers first: `float(x)`",
            calling_place(),
        )

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __add__(self, other: Any) -> Any:
        return ADDED["sum"](self, other) if isinstance(other, Tangent) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return ADDED["sum"](self, ADDED["multiple"](other, -1.0)) if isinstance(other, Tangent) else NotImplemented

    def __neg__(self) -> Any:
        return ADDED["multiple"](self, -1.0)

    def __mul__(self, factor: Any) -> Any:
        return ADDED["multiple"](self, factor) if _is_factor(factor) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Any:
        return ADDED["multiple"](self, 1.0 / divisor) if _is_factor(divisor) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tangent):
            return NotImplemented
        return self._cls is other._cls and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        name = getattr(self._cls, "__qualname__", None) or getattr(self._cls, "__name__", str(self._cls))
        fields = ", ".join(f"{key}={value!r}" for key, value in self._fields.items())
        return f"Tangent({name})({fields})"

    def _repr_html_(self) -> str:
        from .showing import fields_table

        name = getattr(_class(self), "__qualname__", None) or str(_class(self))
        return fields_table(_fields(self), f"Tangent of {name}", lambda x: _fields(x) if type(x) is Tangent else None)

    def __reduce__(self) -> Any:
        return Tangent, (self._cls, self._fields)


def _is_factor(x: Any) -> bool:
    """True if `x` is one number: arrays of shape () are too."""
    return isinstance(x, (int, float, complex, np.number)) or (isinstance(x, np.ndarray) and x.ndim == 0)


# The slots themselves: a field may have the same name, and `__setattr__` refuses.
_CLS: Any = _Made.__dict__["_cls"]
_FIELDS: Any = _Made.__dict__["_fields"]
_set_class, _set_fields = _CLS.__set__, _FIELDS.__set__
_class, _fields = _CLS.__get__, _FIELDS.__get__


def new_tangent(cls: Any, fields: dict[str, Any]) -> Tangent[Any]:
    """The same for a dict that nobody else has, of which nothing is asked."""
    made: Any = _Made()
    made._cls = cls
    made._fields = fields
    made.__class__ = Tangent
    return made  # type: ignore[no-any-return]


def class_of(tangent: Tangent[Any]) -> Any:
    """The class (or function) whose cotangent this is."""
    return _class(tangent)


def owner_of(x: Any) -> Any:
    """The owner that a cotangent of `x` names: the class of `x`, or a function itself. A cotangent has one in its turn,
    of the same form: it is of what that is of."""
    cls = type(x)
    return x if cls is FunctionType else class_of(x) if cls is Tangent else cls


def fields_of(tangent: Tangent[Any]) -> dict[str, Any]:
    """The cotangents by field; not to be changed."""
    fields: dict[str, Any] = _fields(tangent)
    return fields
