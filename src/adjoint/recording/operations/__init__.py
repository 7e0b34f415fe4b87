"""The operations of recorded programs."""

from __future__ import annotations

import operator
import types
from typing import Any

from ...errors import AdjointError
from .. import patterns
from ..aliases import itself
from ..answers import about_to_store, compared, has_table, other_than, own_field, searched
from ..helpers import HELPERS
from ..own_tables import is_other, labelled, own_table, settled
from ..refusals import note_refusal
from . import (
    array_functions,
    arrays,
    attributes,
    base,
    build,
    caches,
    calls,
    classes,
    comparisons,
    copies,
    dicts,
    elementwise,  # noqa: F401 - its plans
    functions,
    generators,
    hidden_code,  # noqa: F401 - its handlers
    items,
    iteration,
    iterators,
    library,
    lists,
    managers,
    named_attributes,  # noqa: F401 - its handlers
    numbers,
    observed,
    partials,  # noqa: F401 - its handlers
    references,
    special,
    structured,  # noqa: F401 - it says what it calls
    wholes,
)  # fmt: skip
from . import operators as operators_

OPERATORS = """
    add sub mul truediv floordiv mod pow matmul lshift rshift or_ xor and_ neg pos invert iadd isub imul itruediv
    ifloordiv imod ipow imatmul ilshift irshift ior ixor iand lt le gt ge eq ne
"""

_ITEMS = (items.item, items.item_at, items.set_item, items.set_item_at, items.delete_item, items.delete_item_at)

_FUNCTIONS: dict[str, Any] = {
    **{f.__name__: f for f in (base.kept, base.keep, base.same)},
    "load": base.load,
    **{f.__name__: f for f in (calls.call, calls.apply, calls.method, calls.apply_method)},
    "options": functions.options,
    "with_defaults": functions.with_defaults,
    **{f.__name__: f for f in (attributes.attribute, attributes.set_attribute, attributes.delete_attribute)},
    **{f.__name__: f for f in _ITEMS},
    **{f.__name__: f for f in (operators_.binary, operators_.unary, operators_.inplace)},
    **{f.__name__: f for f in (comparisons.compare, comparisons.contains, comparisons.truth, comparisons.size)},
    "truth_of": comparisons.truth_of,
    "formatted": special.formatted,
    "counter": special.counter,
    **{f.__name__: f for f in (build.build_tuple, build.packed, build.build_list, build.list_of, build.set_of)},
    **{f.__name__: f for f in (build.build_dict, build.build_keywords)},
    **{f.__name__: f for f in (build.collected, build.collected_set, build.collected_dict)},
    "MERGED": build.MERGED,
    **{f.__name__: f for f in (iteration.loop, iteration.unpack, iteration.unpacked)},
    "delegated": generators.delegated,
    "managed": managers.managed,
    "note_refusal": note_refusal,
    "itself": itself,
    **{f.__name__: f for f in (own_table, is_other, settled, labelled)},
    **{f.__name__: f for f in (about_to_store, compared, other_than, searched, has_table, own_field)},
    "AdjointError": AdjointError,
    "with_fields": classes.with_fields,
    "handed": classes.handed,
    "type": type,
    "slice": slice,
    "slice_of": items.slice_of,
    **{f.__name__: f for f in (patterns.is_sequence, patterns.is_mapping, patterns.always)},
    **{f.__name__: f for f in (patterns.attribute_at, patterns.items_of)},
    "MISSING": patterns.MISSING,
    **{name: getattr(operator, name) for name in OPERATORS.split()},
}  # fmt: skip

HELPERS.update({name: types.CellType(f) for name, f in _FUNCTIONS.items()})

_KNOWN = (
    array_functions, arrays, caches, copies, dicts, iterators, library, lists, numbers, observed, references, wholes,
)  # fmt: skip
"""These say what they handle as they are imported."""

__all__ = ["HELPERS"]
