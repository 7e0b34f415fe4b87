"""Functions that generated code calls, by name, each in a cell of its own: `operations` say what they are."""

from __future__ import annotations

import types

HELPERS: dict[str, types.CellType] = {}
WATCHED: dict[str, types.CellType] = {}
"""What the code of programs that are looked on at calls instead."""
