"""Objects whose operators fill lists that they make are reversed in their structure; where such a list may be the
object's own, or hold something of it, what the operator stores is followed."""

from __future__ import annotations

from typing import Any

import pytest

from adjoint.inspect import code_adjoint

from .differences import check


class Poly:
    def __init__(self, c: Any) -> None:
        self.c = c

    def __call__(self, x: Any) -> Any:
        t = 0.0
        for c in reversed(self.c):
            t = t * x + c
        return t

    def __mul__(self, other: Any) -> Any:
        out = [0.0] * (len(self.c) + len(other.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(other.c):
                out[i + j] += a * b
        return Poly(out)


class Matrix:
    def __init__(self, rows: Any) -> None:
        self.rows = rows

    def __matmul__(self, other: Any) -> Any:
        out = [[0.0, 0.0], [0.0, 0.0]]
        for i in range(2):
            for j in range(2):
                for k in range(2):
                    out[i][j] += self.rows[i][k] * other.rows[k][j]
        return Matrix(out)

    def __add__(self, other: Any) -> Any:
        new = Matrix(None)
        new.rows = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(self.rows, other.rows, strict=True)]
        return new


class Held:
    """Its list may be what an operator stores into."""

    def __init__(self, c: Any) -> None:
        self.c = c


class Either(Held):
    def __add__(self, x: Any) -> Any:
        out = self.c if x else [0.0]
        out[0] *= x
        return self


class Or(Held):
    def __add__(self, x: Any) -> Any:
        out = self.c or [0.0]
        out[0] = out[0] * x
        return self


class Chosen(Held):
    def __add__(self, x: Any) -> Any:
        out = [0.0]
        (self.c if x else out)[0] = self.c[0] * x
        return self


class Row(Held):
    def __add__(self, x: Any) -> Any:
        out = [[0.0], [0.0]]
        out[0] = self.c
        out[0][0] = out[0][0] * x
        return self


class Appended(Held):
    def __add__(self, x: Any) -> Any:
        out: list[Any] = [[0.0]]
        out.append(self.c)
        out[1][0] *= x
        return self


def horner(a: Any, x: Any) -> Any:
    p, t = Poly([a, 2.0 * a, a * a]), 0.0
    for _ in range(3):
        t += p(x)
    return t


def products(a: Any, x: Any) -> Any:
    p, q = Poly([a, 2.0 * a, x]), Poly([x, 1.0])
    return (p * q * p)(x)


def matrices(a: Any, x: Any) -> Any:
    p = Matrix([[a, x], [x * x, a * x]])
    q = p @ p @ p + p
    return q.rows[0][1] * q.rows[1][0]


def changed(cls: Any) -> Any:
    def program(a: Any, x: Any) -> Any:
        held = cls([a, x])
        held + x
        held + x * x
        return held.c[0] * held.c[1]

    return program


@pytest.mark.parametrize("f", [horner, products, matrices])
def test_operators_that_fill_their_own_lists(f: Any) -> None:
    check(f, 1.5, 0.7, order=2)
    assert "recorded" not in code_adjoint(f, 1.5, 0.7)


@pytest.mark.parametrize("cls", [Either, Or, Chosen, Row, Appended])
def test_operators_that_store_into_a_list_of_the_object(cls: Any) -> None:
    check(changed(cls), 1.5, 0.7, order=2)
