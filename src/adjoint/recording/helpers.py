"""Functions that generated code calls, by name, each in a cell of its own: `operations` say what they are."""

from __future__ import annotations

import types

HELPERS: dict[str, types.CellType] = {}
WATCHED: dict[str, types.CellType] = {}
"""Functions that the code of programs calls instead while somebody looks on."""
