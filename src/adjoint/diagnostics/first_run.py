"""The doings of a plain run that differences do not show: what is seen outside and cannot be undone (it prints, writes,
deletes), and calls of what is declared to stop gradients."""

from __future__ import annotations

import io
import os
import sys
import types
from collections.abc import Callable
from typing import Any

from ..derivatives import stop_gradient
from ..errors import Site
from ..origin import is_users, own_name
from ..rules.registry import RULES
from ..rules.rulesets import RuleSet

WRITES = frozenset(("write", "writelines", "writerow", "send", "sendall", "sendto", "execute", "executemany", "commit"))
CHANGES = frozenset(
    ("remove", "unlink", "rename", "replace", "mkdir", "rmdir", "link", "symlink", "truncate", "system", "kill")
)


class FirstRun:
    """Looks on at the first of many runs."""

    def __init__(self) -> None:
        self.effects: dict[str, None] = {}
        """The effects outside, with their places."""
        self.stops: dict[str, None] = {}
        """The places where gradients were stopped."""
        self._looked = False
        self._codes = {f.__code__ for f, rules in RULES.items() if _is_stopping(f, rules)}

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

    def _note(self, frame: types.FrameType, event: str, called: Any) -> None:
        if event == "c_call" and _is_seen(called):
            self.effects.setdefault(_where(frame))
        elif event == "call" and frame.f_code in self._codes:
            self.stops.setdefault(_where(frame.f_back))


def _where(frame: types.FrameType | None) -> str:
    """The innermost place in a file of the user's."""
    while frame is not None and not is_users(frame.f_code.co_filename):
        frame = frame.f_back
    place = None if frame is None else Site(frame.f_code, frame.f_lasti, frame.f_globals).place()
    return "somewhere" if place is None else f"`{place.code()}` ({place.filename}:{place.span[0]})"


def _is_stopping(f: Any, rules: RuleSet) -> bool:
    """Tell whether a function is `stop_gradient`, or one of the user's that is declared so."""
    own = isinstance(f, types.FunctionType) and not rules.differentiable
    return own and (f is stop_gradient or is_users(f.__code__.co_filename))


def _is_seen(f: Any) -> bool:
    """Tell whether a function in C does something that is seen outside."""
    if f is print or f is input:
        return True
    name, owner = own_name(f), getattr(f, "__self__", None)
    if isinstance(owner, types.ModuleType):
        return owner.__name__ == os.name and name in CHANGES
    return name in WRITES and not isinstance(owner, io.StringIO | io.BytesIO)
