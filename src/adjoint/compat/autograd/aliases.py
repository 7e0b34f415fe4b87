"""Imports of NumPy and SciPy under other names, and of modules that stand for autograd's: what is there already is
found in `sys.modules` under one more name."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

HOME = __name__.rpartition(".")[0]
OWN = {"numpy.numpy_boxes": "boxes", "numpy.numpy_vjps": "vjps", "scipy": "scipy", "scipy.signal": "scipy.signal"}
"""The names below `numpy` and `scipy` that are defined here: names in autograd, and of modules of this package."""


def target_of(name: str) -> Any:
    """The counterpart of `autograd.<name>` here, such as `numpy.linalg` or `scipy.stats.norm`; None if there is no such
    thing.

    >>> target_of("numpy").__name__, target_of("numpy.linalg").__name__, target_of("misc").__name__
    ('numpy', 'numpy.linalg', 'adjoint.compat.autograd.misc')
    """
    if name in OWN:
        return importlib.import_module(f"{HOME}.{OWN[name]}")
    if name.partition(".")[0] in ("numpy", "scipy"):
        return _of_library(name)
    try:
        return importlib.import_module(f"{HOME}.{name}" if name else HOME)
    except ModuleNotFoundError:
        return None


def _of_library(name: str) -> Any:
    """A module of NumPy's or SciPy's, or what stands in one: `scipy.stats.norm` is a distribution."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
    outer, _, last = name.rpartition(".")
    return getattr(_of_library(outer), last, None) if outer else None


class Aliases(MetaPathFinder):
    """Answers imports of names with a prefix by objects that are there."""

    def __init__(self, prefix: str, below: tuple[str, ...] | None) -> None:
        self.prefix = prefix
        self.below = below
        """The first parts of the names that are answered; None: all."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of what is there; None for names of others."""
        outer, _, name = fullname.partition(self.prefix)
        if outer or not (name == "" or name.startswith(".")):
            return None
        name = name[1:]
        if self.below is not None and (name.partition(".")[0] not in self.below or name in OWN.values()):
            return None
        found = target_of(name)
        return None if found is None else ModuleSpec(fullname, Existing(found), is_package=True)


class Existing(Loader):
    """Puts an object in the place of the module that is imported."""

    def __init__(self, found: Any) -> None:
        self.found = found

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is run: from here on the name means the object."""
        sys.modules[module.__name__] = self.found


def answer_imports(home: str) -> None:
    """Let `import <home>.numpy` and what lies below it, and below `<home>.scipy`, mean the libraries themselves."""
    sys.meta_path.insert(0, Aliases(home, ("numpy", "scipy")))
