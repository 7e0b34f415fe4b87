"""A square, and its derivative."""

import adjoint

from .problem import Function


def square(x):
    return x * x


def read(given):
    return (float(given),)


FUNCTIONS = {
    "square": Function(read, square),
    "double": Function(read, adjoint.grad(square, compile=True)),
}
