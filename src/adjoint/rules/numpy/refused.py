"""Functions of NumPy that carry no derivative beyond `constant`, and those refused by name, with the reason."""

import numpy as np

from ..registry import non_differentiable, not_implemented

# Dates, texts, abstract classes, settings

non_differentiable(
    np.busday_count, np.busday_offset, np.busdaycalendar, np.is_busday, np.datetime64, np.timedelta64,
    np.datetime_as_string, np.datetime_data, np.bytes_, np.str_,
)  # fmt: skip
non_differentiable(
    np.generic, np.number, np.inexact, np.floating, np.complexfloating, np.integer, np.signedinteger,
    np.unsignedinteger, np.flexible, np.character, np.ufunc, np.flatiter,
)  # fmt: skip
non_differentiable(
    np.get_include, np.get_printoptions, np.getbufsize, np.geterrcall, np.info, np.mintypecode, np.setbufsize,
    np.seterrcall, np.show_config, np.show_runtime, np.typename,
)  # fmt: skip

# Methods of numbers

for _real in (np.float16, np.float32, np.float64, np.longdouble):
    non_differentiable(_real.is_integer)
_WHOLE = (np.int8, np.int16, np.int32, np.int64, np.longlong, np.uint8, np.uint16, np.uint32, np.uint64, np.ulonglong)
for _integer in _WHOLE:
    non_differentiable(_integer.bit_count, _integer.is_integer)
non_differentiable(np.integer.is_integer, np.float64.fromhex)

# Objects and records

not_implemented(
    np.object_,
    why="it gives its argument itself, or an array of objects, and no rule looks into what these are",
    way_out="leave it out, or use an array of numbers",
)
not_implemented(
    np.record,
    np.void,
    np.rec.array,
    np.rec.fromarrays,
    np.rec.fromrecords,
    np.rec.fromstring,
    np.rec.fromfile,
    np.rec.find_duplicate,
    np.rec.format_parser,
    why="the fields of records lie beside each other in memory, and their cotangents have no place",
    way_out="use one array for each field",
)
