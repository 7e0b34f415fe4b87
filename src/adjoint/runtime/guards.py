"""Guards: the assumptions of a generated rule, checked when it is entered."""

from __future__ import annotations

import types
from abc import get_cache_token
from typing import Any

from ..ir.types import ABSENT, Fn
from ..spelling import attribute, quoted
from ..transforms.facts import AS_IT_IS, Apart, Exactly, Gives, Key
from ..transforms.infer import is_constant
from .conditions import Guard
from .spec import Spec
from .typeof import typeof


def guard_of(spec: Spec, function: types.FunctionType, n: int) -> Any:
    """Tell whether a rule is for these arguments, and what it relies on still holds."""
    guard = Guard()
    names = [f"a{i}" for i in range(n)]
    own = spec.types[0]
    guard.conditions.append(f"f.__globals__ is {guard.name(function.__globals__)}")
    if isinstance(own, Fn):
        guard.function("f", own, function)
    for name, t in zip(names, spec.types[1:], strict=True):
        guard.require(name, t)
    for param, path, t in spec.paths.values():
        if isinstance(param, int):
            _guard_path(guard, "f" if param == 0 else names[param - 1], path, t)
    of_values = len(guard.conditions)
    for owner, name, value in spec.all_guards().values():
        _guard_name(guard, owner, name, value, mixed=bool(spec.memory) or spec.memory.located)
    for param, path, t in spec.all_paths().values():  # the classes have been asked for by now
        _guard_path(guard, f"{guard.name(param.scope)}[{quoted(param.name)}]", path, t)
    guard.lasting.update(guard.conditions[of_values:])
    return guard.compile(["f", *names])


def _guard_path(guard: Guard, root: str, path: tuple[str | int | Key, ...], t: Any) -> None:
    if isinstance(t, Exactly):  # of texts, for whose type it has been asked
        guard.conditions.append(f"{_text(root, path)} == {guard.name(t.value)}")
    elif isinstance(t, range):
        guard.conditions.append(f"len({_text(root, path)}) in {guard.name(t)}")
    elif t == ABSENT:
        guard.conditions.append(f"{guard.name(path[-1])} not in {_text(root, path[:-1])}.__dict__")
    else:
        guard.require(_text(root, path), t)


def _text(root: str, path: tuple[str | int | Key, ...]) -> str:
    """A path of attributes and items as an expression."""
    for step in path:
        if isinstance(step, Key):
            root = f"{root}.get({quoted(step.name)})"
        else:
            root = f"{root}[{step}]" if isinstance(step, int) else attribute(root, step)
    return root


_BOUND_ANEW = (types.BuiltinFunctionType, types.MethodType)
"""Classes of what a class gives anew whenever it is read, as `chain.from_iterable`."""


def _guard_name(guard: Guard, owner: Any, name: str, value: Any, mixed: bool) -> None:
    if value is AS_IT_IS:
        guard.layout(owner)
        return
    if value is ABSENT:
        held = f"{guard.name(owner)}.__dict__" if isinstance(owner, type) else guard.name(owner)
        guard.conditions.append(f"{quoted(name)} not in {held}")
        return
    if isinstance(value, Apart):
        unchanged = f"{guard.name(get_cache_token)}() == {guard.name(value.token)}"
        guard.conditions.append(f"({unchanged} or {guard.name(value.holds)}({guard.name(owner)}))")
        return
    if isinstance(value, Gives):
        asked = f"{guard.name(value.function)}({', '.join(map(guard.name, value.args))})"
        guard.conditions.append(f"{asked} is {guard.name(value.value)}")
        if isinstance(value.value, types.FunctionType):
            guard.written_so(guard.name(value.value), value.value)
        return
    if isinstance(owner, dict):
        path = f"{guard.name(owner)}[{quoted(name)}]"
    elif isinstance(owner, type | types.CellType):
        path = attribute(guard.name(owner), name)
    else:
        path = f"{guard.name(vars(owner))}[{quoted(name)}]"
    if isinstance(value, Exactly):
        guard.conditions.append(f"{path} is {guard.name(value.value)}")
    elif is_constant(value) or isinstance(value, property | types.MethodType):
        same = "==" if isinstance(value, _BOUND_ANEW) else "is"
        guard.conditions.append(f"{path} {same} {guard.name(value)}")
        if isinstance(value, type):
            guard.layout(value)
        if isinstance(value, types.FunctionType):
            guard.written_so(path, value)
        if isinstance(value, types.MethodType) and isinstance(value.__func__, types.FunctionType):
            guard.written_so(f"{path}.__func__", value.__func__)
        if isinstance(value, property) and isinstance(value.fget, types.FunctionType):
            guard.written_so(f"{path}.fget", value.fget)
    else:
        guard.require(path, typeof(value, mixed=mixed))
