"""What the seeds call confused: superfluous code, unused results and arguments, dead branches, real zeros."""

import math

import numpy as np

from .registry import program


@program(3.0, rows="confused")
def confuse(x):
    y = 3 * x
    z = y + 2
    b = z * x  # noqa: F841
    return y


@program(1.5, 2.5, rows="confused")
def unused_argument(x, y):
    return x * x


@program(1.5, rows="confused")
def independent_of_input(x):
    return 42.0


@program(np.array([1.0, 2.0]), [3.0, 4.0], {"a": 1.0}, rows="confused")
def constant_result_of_structures(x, xs, d):
    return 1.0 if len(xs) == 2 else x[0]


@program(1.5, rows="confused")
def unused_calls(x):
    math.sin(x)
    x**3
    [v * x for v in (1.0, 2.0)]
    unused = {"a": x * 2.0, "b": [x]}  # noqa: F841
    return math.exp(x)


@program(1.5, rows="confused")
def dead_branch(x):
    if False:
        return x * math.undefined_function(x)
    if 1 > 2:
        x = x**100
    while 0:
        x = x + 1.0
    return x * 2.0


@program(2.0, rows="confused")
def code_after_return(x):
    y = x * x
    return y
    y = y * x
    return y + 1.0


@program(1.5, 2.0, rows="confused")
def overwritten_values(x, y):
    z = x * y
    z = y * y
    w = z
    w = w
    x = x
    return w + 0.0 * x + x - x


@program(0.7, 4, rows="confused")
def unused_loop_results(x, n):
    waste = 1.0
    for i in range(n):
        waste = waste * x + i
        temp = math.cos(waste)  # noqa: F841
        y = x * i
    return y


@program(1.2, rows="confused")
def unused_function_and_result(x):
    def unused(v):
        return v * x

    def returns_nothing(v):
        v * x

    returns_nothing(x)
    first, _ = x * 2.0, x * 3.0
    return first


@program(1.2, -0.4, rows="confused")
def part_of_result_is_constant(x, y):
    return x * x, 1.0, "text", None, [y, 3], {"k": 2.0}


@program(0.5, rows="confused")
def identity(x):
    return x


@program(0.5, rows="confused")
def returns_none(x):
    x * x


@program(np.array([1.0, -2.0, 3.0]), rows=("confused", "numpy"))
def depends_only_on_shape(x):
    return np.ones(x.shape) * x.size + np.zeros_like(x) + x.ndim


@program(2.0, rows="confused")
def same_value_many_times(x):
    return (x, x, [x, x]), x * x + x


@program(0.3, 0.8, rows="confused", order=2)
def comparison_is_all_that_is_used(x, y):
    larger = x > y
    return 1.0 if larger else 2.0
