"""Functions that the IR calls where Python has syntax, as which the emitter prints most of them; beside these it calls
those of the module `operator`, and for attributes `builtins.getattr`."""

from __future__ import annotations

import builtins
import importlib
import itertools
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from ..cells import bound_value
from ..errors import check_iterable, class_name
from .places import PLACES, PLAIN, held_at


def make_tuple(*items: Any) -> tuple[Any, ...]:
    """`(a, b)`."""
    return items


def make_list(*items: Any) -> list[Any]:
    """`[a, b]`."""
    return list(items)


def make_set(*items: Any) -> set[Any]:
    """`{a, b}`."""
    return set(items)


def make_dict(*items: Any) -> dict[Any, Any]:
    """`{k1: v1, k2: v2}`, from keys and values in turn."""
    return dict(zip(items[::2], items[1::2], strict=True))


def merge_dicts(*dicts: Any) -> dict[Any, Any]:
    """`{**a, **b}`."""
    merged: dict[Any, Any] = {}
    for d in dicts:
        merged |= {**d}  # of mappings alone: `update` would take pairs as well
    return merged


def dict_from_items(keys: list[Any], values: list[Any]) -> dict[Any, Any]:
    """`{k: v for ...}`, from the lists of its keys and values; `dict(zip(keys, values))`."""
    return dict(zip(keys, values, strict=False))


def not_contains(container: Any, item: Any) -> bool:
    """`item not in container` (`operator.contains` is the other one)."""
    return item not in container


def unpack(iterable: Any, before: int, after: int = -1) -> tuple[Any, ...]:
    """The right side of an unpacking: `a, b = xs` is `unpack(xs, 2)`, `a, *b, c = xs` is `unpack(xs, 1, 1)`."""
    check_iterable(iterable, "cannot unpack non-iterable", " object")
    if after < 0:
        items = list(itertools.islice(iterable, before + 1))
        if len(items) < before:
            raise ValueError(f"not enough values to unpack (expected {before}, got {len(items)})")
        if len(items) > before:
            raise ValueError(f"too many values to unpack (expected {before})")
        return tuple(items)
    items = list(iterable)
    if len(items) < before + after:
        raise ValueError(f"not enough values to unpack (expected at least {before + after}, got {len(items)})")
    end = len(items) - after
    return (*items[:before], items[before:end], *items[end:])


_CONVERSIONS: dict[str, Callable[[Any], str]] = {"r": repr, "s": str, "a": ascii}


def format_value(value: Any, conversion: str, spec: str) -> str:
    """One `{value!r:spec}` of an f-string."""
    if conversion:
        value = _CONVERSIONS[conversion](value)
    return format(value, spec)


def fstring(*parts: str) -> str:
    """An f-string, from its literal and formatted parts."""
    return "".join(parts)


def raise_(exception: Any, cause: Any = None) -> NoReturn:
    """`raise exception from cause`."""
    if cause is not None:
        raise exception from cause
    raise exception


