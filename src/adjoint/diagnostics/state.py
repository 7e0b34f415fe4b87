"""Runs that leave nothing behind: the state that a call can reach, as it is now, and how it is put back in place.

What can change is saved one by one, each with what it holds, and not what that holds in turn: so what cannot be copied
(a lock) stands in nobody's way, and what was one thing is one thing again.
"""

from __future__ import annotations

import copy
import functools
import random
import sys
import types
import warnings
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..cells import has_contents
from ..origin import is_users
from ..recording.places import fields_dict
from ..runtime.local_stores import all_code
from .holders import MISSING, Holder, Missing, bind_all, memory_of, of_cell, of_slots, set_all, slots_of

PLAIN = frozenset(
    [float, int, complex, bool, str, bytes, type(None), range, slice, object, np.float64, Missing]
    + [type(...), type(NotImplemented), types.MappingProxyType]
)
"""Classes of values that hold nothing else and do not change."""
LOCKS = ("_thread", "_abc")
"""Modules whose classes keep what is no part of a result: locks, and what abstract classes remember."""
COMPILERS = ("numba", "llvmlite")
"""Modules whose objects hold how functions are compiled; of a dispatcher, its function is reached."""
SUSPENDED = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
RANDOM = (np.random.Generator, np.random.RandomState, random.Random)
MANY = 100_000
"""So many things are saved, and no more."""

Reached = tuple[Any, str, bool]
"""Something, what it is called, and whether it can be replaced where it is held."""


