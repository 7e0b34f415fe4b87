"""What a run does that is seen outside, and that cannot be undone: it prints, it writes, it deletes."""

from __future__ import annotations

import io
import os
import sys
import types
from collections.abc import Callable
from typing import Any

from ..errors import Place, Site
from ..origin import is_users

WRITES = frozenset(("write", "writelines", "writerow", "send", "sendall", "sendto", "execute", "executemany", "commit"))
CHANGES = frozenset(
    ("remove", "unlink", "rename", "replace", "mkdir", "rmdir", "link", "symlink", "truncate", "system", "kill")
)


class Effects:
    """Looks on at the first of many runs."""

    def __init__(self) -> None:
        self.places: dict[tuple[Any, int], Place | None] = {}
        """Where it was done, by the code of the user's and the instruction."""
        self._looked = False

    def looking_on(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """The runs, of which the first is looked on at, unless a profiler does."""

        def looked_on(*args: Any) -> Any:
            if self._looked or sys.getprofile() is not None:
                return run(*args)
            self._looked = True
            sys.setprofile(self._note)
            try:
                return run(*args)
            finally:
                sys.setprofile(None)

        return looked_on

    def _note(self, frame: types.FrameType | None, event: str, called: Any) -> None:
        if event != "c_call" or not _is_seen(called):
            return
        while frame is not None and not is_users(frame.f_code.co_filename):
            frame = frame.f_back
        if frame is not None:
            key = frame.f_code, frame.f_lasti
            self.places.setdefault(key, Site(frame.f_code, frame.f_lasti, frame.f_globals).place())

    def __str__(self) -> str:
        found = [place for place in self.places.values() if place is not None]
        return ", ".join(f"`{place.code()}` ({place.filename}:{place.span[0]})" for place in found)


def _is_seen(f: Any) -> bool:
    """Whether a function in C does something that is seen outside."""
    if f is print or f is input:
        return True
    name, owner = getattr(f, "__name__", ""), getattr(f, "__self__", None)
    if isinstance(owner, types.ModuleType):
        return owner.__name__ == os.name and name in CHANGES
    return name in WRITES and not isinstance(owner, io.StringIO | io.BytesIO)
