"""Random draws: what generators do, and the types of what they give."""

from __future__ import annotations

import random
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..identity import is_hashable
from ..ir.types import FLOAT, INT, NONE, UNKNOWN, Array, Inert, Scalar, Tuple, Type
from .arithmetic import is_number, is_real
from .effects import Alloc, Effects, Returns, World, Write
from .given import Given
from .numpy import OUT
from .registry import each, gives, op

GENERATORS = (np.random.Generator, np.random.RandomState)
"""NumPy's classes of generators."""
DRAWING = (*GENERATORS, random.Random)
"""Classes whose methods draw random numbers."""

DRAWN: Effects = (Alloc(), World("random"))
_OUTS = {"random": "size dtype", "standard_normal": "size dtype", "standard_exponential": "size dtype method"}
_OUTS["standard_gamma"] = "shape size dtype"
for _cls in GENERATORS:
    each(DRAWN, *[f for name, f in vars(_cls).items() if callable(f) and name[0] != "_" and name != "shuffle"])
    op(_cls.shuffle, effects=(Write("x", "reorders"), World("random")), parameters="self x")
for _name, _before in _OUTS.items():
    op(getattr(np.random.Generator, _name), effects=(*DRAWN, *OUT), parameters=f"self {_before} out")
op(np.random.Generator.permuted, effects=(*DRAWN, *OUT), parameters="self x")
op(np.random.default_rng, effects=(*DRAWN, Returns("seed")), parameters="seed")
op(np.random.RandomState, effects=DRAWN, parameters="seed")
op(random.Random.shuffle, effects=(Write("x", "reorders"), World("random")))


def is_draw(f: Any) -> bool:
    """Tell whether a function draws from a generator of a library's own class, seeds one or makes one: it runs no code
    of the user's, and keeps nothing that it is given."""
    if type(f) is type(np.random.default_rng):
        return f in _SEEDING or any(vars(cls).get(f.__name__) is f for cls in GENERATORS)
    return f is random.Random or is_hashable(f) and f in OF_PYTHON or is_bound_draw(f)


def is_bound_draw(f: Any) -> bool:
    """Tell whether a function is a method of such a generator: `random.gauss`, `np.random.normal`."""
    if not isinstance(f, (types.MethodType, types.BuiltinMethodType)):
        return False
    return type(f.__self__) in (random.Random, *GENERATORS)


def draw_of(t: Type, name: str) -> Any:
    """The method of this name of a generator of NumPy's own class; None of anything else."""
    if t == Inert(random.Random):
        return getattr(random.Random, name, None) if name in _NAMES_OF_PYTHON else None
    method = vars(t.cls).get(name) if isinstance(t, Inert) and t.cls in GENERATORS else None
    return method if callable(method) and not name.startswith("_") else None


_NAMES_OF_PYTHON = (
    *("random", "randint", "randrange", "getrandbits", "uniform", "gauss", "normalvariate", "lognormvariate"),
    *("expovariate", "gammavariate", "betavariate", "paretovariate", "weibullvariate"),
    *("choice", "choices", "sample", "seed"),
)
OF_PYTHON = frozenset([getattr(random.Random, name) for name in _NAMES_OF_PYTHON])
"""Methods of Python's generators that draw, or seed."""
_SEEDING = frozenset([np.random.default_rng, np.random.seed])

# ---- the types of what is drawn


def rank_of_size(given: Given) -> int | None:
    """The number of axes of the `size` of a draw: -1 where none is given, None where that is not known."""
    t = given.type("size")
    if t is None or t == NONE:
        return -1
    if isinstance(t, Tuple):
        return len(t.items)
    whole = t == INT or isinstance(t, Array) and t.kind == "i" and t.scalar is True
    return 1 if whole else None


def rank_of_draw(given: Given, names: Sequence[str]) -> int | None:
    """The number of axes of a draw with these parameters: -1 for a number of Python's."""
    types_of = [t for name in names if (t := given.type(name)) is not None]
    if not all([isinstance(t, (Scalar, Array)) and is_number(t) for t in types_of]):
        return None
    rank = rank_of_size(given)
    if rank != -1:
        return rank or None  # without axes it is an array all the same
    ranks = [t.ndim if isinstance(t, Array) else 0 for t in types_of]
    if any([isinstance(t, Scalar) and not is_real(t) for t in types_of]) or None in ranks:
        return None
    return max(ranks, default=0) or -1  # type: ignore[type-var]


def drawn(kind: str, names: Sequence[str]) -> Callable[[Given], Type]:
    """Draws by parameters of these names: floats, or integers."""

    def typed(given: Given) -> Type:
        rank = None if given.says("dtype", "out") else rank_of_draw(given, names)
        if rank is None:
            return UNKNOWN
        if rank == -1:
            return FLOAT if kind == "f" else INT
        return Array(kind, "float64" if kind == "f" else "", rank, False)

    return typed


