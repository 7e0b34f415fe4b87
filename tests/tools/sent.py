"""A script whose functions are sent to other processes: by joblib, or by cloudpickle to one that has no script."""

import functools
import importlib.util
import pickle
import sys
from pathlib import Path

import numpy as np

import adjoint
from adjoint import checkpoint, grad, gradient, pullback, rule, value_and_grad

K = 3.0


def helper(x):
    return np.sum(x * x)


def structured(x):
    return helper(x) * K


def recorded(x):
    try:
        return helper(x) * [K, x][0]
    finally:
        pass


class Model:
    def __init__(self, w):
        self.w = w

    def scaled(self, x):
        return self.w * helper(x)

    def __call__(self, x):
        return self.scaled(x)

    @property
    def at_two(self):
        return self.scaled(2.0)


def of_model(m, x):
    return m(x) + m.at_two


def closed(k):
    def inner(x):
        return k * helper(x)

    return inner


def plain(x):
    return gradient(structured, x)[0]


def plain_lambda(x):
    return gradient(lambda y: helper(y) + y, x)[0]


@grad
def decorated(x):
    return helper(x) * x


def ruled(x):
    return x * x


@rule(ruled)
def ruled_rule(x):
    return x * x, lambda d: (100.0 * d,)


@functools.wraps(ruled)
def wraps_ruled(x):
    return ruled(x) * x


def several(x, y=2.0, *, z=1.0):
    return helper(x) * y + z


class Holder:
    decorated = grad(lambda x: helper(x))


# The name, what is called, its arguments, what it gives; the last three of functions that adjoint is only called in.
CASES = [
    ("structured", grad(structured), (2.0,), 12.0),
    ("recorded", grad(recorded), (2.0,), 12.0),
    ("second", grad(grad(recorded)), (2.0,), 6.0),
    ("lambda", grad(lambda x: helper(x) - x), (2.0,), 3.0),
    ("lambdas on one line", [grad(lambda x: helper(x)), grad(lambda x: -helper(x))][1], (2.0,), -4.0),
    ("closure", grad(closed(5.0)), (2.0,), 20.0),
    ("closure of closures", grad(closed(closed(1.0)(2.0))), (2.0,), 16.0),
    ("method", grad(Model(3.0).scaled), (2.0,), 12.0),
    ("model", value_and_grad(of_model, 1), (Model(3.0), 2.0), (24.0, 12.0)),
    ("partial", grad(functools.partial(several, y=3.0)), (2.0,), 12.0),
    ("field", Holder.decorated, (2.0,), 4.0),
    ("checkpoint", grad(checkpoint(recorded)), (2.0,), 12.0),
    ("decorated", decorated, (2.0,), 12.0),
    ("calls what is decorated", grad(lambda x: decorated(x) * x), (2.0,), 36.0),
    ("derivative", adjoint.calculus.derivative(structured, 2), (2.0,), 6.0),
    ("pullback", pullback(structured, 2.0)[1], (1.0,), (None, 12.0)),
    ("pullback of recorded", pullback(recorded, 2.0)[1], (1.0,), (None, 12.0)),
    ("plain", plain, (2.0,), 12.0),
    ("plain lambda", plain_lambda, (2.0,), 5.0),
    ("plain closure", lambda x: gradient(closed(2.0), x)[0], (2.0,), 8.0),
]
PLAIN = 3
COMPILED = ("compiled", grad(closed(2.0), compile="strict"), (2.0,), 8.0)
RULED = [
    ("ruled", grad(ruled), 2.0),
    ("in a call", grad(lambda x: ruled(x) * x), 2.0),
    ("wrapped", grad(wraps_ruled), 2.0),
]


def wrong(name, expected, got):
    return [] if got == expected else [f"{name}: {got}, not {expected}"]


def by_joblib():
    """What is not as in this process."""
    from joblib import Parallel, delayed

    cases = [*CASES, COMPILED] if importlib.util.find_spec("numba") else CASES
    calls = [delayed(call)(*args) for _, call, args, _ in cases]
    found = [w for c, got in zip(cases, Parallel(n_jobs=2)(calls), strict=True) for w in wrong(c[0], c[3], got)]
    for name, call, x in RULED:
        try:
            found += [f"{name}: not refused, {got}" for got in Parallel(n_jobs=2)([delayed(call)(x)])]
        except adjoint.errors.NoRuleError as error:
            assert "is not here" in str(error) and call(x) >= 100.0
    return found


def pickled():
    """Cases as cloudpickle sends them: those whose text goes along, those whose text cannot, those with rules."""
    import cloudpickle

    return [cloudpickle.dumps(part) for part in (CASES[:-PLAIN], CASES[-PLAIN:], RULED)]


if __name__ == "__main__":
    if sys.argv[1] == "joblib":
        sys.exit("\n".join(by_joblib()) or 0)
    Path(sys.argv[1]).write_bytes(pickle.dumps(pickled()))
