"""Programs that draw random numbers are reversed in their structure, and draw as often as the plain program."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hvp, jvp, pullback, withgradient
from adjoint.derivatives.choice import is_structured_call
from adjoint.ir.lattice import join
from adjoint.ir.nodes import Var
from adjoint.ir.types import UNKNOWN
from adjoint.runtime.typeof import typeof
from adjoint.transforms.results import result_type

RNG = np.random.default_rng(1)
STATE = np.random.RandomState(2)


def at_once(s: float, sig: float) -> float:
    t = 0.0
    for z in np.random.default_rng(1).normal(size=20):
        t += s * math.exp(sig * z)
    return t


def seeded(s: float, sig: float) -> float:
    np.random.seed(3)
    t = 0.0
    for z in np.random.normal(size=(4, 5)):
        t += s * math.exp(sig * z[1]) * np.random.uniform()
    return t


def of_state(s: float, sig: float) -> float:
    z = np.random.RandomState(3).randn(3, 4)
    return float((s * np.exp(sig * z)).sum())


def in_shapes_of_the_hidden_one(s: float, sig: float) -> float:
    """Methods that are bound already: of a row, and of a number beside it."""
    np.random.seed(3)
    noisy = np.ones(3) * s
    noisy += np.random.rand(3) * noisy[1]
    noisy *= np.random.randn(2, 3)[1] * sig * noisy[np.argmax(noisy)] * np.random.rand()
    return float((noisy**2).sum())


def in_rounds(s: float, sig: float) -> float:
    rng, x, t = np.random.default_rng(1), np.ones(5) * s, 0.0
    for _ in range(6):
        x = x * np.exp(sig * rng.standard_normal(5))
        t += x.mean()
    return t


def of_a_module(s: float, sig: float) -> float:
    t = 0.0
    for _ in range(6):
        t += s * math.exp(sig * RNG.normal()) + sig * RNG.random() * STATE.rand()
    return t


def of_the_hidden_one(s: float, sig: float) -> float:
    t = 0.0
    for _ in range(6):
        t += s * math.exp(sig * np.random.normal()) + s * sig * np.random.rand()
    return t


def of_python(s: float, sig: float) -> float:
    t = 0.0
    for _ in range(6):
        t += s * math.exp(sig * random.gauss(0, 1)) * random.random()
    return t


def of_parameters(s: float, sig: float) -> float:
    t = 0.0
    for _ in range(6):
        t += math.exp(RNG.normal(s, sig)) * RNG.uniform(0.0, s) + random.gauss(s, sig) * np.random.normal(s, sig) ** 2
    return t


def drawn_within(s: float) -> float:
    return s * RNG.normal()


def in_a_helper(s: float, sig: float) -> float:
    return sum(drawn_within(s) ** 2 * sig for _ in range(5))


def for_nothing(s: float, sig: float) -> float:
    RNG.normal()
    random.random()
    unused = RNG.normal(s, sig) * np.random.rand()  # noqa: F841
    return s * sig * RNG.normal()


def with_integers(s: float, sig: float) -> float:
    n, weights = RNG.integers(3, 7), RNG.poisson(3.0, size=4)
    return float((s**weights).sum() * sig**2 * n)


def stepping(s: float, sig: float) -> float:
    x, t = 0.0, 0.0
    for _ in range(12):
        proposed = x + sig * RNG.normal()
        if math.log(RNG.random()) < (x - s) ** 2 - (proposed - s) ** 2:
            x = proposed
        t += x * s
    return t


def until(s: float, sig: float) -> float:
    t = s
    while RNG.random() < 0.8:
        t = t * math.cos(sig * RNG.normal())
    return t


PROGRAMS = [
    *(
        at_once,
        seeded,
        of_state,
        in_shapes_of_the_hidden_one,
        in_rounds,
        of_a_module,
        of_the_hidden_one,
        of_python,
        of_parameters,
        in_a_helper,
    ),
    *(for_nothing, with_integers, stepping, until),
]


def start() -> None:
    """Put all generators into a known state."""
    RNG.bit_generator.state = np.random.default_rng(5).bit_generator.state
    STATE.seed(6)
    np.random.seed(7)
    random.seed(8)


def states() -> list[Any]:
    """What tells how far all generators are."""
    legacy = [(a[1].tobytes(), *a[2:]) for a in (STATE.get_state(), np.random.get_state())]  # type: ignore[index]
    return [RNG.bit_generator.state, *legacy, random.getstate()]


def started(run: Callable[[], Any]) -> tuple[Any, list[Any]]:
    """What a run gives from the known state, and the states then."""
    start()
    return run(), states()


def slopes(f: Callable[..., float], at: tuple[float, float]) -> list[float]:
    """Central differences, of the same random bits."""
    found, h = [], 1e-6
    for i in range(2):
        up, down = list(at), list(at)
        up[i] += h
        down[i] -= h
        found.append((started(lambda a=up: f(*a))[0] - started(lambda a=down: f(*a))[0]) / (2 * h))
    return found


AT = (0.7, 0.4)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_reversed_in_structure(f: Callable[..., float]) -> None:
    assert is_structured_call(f, AT)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_draws_as_the_plain_program(f: Callable[..., float]) -> None:
    plain, after = started(lambda: f(*AT))
    expected = slopes(f, AT)
    for _ in range(3):
        (y, bars), drawn = started(lambda: withgradient(f, *AT))
        assert y == plain and drawn == after
        assert bars == pytest.approx(expected, rel=2e-6, abs=1e-7)
    (y, back), drawn = started(lambda: pullback(f, *AT))
    assert y == plain and drawn == after
    assert back(1.0) == back(1.0) and states() == after
    moved, drawn = started(lambda: jvp(f, AT, (0.3, -0.2)))
    assert moved[0] == plain and drawn == after
    assert moved[1] == pytest.approx(0.3 * expected[0] - 0.2 * expected[1], rel=2e-6, abs=1e-7)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives_draw_once(f: Callable[..., float]) -> None:
    after = started(lambda: f(*AT))[1]
    h = 1e-5
    up = started(lambda: gradient(f, AT[0] + h, AT[1]))[0][0]
    down = started(lambda: gradient(f, AT[0] - h, AT[1]))[0][0]
    expected = (up - down) / (2 * h)
    for take in (lambda: grad(grad(f))(*AT), lambda: hvp(f, AT, (1.0, 0.0))[0]):
        for _ in range(2):
            second, drawn = started(take)
            assert second == pytest.approx(expected, rel=1e-5, abs=1e-6)
            assert drawn == after


def test_goes_on_in_the_next_call() -> None:
    plain = started(lambda: [of_a_module(*AT) for _ in range(4)])
    assert started(lambda: [withgradient(of_a_module, *AT)[0] for _ in range(4)]) == plain


def of_argument(s: float, rng: Any) -> float:
    t = 0.0
    for _ in range(5):
        t += s**2 * rng.normal() + rng.uniform(0.0, s, size=3).sum()
    return t


class Tripled(np.random.Generator):
    """Draws of its own."""

    def normal(self, *args: Any, **kwargs: Any) -> Any:
        return 3.0 * super().normal(*args, **kwargs)


@pytest.mark.parametrize(
    "make", [np.random.default_rng, np.random.RandomState, lambda seed: Tripled(np.random.PCG64(seed))]
)
def test_arguments_that_draw(make: Callable[[int], Any]) -> None:
    rng, plain = make(4), make(4)
    expected = [of_argument(1.5, plain) for _ in range(3)]
    assert [withgradient(of_argument, 1.5, rng)[0] for _ in range(3)] == expected
    assert rng.random() == plain.random()
    slope = (of_argument(1.5 + 1e-6, make(4)) - of_argument(1.5 - 1e-6, make(4))) / 2e-6
    assert gradient(of_argument, 1.5, make(4))[0] == pytest.approx(slope)


def test_functions_in_place_of_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    start()
    gradient(of_python, *AT)
    gradient(of_the_hidden_one, *AT)
    monkeypatch.setattr(random, "gauss", lambda mu, sigma: 0.5)
    monkeypatch.setattr(np.random, "normal", lambda: 0.5)
    for f in (of_python, of_the_hidden_one):
        y, bars = started(lambda f=f: withgradient(f, *AT))[0]
        assert y == started(lambda f=f: f(*AT))[0]
        assert bars == pytest.approx(slopes(f, AT), rel=1e-6)


CALLS = {
    "normal": [
        (),
        (0.0, 1.0),
        (0.0, 1.0, 3),
        (0.0, 1.0, (2, 3)),
        (np.zeros(2), 1.0),
        (np.float64(0.0),),
        (0.0, 1.0, None),
    ],
    "uniform": [(), (0.0, np.ones((2, 2))), (0, 2, 4)],
    "exponential": [(), (2.0, 3)],
    "standard_normal": [(), (3,), ((2, 1),)],
    "random": [(), (3,)],
    "integers": [(5,), (2, 5), (2, 5, 3)],
    "randint": [(5,), (2, 5, (2, 2))],
    "poisson": [(2.0,), (2.0, 3)],
    "binomial": [(3, 0.5), (3, 0.5, 2)],
    "rand": [(), (2,), (2, 3)],
}


@pytest.mark.parametrize("name", CALLS)
def test_types_of_draws(name: str) -> None:
    for rng in (np.random.default_rng(1), np.random.RandomState(1)):
        for args in CALLS[name] if hasattr(rng, name) else ():
            method = getattr(type(rng), name)
            said = result_type(method, [Var("", typeof(x)) for x in (rng, *args)])
            got = typeof(getattr(rng, name)(*args))
            assert said != UNKNOWN and join(said, got) == said, (args, said, got)
