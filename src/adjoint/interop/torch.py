"""Functions and models of ours in PyTorch, and modules of PyTorch's in programs of ours."""

from ..installed import told

try:
    from .as_module import as_module
    from .as_torch import as_torch
    from .from_torch import from_torch
except ModuleNotFoundError as error:
    raise told(error, "torch") from None

__all__ = ["as_module", "as_torch", "from_torch"]
