"""`import autograd` answered by this library, for libraries that one does not edit."""

from __future__ import annotations

import sys
from types import TracebackType

from ...errors import OptionError, calling_place
from .aliases import HOME, Aliases

NAME = "autograd"


class Installed:
    """The result of `install`: its `uninstall` undoes it, and so does the end of a `with`."""

    def __init__(self) -> None:
        self._finder: Aliases | None = Aliases(NAME, None)
        sys.meta_path.insert(0, self._finder)

    def uninstall(self) -> None:
        """Let `import autograd` mean what it meant; what has been imported stays with who has it."""
        if self._finder is None:
            return
        sys.meta_path.remove(self._finder)
        self._finder = None
        for name in [name for name in sys.modules if is_of_autograd(name)]:
            del sys.modules[name]

    def __enter__(self) -> Installed:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.uninstall()

    def __repr__(self) -> str:
        return f"<import {NAME} means {HOME}{'' if self._finder else ', until it was undone'}>"


def install() -> Installed:
    """Let `import autograd`, and all that lies below it, mean this package, for libraries that one does not edit.

    As a call it holds until `uninstall()` of what it returns, or the end of the process; in `with install():` until the
    end of the block. A library that was imported meanwhile keeps what it has imported.

    Raises
    ------
    OptionError
        If autograd itself has been imported already, or this is installed.

    Examples
    --------
    >>> with install():
    ...     import autograd.numpy as np
    ...     from autograd import grad
    >>> np.__name__, grad(np.tanh)(0.0) == 1.0
    ('numpy', True)
    """
    loaded = sys.modules.get(NAME)
    if loaded is not None or any([isinstance(f, Aliases) and f.prefix == NAME for f in sys.meta_path]):
        ours = loaded is None or getattr(loaded, "__name__", "") == HOME
        raise OptionError(
            "`import autograd` is answered already" if ours else "autograd itself is imported already",
            "`install` was called before" if ours else "who has imported it keeps it, and the two would be mixed",
            "call `uninstall()` of what it returned" if ours else "call `install()` before autograd is imported",
            calling_place(),
        )
    return Installed()


def is_of_autograd(name: str) -> bool:
    """Tell whether a module's name is autograd's, or below.

    >>> is_of_autograd("autograd.numpy"), is_of_autograd("autograd_gamma")
    (True, False)
    """
    return name == NAME or name.startswith(f"{NAME}.")
