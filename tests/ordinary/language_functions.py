"""Functions: arguments, defaults, captured variables, decorators, and those of functools."""

import functools
import math
import operator
from functools import cache, cached_property, lru_cache, partial, reduce, singledispatch, singledispatchmethod, wraps

import numpy as np

from .registry import row

GRAVITY = 9.81
LIMITS = {"low": 0.5, "high": 2.0}
_history = []
_gain = 1.5


@row("functions", "global constants", lambda: (0.8, 1.2))
def global_constants(t, v):
    height = v * t - 0.5 * GRAVITY * t**2
    return height * min(max(v * t, LIMITS["low"]), LIMITS["high"]) ** 2


def _reset_globals():
    global _gain
    _gain = 1.5
    _history.clear()


@row("functions", "global statement", lambda: (0.8,), state=lambda: (_gain, _history), reset=_reset_globals)
def global_variables(x):
    global _gain
    for _ in range(3):
        _gain = _gain * x + x**2
        _history.append(_gain)
    return _gain * _history[0] + sum(_history)


@row(
    "functions",
    "* and ** in calls and displays, merged dicts",
    lambda: (0.8, [1.5, 2.5], {"b": 0.7, "a": 1.1}),
    order=2,
)
def stars_everywhere(x, values, options):
    def weigh(*terms, a, b=2.0, **rest):
        return sum(t * a for t in terms) * b + sum(v**2 for v in rest.values())

    merged = {**options, "c": x, **{"b": x * x}}
    joined = [*values, x, *(v * x for v in values), *merged.values()]
    total = weigh(*joined, *values, **merged) + weigh(x, **(options | {"a": x}))
    options |= {"d": x * total}
    return total * options["d"] + weigh(*{**options}.values(), **dict(a=x, z=values[0]))


@row("functions", "positional-only and keyword-only, defaults of outer values", lambda: (0.8, 1.5))
def kinds_of_parameters(x, y):
    z = x * y

    def f(a, /, b=z, *, c=y, d):
        return a * b**2 + c * d

    z = 100.0
    return f(x, d=y) * f(x, y, d=x, c=x) + (lambda a, k=x * x: a * k)(y)


@row("functions", "a default that is a list keeps what was appended", lambda: (0.8, 1.5))
def default_that_is_changed(x, y):
    def collect(v, seen=[x]):
        seen.append(v * seen[-1])
        return seen

    collect(y)
    return sum(collect(y * x)) * collect(x)[1]


@row("functions", "lambdas made in a loop: late binding, bound by default", lambda: (0.8, [1.5, 0.5, 2.0]))
def lambdas_in_a_loop(x, values):
    late = [lambda v: v * w for w in values]
    early = [lambda v, w=w: v * w for w in values]
    later = []
    for k in values:
        later.append(lambda v: v**2 * k)
    k = k * x
    return sum(f(x) for f in late) * early[0](x) + later[0](x) * early[1](x)


@row("functions", "closures that share variables", lambda: (0.8, 1.5), order=2)
def shared_variables(x, y):
    def account(balance):
        def deposit(v):
            nonlocal balance
            balance += v * rate
            return balance

        def interest():
            nonlocal balance, rate
            balance *= 1.0 + rate
            rate = rate * y

        rate = x * 0.1
        return deposit, interest, lambda: balance * rate

    deposit, interest, worth = account(y)
    deposit(x)
    interest()
    return deposit(x * y) * worth() + worth()


@row("functions", "decorators with arguments, stacked, with wraps", lambda: (0.8, 1.5), order=2)
def decorators_with_arguments(x, y):
    def scaled(factor, *, power=1):
        def decorate(f):
            @wraps(f)
            def wrapper(*args, **kwargs):
                return factor * f(*args, **kwargs) ** power

            return wrapper

        return decorate

    @scaled(x, power=2)
    @scaled(y)
    def model(a, *, b=1.0):
        """Doc."""
        return math.sin(a) + b * x

    return model(y) * model(x, b=y) * len(model.__name__) + model.__wrapped__(x)


