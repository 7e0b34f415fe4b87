"""Variables that functions share with others that may bind them anew: `rules.holding` asks the frontend for them."""

from __future__ import annotations

import types

from ..errors import AdjointError
from ..frontend.functions import held_code
from ..frontend.functions import shared_names as names_in_source
from ..rules import holding
from .generated import generated_ir


def shared_names(f: types.FunctionType) -> frozenset[str]:
    """The free variables that are rebound after their capture; none where there is no source, for nothing is read."""
    if generated_ir(f.__code__) is not None:
        return frozenset()
    try:
        return names_in_source(f.__code__, f.__globals__)
    except AdjointError:
        return frozenset()


holding.shared_names[:] = [shared_names]
holding.held_code[:] = [held_code]
