"""The objectives in C (`primals.c`), by the system's compiler: what the speed of the compiled primals is held to."""

from __future__ import annotations

import ctypes
import functools
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

FLAGS = ("-O3", "-march=native", "-fPIC", "-shared")


@functools.cache
def library() -> ctypes.CDLL | None:
    """The compiled functions; None where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    target = Path(tempfile.mkdtemp()) / "primals.so"
    source = Path(__file__).with_name("primals.c")
    subprocess.run([compiler, *FLAGS, str(source), "-o", str(target), "-lm"], check=True)
    return ctypes.CDLL(str(target))


def function(name: str, *arguments: Any) -> Callable[[], float] | None:
    """A call of a function of the library: arrays as pointers, integers as longs, numbers as doubles."""
    found = library()
    if found is None:
        return None
    called = getattr(found, name)
    called.restype = ctypes.c_double
    given = [converted(a) for a in arguments]

    def call() -> float:
        return called(*given)  # type: ignore[no-any-return]

    call.keeps = arguments  # type: ignore[attr-defined]  # the memory behind the pointers
    return call


def converted(a: Any) -> Any:
    """An argument as C takes it."""
    if isinstance(a, np.ndarray):
        assert a.flags.c_contiguous and a.itemsize == 8
        return a.ctypes.data_as(ctypes.c_void_p)
    return ctypes.c_long(a) if isinstance(a, int) else ctypes.c_double(a)
