"""Functions: closures, cells, arguments of every kind, decorators and functions as values."""

import functools
import math
import operator
from functools import lru_cache, partial, reduce, wraps

from .registry import program


@program(1.5, 2.0, rows="functions", order=2)
def nested_functions(x, y):
    def square(v):
        return v * v

    def shifted(v):
        return square(v) + y

    return shifted(x) * square(y)


def make_line(slope, offset):
    def line(x):
        return slope * x + offset

    return line


program(4.0, rows="functions", name="closure_as_program", order=2)(make_line(2.0, 3.5))


@program(make_line(2.0, 3.5), 4.0, rows="functions")
def closure_as_argument(line, x):
    return line(x) * line(1.0) + x


@program(1.2, 0.7, rows="functions")
def function_that_is_returned(a, b):
    steep = make_line(a * b, a)
    return steep(b) + steep(2.0)


@program(2.0, 5, rows="functions")
def closures_over_each_other(x, n):
    def even(k):
        return x if k == 0 else 1.5 * odd(k - 1)

    def odd(k):
        return x * x if k == 0 else even(k - 1) + x

    return even(n) * odd(n)


@program(1.5, rows="functions")
def rebound_after_capture(x):
    k = x
    square = lambda: k * k  # noqa: E731
    k = k * 3.0
    return square() + k


@program(2.0, rows="functions")
def captured_before_it_is_bound(x):
    def later():
        return scale * x

    scale = x * x
    first = later()
    scale = scale + 1.0
    return first * later()


@program(1.5, 0.5, rows="functions", order=2)
def lambdas_on_one_line(x, y):
    f, g, h = (lambda v: v * x), (lambda v: v + y), (lambda v: v**2 * x * y)  # noqa: E731
    return f(g(h(x))) + g(f(y))


@program(0.8, rows="functions")
def lambdas_made_in_a_loop(x):
    late, bound = [], []
    for i in range(1, 4):
        late.append(lambda v: v * i * x)
        bound.append(lambda v, i=i: v**i + x)
    return sum([f(x) for f in late]) + sum([g(2.0 * x) for g in bound])


def scaled(x, factor=3.0, *, offset=1.0):
    return x * factor + offset


@program(1.7, rows="functions")
def defaults_and_keyword_only(x):
    return scaled(x) * scaled(x, 2.0) + scaled(x, offset=x) - scaled(factor=x, x=2.0, offset=0.5)


@program(1.7, rows="functions", kwargs={"factor": 0.4, "offset": 2.5})
def called_with_keywords(x, factor=3.0, *, offset=1.0):
    return x * factor**2 + offset * x


@program(1.3, 0.4, rows="functions")
def default_is_an_outer_value(x, y):
    def shifted(v, shift=x * y):
        return v * shift + v

    y = 100.0
    return shifted(x) + shifted(y, shift=x)


def weighted_total(*values, **weights):
    total = 0.0
    for value in values:
        total += value * weights["scale"]
    return total * weights.get("gain", 1.0) + len(weights)


@program(1.0, 2.0, 3.0, rows=("functions", "data"))
def star_arguments_on_both_sides(x, y, z):
    values = [x, y * y]
    options = {"scale": z, "gain": x}
    return weighted_total(*values, z, **options) + weighted_total(z, scale=y)


@program(2.0, 3.0, 4.0, rows="functions", name="variadic_program")
def variadic(*values):
    head, *tail = values
    return head * sum(tail) + head**2


@program(1.1, rows="functions", kwargs={"a": 2.0, "b": 3.0})
def keyword_dictionary(x, **parameters):
    return x * parameters["a"] + parameters["b"] ** 2 * x


@program(1.5, 2.5, rows="functions")
def positional_only(x, y, /):
    def fraction(p, q, /, eps=0.1):
        return p / (q + eps)

    return fraction(x, y) + fraction(y, x, eps=x)


