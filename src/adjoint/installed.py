"""Packages that extras bring."""

from __future__ import annotations

import importlib
from typing import Any


def told(error: ModuleNotFoundError, extra: str) -> ModuleNotFoundError:
    """The error of a package that is not installed, with the extra that brings a version that is tested.

    >>> told(ModuleNotFoundError("No module named 'torch'", name="torch"), "torch")
    ModuleNotFoundError("No module named 'torch': the extra `torch` brings it, `pip install '.[torch]'` in a clone")
    """
    text = f"{error}: the extra `{extra}` brings it, `pip install '.[{extra}]'` in a clone"
    return ModuleNotFoundError(text, name=error.name, path=error.path)


def needed(name: str, extra: str) -> Any:
    """The module of a package that only those need who use what calls this; `told` says which extra brings it.

    >>> needed("math", "none").pi
    3.141592653589793
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise told(error, extra) from None
