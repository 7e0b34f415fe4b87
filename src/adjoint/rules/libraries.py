"""The rules of libraries that a program need not import: loaded when it has."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..tangents.tables import LOADERS

_SCIPY = (
    "fft",
    "integrate",
    "interpolate",
    "linalg",
    "ndimage",
    "optimize",
    "signal",
    "sparse",
    "spatial",
    "special",
    "stats",
)

LIBRARIES: dict[str, str] = {
    # NumPy does not import these by itself.
    "numpy.polynomial": "adjoint.rules.numpy.series",
    "numpy.polynomial.polyutils": "adjoint.rules.numpy.weights",
    "numpy.polynomial._polybase": "adjoint.rules.numpy.series_objects",
    "numpy.ma": "adjoint.rules.numpy.masked",
    "numpy.char": "adjoint.rules.numpy.text",
    "numpy.strings": "adjoint.rules.numpy.text",
    "scipy": "adjoint.rules.scipy.version",
    **{f"scipy.{name}": f"adjoint.rules.scipy.{name}" for name in _SCIPY},
    "numba.core.registry": "adjoint.rules.numba",
    "plum": "adjoint.rules.plum",
    "wrapt": "adjoint.rules.wrapt",
    "autograd.tracer": "adjoint.rules.autograd",
    "scipy.sparse.linalg": "adjoint.rules.scipy.sparse.solvers",
    **{name: f"adjoint.rules.python.{name}" for name in ("decimal", "fractions", "statistics")},
}
"""Modules of libraries whose rules are loaded when the module has been imported: to the module of their rules."""

NAMES = tuple([name for name in LIBRARIES if name != "scipy"])
"""All of them that hold functions, whether their rules are loaded or not yet."""

_loading = threading.RLock()

on_loaded: list[Callable[[], None]] = []
"""What adds to the rules of a library once they are there."""

on_change: list[Callable[[], None]] = []
"""What to call when rules change: what was generated with the old ones is stale."""


def load_seen() -> bool:
    """Load the rules of libraries that the program has imported by now; whether there were any."""
    if sys.modules.keys().isdisjoint(LIBRARIES):
        return False
    seen = [library for library in LIBRARIES if library in sys.modules]
    with quietly():
        for library in seen:
            if library in LIBRARIES:
                importlib.import_module(LIBRARIES[library])
                LIBRARIES.pop(library, None)
        for complete in on_loaded:
            complete()
    return True


FOLLOWED: list[str] = []
"""Libraries whose rules were asked for: what is sent to another process asks for them there."""


def follow(library: str) -> None:
    """Load the rules of a library that are there for who asks for them."""
    importlib.import_module(f"adjoint.rules.{library}")
    if library not in FOLLOWED:
        FOLLOWED.append(library)
    for complete in on_loaded:
        complete()


LOADERS.append(load_seen)


@contextmanager
def quietly() -> Iterator[None]:
    """Let rules be declared for what nobody has asked for before, so that nothing that was generated is stale."""
    with _loading:
        listeners, on_change[:] = on_change[:], []
        try:
            yield
        finally:
            on_change[:] = listeners