def drawn_in_shape(given: Given) -> Type:
    """`rng.randn(3, 4)`, and `np.random.randn(3, 4)`, a method that is bound already."""
    sizes = given.types[given.parameters().names[0] == "self" :]
    if given.names or not all([t == INT for t in sizes]):
        return UNKNOWN
    return Array("f", "float64", len(sizes), False) if sizes else FLOAT


def integers(number: Type) -> Callable[[Given], Type]:
    """`rng.integers(low, high, size)`, with a `number` where no size is given."""

    def typed(given: Given) -> Type:
        rank = None if given.says("dtype") else rank_of_draw(given, ("low", "high"))
        return UNKNOWN if rank is None else number if rank == -1 else Array("i", "", rank, False)

    return typed


def chosen(given: Given) -> Type:
    """`rng.choice(a, size)`: numbers below one, or entries of an array."""
    t, rank = given.type("a"), rank_of_size(given)
    if given.says("axis") or not rank:
        return UNKNOWN
    if t == INT:
        return INT if rank == -1 else Array("i", "int64", rank, False)
    if not isinstance(t, Array) or t.scalar is not False or t.ndim != 1 or t.kind not in tuple("if"):
        return UNKNOWN
    return Array(t.kind, t.dtype, max(rank, 0), rank == -1)


def generator(given: Given) -> Type:
    """`np.random.default_rng(seed)`: a generator that it is given may be of a class of the user's."""
    t = given.type("seed")
    plain = t is None or t == NONE or isinstance(t, (Scalar, Array)) or t == Inert(np.random.Generator)
    return Inert(np.random.Generator) if plain else UNKNOWN


_PARAMETERS = {
    "normal laplace logistic gumbel": "loc scale",
    "uniform": "low high",
    "exponential rayleigh": "scale",
    "lognormal": "mean sigma",
    "weibull power pareto": "a",
    "triangular": "left mode right",
    "gamma": "shape scale",
    "beta": "a b",
    "chisquare standard_t": "df",
    "f": "dfnum dfden",
    "vonmises": "mu kappa",
    "wald": "mean scale",
    "standard_cauchy random_sample": "",
}
_INTEGERS = {"poisson": "lam", "binomial": "n p", "geometric": "p"}

for _kind, _table in (("f", _PARAMETERS), ("i", _INTEGERS)):
    for _names, _parameters in _table.items():
        for _method in [vars(cls)[name] for cls in GENERATORS for name in _names.split() if name in vars(cls)]:
            gives(drawn(_kind, _parameters.split()), _method, parameters=f"self {_parameters} size")
for _name in ("random", "standard_normal", "standard_exponential"):
    gives(drawn("f", ()), getattr(np.random.Generator, _name))
    gives(drawn("f", ()), getattr(np.random.RandomState, _name), parameters="self size")
_BOUNDS = "self low high size dtype endpoint"
gives(integers(Array("i", "int64", 0, True)), np.random.Generator.integers, parameters=_BOUNDS)
gives(integers(INT), np.random.RandomState.randint, parameters=_BOUNDS)
gives(chosen, np.random.Generator.choice, parameters="self a size replace p axis shuffle")
gives(chosen, np.random.RandomState.choice, parameters="self a size replace p")
gives(drawn_in_shape, np.random.RandomState.rand, np.random.RandomState.randn, parameters="self *sizes")
gives(generator, np.random.default_rng)
gives(Inert(np.random.RandomState), np.random.RandomState)

# ---- the module `random`


def drawn_of_numbers(result: Type) -> Callable[[Given], Type]:
    """A number of Python's, of such numbers."""
    return lambda given: result if all([is_real(t) for t in given.types if not isinstance(t, Inert)]) else UNKNOWN


_OF_PYTHON = (
    "uniform gauss normalvariate lognormvariate expovariate gammavariate betavariate paretovariate weibullvariate"
)
for _result, _names in ((FLOAT, f"random {_OF_PYTHON}"), (INT, "randint randrange getrandbits")):
    for _name in _names.split():
        op(getattr(random.Random, _name), effects=(World("random"),))
        gives(drawn_of_numbers(_result), getattr(random.Random, _name))


def generator_of_python(given: Given) -> Type:
    """`random.Random(seed)`."""
    plain = all([t == NONE or isinstance(t, Scalar) or t == Inert(str) for t in given.types])
    return Inert(random.Random) if plain and not given.names else UNKNOWN


op(random.Random, effects=DRAWN)
op(random.Random.choice, effects=(Returns("seq", "item"), World("random")))
each((Alloc("population"), World("random")), random.Random.choices, random.Random.sample)
each((World("random"),), random.Random.vonmisesvariate, random.Random.seed, random.Random.setstate)
each((Alloc(), World("random")), random.Random.getstate, random.Random.randbytes)
gives(generator_of_python, random.Random)

__all__ = ["DRAWING", "GENERATORS", "draw_of", "is_bound_draw", "is_draw"]
