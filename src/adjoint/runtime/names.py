"""Names of special methods, by who asks for them."""

from __future__ import annotations


def _special(names: str) -> frozenset[str]:
    return frozenset([f"__{name}__" for name in names.split()])


_BINARY = "add sub mul truediv floordiv mod pow matmul lshift rshift or xor and"
_REFLECTED = " ".join([f"r{name}" for name in _BINARY.split()])
_IN_PLACE = " ".join([f"i{name}" for name in _BINARY.split()])
SPECIAL_METHODS = _special(
    """
    lt le eq ne gt ge bool len contains hash int float complex index str repr format bytes abs round trunc floor ceil
    divmod rdivmod reversed length_hint dir missing instancecheck subclasscheck array del fspath
    """
)
"""Methods that C code asks for."""
AS_ARRAY = _special(
    "array len length_hint getitem iter next float complex int index bool neg pos abs invert lt le eq ne gt ge "
    f"{_BINARY} {_REFLECTED}"
)
"""Methods for which NumPy asks an object that it is given for numbers: for these, or, in an array of objects, for its
operators."""
OPERATORS = _special(f"neg pos invert call enter exit setitem delitem {_BINARY} {_REFLECTED} {_IN_PLACE}")
"""Attributes that are followed through a partial method, too."""
COPYING = _special("copy deepcopy reduce reduce_ex getstate setstate getnewargs getnewargs_ex")
"""Methods that make a copy."""
BY_THEMSELVES = SPECIAL_METHODS | AS_ARRAY | COPYING | _special(
    f"{_IN_PLACE} setitem delitem enter exit getattribute getattr setattr delattr get set delete array_ufunc "
    "array_function array_finalize array_wrap call aenter aexit aiter anext await"
)  # fmt: skip
"""All that Python runs by itself for an operation on an object."""
OF_ITEMS = ("__len__", "__getitem__", "__iter__")
"""Methods by which a sequence gives its items."""
MAKING = frozenset(
    [
        *("RESUME", "COPY_FREE_VARS", "MAKE_CELL", "EXTENDED_ARG", "NOP", "CACHE", "PRECALL", "CALL", "KW_NAMES"),
        *("LOAD_GLOBAL", "LOAD_CLOSURE", "LOAD_FAST", "LOAD_DEREF", "LOAD_CONST", "LOAD_FAST_LOAD_FAST"),
        *("BUILD_TUPLE", "MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE", "RETURN_VALUE"),
    ]
)
"""The instructions of a method that makes functions and objects: what is called is a global name."""