def write_out(out: Any, ufunc: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`ufunc(*args, out=out, **kwargs)`, of which the array that it writes into comes first."""
    return ufunc(*args, out=out, **kwargs)


def present(number: Any) -> Any:
    """A number that may be None, where it is taken for a number (printed as itself)."""
    return number


def read_from(value: Any, item: Any) -> Any:
    """A value that was read where `item` had been written: its derivative is that of the item (printed as itself)."""
    return value


def observe(value: Any, site: Any) -> None:
    """Note the type of what a call gave, of which only the run shows what it gives."""
    site.note(value)


def expect(value: Any, site: Any) -> None:
    """Check that what a call gave is of a type that it gave before, which is taken for granted from here on."""
    site.check(value)


def check(value: Any, test: Any, /, *args: Any, **kwargs: Any) -> None:
    """Ask before a value is used, with what it is used with; `test` raises if it may not be."""
    test(value, *args, **kwargs)


def load_global(function: Any, name: str) -> Any:
    """Value of a global or builtin name in the user's function (printed as the bare name)."""
    scope = function.__globals__
    if name in scope:
        return scope[name]
    try:
        return getattr(builtins, name)
    except AttributeError:
        raise NameError(f"name {name!r} is not defined", name=name) from None


def capture(function: Any, name: str, index: int) -> Any:
    """The value of a free variable of `function` (`index` is its place in `co_freevars`), read once at entry."""
    return function.__closure__[index].cell_contents


def capture_cell(function: Any, name: str, index: int, steady: bool = False) -> types.CellType:
    """The cell of a free variable that is rebound after its capture; a `steady` one is not while `function` runs."""
    cell: types.CellType = function.__closure__[index]
    return cell


def default(function: Any, name: str, index: int) -> Any:
    """The default of a parameter: `index` into `__defaults__`, or -1 for a keyword-only one."""
    return function.__kwdefaults__[name] if index < 0 else function.__defaults__[index]


def make_cell(name: str) -> types.CellType:
    """A cell, still unbound: a local variable that inner functions see and that is rebound after they were made."""
    return types.CellType()


def load_cell(cell: types.CellType, name: str, own: bool = False) -> Any:
    """The present value of such a variable; `own` where it is read by the function that it is local to."""
    try:
        return cell.cell_contents
    except ValueError:
        if own:
            message = f"cannot access local variable {name!r} where it is not associated with a value"
            raise UnboundLocalError(message) from None
        message = f"cannot access free variable {name!r} where it is not associated with a value in enclosing scope"
        raise NameError(message, name=name) from None


def store_cell(cell: types.CellType, value: Any) -> None:
    """Bind such a variable."""
    cell.cell_contents = value


def delete_cell(cell: types.CellType, name: str) -> None:
    """`del` of such a variable."""
    load_cell(cell, name, True)
    del cell.cell_contents


@dataclass(frozen=True, eq=False, slots=True)
class Template:
    """The user's code object that a `def` or `lambda` in a function makes functions from: `cells` tells for each of
    `co_freevars` whether a cell is captured or a value; `itself` is the place of the one that names the function. In a
    program as data, `program` is what the function does."""

    code: types.CodeType
    qualname: str
    doc: str | None = None
    defaults: int = 0
    kwdefaults: tuple[str, ...] = ()
    cells: tuple[bool, ...] = ()
    itself: int = -1
    program: Any = None

    def __repr__(self) -> str:
        return f"<template of {self.qualname or self.code.co_name}>"

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of what a function is made with: what it captures, its defaults, its keyword-only ones."""
        arguments = self.code.co_varnames[: self.code.co_argcount]
        defaults = arguments[len(arguments) - self.defaults :] if self.defaults else ()
        return (*self.code.co_freevars, *defaults, *self.kwdefaults)


def make_function(template: Template, owner: Any, *values: Any) -> types.FunctionType:
    """A function of the user's, made in `owner`: `values` are its captures (in the order of `co_freevars`; a cell where
    `template.cells` says so, else the value), then its defaults, then its keyword-only defaults."""
    code = template.code
    n_free = len(code.co_freevars)
    captures = tuple(
        value if is_cell else types.CellType(value)
        for value, is_cell in zip(values[:n_free], template.cells, strict=True)
    )
    if template.itself >= 0:
        captures = (*captures[: template.itself], types.CellType(), *captures[template.itself + 1 :])
    defaults = values[n_free : n_free + template.defaults]
    function = types.FunctionType(code, owner.__globals__, code.co_name, tuple(defaults) or None, captures)
    if template.kwdefaults:
        function.__kwdefaults__ = dict(zip(template.kwdefaults, values[n_free + template.defaults :], strict=True))
    if template.itself >= 0:
        captures[template.itself].cell_contents = function
    function.__qualname__ = template.qualname
    if template.doc is not None:
        function.__doc__ = template.doc
    return function


def annotated(function: types.FunctionType, names: tuple[str, ...], *annotations: Any) -> types.FunctionType:
    """A function that has just been made, with its annotations."""
    function.__annotations__ = dict(zip(names, annotations, strict=True))
    return function


def import_from(module: Any, name: str) -> Any:
    """`from module import name`: an attribute, or else a submodule."""
    try:
        return getattr(module, name)
    except AttributeError:
        try:
            return importlib.import_module(f"{module.__name__}.{name}")
        except ModuleNotFoundError:
            home = getattr(module, "__file__", None) or "unknown location"
            message = f"cannot import name {name!r} from {module.__name__!r} ({home})"
            raise ImportError(message, name=module.__name__) from None


def is_sequence(subject: Any) -> bool:
    """Tell whether a pattern `[a, b]` of `match` may fit."""
    return isinstance(subject, Sequence) and not isinstance(subject, (str, bytes, bytearray))


def is_mapping(subject: Any) -> bool:
    """Tell whether a pattern `{k: v}` of `match` may fit."""
    return isinstance(subject, Mapping)


def mapping_rest(subject: Any, *keys: Any) -> dict[Any, Any]:
    """Dict that `**rest` captures in a pattern `{k: v, **rest}`."""
    return {key: value for key, value in subject.items() if key not in keys}


def match_argument(cls: type, index: int) -> str:
    """The attribute that a positional pattern in `Cls(a, b)` is about."""
    names: tuple[str, ...] = getattr(cls, "__match_args__", ())
    if index >= len(names):
        raise TypeError(f"{cls.__name__}() accepts {len(names)} positional sub-patterns ({index + 1} given)")
    return names[index]


def iterate(iterable: Any) -> Any:
    """Iterable that a `for` runs over (printed as the iterable itself)."""
    return iterable


def settled(iterable: Any) -> Any:
    """Arguments that a star in the middle takes: of what runs code, or is used up, the items."""
    return list(iterable) if runs_once(iterable) else iterable


def entries(mapping: Any) -> Any:
    """Keywords that two stars take: of what is not a dict, the keys and items."""
    return mapping if gives_entries(mapping) else {key: mapping[key] for key in mapping.keys()}  # noqa: SIM118


def gives_entries(mapping: Any) -> bool:
    """Tell whether two stars take something as it is: a dict, or what they refuse."""
    return isinstance(mapping, dict) or not hasattr(mapping, "keys")


def runs_once(iterable: Any) -> bool:
    """Tell whether running through something runs code, or uses it up."""
    method = getattr(type(iterable), "__iter__", None) or getattr(type(iterable), "__getitem__", None)
    return hasattr(iterable, "__next__") or isinstance(method, types.FunctionType)


# What specialisation writes where the types alone do not tell which function is called.


def invoke(target: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """`target.name(...)` for a target whose class is known only when the program runs."""
    return getattr(target, name)(*args, **kwargs)


def invoke_whole(target: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """The same where all that the method gives is taken at once: a list does as well as a generator."""
    return getattr(target, name)(*args, **kwargs)


INVOKING = frozenset([invoke, invoke_whole])
"""Calls of methods by their names."""


def apply(function: Any, stars: tuple[bool, ...], names: tuple[str | None, ...], *values: Any) -> Any:
    """A call with stars: `stars` says which positional values are spliced in, a name of None which mapping is."""
    args, kwargs = spread(stars, names, values)
    return function(*args, **kwargs)


def spread(
    stars: tuple[bool, ...], names: tuple[str | None, ...], values: tuple[Any, ...]
) -> tuple[list[Any], dict[str, Any]]:
    """The positional and keyword arguments of such a call."""
    args: list[Any] = []
    for star, value in zip(stars, values, strict=False):
        if star:
            check_iterable(value, "Value after * must be an iterable, not")
        args.extend(value) if star else args.append(value)
    kwargs: dict[str, Any] = {}
    for name, value in zip(names, values[len(stars) :], strict=True):
        if name is None and not hasattr(value, "keys"):  # pairs are no mapping
            raise TypeError(f"argument after ** must be a mapping, not {class_name(value)}")
        more = {**value} if name is None else {name: value}
        for key in kwargs.keys() & more.keys() if kwargs else ():
            raise TypeError(f"got multiple values for keyword argument {key!r}")
        kwargs.update(more)
    return args, kwargs


def captured(function: Any, name: str, index: int) -> Any:
    """Value that a generated function captures, or None if nothing bound it; `-1` is the first of its defaults."""
    at = PLACES.get(id(function.__code__), PLAIN).get(name, index)
    return held_at(function, at) if at < 0 else bound_value(function.__closure__[at])


def position(sequence: Any, index: int) -> int:
    """An index from the front: what `-1` means changes when the list grows.

    >>> position([1.0, 2.0], -1), position([1.0, 2.0], -3)
    (1, -3)
    """
    n = len(sequence)
    return index + n if -n <= index < 0 else index


def yield_(value: Any) -> Any:
    """Value that a generator gives to whoever runs through it; gives what that one sends, or whether it leaves."""


def advance(generator: Any) -> Any:
    """Tell whether a generator that goes by steps gives one more item, and that item."""


def delegate(iterable: Any) -> Any:
    """Result of `yield from` in the end, when all has been given that is in an iterable."""


def item_in_row(rows: list[list[Any]], i: int, j: int) -> Any:
    """`rows[i][j]` of a list of lists."""
    return rows[i][j]


def argmax(items: list[float]) -> int:
    """The place of the item that `max` gives.

    >>> argmax([1.0, 3.0, 3.0]), argmax([float("nan"), 1.0])
    (1, 0)
    """
    return items.index(max(items))


def argmin(items: list[float]) -> int:
    """The place of the item that `min` gives."""
    return items.index(min(items))


def columns(rows: list[Any], strict: bool = False) -> list[list[Any]]:
    """Result of `zip(*rows)`, for those who only read it.

    >>> columns([[1, 2], [3, 4], [5, 6]])
    [[1, 3, 5], [2, 4, 6]]
    """
    return [list(column) for column in zip(*rows, strict=strict)]


def freeze(buffer: Any) -> Any:
    """A buffer to which everything has been added: from here on it is a value."""
    return buffer
