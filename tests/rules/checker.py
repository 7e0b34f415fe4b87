"""One check for every rule, with no engine between: the rule's own `(y, back)` against finite differences.

`check_rule(f, *args)` holds a rule to what every rule promises. For each argument and a random direction ẋ,
⟨ȳ, J ẋ⟩ = ⟨x̄, ẋ⟩; the result is that of `f`; nothing is changed; `back` gives the same again; a cotangent has the
structure, the shape and the precision of its argument.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from adjoint.rules import registry
from adjoint.rules.python.iteration import Materialised
from adjoint.tangents import Tangent
from adjoint.tangents.structural import fields_of


def run_rule(f: Any, *args: Any, **kwargs: Any) -> tuple[Any, Callable[[Any], Any], registry.Method]:
    """`(y, back)` of the rule for these arguments, and the rule."""
    rules = registry.find_rules(f)
    assert rules is not None and rules.differentiable, f"no rule for {f!r}"
    method = rules.select(tuple(map(type, args)))
    assert method is not None, f"no rule of {f!r} for {[type(x).__name__ for x in args]}"
    y, back = method.call(*args, **kwargs)
    return y, back, method


def check_rule(
    f: Any, *args: Any, constant: tuple[int | str, ...] = (), rtol: float = 1e-6, seed: int = 0, **kwargs: Any
) -> None:
    """Check the rule of `f` at `args`, away from kinks.

    `constant` are the places or the names of arguments that only count or choose.
    """
    rng = np.random.default_rng(seed)
    plain = materialised(f(*copy.deepcopy(args), **kwargs))
    given = copy.deepcopy(args)
    y, back, method = run_rule(f, *given, **kwargs)
    y = copy.deepcopy(materialised(y))
    assert same(y, plain, 1e-14), f"value {y!r}, not {plain!r}"
    y_bar = direction(plain, rng)
    kept = copy.deepcopy(y_bar)
    bars = back(y_bar)
    assert isinstance(bars, tuple), f"back gives a {type(bars).__name__}"
    assert len(bars) <= len(args) + len(kwargs) + len(method.names), f"{len(bars)} cotangents"
    wanted = len(args) if method.varargs else method.required
    assert len(bars) >= wanted, f"{len(bars)} cotangents for {wanted} parameters without default"
    assert same(given, args, 0.0) or any(isinstance(x, Materialised) for x in args), "an argument was changed"
    assert same(y_bar, kept, 0.0), "ȳ was changed"
    assert same(back(y_bar), bars, 0.0), "back gives something else when it is called again"

    names = list(method.names)
    places = [*range(len(args)), *(names.index(name) for name in kwargs if name in names)]
    values = [*args, *(value for name, value in kwargs.items() if name in names)]
    for i, x in zip(places, values, strict=True):
        bar = bars[i] if i < len(bars) else None
        fits(bar, x, f"argument {i}")
        if i in constant or names[i : i + 1] and names[i] in constant:
            assert bar is None or not any(True for _ in numbers(bar)), f"argument {i} has no derivative, but {bar!r}"
            continue
        step = direction(x, rng)
        others = [a if j in constant else wide(a) for j, a in enumerate(copy.deepcopy(args))]

        def along(t: float, i: int = i, x: Any = x, step: Any = step, others: list[Any] = others) -> Any:
            moved = shifted(wide(x), step, t)
            if i < len(args):
                return f(*[moved if j == i else copy.copy(others[j]) for j in range(len(args))], **kwargs)
            return f(*map(copy.copy, others), **{**kwargs, names[i]: moved})

        expected, got = slope(along, y_bar), inner(bar, step)
        scale = max(abs(expected), abs(got), 1.0)
        single = any(leaf.dtype.itemsize == 4 for leaf in map(np.asarray, numbers((args, plain))))
        tolerance = 1e-4 if single else rtol
        assert abs(expected - got) <= tolerance * scale, f"argument {i}: ⟨ȳ, J ẋ⟩ = {expected}, ⟨x̄, ẋ⟩ = {got}"


def slope(along: Callable[[float], Any], y_bar: Any) -> float:
    """d/dt ⟨ȳ, f(t)⟩ at 0, by central differences of fourth order."""
    h = 1e-3
    near, far = (inner(y_bar, materialised(along(t))) - inner(y_bar, materialised(along(-t))) for t in (h, 2 * h))
    return (8 * near - far) / (12 * h)


def numeric_pullback(f: Any, *args: Any, **kwargs: Any) -> tuple[Any, Callable[[Any], Any]]:
    """What the engine gives to rules of functions of functions, here by rules or by differences of numbers."""
    rules = registry.find_rules(f)
    method = rules.select(tuple(map(type, args))) if rules is not None and rules.differentiable else None
    if method is not None:
        y, back = method.call(*args, **kwargs)
        return y, lambda y_bar: (None, *(*back(y_bar), *[None] * len(args))[: len(args) + len(kwargs)])
    y = f(*args, **kwargs)

    def difference_back(y_bar: Any) -> tuple[Any, ...]:
        bars = []
        for i in range(len(args)):

            def along(t: float, i: int = i) -> Any:
                return f(*[x + t if j == i else x for j, x in enumerate(args)], **kwargs)

            def along_item(t: float, i: int = i, at: int = 0) -> Any:
                row = [x + t if j == at else x for j, x in enumerate(args[i])]
                return f(*[row if j == i else x for j, x in enumerate(args)], **kwargs)

            if isinstance(args[i], list | tuple):
                slopes = [slope(functools.partial(along_item, i=i, at=at), y_bar) for at in range(len(args[i]))]
                bars.append(type(args[i])(slopes))
            else:
                bars.append(slope(along, y_bar) if isinstance(args[i], float) else None)
        for name in kwargs:
            bars.append(slope(lambda t, name=name: f(*args, **{**kwargs, name: kwargs[name] + t}), y_bar))
        return None, *bars

    return y, difference_back


# Structures


def materialised(y: Any) -> Any:
    """Iterators and views as lists: they have the cotangents of lists."""
    if hasattr(y, "__next__") or isinstance(y, type({}.values()) | type({}.items())):
        return list(y)
    return y


def children(x: Any) -> Iterator[tuple[Any, Any]]:
    """The parts of a structure, by key."""
    if isinstance(x, Materialised):
        x = x.items
    if isinstance(x, list | tuple):
        yield from enumerate(x)
    elif isinstance(x, dict):
        yield from x.items()
    elif isinstance(x, set | frozenset):
        yield from ((item, item) for item in x)
    elif isinstance(x, Tangent):
        yield from fields_of(x).items()
    elif hasattr(x, "__dict__") and not callable(x):
        yield from vars(x).items()


def is_number(x: Any) -> bool:
    """A number or array that has a derivative."""
    return not isinstance(x, bool) and isinstance(x, int | float | complex | np.number | np.ndarray)


def numbers(x: Any) -> Iterator[Any]:
    """The numbers and arrays of a structure."""
    if is_number(x):
        yield x
    for _, child in children(x):
        yield from numbers(child)


def mapped(function: Callable[[Any], Any], x: Any) -> Any:
    """The structure with `function` applied to its numbers; what is not a number stays."""
    if is_number(x):
        return function(x)
    if isinstance(x, Materialised):
        moved = Materialised([mapped(function, item) for item in x.items])
        moved.position = x.position
        return moved
    if isinstance(x, list):
        return [mapped(function, item) for item in x]
    if isinstance(x, tuple):
        items = [mapped(function, item) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, dict):
        return type(x)((key, mapped(function, item)) for key, item in x.items())
    if isinstance(x, set):
        return {mapped(function, item) for item in x}
    if hasattr(x, "__dict__") and not callable(x):
        moved = copy.copy(x)
        for name, value in vars(x).items():
            object.__setattr__(moved, name, mapped(function, value))
        return moved
    return x


def wide(x: Any) -> Any:
    """The structure in double precision, integers as real numbers where they may be moved."""
    return mapped(lambda v: v.astype(np.result_type(v, np.float64)) if hasattr(v, "astype") else v, x)


def direction(x: Any, rng: np.random.Generator) -> Any:
    """Random numbers in the structure of `x`, as nested lists and dicts by key; None where there is no derivative."""

    def draw(v: Any) -> Any:
        shape = np.shape(v)
        drawn = rng.standard_normal(shape)
        if np.iscomplexobj(v):
            drawn = drawn + 1j * rng.standard_normal(shape)
        if isinstance(v, np.ndarray | np.generic):
            kind = v.dtype if v.dtype.kind in "fc" else np.float64
            return np.asarray(drawn).astype(kind) if isinstance(v, np.ndarray) else np.dtype(kind).type(drawn)
        return complex(drawn) if isinstance(v, complex) else float(drawn)

    return cotangent(draw, x)


def cotangent(function: Callable[[Any], Any], x: Any) -> Any:
    """A cotangent of `x` with `function` of each number."""
    if is_number(x):
        return function(x)
    if isinstance(x, Materialised):
        return [cotangent(function, item) for item in x.items]
    if isinstance(x, list):
        return [cotangent(function, item) for item in x]
    if isinstance(x, tuple):
        items = [cotangent(function, item) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, dict):
        return {key: cotangent(function, item) for key, item in x.items()}
    if isinstance(x, set):
        return {item: function(item) for item in x if is_number(item)}
    if hasattr(x, "__dict__") and not callable(x):
        return Tangent(type(x), {name: cotangent(function, value) for name, value in vars(x).items()})
    return None


def shifted(x: Any, step: Any, t: float) -> Any:
    """x + t ẋ."""
    if is_number(x):
        return np.asarray(x + t * step) if isinstance(x, np.ndarray) else x + t * step
    if step is None:
        return x
    if isinstance(x, set):
        return {item + t * step[item] for item in x}
    if isinstance(x, Materialised):
        moved = Materialised([shifted(item, s, t) for item, s in zip(x.items, step, strict=True)])
        moved.position = x.position
        return moved
    if isinstance(x, dict):
        return type(x)((key, shifted(item, step[key], t)) for key, item in x.items())
    if isinstance(x, list | tuple):
        items = [shifted(item, s, t) for item, s in zip(x, step, strict=True)]
        return type(x)(*items) if hasattr(x, "_fields") else type(x)(items)
    moved = copy.copy(x)
    for name, value in vars(x).items():
        object.__setattr__(moved, name, shifted(value, step[name], t))
    return moved


def inner(bar: Any, x: Any) -> float:
    """Σ Re(conj(x̄) x) over all numbers; None counts as zero."""
    if bar is None or x is None:
        return 0.0
    if is_number(bar):
        return float(np.sum(np.real(np.conj(bar) * np.asarray(x)))) if is_number(x) else 0.0
    of_x = dict(children(x))
    return sum(inner(b, of_x[key]) for key, b in children(bar) if key in of_x)


def same(a: Any, b: Any, rtol: float) -> bool:
    """The same structure and types, and equal numbers."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and np.allclose(a, b, rtol, 0.0, equal_nan=True)
    if is_number(a):
        return bool(np.isclose(a, b, rtol, 0.0, equal_nan=True))
    if isinstance(a, set):
        return bool(a == b)
    parts = list(children(a)), list(children(b))
    if not parts[0]:
        return not parts[1] and (callable(a) or type(a).__eq__ is object.__eq__ or bool(a == b))
    return len(parts[0]) == len(parts[1]) and all(
        p == q and same(x, y, rtol) for (p, x), (q, y) in zip(*parts, strict=True)
    )