class State:
    """The state that values can reach: they go by names, for messages."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.lost: list[str] = []
        """Objects that may change and could not be saved: files, connections."""
        self.run_through: list[str] = []
        """Iterators that can be run through once."""
        self.opaque: list[Any] = []
        """Objects that cannot be looked into: files, locks, generators."""
        self._holders: list[Holder] = []
        self._memories: list[tuple[Callable[[Any], Any], Any]] = [
            (random.setstate, random.getstate()),
            (np.random.set_state, np.random.get_state()),
        ]
        self._iterators: dict[int, Any] = {}
        self._seen: dict[int, Any] = {}
        self._by_class: dict[type, list[tuple[str, Any]]] = {}
        self._scopes: set[tuple[int, frozenset[str]]] = set()
        self._collect(deque([(value, name, False) for name, value in values.items()]))
        self._holding = [h for h in self._holders if any(id(part) in self._iterators for part in h.parts)]

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Put everything back in the end. Iterators that can be copied are replaced by copies meanwhile."""
        if self._holding:
            copies = {key: _copy(iterator) for key, iterator in self._iterators.items()}
            for holder in self._holding:
                holder.write([copies.get(id(part), part) for part in holder.parts])
        try:
            yield
        finally:
            self.put_back()

    def put_back(self) -> None:
        """Make everything what it was, in place."""
        for holder in self._holders:
            holder.put_back()
        for write, then in self._memories:
            write(then)

    def has(self, x: Any) -> bool:
        """Tell whether something is reached."""
        return id(x) in self._seen

    # ---- what is reached

    def _collect(self, todo: deque[Reached]) -> None:
        while todo:
            x, name, replaceable = todo.popleft()
            if type(x) in PLAIN or id(x) in self._seen:
                continue
            self._seen[id(x)] = x
            if len(self._seen) > MANY:
                self.lost.append(f"more than {MANY} things")
                return
            todo.extend(self._reached_from(x, name, replaceable))

    def _reached_from(self, x: Any, name: str, replaceable: bool) -> Iterator[Reached]:
        if isinstance(x, np.ndarray):
            return self._array(x, name)
        if memory := memory_of(x):
            self._memories.append(memory)
            return iter(())
        if type(x) is types.FunctionType:
            return self._function(x)
        if isinstance(x, types.ModuleType):
            return iter([(v, f"{name}.{key}", False) for key, v in vars(x).items() if isinstance(v, RANDOM)])
        if isinstance(x, type):
            return self._class(x, name)
        if hasattr(type(x), "fileno"):
            self.lost.append(f"`{name}`")
            self.opaque.append(x)
            return iter(())
        if type(x).__module__.partition(".")[0] in COMPILERS:
            return iter([(getattr(x, "py_func", None), name, False)])
        if (wrapped := _wrapped(x)) is not None:
            return iter([(part, name, False) for part in wrapped])
        return self._object(x, name, replaceable)

    def _array(self, x: Any, name: str) -> Iterator[Reached]:
        if isinstance(x.base, np.ndarray):
            yield x.base, name, False
        elif x.flags.writeable:
            shape, then = x.shape, x.copy("K")

            def write(then: Any) -> None:
                if x.shape != shape:
                    np.ndarray.resize(x, shape, refcheck=False)
                if x.flags.writeable:
                    np.copyto(x, then)

            self._memories.append((write, then))
        if x.dtype.hasobject:
            yield from [(item, f"{name}[{i}]", False) for i, item in enumerate(x.ravel().tolist())]
        if (fields := fields_dict(x)) is not None:
            yield fields, name, False

    def _object(self, x: Any, name: str, replaceable: bool) -> Iterator[Reached]:
        found = False
        for kind, save in KINDS.items():
            if isinstance(x, kind):
                found = True
                yield from save(self, x, name)
        if (fields := fields_dict(x)) is not None:
            found = True
            self._seen[id(fields)] = fields
            yield from self._dict(fields, name, ".{}")
        if type(x) not in self._by_class:
            self._by_class[type(x)] = slots_of(type(x))
        if slots := self._by_class[type(x)]:
            found = True
            self._holders.append(of_slots(x, slots))
            yield from self._parts(self._holders[-1].parts, [f"{name}.{slot}" for slot, _ in slots])
        if found:
            yield type(x), type(x).__name__, False
            return
        self.opaque.append(x)
        if hasattr(type(x), "__next__"):
            self._iterator(x, name, replaceable)
        elif not _is_constant(x):
            self.lost.append(f"`{name}`")

    def _parts(self, parts: list[Any], names: list[str]) -> Iterator[Reached]:
        return iter([(part, name, True) for part, name in zip(parts, names, strict=True)])

    def _list(self, x: Any, name: str) -> Iterator[Reached]:
        holder = Holder(lambda: list(list.__iter__(x)), lambda parts: list.__setitem__(x, slice(None), parts))
        return self._items(holder, name)

    def _deque(self, x: Any, name: str) -> Iterator[Reached]:
        def write(parts: list[Any]) -> None:
            deque.clear(x)
            deque.extend(x, parts)

        return self._items(Holder(lambda: list(deque.__iter__(x)), write), name)

    def _set(self, x: Any, name: str) -> Iterator[Reached]:
        def write(parts: list[Any]) -> None:
            set.clear(x)
            set.update(x, parts)

        return self._items(Holder(lambda: list(set.__iter__(x)), write), name)

    def _items(self, holder: Holder, name: str) -> Iterator[Reached]:
        self._holders.append(holder)
        return iter([(p, f"{name}[{i}]", True) for i, p in enumerate(holder.parts) if type(p) not in PLAIN])

    def _fixed(self, x: Any, name: str) -> Iterator[Reached]:
        items = enumerate(tuple.__iter__(x) if isinstance(x, tuple) else x)
        return iter([(p, f"{name}[{i}]", False) for i, p in items if type(p) not in PLAIN])

    def _dict(self, x: Any, name: str, step: str = "[{!r}]") -> Iterator[Reached]:
        base: Any = OrderedDict if isinstance(x, OrderedDict) else dict

        def write(parts: list[Any]) -> None:
            keys = parts[::2]
            held = list(base.__iter__(x))
            if len(held) != len(keys) or any(a is not b for a, b in zip(held, keys, strict=True)):
                base.clear(x)
            for key, value in zip(keys, parts[1::2], strict=True):
                base.__setitem__(x, key, value)

        def read() -> list[Any]:
            return [part for item in base.items(x) for part in item]

        holder = Holder(read, write)
        self._holders.append(holder)
        keys, values = holder.parts[::2], holder.parts[1::2]
        yield from [(key, name, False) for key in keys if type(key) not in PLAIN]
        pairs = zip(keys, values, strict=True)
        yield from [(v, name + step.format(k), True) for k, v in pairs if type(v) not in PLAIN]

    def _iterator(self, x: Any, name: str, replaceable: bool) -> None:
        try:
            _copy(x)
        except Exception:
            replaceable = False
        if replaceable:
            self._iterators[id(x)] = x
        else:
            self.run_through.append(f"`{name}`")

    # ---- functions, classes and the names of modules

    def _function(self, f: Any) -> Iterator[Reached]:
        if (f.__module__ or "").startswith("adjoint."):
            return
        for variable, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=False):
            if id(cell) not in self._seen:
                self._seen[id(cell)] = cell
                self._holders.append(of_cell(cell))
                yield from self._parts(self._holders[-1].parts, [variable])
        names = ("__defaults__", "__kwdefaults__")
        self._holders.append(Holder(lambda: [getattr(f, n) for n in names], lambda parts: set_all(f, names, parts)))
        yield from self._parts(self._holders[-1].parts, [f"a default of {f.__name__}"] * 2)
        yield f.__dict__, f.__name__, False
        if is_users(f.__code__.co_filename):
            read = frozenset([name for code in all_code(f.__code__) for name in code.co_names])
            yield from self._names(f.__globals__, read, "")

    def _names(self, scope: dict[str, Any], names: frozenset[str], prefix: str) -> Iterator[Reached]:
        """The values that code which names these finds in the names of a module."""
        if (id(scope), names) in self._scopes:
            return
        self._scopes.add((id(scope), names))
        ours = tuple(names)
        holder = Holder(lambda: [scope.get(n, MISSING) for n in ours], lambda parts: bind_all(scope, ours, parts))
        self._holders.append(holder)
        for name, value in zip(ours, holder.parts, strict=True):
            found = sys.modules.get(name) if value is MISSING and not prefix else value
            if isinstance(found, types.ModuleType) and is_users(getattr(found, "__file__", None) or np.__file__):
                yield from self._names(vars(found), names, f"{prefix}{name}.")
            elif found is not MISSING and found is not None:
                yield found, prefix + name, True

    def _class(self, cls: type, name: str) -> Iterator[Reached]:
        """The values that the class of the user's holds for all of its objects."""
        module = sys.modules.get(cls.__module__)
        if not is_users(getattr(module, "__file__", None) or ("" if cls.__module__ == "__main__" else np.__file__)):
            return

        def read() -> list[Any]:
            return [part for key, v in vars(cls).items() if not key.startswith("__") for part in (key, v)]

        def write(parts: list[Any]) -> None:
            then = dict(zip(parts[::2], parts[1::2], strict=True))
            now = read()
            for key in now[::2]:
                if key not in then:
                    type.__delattr__(cls, key)
            for key, value in then.items():
                if vars(cls).get(key, MISSING) is not value:
                    type.__setattr__(cls, key, value)

        self._holders.append(Holder(read, write))
        for key, value in list(vars(cls).items()):
            if type(value) is types.FunctionType or not key.startswith("__"):
                yield value, f"{name}.{key}", True
        yield from [(base, base.__name__, False) for base in cls.__bases__]


