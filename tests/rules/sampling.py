"""What every rule is checked at: `sample(np.sum, A, axis=0)` is a row of the tables in `tests/rules/samples`.

Each sample is checked as it is, with derivatives of the second order, and in variants: in single precision, with
arrays that are read-only and not contiguous, and with complex numbers where the function takes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from adjoint.rules.registry import find_rules
from adjoint.testing import check_gradient, check_rule


@dataclass(frozen=True, eq=False)
class Sample:
    """A call of `f` at which its derivative is checked.

    `of` is the function whose rule that is about: `f`, or what a program `f` calls. `complex` says that the floating
    arrays may be complex as well; `single` that float32 makes sense; `strided` that layout does not matter; `order` how
    many derivatives are checked.
    """

    of: Any
    f: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    complex: bool = False
    single: bool = True
    strided: bool = True
    order: int = 2
    rtol: float | None = None
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


def variants(s: Sample) -> Iterator[Sample]:
    """The sample, and others that are made of it."""
    yield s
    if s.single and changes(s, to_single):
        yield converted(s, to_single, variant="float32", order=1)
    if s.strided and changes(s, to_strided):
        yield converted(s, to_strided, variant="strided", order=1)
    if s.complex:
        yield converted(s, to_complex, variant="complex")


def check(s: Sample) -> None:
    """Hold the derivative to finite differences and to what a pullback has to keep."""
    check_one = check_rule if s.f is s.of and find_rules(s.f) is not None else check_gradient
    check_one(s.f, *s.args, kwargs=s.kwargs, order=s.order, rtol=s.rtol)


def converted(s: Sample, convert: Callable[[Any], Any], **options: Any) -> Sample:
    return s.but(args=tuple([mapped(convert, x) for x in s.args]), **options)


def changes(s: Sample, convert: Callable[[Any], Any]) -> bool:
    found: list[bool] = []

    def watched(x: Any) -> Any:
        found.append(convert(x) is not x)
        return x

    for x in s.args:
        mapped(watched, x)
    return any(found)


def mapped(convert: Callable[[Any], Any], x: Any) -> Any:
    """The structure with its arrays converted."""
    if isinstance(x, np.ndarray):
        return convert(x)
    if type(x) in (list, tuple):
        return type(x)([mapped(convert, item) for item in x])
    return x


def to_single(x: Any) -> Any:
    """float64 to float32."""
    return x.astype({"f": np.float32, "c": np.complex64}[x.dtype.kind]) if x.dtype.kind in "fc" else x


def to_strided(x: Any) -> Any:
    """The same values, read-only, in memory that is neither contiguous nor in order."""
    if x.dtype.kind not in "fc" or x.ndim == 0 or x.size == 0:
        return x
    spaced = np.repeat(np.flip(x), 2, axis=-1)
    view = np.flip(spaced[..., ::2])
    view.flags.writeable = False
    return view


def to_complex(x: Any) -> Any:
    """The same real parts, with imaginary ones."""
    return x + 1j * normal(*x.shape, seed=7) * 0.5 if x.dtype.kind == "f" else x


def brief(x: Any) -> str:
    """A word for an argument."""
    if isinstance(x, np.ndarray):
        return f"{x.dtype}{list(x.shape)}".replace(" ", "").replace("float64", "")
    if isinstance(x, list | tuple) and len(x) and not isinstance(x[0], int | slice):
        return f"[{','.join(map(brief, x))}]"
    return str(x).replace(" ", "")[:30]
