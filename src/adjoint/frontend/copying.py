"""Copies of syntax trees in which some statements are others; all nodes around these are copied, no others."""

from __future__ import annotations

import ast
from typing import Any

from .nodes import shallow


class Copier:
    """Rewrites the statements of a tree; `copies` say of each copy what it was made from, by which scopes are known."""

    def __init__(self) -> None:
        self.copies: dict[ast.AST, ast.AST] = {}

    def statement(self, s: Any) -> Any:
        """The statements that are to stand in the place of another one."""
        return self.parts(s)

    def parts(self, s: Any) -> Any:
        """A statement with blocks, or a case or handler: itself, or a copy if something in it is another."""
        new: dict[str, list[Any]] = {}
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            old = getattr(s, name, None)
            if isinstance(old, list):
                step = self.parts if name in ("handlers", "cases") else self.statement
                changed = [step(part) for part in old]
                if any(a is not b for a, b in zip(changed, old, strict=True)):
                    new[name] = changed
        if not new:
            return s
        copied = shallow(s)
        for name, changed in new.items():
            setattr(copied, name, changed)
        self.copies[copied] = s
        return copied