class CountCalls:
    """A decorator that is a class, with state."""

    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f, self.calls, self.last = f, 0, 1.0

    def __call__(self, *args):
        self.calls += 1
        self.last = self.f(*args) * self.last
        return self.last


@row("functions", "a class as decorator, attributes of functions", lambda: (0.8, 1.5))
def class_as_decorator(x, y):
    @CountCalls
    def model(v):
        model_of.total += v
        return v * v + model_of.total

    def model_of(v):
        return model(v) * model_of.scale

    model_of.scale, model_of.total = y, x
    return model_of(x) * model_of(y) * model.calls + model.last * model_of.total


@row("functions", "a decorator of classes that adds a method", lambda: (0.8, 1.5))
def decorator_of_classes(x, y):
    def with_energy(scale):
        def decorate(cls):
            cls.energy = lambda self: scale * self.speed**2
            return cls

        return decorate

    @with_energy(x * y)
    class Body:
        def __init__(self, speed):
            self.speed = speed

    return Body(y).energy() * Body(x).energy()


@row("functions", "static and class methods, called in every way", lambda: (0.8, 1.5))
def static_and_class_methods(x, y):
    class Temperature:
        offset = x

        def __init__(self, kelvin):
            self.kelvin = kelvin

        @classmethod
        def of(cls, celsius):
            return cls(Temperature.convert(celsius) + cls.offset)

        @staticmethod
        def convert(v, factor=2.0):
            return v * factor + v**2

    class Hotter(Temperature):
        offset = x * y

    a, b = Temperature.of(y), Hotter.of(y)
    kelvin = [f(x) for f in (a.convert, Hotter.convert, lambda v: b.of(v).kelvin)]
    return a.kelvin * b.kelvin + math.prod(kelvin)


@singledispatch
def size_of(thing):
    return 1.0


@size_of.register
def _(thing: float):
    return thing**2


@size_of.register(list)
@size_of.register(tuple)
def _(thing):
    return sum(size_of(t) for t in thing)


@size_of.register
def _(thing: np.ndarray):
    return float((thing**3).sum())


@row("functools", "singledispatch", lambda: (0.8, [1.5, (0.5, "text")], np.array([0.3, 0.9])))
def single_dispatch(x, values, a):
    return size_of(x) * size_of(values) + size_of(a) * size_of([a, x, None]) + size_of.dispatch(float)(x)


@row("functools", "singledispatchmethod with state", lambda: (0.8, 1.5))
def single_dispatch_method(x, y):
    class Tally:
        def __init__(self):
            self.total = x

        @singledispatchmethod
        def add(self, value):
            self.total *= value

        @add.register
        def _(self, value: list):
            for v in value:
                self.add(v)

        @add.register
        def _(self, value: str):
            self.total += len(value) * y

    tally = Tally()
    tally.add([y, "abc", [x, y]])
    return tally.total**2


class Sample:
    def __init__(self, values):
        self.values, self.passes = values, 0

    @cached_property
    def mean(self):
        self.passes += 1
        return sum(self.values) / len(self.values)

    @cached_property
    def variance(self):
        return sum((v - self.mean) ** 2 for v in self.values) / (len(self.values) - 1)


@row("functools", "cached_property: computed once, reset by del", lambda: (Sample([0.5, 1.5, 3.0]), 0.7))
def cached_properties(sample, x):
    total = sample.mean * sample.variance + sample.mean
    sample.values.append(x)
    total += sample.mean * x
    del sample.mean
    return total * sample.mean * sample.passes + sample.variance


@row("functools", "cache on a nested recursive function", lambda: (0.8, 12), order=2)
def cached_recursion(x, n):
    @cache
    def legendre(k):
        if k < 2:
            return x**k
        return ((2 * k - 1) * x * legendre(k - 1) - (k - 1) * legendre(k - 2)) / k

    return legendre(n) * legendre(n - 1) + legendre.cache_info().currsize


@lru_cache(maxsize=32)
def _binomial_weight(p, n, k):
    if k == 0:
        return (1.0 - p) ** n
    return _binomial_weight(p, n, k - 1) * (n - k + 1) / k * p / (1.0 - p)