def doubled(function):
    def wrapper(*args, **kwargs):
        return 2.0 * function(*args, **kwargs)

    return wrapper


def powered(exponent):
    def decorate(function):
        @wraps(function)
        def wrapper(x):
            return function(x) ** exponent

        return wrapper

    return decorate


@doubled
def doubled_sine(x, phase=0.1):
    return math.sin(x + phase)


@doubled
@powered(3)
def stacked_decorators(x):
    return x + 0.5


@program(0.6, rows="functions")
def decorated_functions(x):
    @powered(2)
    def local(v):
        return v * x

    return doubled_sine(x, phase=x) + stacked_decorators(x) * local(2.0)


program(0.7, rows="functions", name="wrapped_program", order=2)(powered(3)(math.tanh))


@program(1.5, 0.3, rows="functions", order=2)
def partial_application(x, y):
    line = partial(scaled, factor=y)
    power = functools.partial(pow, x)
    return line(x, offset=2.0) * power(2.0) + partial(line, offset=x)(y)


program(2.0, rows="functions", name="partial_as_program")(partial(scaled, factor=0.5, offset=4.0))


@program([1.5, 2.0, 0.5, 3.0], rows=("functions", "data"))
def folds(xs):
    product = reduce(operator.mul, xs)
    horner = reduce(lambda total, c: total * 0.5 + c, xs, 1.0)
    return product + horner


@lru_cache(maxsize=None)
def cached_fibonacci(n, x):
    return x if n < 2 else cached_fibonacci(n - 1, x) + 0.5 * cached_fibonacci(n - 2, x)


@program(0.9, rows="functions")
def memoised_recursion(x):
    return cached_fibonacci(12, x) / 100.0 + cached_fibonacci(3, x) * x


@program(1.5, 2.5, [1.0, 4.0], rows="functions")
def operator_functions(x, y, xs):
    total = operator.add(x, y) * operator.sub(x, y) + operator.truediv(x, y) - operator.neg(x)
    total = total + operator.pow(x, 2) + operator.getitem(xs, 1) * operator.mul(x, y)
    return total + operator.itemgetter(0)(xs) * x + operator.abs(-y) + operator.mod(y, x) + operator.pos(x)


TABLE = {"sin": math.sin, "cube": lambda v: v**3, "line": make_line(0.5, 1.0)}


@program(0.8, "cube", rows=("functions", "data"))
def functions_in_a_dictionary(x, name):
    return TABLE[name](x) * TABLE["sin"](x) + TABLE["line"](x)


@program(0.8, rows="functions")
def pipeline_of_functions(x):
    for stage in [math.exp, lambda v: v - x, math.atan, make_line(x, 0.25)]:
        x = stage(x)
    return x


def compose(*functions):
    def composed(x):
        for f in reversed(functions):
            x = f(x)
        return x

    return composed


@program(0.4, rows="functions")
def composition(x):
    return compose(math.sin, math.exp, lambda v: v * x)(x) + compose()(x)


program(0.4, rows="functions", name="composed_program")(compose(math.cos, make_line(3.0, -0.2), math.sqrt))


def fixed_point(function, start, rounds=30):
    x = start
    for _ in range(rounds):
        x = function(x)
    return x


@program(0.7, 0.4, rows=("functions", "control flow"), order=2)
def fixed_point_of_closure(a, b):
    return fixed_point(lambda x: math.cos(a * x) * b, 0.5, rounds=12)


@program(1.2, 0.9, rows="functions")
def immediately_called_lambda(x, y):
    return (lambda a, b=y: a * b + x)(x + 1.0) + (lambda *vs: vs[0] * vs[1])(x, y)


@program(1.4, rows="functions")
def counter_of_calls(x):
    def repeat(function, n):
        return (lambda v: v) if n == 0 else (lambda v: function(repeat(function, n - 1)(v)))

    return repeat(lambda v: 0.5 * v + x, 4)(x)
