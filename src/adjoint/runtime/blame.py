"""Notes on errors of the reverse pass: the line of the user's to which each belongs."""

from __future__ import annotations

import dis
import itertools
import linecache
import types

from ..codegen.load import whence
from ..errors import AdjointError, Place, Site
from ..identity import IdentityMap
from ..tangents.sweep import on_error
from .generated import generated_ir

REVERSES: IdentityMap[bool] = IdentityMap()
"""The code of reverse programs of recordings, whose lines are those of the forward program."""

_SEED = "scalar_seed"
"""Mark that a program that gives value and gradient at once calls where its forward half ends."""


def note_forward_line(error: Exception) -> None:
    """Add a note to an error that names the forward line whose reverse it comes from, unless the error names it."""
    if any(note.startswith(_NOTE) for note in getattr(error, "__notes__", ())):
        return
    place = forward_place(error.__traceback__)
    own = error.place if isinstance(error, AdjointError) else None
    if place is not None and (own is None or (own.filename, own.span[0]) != (place.filename, place.span[0])):
        error.add_note(f"{_NOTE} {place.filename}:{place.span[0]}: {place.text.strip()}")


_NOTE = "in the reverse of"


def forward_place(traceback: types.TracebackType | None) -> Place | None:
    """The place in the user's file that the innermost reverse code of a traceback was made from."""
    found = None
    while traceback is not None:
        found = _place_of(traceback) or found
        traceback = traceback.tb_next
    return found


def _place_of(traceback: types.TracebackType) -> Place | None:
    frame = traceback.tb_frame
    code, filename = frame.f_code, frame.f_code.co_filename
    site = Site(code, traceback.tb_lasti, frame.f_globals)
    column = next(itertools.islice(code.co_positions(), traceback.tb_lasti // 2, None))[2] or 0
    if (origin := whence(filename, traceback.tb_lineno, column)) is not None:
        user_filename, span = origin
        return None if span is None else Place(user_filename, span, linecache.getline(user_filename, span.line))
    if REVERSES.get(code) or generated_ir(code) is not None and _is_after_seed(code, traceback.tb_lasti):
        return site.place()
    return None


def _is_after_seed(code: types.CodeType, lasti: int) -> bool:
    """Tell whether a program that gives value and gradient at once has come to its reverse half."""
    after = itertools.dropwhile(lambda i: i.argval != _SEED, dis.get_instructions(code))
    call = next((i.offset for i in after if i.opname.startswith("CALL")), lasti)
    return lasti > call


on_error.append(note_forward_line)
