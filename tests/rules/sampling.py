"""What every rule is checked at: `sample(np.sum, A, axis=0)` is a row of the tables in `tests/rules/samples`.

Each sample is checked as it is, with derivatives of the second order, and in variants that are made of it: in other
precisions, in other layouts of memory, with lists in place of arrays, and, where it says so, with complex numbers and
with empty arrays. See `rules.variants`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Sample:
    """A call of `f` at which its derivative is checked.

    `of` is the function whose rule that is about: `f`, or what a program `f` calls. Options say which variants there
    are: `complex` that the floating arrays may be complex as well; `single` that other precisions make sense; `strided`
    that layout does not matter; `lists` that lists may stand for arrays, where the function takes them; `empty` that
    arrays may be without items. `order` is how many derivatives are checked; `integers`, `smooth`, `constant`, `rtol`
    and `atol` are those of `check_rule`. What `warns` does so, in some version.
    """

    of: Any
    f: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    complex: bool = False
    single: bool = True
    strided: bool = True
    lists: bool = True
    empty: bool = False
    order: int = 2
    integers: bool = False
    smooth: bool = True
    constant: tuple[int | str, ...] = ()
    rtol: float | None = None
    atol: float = 1e-7
    differences: bool = True
    warns: bool = False
    variant: str = ""

    def but(self, **options: Any) -> Sample:
        """The same call, with other options."""
        return replace(self, **options)

    @property
    def label(self) -> str:
        """A name for the test."""
        values = [*map(brief, self.args), *[f"{k}={brief(v)}" for k, v in self.kwargs.items()]]
        name = getattr(self.of, "__qualname__", None) or getattr(self.of, "__name__", type(self.of).__name__)
        return f"{name}({','.join(values)})" + (f"-{self.variant}" if self.variant else "")


def sample(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Sample:
    """A call of a function that has a rule. Its positional arguments are differentiated, as far as they hold floats."""
    return Sample(f, f, args, kwargs)


def sample_of(of: Any, program: Callable[..., Any], *args: Any) -> Sample:
    """A program that calls the function `of`: for keywords that are differentiated, and methods of objects."""
    return Sample(of, program, args)


def elementwise(
    f: Any, low: float, high: float, *others: tuple[float, float], complex: bool = False, order: int = 2
) -> list[Sample]:
    """Calls of an elementwise function, its arguments drawn between bounds: arrays, numbers, empty, broadcasting."""
    bounds = [(low, high), *others]
    n = len(bounds)

    def draw(*shapes: tuple[int, ...]) -> tuple[Any, ...]:
        return tuple(
            [uniform(a, b, *shape, seed=i) for i, ((a, b), shape) in enumerate(zip(bounds, shapes, strict=True))]
        )

    grid = sample(f, *draw(*[(2, 3)] * n)).but(complex=complex, order=order)
    samples = [
        grid,
        sample(f, *[float(x) for x in draw(*[()] * n)]).but(order=order, single=False),
        sample(f, *draw(*[()] * n)).but(order=1),
        sample(f, *[np.float64(x) for x in draw(*[()] * n)]).but(order=1, single=False),
        sample(f, *draw(*[(0, 2)] * n)).but(order=1, single=False, strided=False),
    ]
    if n > 1:
        samples.append(sample(f, *draw(*[(3,), (2, 1), (2, 3), (1,)][:n])).but(order=order))
        samples.append(sample(f, float(draw(*[()] * n)[0]), *draw(*[(3,)] * n)[1:]).but(order=1))
    return samples


def normal(*shape: int, seed: int = 0, dtype: Any = np.float64) -> Any:
    """Random numbers, complex ones for a complex dtype."""
    generator = np.random.default_rng([seed, *shape])
    values = generator.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * generator.standard_normal(shape)
    return np.asarray(values).astype(dtype)


def uniform(low: float, high: float, *shape: int, seed: int = 0) -> Any:
    """Random numbers between bounds."""
    return np.asarray(np.random.default_rng([seed, *shape]).uniform(low, high, shape))


def brief(x: Any) -> str:
    """A word for an argument."""
    if isinstance(x, np.ndarray):
        return f"{x.dtype}{list(x.shape)}".replace(" ", "").replace("float64", "")
    if isinstance(x, list | tuple) and len(x) and not isinstance(x[0], int | slice):
        return f"[{','.join(map(brief, x))}]"
    if callable(x) and hasattr(x, "__name__"):
        return str(x.__name__)
    if hasattr(x, "shape") and not isinstance(x, np.generic):
        return f"{type(x).__name__}{list(x.shape)}".replace(" ", "")
    return str(x).replace(" ", "")[:30]