KINDS: dict[Any, Any] = {
    list: State._list,
    dict: State._dict,
    set: State._set,
    deque: State._deque,
    (tuple, frozenset): State._fixed,
}


def _wrapped(x: Any) -> list[Any] | None:
    """The value behind something that holds others and does not change."""
    if isinstance(x, types.MethodType | staticmethod | classmethod | types.BuiltinFunctionType):
        return [getattr(x, "__func__", None), getattr(x, "__self__", None)]
    if isinstance(x, property):
        return [x.fget, x.fset, x.fdel]
    if isinstance(x, functools.partial):
        return [x.func, x.args, x.keywords, x.__dict__]
    if isinstance(x, SUSPENDED) or not isinstance(x, types.CellType):
        return None
    return [x.cell_contents] if has_contents(x) else []


def _copy(x: Any) -> Any:
    """A copy of an iterator, which goes on from where it is."""
    if isinstance(x, SUSPENDED):
        raise TypeError
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that of `itertools`, that its objects will not be copied for ever
        return copy.deepcopy(x)


def _is_constant(x: Any) -> bool:
    """Tell whether something that cannot be looked into does not change: it is compared by what it is, or has a name as
    functions have; or it is a lock, which is free again."""
    cls: Any = type(x)
    by_identity = cls.__hash__ is None or cls.__hash__ is object.__hash__
    return not by_identity or hasattr(x, "__name__") or cls.__module__ in LOCKS
