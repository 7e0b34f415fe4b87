"""Cotangents as values: their structure, their sum, and how they are brought back to their primals."""

from .accumulate import (
    accumulate,
    add_at,
    add_item,
    append_back,
    apply_back,
    buffer_like,
    element_buffer,
    field_bar,
    freeze_elements,
    item_bar,
    or_zero,
    reversed_bars,
    sequence_bar,
    set_attribute_back,
    set_item_back,
    shortened,
    slot,
    tangent,
)
from .form import scalar_seed
from .partials import apply_partial, quietly
from .project import project, unbroadcast
from .release import apart, release
from .structural import Tangent
from .sweep import add_at_location, add_in, completed, locate, put_in, read_in, take_at_location, take_in
from .zeros import check_numbers, densify, one_like, zeros_like

__all__ = [
    "Tangent",
    "accumulate",
    "add_at",
    "add_at_location",
    "add_in",
    "add_item",
    "apart",
    "append_back",
    "apply_back",
    "apply_partial",
    "buffer_like",
    "check_numbers",
    "completed",
    "densify",
    "element_buffer",
    "field_bar",
    "freeze_elements",
    "item_bar",
    "locate",
    "one_like",
    "or_zero",
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
    "tangent",
    "unbroadcast",
    "zeros_like",
]
