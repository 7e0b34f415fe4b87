"""Programs that Numba compiles, or that have been kept from a time when it did."""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import logging
import os
import pickle
import re
import sys
import types
import weakref
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from . import functions, intrinsics
from .plans import ROLES
from .storage import Storage, opened
from .values import CannotCompile, NoCompiler, too_long

OPTIONS = {"error_model": "numpy", "nogil": True}
SERIAL = "comprehension", "reduction", "inplace_binop", "setitem", "numpy", "stencil", "fusion"
"""What Numba could make parallel of a program besides `prange`."""
FORM = "1"
"""Of what is kept; another number makes all of it again. The text says all else of our own."""
_RECURSIVE = re.compile(rf"_({'|'.join(ROLES)})\(")
"""Functions that call themselves crash where Numba loads them (numba#6061): programs with them are not kept."""
MAX_LINES = 1000
"""How long a program may be that is handed to Numba, whose time grows faster than the length."""
TO_MAKERS = "which its makers would like to see"
LOG = logging.getLogger("adjoint.compiled")
_MADE: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
"""The dispatchers of this process, by the names of their modules."""
_HELD = (1 << 25) - (1 << 16)
"""Bytes: just below the 32 MiB up to which the allocator adapts."""


def by_numba(name: str, text: str) -> Callable[..., Any]:
    """The program compiled by Numba when it is first called, or loaded if it was once compiled for such arguments.

    >>> by_numba("double", "def double(x):\\n    return 2.0 * x\\n")(3.0)  # doctest: +SKIP
    6.0
    """
    check_length(text)
    numba = numba_module()
    module = f"adjoint_compiled_{hashlib.sha256(text.encode()).hexdigest()[:32]}"
    made: Any = _MADE.get(module)
    if made is None:
        _hold_freed_memory()
        parallel = dict.fromkeys(SERIAL, False) if intrinsics.runs_in_parts(text) else False
        made = numba.njit(parallel=parallel, **OPTIONS)(_function(name, text, module))
        storage = None if _RECURSIVE.search(text) else opened()
        if storage is not None:
            made._cache = Kept(storage, text)
        made.compile = _compiling(made, storage, text)
        made = _MADE.setdefault(module, made)
    return made  # type: ignore[no-any-return]


def check_length(text: str) -> None:
    """Raise `CannotCompile` for a program that Numba would take too long for."""
    if (n := text.count("\n")) > MAX_LINES:
        raise too_long(f"{n} lines (at most {MAX_LINES})")


def numba_module() -> Any:
    """Numba, imported. An import that ends in an error, or is interrupted, leaves nothing half done behind.

    Raises
    ------
    NoCompiler
        If it is not installed, or cannot be imported.
    """
    before = set(sys.modules)
    try:
        import numba
    except BaseException as error:
        for name in [name for name in sys.modules if name.partition(".")[0] == "numba" and name not in before]:
            del sys.modules[name]
        if not isinstance(error, ImportError):
            raise
        missing = isinstance(error, ModuleNotFoundError) and error.name == "numba"
        raise NoCompiler(
            "Numba is not installed" if missing else f"Numba cannot be imported ({error})",
            why="compiled programs are made by it",
            way_out="`pip install 'numba>=0.62'`, or leave `compile` off",
        ) from None
    if numba.version_info[:2] < OLDEST:
        raise NoCompiler(
            f"Numba {numba.__version__} is too old",
            why="its LLVM ends the process at some programs",
            way_out="`pip install 'numba>=0.62'`, or leave `compile` off",
        )
    return numba


OLDEST = (0, 62)
"""The version of Numba whose LLVM compiles all that is made here; that of 0.61 aborts."""


def _hold_freed_memory() -> None:
    """Tell glibc's allocator to keep what is freed for the next call of a program, which allocates the same again: it
    gives blocks back to the system, page by page, if they are larger than the largest of this kind that was freed."""
    np.empty(_HELD, np.uint8)  # nothing is touched, so it costs nothing