def fits(bar: Any, x: Any, where: str) -> None:
    """Assert that `bar` can be a cotangent of `x`."""
    if bar is None:
        return
    if isinstance(x, np.ndarray):
        # Arrays without axes and NumPy's scalars turn into each other.
        array = isinstance(bar, np.ndarray) or x.ndim == 0 and isinstance(bar, np.generic)
        assert array, f"{where}: {type(bar).__name__} for an array"
        assert bar.shape == x.shape, f"{where}: shape {bar.shape}, not {x.shape}"
        assert bar.dtype == (x.dtype if x.dtype.kind in "fc" else np.float64), f"{where}: dtype {bar.dtype}"
    elif isinstance(x, np.floating) and not isinstance(x, float):
        assert type(bar) is type(x), f"{where}: {type(bar).__name__} for {type(x).__name__}"
    elif is_number(x):
        assert is_number(bar) and np.ndim(bar) == 0, f"{where}: {bar!r} for a number"
        assert np.iscomplexobj(x) or not isinstance(bar, complex), f"{where}: complex for real"
    elif isinstance(x, tuple):
        assert type(bar) is type(x) and len(bar) == len(x), f"{where}: {bar!r} for {x!r}"
    elif isinstance(x, list):
        assert type(bar) is list and len(bar) == len(x), f"{where}: {bar!r} for {x!r}"
    elif isinstance(x, dict | set):
        assert type(bar) is dict and all(key in x for key in bar), f"{where}: {bar!r} for {x!r}"
    of_x = {} if isinstance(x, set) else dict(children(x))
    for key, part in children(bar):
        if key in of_x:
            fits(part, of_x[key], f"{where}, {key!r}")
