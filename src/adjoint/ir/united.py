"""Variables that are united: versions of one object, names of one set (union-find)."""

from __future__ import annotations

from .nodes import Var


class United:
    """Classes of variables; each is told by one of its variables."""

    def __init__(self) -> None:
        self.parent: dict[Var, Var] = {}

    def find(self, v: Var) -> Var:
        """The variable that tells the class of another one."""
        while (up := self.parent.get(v, v)) is not v:
            v = up
        return v

    def join(self, a: Var, b: Var) -> None:
        """Make one class of the classes of two variables."""
        self.parent[self.find(a)] = self.find(b)
