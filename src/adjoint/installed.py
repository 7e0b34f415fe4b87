"""Packages that extras bring."""

from __future__ import annotations


def told(error: ModuleNotFoundError, extra: str) -> ModuleNotFoundError:
    """The error of a package that is not installed, with the extra that brings a version that is tested.

    >>> told(ModuleNotFoundError("No module named 'torch'", name="torch"), "torch")
    ModuleNotFoundError("No module named 'torch': the extra `torch` brings it, `pip install '.[torch]'` in a clone")
    """
    text = f"{error}: the extra `{extra}` brings it, `pip install '.[{extra}]'` in a clone"
    return ModuleNotFoundError(text, name=error.name, path=error.path)
