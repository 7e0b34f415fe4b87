"""The text of a program, as it is printed and shown."""

from __future__ import annotations


class Code(str):
    """The text of a program, which a notebook shows as it is."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from ..markup import code  # loaded when something is shown

        return code(str(self))