@row("functools", "lru_cache of a global function", lambda: (0.3, 1.5), reset=_binomial_weight.cache_clear)
def cached_globally(p, x):
    return sum(_binomial_weight(p, 4, k) * x**k for k in range(5)) * _binomial_weight(p, 4, 2)


@row("functools", "lru_cache of a global function that keeps what it knows", lambda: (0.3,))
def cached_between_calls(p):
    return _binomial_weight(p, 3, 2) * math.exp(p) + _binomial_weight(p * p, 3, 1)


@row("functools", "cache on a method; what it caches is changed", lambda: (0.8, 1.5))
def cached_method(x, y):
    class Basis:
        def __init__(self, scale):
            self.scale, self.computed = scale, []

        @lru_cache
        def values(self, n):
            self.computed.append(n * self.scale)
            return [self.scale**k for k in range(n)]

    basis = Basis(x)
    basis.values(3)[1] += y
    return sum(basis.values(3)) * basis.values(2)[1] + sum(basis.computed) ** 2 * len(basis.computed)


@row("functools", "partial, nested, with keywords, partialmethod", lambda: (0.8, 1.5), order=2)
def partial_applications(x, y):
    def model(a, b, *, c=1.0):
        return a * b**2 + math.sin(c * a)

    class Grid:
        def power(self, v, n):
            return v**n * y

        cube = functools.partialmethod(power, n=3)

    with_x = partial(model, x)
    with_c = partial(with_x, c=y)
    by_keyword = partial(model, b=x * y)
    return with_c(y) * with_x(2.0, c=x) + by_keyword(y) * with_c.keywords["c"] + Grid().cube(x)


@row("functools", "reduce with and without a start", lambda: ([0.5, 1.5, 0.8], 1.1), order=2)
def reductions(values, x):
    horner = reduce(lambda total, c: total * x + c, values)
    product = reduce(operator.mul, values, x * x)
    composed = reduce(lambda f, g: lambda v: g(f(v)), [math.sin, lambda v: v * x, math.exp])
    return horner * product + composed(x)


@row("functools", "cmp_to_key", lambda: ([0.5, -1.5, 2.5, 0.9], 0.7))
def sorted_by_comparison(values, x):
    def compare(a, b):
        return (abs(a) > abs(b)) - (abs(a) < abs(b))

    ordered = sorted(values, key=functools.cmp_to_key(compare))
    values.sort(key=functools.cmp_to_key(lambda a, b: b - a))
    return sum(v * x**i for i, v in enumerate(ordered)) * values[0] * values[-1]


@row(
    "operator",
    "itemgetter, attrgetter, methodcaller",
    lambda: ([(1, 0.5), (0, 1.5)], {"a": 0.7, "b": 1.2}, Sample([0.3])),
)
def getters(pairs, table, sample):
    class Box:
        content = sample

        def scaled(self, factor, shift=0.0):
            return self.content.values[0] * factor + shift

    pairs.sort(key=operator.itemgetter(0))
    a, b = operator.itemgetter("b", "a")(table)
    values = operator.attrgetter("content.values")(Box)
    values.append(a * b)
    return operator.methodcaller("scaled", a, shift=b)(Box()) * pairs[0][1] + values[1] * pairs[1][1]


@row("operator", "functions of operators, in-place ones too", lambda: (0.8, [1.5, 0.5]))
def operator_functions(x, values):
    total = operator.add(x, operator.pow(values[0], 2)) * operator.getitem(values, 1)
    operator.setitem(values, 0, operator.neg(x))
    values = operator.iadd(values, [total])
    total = operator.imul(total, values[0]) + operator.truediv(x, values[1])
    operator.delitem(values, 0)
    return total * operator.concat(values, [x])[-2]


@row("functions", "what flows into a function, read from it: defaults, captured variables", lambda: (1.3,), order=2)
def parts_of_functions(x):
    y = x * x

    def f(a=y, *, b=x):
        return a * b * y

    captured = f.__closure__[0].cell_contents
    return f() * f.__defaults__[0] * f.__kwdefaults__["b"] * captured
