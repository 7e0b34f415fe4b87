"""Calls that are not compiled: the one warning about each, or the error under `"strict"`."""

from __future__ import annotations

import functools
import linecache
import sys
import types
import warnings
from typing import Any

import numpy as np

from ..errors import CompileError, CompileFallbackWarning, Place
from ..identity import Same
from ..origin import is_ours
from ..runtime.argnums import name_of
from .effects import stored_arrays
from .inputs import Inputs
from .values import CannotCompile
from .writer import BEYOND

SAID = -2
"""The status of a run of which it has been said already why there is none."""

_WARNED: set[Any] = set()


def gave_up(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], inputs: Inputs, values: tuple[Any, ...], why: Any, mode: Any
) -> None:
    """Say that a call has left its compiled program, by a status or for a reason, unless plain Python raises there."""
    if why == SAID or mode is None:
        return
    reason = why if isinstance(why, CannotCompile) else reason_of(inputs.writer.sites, why)
    if (mode == "strict" or _key(f, reason) not in _WARNED) and not plain_raises(f, args, kwargs, inputs, values):
        refuse(f, reason, mode)


def reason_of(sites: dict[Any, int], status: int) -> CannotCompile:
    """The reason that a status stands for."""
    site, why = {code: site for site, code in sites.items()}.get(status, (None, BEYOND))
    return CannotCompile(f"this call, which meets {why}", site)


def plain_raises(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], inputs: Inputs, values: tuple[Any, ...]
) -> bool:
    """Tell whether the plain program raises for a call. It is run, and its arrays are put back."""
    arrays, before = stored_arrays(inputs, values), [x.copy() for x in stored_arrays(inputs, values)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f(*args, **kwargs)
    except Exception:
        return True
    finally:
        for x, was in zip(arrays, before, strict=True):
            if x.flags.writeable:
                np.copyto(x, was)
    return False


def _code_of(f: Any) -> types.CodeType | None:
    return getattr(f, "__code__", None) or getattr(getattr(f, "__func__", None), "__code__", None)


def _key(f: Any, reason: CannotCompile) -> Any:
    """The key of what is said once: for all objects of a class if that is called by code, else for each."""
    while isinstance(f, functools.partial):
        f = f.func
    code = _code_of(f) or _code_of(type(f).__call__)
    return code or Same(f), reason.what, reason.where


def refuse(f: Any, reason: CannotCompile, mode: Any) -> None:
    """Say that a function is not compiled: by an error if it must be, by one warning else; by nothing with None, where
    nobody has asked."""
    if mode is None:
        return
    code = _code_of(f)
    place, span = None, None
    if reason.where is not None and reason.where[1] is not None:
        file, span = reason.where
    elif mode == "strict" and code is not None:  # what is wrong with it as a whole
        file, span = code.co_filename, (code.co_firstlineno, 0, code.co_firstlineno, 0)
    if span is not None:
        place = Place(file, tuple(span[i] for i in (0, 1, 2, 3)), linecache.getline(file, span[0]))
    what = f"`{name_of(f)}` cannot be compiled: {reason.what}"
    if mode == "strict":
        raise CompileError(what, reason.why, reason.way_out, place)
    key = _key(f, reason)
    if key not in _WARNED:
        _WARNED.add(key)
        text = f"{what}; it runs without being compiled"
        warnings.warn(text if place is None else f"{text}\n{place.render()}", CompileFallbackWarning, _frames_of_ours())


def _frames_of_ours() -> int:
    """The number of frames out to the user's code."""
    frame, n = sys._getframe(1), 1
    while frame.f_back is not None and is_ours(frame.f_code.co_filename):
        frame, n = frame.f_back, n + 1
    return n
