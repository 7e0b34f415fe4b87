"""The types of results, in the words of rules: `returns="reduction"`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ir.nodes import Atom, Const
from ..ir.types import COMPLEX, FLOAT, INT, MIXED, UNKNOWN, Array, Inert, Known, List, Scalar, Tuple, Type
from .infer import _STR, elementwise, is_number, type_of

REDUCING = frozenset(["reduction", "mean", "deviation"])
"""Words of functions that make one number of the items along axes."""
TELLING = frozenset(["dtype", "out", "retstep", "signature"])
"""Parameters that say of what kind a result is."""


def word(returns: str | None, types: Sequence[Type], kwargs: Sequence[str]) -> Type:
    """What a rule's `returns` says of the result."""
    if returns is None:
        return UNKNOWN
    if returns in ("float", "int", "bool", "complex"):
        return Scalar(returns)
    if returns == "str":
        return _STR
    if returns == "like":
        return _of_any_class(types[0]) if types else UNKNOWN
    if any(isinstance(t, Array) and not is_number(t) for t in types):
        return UNKNOWN
    if returns == "float64" and all(isinstance(t, Scalar) or t == Array("f", "float64", 0, True) for t in types):
        return Array("f", "float64", 0, True)
    if returns in ("elementwise", "float64"):  # by a rule for `float` go numbers of NumPy's narrower classes as well
        t = _of_any_class(as_real(types))
        beside = any(isinstance(x, Scalar) for x in types)  # some functions of SciPy compute these in double, and
        if isinstance(t, Array) and (t.dtype == "float16" or beside and t.dtype == "float32"):  # half in single
            return Array(t.kind, "", t.ndim, t.scalar)
        return t
    if TELLING & {*kwargs}:
        return UNKNOWN
    if returns == "array alone":
        return word("array", types, kwargs) if len(types) == 1 else UNKNOWN
    arrays = arrays_in(types)
    if returns in ("mean", "deviation") and types and isinstance(types[0], Array):
        if types[0].kind == "c" and returns == "deviation":
            return UNKNOWN
        if types[0].kind in "biu":
            types = [Array("f", "float64", types[0].ndim, types[0].scalar), *types[1:]]
    if returns in REDUCING and types and isinstance(types[0], Array):
        whole = len(types) == 1 and not set(kwargs) & {"axis", "keepdims"}
        kind, dtype = types[0].kind, types[0].dtype
        if kind == "b" and returns == "reduction":
            return UNKNOWN  # a sum is an integer, a maximum is not
        if kind in "iu" and dtype not in ("int64", "uint64"):
            dtype = ""  # sums are of wider ones
        return Array(kind, dtype, 0, True) if whole else Array(kind, dtype, None, None)
    if returns.startswith("array "):
        found = word("array", types, kwargs)
        ndim = None if kwargs else _rank(returns.removeprefix("array "), types)
        if not isinstance(found, Array) or ndim is None:
            return found
        return Array(found.kind, found.dtype, ndim, ndim == 0)
    if returns in ("array", "reduction") and arrays:
        kind = max(map(kind_of, types), key="biufc?".find)
        if kind == "?":
            return UNKNOWN
        one = len({t.dtype for t in arrays}) == 1 and arrays[0].kind == kind
        if arrays[0].dtype not in ("float64", "complex128", "int64"):
            one &= all(isinstance(t, (Array, Inert, Known)) for t in types)  # numbers beside may widen it
        return Array(kind, arrays[0].dtype if one else "", None, None)
    return UNKNOWN


def _of_any_class(t: Type) -> Type:
    """The type of a result as wide as its argument: of a complex number it may be a real one, as that of `np.real`."""
    return MIXED if t == COMPLEX else t


def reduced(t: Type, x: Type, given: Mapping[str, Atom]) -> Type:
    """The type of what a reduction gives, where the axes that it is told are known."""
    axis, keep = given.get("axis", Const(None)), given.get("keepdims", Const(False))
    if not isinstance(t, Array) or not isinstance(x, Array) or x.ndim is None:
        return t
    if not isinstance(keep, Const) or not isinstance(keep.value, bool):
        return t
    if not isinstance(axis, Const):
        if type_of(axis) != INT:
            return t
        axis = Const(0)  # any one of them
    axes = axis.value if isinstance(axis.value, tuple) else range(x.ndim) if axis.value is None else (axis.value,)
    if not all([type(i) is int and -x.ndim <= i < x.ndim for i in axes]):
        return t
    ndim = x.ndim if keep.value else x.ndim - len({i % x.ndim for i in axes})
    return Array(t.kind, t.dtype, ndim, None if keep.value and not ndim else ndim == 0)


def _rank(what: str, types: Sequence[Type]) -> int | None:
    """The rank of what a function of NumPy gives, called without keywords; None if it is not known."""
    ranks = [t.ndim if isinstance(t, Array) else 0 if isinstance(t, Scalar) else None for t in types]
    first = ranks[0] if ranks else None
    match what:
        case "of rank 1" | "of rank 2":
            return int(what[-1])
        case "flattened":
            return 1 if len(types) == 1 else None
        case "alike":
            return first
        case "alike alone":
            return first if len(types) == 1 else None
        case "triangle":
            return first if first is not None and first >= 2 else None
        case "product":
            return sum(ranks) - 2 if len(ranks) == 2 and all(rank in (1, 2) for rank in ranks) else None  # type: ignore[arg-type]
        case "solution":
            return ranks[1] if first == 2 and len(ranks) == 2 else None
        case "choice":
            return None if None in ranks or len(ranks) != 3 else max(ranks)  # type: ignore[type-var]
    return None


def kind_of(t: Type) -> str:
    """Of which kind the numbers in an argument of NumPy's are; "?" if that is not known, "b" for what has none."""
    if isinstance(t, Array):
        return t.kind
    if isinstance(t, Scalar):
        return {"float": "f", "complex": "c", "int": "i"}.get(t.kind, "b")
    if isinstance(t, List):
        return kind_of(t.item)
    if isinstance(t, Tuple):
        return max(map(kind_of, t.items), key="biufc?".find, default="b")
    return "b" if isinstance(t, (Inert, Known)) else "?"


def arrays_in(types: Sequence[Type]) -> list[Array]:
    """The arrays among the arguments, and in tuples and lists of them, where lists of numbers count as arrays; none if
    something in there is not known."""
    found: list[Array] = []
    for t in types:
        if isinstance(t, Array):
            found.append(t)
        elif isinstance(t, Tuple) or isinstance(t, List) and not isinstance(t.item, Scalar):
            inner = [_array_of(item) for item in (t.items if isinstance(t, Tuple) else (t.item,))]
            found += [item for item in inner if item is not None] if None not in inner else []
    return found


def _array_of(t: Type) -> Array | None:
    """A value that NumPy takes as an array, as one."""
    if isinstance(t, Array):
        return t
    ndim = 0
    while isinstance(t, List):
        t, ndim = t.item, ndim + 1
    if isinstance(t, Scalar) and t.kind in ("float", "int"):
        return Array("f", "float64", ndim, False) if t.kind == "float" else Array("i", "int64", ndim, False)
    return None


def as_real(types: Sequence[Type]) -> Type:
    """As `elementwise`, but integers become floats, as under `/` and `sin`."""
    t = elementwise(types)
    if isinstance(t, Scalar):
        return FLOAT if t.kind in ("int", "bool") else t
    if isinstance(t, Array) and t.kind in "biu":
        return Array("f", "", t.ndim, t.scalar)
    return t
