"""The origin of code: of the standard library and of NumPy, or the user's. Names do not tell, files do."""

from __future__ import annotations

import collections.abc
import dataclasses
import os
import sys
import types
from typing import Any

import numpy as np

_STANDARD, _NUMPY, _OURS = (os.path.dirname(file) + os.sep for file in (os.__file__, np.__file__, __file__))


def is_settled(module: Any) -> bool:
    """Tell whether a module is of the standard library or of NumPy: what its names mean is taken for granted.

    >>> import math
    >>> is_settled(math), is_settled(np.linalg), is_settled(object())
    (True, True, False)
    """
    filename = getattr(module, "__file__", None)
    if filename is None:
        return getattr(getattr(module, "__spec__", None), "origin", None) in ("built-in", "frozen")
    return _is_standard(filename) or filename.startswith(_NUMPY)


def module_of(f: Any) -> str:
    """The module that a callable says it is of; nothing where that is no text, as of an object with any attribute.

    >>> module_of(np.linalg.norm), module_of(3)
    ('numpy.linalg', '')
    """
    return _text(f, "__module__")


def own_name(f: Any) -> str:
    """The name that a callable has itself; nothing where that is no text.

    >>> class Columns:
    ...     def __getattr__(self, name): return [name]
    >>> Columns().__name__, own_name(Columns()), own_name(len)
    (['__name__'], '', 'len')
    """
    return _text(f, "__name__")


def _text(f: Any, attribute: str) -> str:
    found = getattr(f, attribute, None)
    return found if isinstance(found, str) else ""


def is_held(cls: type) -> bool:
    """Tell whether a class is what its module holds under its name. Others say what they like: those of
    `make_dataclass` are of the module `types` until Python 3.12.

    >>> is_held(dict), is_held(type("A", (), {"__module__": "types"}))
    (True, False)
    """
    found: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls


def is_users(filename: str) -> bool:
    """Tell whether a file of code is neither of the standard library nor installed.

    >>> is_users(os.__file__), is_users(__file__), is_users("model.py")
    (False, False, True)
    """
    installed = "-packages" in filename or filename.startswith((_NUMPY, _OURS, "<frozen "))
    return not installed and not _is_standard(filename)


def is_read(filename: str) -> bool:
    """Tell whether code of a file is read as the user's own is: it is, or is of a library that consists of Python.

    >>> is_read("model.py"), is_read("site-packages/filterpy/kalman.py"), is_read("site-packages/scipy/fft.py")
    (True, True, False)
    """
    if is_users(filename):
        return True
    _, installed, path = filename.replace(os.sep, "/").rpartition("-packages/")
    return bool(installed) and path.partition("/")[0] not in _UNREAD and not filename.startswith((_NUMPY, _OURS))


def is_read_module(module: types.ModuleType) -> bool:
    """Tell whether the code of a module is read; of one that has no file, whether a program may have made it.

    >>> is_read_module(sys), is_read_module(types.ModuleType("settings"))
    (False, True)
    """
    file = getattr(module, "__file__", None)
    return is_read(file) if file is not None else module.__name__ not in sys.stdlib_module_names


def is_mixin(code: types.CodeType) -> bool:
    """Tell whether code is of the classes by which the standard library lets others write containers: these are Python,
    and call what the class of an object says.

    >>> import collections
    >>> is_mixin(collections.UserDict.__getitem__.__code__), is_mixin(collections.Counter.__missing__.__code__)
    (True, False)
    """
    return code.co_qualname.partition(".")[0] in _MIXINS.get(code.co_filename, ())


_MIXINS = {
    collections.__file__: ("UserDict", "UserList", "ChainMap"),
    collections.abc.Mapping.get.__code__.co_filename: ("Mapping", "MutableMapping", "Sequence", "MutableSequence"),
}
"""By the files of these."""
DATA = frozenset(
    ["dask", "distributed", "h5py", "joblib", "matplotlib", "pandas", "pyarrow", "polars", "tables", "tqdm", "xarray"]
)
"""Libraries of data, tasks and pictures: numbers come out of them, and no derivative goes through them."""
_UNREAD = DATA | {"autograd", "jax", "jaxlib", "numba", "pint", "scipy", "torch", "unyt"}
"""The same, libraries that compute by functions in C, with rules, or that have derivatives of their own, and those of
quantities: a registry of units is a table that fills as it is asked."""


def is_read_class(cls: type) -> bool:
    """Tell whether a class is of a file that is read so.

    >>> is_read_class(dict), is_read_class(types.SimpleNamespace)
    (False, False)
    """
    file = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
    return cls.__module__ != "builtins" and is_read(file) and not file.endswith((".so", ".pyd"))


def is_users_class(cls: type) -> bool:
    """Tell whether a class is of a file of the user's.

    >>> is_users_class(dict), is_users_class(types.SimpleNamespace)
    (False, False)
    """
    module = sys.modules.get(cls.__module__)
    return cls.__module__ != "builtins" and is_users(getattr(module, "__file__", None) or "")


def looks_up_plainly(cls: Any) -> bool:
    """Tell whether attributes of an object are looked up as those of `object` are.

    >>> looks_up_plainly(types.SimpleNamespace), looks_up_plainly(type)
    (True, False)
    """
    lookup = cls.__getattribute__
    return any([lookup is cls.__getattribute__ for cls in (object, types.SimpleNamespace, BaseException)])


def is_made_up(f: types.FunctionType) -> bool:
    """Tell whether a function was written by `dataclass` or `namedtuple`, so that it has no text but is known. Others
    are of a program that is a string as well: what they do is not known.

    >>> import dataclasses
    >>> is_made_up(dataclasses.make_dataclass("Pair", ["a", "b"]).__init__), is_made_up(is_ours)
    (True, False)
    """
    made = f.__code__.co_qualname.startswith("__create_fn__.")
    named = str(f.__globals__.get("__name__", "")).startswith("namedtuple_")
    return f.__code__.co_filename in _MADE_UP and (made or named)


_MADE_UP = ("<string>", "<dynamic-code>")
"""The second is that of code which cloudpickle has sent."""


def is_missing(default: Any) -> bool:
    """Tell whether a field of a dataclass says by this that it has no default: cloudpickle sends copies of `MISSING`.

    >>> import copy, dataclasses
    >>> is_missing(copy.copy(dataclasses.MISSING)), is_missing(None)
    (True, False)
    """
    return type(default) is _NO_DEFAULT


_NO_DEFAULT = type(dataclasses.MISSING)


def is_ours(filename: str) -> bool:
    """Tell whether a file of code is of this library.

    >>> is_ours(__file__), is_ours(os.__file__)
    (True, False)
    """
    return filename.startswith(_OURS)


def _is_standard(filename: str) -> bool:
    return filename.startswith(_STANDARD) and "-packages" not in filename
