"""Masks of models: what of them is not to be trained, by patterns of paths."""

from __future__ import annotations

import difflib
import reprlib
from fnmatch import fnmatchcase
from typing import Any, TypeVar

from adjoint.errors import OptionError, calling_place
from adjoint.rules import non_differentiable
from adjoint.trees import build, structure_of

__all__ = ["freeze"]

M = TypeVar("M")


def freeze(model: M, *patterns: str) -> M:
    """The mask of the leaves that are not to be trained, by patterns of their paths.

    A frozen leaf stays a leaf and is differentiated; `optimizers.selective_transform(..., freeze_mask=...)` does not
    move it.

    Parameters
    ----------
    model : any nesting of records, lists, tuples and dicts.
    patterns : globs over paths: `"layers.0.bias"`, `"*.bias"`, `"layers.[01].*"`; `*` goes over dots. The path of a
        part (`"layers.0"`) means all leaves in it. What stands at several places is frozen if any of its paths fits.

    Returns
    -------
    A model of the same structure with flags at the leaves: True where a leaf is frozen.

    Raises
    ------
    OptionError
        If no leaf fits a pattern (it names what is near), or one is no text.

    Examples
    --------
    >>> model = {"encoder": {"weight": 2.0, "bias": 1.0}, "head": {"weight": 3.0, "bias": 1.0}}
    >>> freeze(model, "encoder", "*.bias")
    {'encoder': {'weight': True, 'bias': True}, 'head': {'weight': False, 'bias': True}}
    """
    form = structure_of(model)
    places = form.places()
    frozen = [False] * len(places)
    for pattern in patterns:
        _check_pattern(pattern)
        fitting = [i for i, is_one in enumerate(form.are_leaves) if is_one and _fits(pattern, places[i])]
        if not fitting:
            raise _no_leaf(
                pattern, [place for i, is_one in enumerate(form.are_leaves) if is_one for place in places[i]]
            )
        for i in fitting:
            frozen[i] = True
    flags = [flag if is_one else x for flag, is_one, x in zip(frozen, form.are_leaves, form.ends, strict=True)]
    mask: M = build(form, flags)
    return mask


non_differentiable(freeze)


def _check_pattern(pattern: Any) -> None:
    if isinstance(pattern, str):
        return
    parts = pattern if isinstance(pattern, (tuple, list, set)) else ()
    each = ", ".join([repr(part) for part in parts if isinstance(part, str)]) or "'*.bias'"
    raise OptionError(
        f"a pattern is no text: {reprlib.repr(pattern)}",
        "patterns are globs over the paths of leaves, one argument each",
        f"`freeze(model, {each})`",
        calling_place(),
    )


def _fits(pattern: str, places: list[str]) -> bool:
    """True if a pattern fits one of the paths, or the path of something that one of them lies in."""
    return any(fnmatchcase(path, pattern) for place in places for path in _prefixes(place))


def _prefixes(path: str) -> list[str]:
    names = path.split(".")
    return [".".join(names[:n]) for n in range(1, len(names) + 1)]


def _no_leaf(pattern: str, paths: list[str]) -> OptionError:
    known = [*dict.fromkeys(prefix for path in paths for prefix in _prefixes(path))]
    near = difflib.get_close_matches(pattern, known, 3) or paths[:3]
    return OptionError(
        f"no leaf of the model has a path like `{pattern}`",
        "near it are " + ", ".join(f"`{path}`" for path in near) if near else "the model has no leaves",
        "`named_leaves(model)` has all paths; patterns are globs, such as `*.bias`",
        calling_place(),
    )
