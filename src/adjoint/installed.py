"""Packages that extras bring."""

from __future__ import annotations


def told(error: ModuleNotFoundError, extra: str) -> ModuleNotFoundError:
    """The error of a package that is not installed, with the extra that brings a version that is tested.

    >>> told(ModuleNotFoundError("No module named 'torch'", name="torch"), "torch")
    ModuleNotFoundError("No module named 'torch': pip install 'adjoint[torch]'")
    """
    return ModuleNotFoundError(f"{error}: pip install 'adjoint[{extra}]'", name=error.name, path=error.path)
