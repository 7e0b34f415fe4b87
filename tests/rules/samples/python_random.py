"""Samples for the module `random`: the same draws each time."""

import random
from typing import Any

from rules.sampling import sample_of

XS = [1.5, 2.5, 3.5, 4.5]


def drawn(f: Any, *more: Any) -> Any:
    """The function after the generator was set."""

    def draw(*args: Any) -> Any:
        random.seed(7)
        return f(*args, *more)

    return draw


def own(name: str) -> Any:
    """The method of a generator of its own."""
    return lambda *args: getattr(random.Random(7), name)(*args)


SAMPLES = [
    sample_of(random.uniform, drawn(random.uniform), 1.5, 3.5),
    sample_of(random.gauss, drawn(random.gauss), 1.5, 0.5),
    sample_of(random.gauss, drawn(random.gauss), 1.5, 0.0),
    sample_of(random.normalvariate, drawn(random.normalvariate), 1.5, 0.5),
    sample_of(random.lognormvariate, drawn(random.lognormvariate), 1.5, 0.5),
    sample_of(random.expovariate, drawn(random.expovariate), 1.5),
    sample_of(random.weibullvariate, drawn(random.weibullvariate), 1.5, 0.5),
    sample_of(random.paretovariate, drawn(random.paretovariate), 1.5),
    sample_of(random.triangular, drawn(random.triangular), 1.5, 3.5, 2.0).but(order=1),
    sample_of(random.Random.uniform, own("uniform"), 1.5, 3.5),
    sample_of(random.Random.gauss, own("gauss"), 1.5, 0.5),
    sample_of(random.Random.normalvariate, own("normalvariate"), 1.5, 0.5),
    sample_of(random.Random.gammavariate, lambda beta: (random.seed(7), random.gammavariate(2.5, beta))[1], 1.5),
    sample_of(random.Random.vonmisesvariate, lambda mu: (random.seed(7), random.vonmisesvariate(mu, 2.5))[1], 1.5),
    sample_of(random.Random.vonmisesvariate, lambda mu: (random.seed(7), random.vonmisesvariate(mu, 1e-7))[1], 1.5),
    sample_of(random.choice, drawn(random.choice), XS).but(order=1),
    sample_of(random.choice, drawn(random.choice), tuple(XS)).but(order=1),
    sample_of(random.sample, drawn(random.sample, 2), XS).but(order=1),
    sample_of(random.choices, drawn(random.choices), XS).but(order=1),
    sample_of(random.choices, drawn(random.choices, [0.1, 0.2, 0.3, 0.4]), XS).but(order=1),
    sample_of(random.Random.choice, own("choice"), XS).but(order=1),
    sample_of(random.Random.sample, lambda xs: random.Random(7).sample(xs, 2), XS).but(order=1),
    sample_of(random.Random.choices, lambda xs: random.Random(7).choices(xs, [0.1, 0.2, 0.3, 0.4], k=3), XS).but(
        order=1
    ),
]
