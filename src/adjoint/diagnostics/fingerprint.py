"""The values that a pullback relies on, and those that have changed between the forward run and `back`."""

from __future__ import annotations

from typing import Any

from ..errors import MutationError, calling_place
from ..finite.structure import identical, leaves
from ..runtime.argnums import name_of
from .copies import copied
from .explaining import names_of_arguments


class Kept:
    """The values that a pullback relies on, as they were after the forward run."""

    def __init__(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], y: Any) -> None:
        self.name = name_of(f)
        self.now = {
            "what it captures": f,
            **dict(zip(names_of_arguments(f, len(args), list(kwargs)), (*args, *kwargs.values()), strict=True)),
            "its result": y,
        }
        function, values = copied(f, tuple(self.now.values()))
        self.then = {**dict(zip(self.now, values, strict=True)), "what it captures": function}

    def check(self) -> None:
        """Raise `MutationError` if something has changed since."""
        for name, value in self.now.items():
            if not identical(self.then[name], value):
                part = _which(name, self.then[name], value)
                raise MutationError(
                    f"{part} was changed between `pullback` and `back` of `{self.name}`",
                    "the pullback keeps it as it is, without a copy: the derivative would be that of other numbers",
                    "change it after `back`, or give `pullback` a copy",
                    calling_place(),
                )


def _which(name: str, before: Any, after: Any) -> str:
    """The part of an argument that has changed."""
    words = name.startswith(("its ", "what "))
    old, new = dict(leaves(before, integers=True)), dict(leaves(after, integers=True))
    changed = [path for path in old if path not in new or not identical(old[path], new[path])]
    inside = "".join(map(str, changed[0])) if changed and len(old) == len(new) else ""
    if words:
        return f"{name} (`{inside.removeprefix('.')}`)" if inside else name
    return f"`{name}{inside}`"
