"""`explore` and `graph`: what they need is loaded when they are called."""

from __future__ import annotations

import reprlib
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..classify import kind_of
from ..depth import room
from ..errors import OptionError, SourceUnavailableError, calling_place, check_callable
from ..options import NONE, Default, default, is_call, options_of
from ..rules.outside import is_iterator
from ..runtime.argnums import name_of
from ..runtime.called import function_of_call

if TYPE_CHECKING:
    from .graphs import Graph
    from .pages import Exploration

YES = default(True)


def explore(
    f: Callable[..., Any],
    /,
    *args: Any,
    lines: Any = NONE,
    cotangent: Any = NONE,
    profile: bool = YES,
    progress: bool = YES,
    **kwargs: Any,
) -> Exploration:
    """Look into the derivative of a call, line by line, on a page of HTML.

    The page has the source, the IR and the derivative side by side. A line under the mouse, or chosen by the arrow
    keys, lights up what was made of it, and what its reverse half reads of the forward run. Beside a line stand what
    its variables are after it, and their cotangents; where a derivative ends, and why; how long its two halves take.

    `f` is run several times: once as it is, recorded once for values and cotangents and once for `explain`, and for the
    times. What it can reach is put back afterwards each time. What it prints is seen once: `sys.stdout` and
    `sys.stderr` lead nowhere in the other runs. What else it does (files, a log with a stream of its own), it does each
    time.

    Parameters
    ----------
    f : a function written in Python.
    args, kwargs : its arguments.
    lines : (first, last), by the numbers in its file: the lines that are shown. All are by default, as far as the page
        has less than 1 MB.
    cotangent : what the reverse begins with, of the form of the result; 1 by default, in each of its entries.
    profile : whether time and memory are measured.
    progress : whether a terminal or a notebook shows a bar, if it takes more than a second.

    Returns
    -------
    Exploration : a notebook shows it; `.html` is the text of the page, ``.save(path)`` writes it to a file. The page is
        whole in itself: it asks for nothing, and has no other files.

    Raises
    ------
    SourceUnavailableError
        If there is no text of `f`.
    CotangentError
        If `cotangent` is none of the result.

    Examples
    --------
    >>> import adjoint
    >>> def f(x):
    ...     y = x * x
    ...     return y * x
    >>> page = adjoint.explore(f, 2.0)
    >>> page
    <exploration of f: 3 lines, ... kB>
    >>> page.html.startswith("<!DOCTYPE html>")
    True
    """
    from .pages import explored_page

    check_callable(f)
    given = type(cotangent) is not Default
    lines, cotangent, profile, progress = options_of(
        "explore", f, lines=lines, cotangent=cotangent, profile=profile, progress=progress
    )
    check_lines(lines)
    check_flags(profile=profile, progress=progress)
    check_repeatable(args, kwargs)
    check_bound(f, args, kwargs)
    check_no_gradient(f)
    check_no_transform(f, args, kwargs)
    with room():
        return explored_page(f, args, kwargs, lines, (cotangent, given), bool(profile), bool(progress))


def check_repeatable(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise `OptionError` for an argument that the first run uses up."""
    used = next((x for x in (*args, *kwargs.values()) if is_iterator(x)), None)
    if used is not None:
        raise OptionError(
            f"an argument of what is explored is a {type(used).__name__}",
            "`f` runs several times, and what it runs through is used up by the first",
            "give a list: `list(...)`",
            calling_place(),
        )


def check_bound(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise Python's own error, with a note, for a method that is given no object."""
    hint = hint_for_method(f)
    if not hint or is_call(f, args, kwargs):
        return
    try:
        f(*args, **kwargs)
    except TypeError as error:
        error.add_note(hint)
        raise


def hint_for_method(f: Callable[..., Any]) -> str:
    """The way to call a method that is read from its class, or nothing of other functions.

    >>> class Spring:
    ...     def force(self, x): return x
    >>> hint_for_method(Spring.force), hint_for_method(Spring().force)
    ('`Spring.force` is a method: give a Spring first, or take that of one, `Spring(...).force`', '')
    """
    names = f.__qualname__.split(".")[-2:] if isinstance(f, types.FunctionType) else []
    if len(names) < 2 or "self" not in f.__code__.co_varnames[:1]:
        return ""
    cls, name = names
    return f"`{cls}.{name}` is a method: give a {cls} first, or take that of one, `{cls}(...).{name}`"


def check_no_gradient(f: Callable[..., Any]) -> None:
    """Raise `SourceUnavailableError` for what `grad` or `gradient` gave: its text would be one of the library's."""
    if kind_of(f) == "gradient":
        raise SourceUnavailableError(
            f"what is explored is the gradient of `{name_of(f)}`",
            "its program is written when it is called, and has no lines of yours",
            f"explore `{name_of(f)}` itself: the page shows its derivative",
            calling_place(),
        )


def check_no_transform(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise `SourceUnavailableError` for a `vmap`, a checkpoint, a Jacobian of a function: it has no lines itself."""
    inner = getattr(f, "_f", None)
    if not callable(inner):
        return
    try:
        function_of_call(f, args, kwargs)
    except SourceUnavailableError as error:
        raise SourceUnavailableError(
            f"what is to be shown is `{f!r}`",
            error.why,
            f"give `{name_of(inner)}` itself, with the arguments of one of its calls",
            calling_place(),
        ) from None


def check_lines(lines: Any) -> None:
    """Raise `OptionError` for what is no pair of numbers of lines."""
    if lines is None:
        return
    pair = isinstance(lines, tuple | list) and len(lines) == 2 and all(type(n) is int for n in lines)
    if not pair or not 0 < lines[0] <= lines[1]:
        raise OptionError(
            f"the option `lines` is {lines!r}",
            "the first line is larger than the last"
            if pair and lines[0] > lines[1]
            else "it is a pair of numbers of lines, the first and the last one",
            "write `lines=(10, 40)`, or leave it off for all lines",
            calling_place(),
        )


def check_flags(**flags: Any) -> None:
    """Raise `OptionError` for an option that is neither True nor False: a text such as "no" would count as true."""
    for name, flag in flags.items():
        if not isinstance(flag, bool | np.bool_):
            raise OptionError(
                f"the option `{name}` is {reprlib.repr(flag)}",
                "it is True or False",
                f"write `{name}=True` or `{name}=False`, or leave it off",
                calling_place(),
            )


def graph(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Graph:
    """The graph of a program without control flow: its values and their gradients, and the operations between them.

    Parameters
    ----------
    f : a function written in Python, of at most 200 operations, and whose picture has less than 1 MB.
    args, kwargs : its arguments. It is run twice, and what it can reach is put back; it prints once.

    Returns
    -------
    Graph : a notebook draws it; `.svg` is the picture, and `.dot` the graph in the language of Graphviz, which is not
        needed. Gradients begin with 1 in each entry of the result; the caption says what they are derivatives of.

    Raises
    ------
    UnsupportedSyntaxError
        If there are branches or loops: `adjoint.explore` shows such programs line by line.

    Examples
    --------
    >>> from adjoint.inspect import graph
    >>> def f(a, b): return a * b + 1.0
    >>> found = graph(f, 2.0, 3.0)
    >>> found
    <graph of f: 6 nodes>
    >>> print(found.dot.splitlines()[3])
      n0 [shape=record, label="{ a | value\\ 2 | grad\\ 3 }"];
    """
    from .graphs import graph_of

    check_callable(f)
    check_no_transform(f, args, kwargs)
    with room():
        return graph_of(f, args, kwargs)