def _function(name: str, text: str, module: str) -> Callable[..., Any]:
    """The program as a function of a module of its own, whose name is part of all names in what is compiled: no two
    programs can be taken for each other, and what is loaded finds its module by it."""
    import math

    numba = numba_module()
    found = sys.modules.get(module)
    if found is None:
        found = types.ModuleType(module)
        found.__dict__.update(np=np, math=math, **intrinsics.by_numba())
        exec(compile(text, f"<adjoint {name}>", "exec"), found.__dict__)  # noqa: S102 - what has been generated
        for other, f in [*found.__dict__.items()]:
            if other != name and getattr(f, "__globals__", None) is found.__dict__:  # what it calls
                found.__dict__[other] = numba.njit(**OPTIONS)(f)
        sys.modules[module] = found
    made: Callable[..., Any] = found.__dict__[name]
    return made


def _compiling(made: Any, storage: Storage | None, text: str) -> Callable[[Any], Any]:
    """Compile while no other process compiles the same; what Numba refuses, which should not be, cannot be compiled."""
    compile_, target = type(made).compile, made.targetctx
    own = weakref.ref(made)
    refused: dict[Any, str] = {}

    def compiled(sig: Any) -> Any:
        if sig in refused:
            raise CannotCompile(refused[sig])
        alone = nullcontext() if storage is None else storage.alone(key_of(text, sig, target))
        try:
            with alone:
                return compile_(own(), sig)
        except Exception as error:
            LOG.debug("Numba does not compile what has been generated", exc_info=error)
            refused[sig] = f"a fault of the compiled tier ({type(error).__name__} of Numba), {TO_MAKERS}"
            raise CannotCompile(refused[sig]) from None

    return compiled


class Kept:
    """The cache that Numba asks for kept programs, in place of its own cache: that opens files before it knows what
    they are."""

    cache_path = None

    def __init__(self, storage: Storage, text: str) -> None:
        self.storage = storage
        self.text = text

    def load_overload(self, sig: Any, target: Any) -> Any:
        """The code compiled for such arguments; None if there is none."""
        from numba.core.compiler import CompileResult
        from numba.core.runtime import rtsys

        key = key_of(self.text, sig, target)
        content = self.storage.load(key)
        if content is None:
            return None
        try:
            rtsys.initialize(target)  # all that machine code needs; the rest, which is slow, is for compiling
            return CompileResult._rebuild(target, *pickle.loads(content))  # noqa: S301 - its digest is right
        except Exception as error:
            LOG.debug("what was kept is made again: %s", error)
            self.storage.remove(key)
            return None

    def save_overload(self, sig: Any, result: Any) -> None:
        """Keep what was compiled."""
        from numba.core.serialize import dumps

        if result.library.has_dynamic_globals or result.objectmode or result.lifted:
            return
        try:
            content = dumps(result._reduce())
        except Exception as error:
            LOG.debug("what was compiled cannot be kept: %s", error)
            return
        self.storage.store(key_of(self.text, sig, result.target_context), content)

    def flush(self) -> None:
        """Nothing of this program is kept in memory."""


def key_of(text: str, sig: Any, target: Any) -> str:
    """The name of a program's file: all that it depends on.

    >>> key_of("def f(x):\\n    return x\\n", (), target)  # doctest: +SKIP
    '0b1f...'
    """
    settings = {k: v for k, v in os.environ.items() if k.startswith("NUMBA_") and "THREAD" not in k}
    parts = [text, str(sig), OPTIONS, sys.version, sys.implementation.cache_tag, _versions()]
    parts += [target.codegen().magic_tuple(), settings]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _versions() -> list[str]:
    import llvmlite
    import numba

    return [np.__version__, numba.__version__, llvmlite.__version__, FORM, _digest_of_intrinsics()]


@functools.cache
def _digest_of_intrinsics() -> str:
    """The digest of what programs call by name, which is part of them but not in their text."""
    files = (intrinsics.__file__, *[inspect.getfile(f) for f in functions.FUNCTIONS.values()])
    return hashlib.sha256(b"".join(Path(file).read_bytes() for file in dict.fromkeys(files))).hexdigest()


__all__ = ["by_numba"]
