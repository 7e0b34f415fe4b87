"""Cotangents as values: their structure, their sum, and how they are brought back to their primals."""

from .accumulate import (
    accumulate,
    add_at,
    add_item,
    added,
    added_if_any,
    append_back,
    apply_back,
    buffer_like,
    element_buffer,
    field_bar,
    freeze_elements,
    item_bar,
    or_zero,
    owned_list,
    reversed_bars,
    sequence_bar,
    set_attribute_back,
    set_item_back,
    shortened,
    slot,
    started,
    take_item,
    tangent,
    with_field,
)
from .form import scalar_seed
from .held import own_dict, own_slots
from .lane_functions import lane_zeros
from .lanes import as_array
from .outline import outline, within
from .partials import along_partial, apply_partial, quietly
from .project import project, unbroadcast
from .release import apart, release
from .structural import Tangent
from .sweep import add_at_location, add_in, completed, locate, put_in, read_in, take_at_location, take_in
from .tuples import plain_tuple, tuple_like
from .unknown import Unknown, is_whole, unknown
from .zeros import check_all_numbers, check_numbers, densify, one_like, passed, stops_at, zeros_like

__all__ = [
    "Tangent",
    "Unknown",
    "accumulate",
    "add_at",
    "add_at_location",
    "add_in",
    "add_item",
    "added",
    "added_if_any",
    "apart",
    "along_partial",
    "as_array",
    "append_back",
    "apply_back",
    "apply_partial",
    "buffer_like",
    "check_all_numbers",
    "check_numbers",
    "completed",
    "densify",
    "element_buffer",
    "field_bar",
    "freeze_elements",
    "item_bar",
    "is_whole",
    "lane_zeros",
    "locate",
    "one_like",
    "or_zero",
    "owned_list",
    "outline",
    "own_dict",
    "own_slots",
    "passed",
    "plain_tuple",
    "project",
    "put_in",
    "quietly",
    "read_in",
    "release",
    "reversed_bars",
    "scalar_seed",
    "sequence_bar",
    "set_attribute_back",
    "set_item_back",
    "shortened",
    "slot",
    "take_at_location",
    "take_in",
    "started",
    "stops_at",
    "take_item",
    "tangent",
    "tuple_like",
    "unbroadcast",
    "unknown",
    "with_field",
    "within",
    "zeros_like",
]
