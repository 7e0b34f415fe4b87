"""The contents of a report of an error: the versions of Python, of this library, and of what it works with."""

from __future__ import annotations

import platform
import sys

LIBRARIES = ("numpy", "scipy", "numba", "llvmlite", "matplotlib", "tqdm", "safetensors", "optax", "jax", "torch")
"""Libraries that may take part; the first is always there."""


def versions() -> dict[str, str]:
    """The versions by name; what is not installed is said not to be.

    >>> [*versions()][:3]
    ['adjoint', 'python', 'platform']
    """
    found = {
        "adjoint": sys.modules[__package__].__version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "platform": f"{platform.system()} {platform.release()}, {platform.machine()}",
    }
    return found | {name: _version(name) for name in LIBRARIES}


def show_versions() -> None:
    """Print the versions of `adjoint`, Python, the platform and the libraries that it works with.

    Nothing is imported for it. Put it into a report of an error.

    Examples
    --------
    >>> import adjoint
    >>> adjoint.show_versions()  # doctest: +ELLIPSIS
    adjoint      0...
    """
    lines = [f"{name:12} {version}\n" for name, version in versions().items()]
    sys.stdout.write("".join(lines))


def _version(name: str) -> str:
    from importlib import metadata  # a tenth of the time of `import adjoint`, where hardly anybody asks

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
