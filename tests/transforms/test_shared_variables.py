"""`nonlocal` in functions that call themselves or each other: variables that are memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback

from .held_to_python import hold


def summed(x, y):
    total = 0.0

    def visit(n):
        nonlocal total
        total += x * n
        if n > 1:
            visit(n - 1)
            total *= y
            visit(n - 2)

    visit(5)
    return total


def best_of_all(x, y):
    count, best = 0, x

    def search(depth, value):
        nonlocal count, best
        count += 1
        if depth == 0:
            if value > best:
                best = value
            return
        search(depth - 1, value * x)
        search(depth - 1, value + y)

    search(3, 1.0)
    return best * count


def read_between(x, y):
    level = x

    def step(n):
        nonlocal level
        before = level
        level = level * y + n
        if n > 0:
            return before * step(n - 1) + level
        return level

    first = step(3)
    level = level + first
    return step(1) * level


def three_deep(x, y):
    total = y

    def outer(n):
        def inner(m):
            nonlocal total
            total += x * m
            if m > 0:
                inner(m - 1)

        inner(n)
        if n > 0:
            outer(n - 1)

    outer(2)
    return total * total


def two_calls_of_one_maker(x, y):
    def counter(start):
        n = start

        def down(k):
            nonlocal n
            n = n * x
            return down(k - 1) if k > 0 else n

        return down(2) + n

    return counter(x) * counter(y)


def an_array(x, y):
    held = np.array([x, y])

    def turn(n):
        nonlocal held
        held = held[::-1] * x + n
        if n > 0:
            turn(n - 1)

    turn(3)
    return held[0] * held[1]


def by_turns(x, y):
    total = x

    def even(n):
        nonlocal total
        total *= y
        return odd(n - 1) if n > 0 else total

    def odd(n):
        nonlocal total
        total += x
        return even(n - 1) if n > 0 else total * 2.0

    return even(5) * total


def parsed(x, y):
    """Recursive descent over words, of which the place is shared."""
    words = ("( x + 2 ) * y" + " + ( y * x + x )" * 2).split()
    known, at = {"x": x, "y": y}, 0

    def sum_():
        nonlocal at
        value = product()
        while at < len(words) and words[at] == "+":
            at += 1
            value = value + product()
        return value

    def product():
        nonlocal at
        value = factor()
        while at < len(words) and words[at] == "*":
            at += 1
            value = value * factor()
        return value

    def factor():
        nonlocal at
        word = words[at]
        at += 1
        if word == "(":
            value = sum_()
            at += 1
            return value
        return known[word] if word in known else float(word)

    return sum_() * at


STRUCTURED = [parsed, summed, best_of_all, read_between, three_deep, an_array]


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_structured(f: Any) -> None:
    for x, y in ((0.7, 1.2), (1.1, 0.4)):
        hold(f, lambda x=x, y=y: (x, y))


def slope(f, x, y, h=1e-6):
    return (f(x + h, y) - f(x - h, y)) / (2 * h)


def handed_to_sorted(x, y):
    asked = 0

    def key(v):
        nonlocal asked
        asked += 1
        return v if asked < 100 else key(v - 1)

    values = sorted([x, y, x * y], key=key)
    return values[0] * values[1] * asked


def handed_to_map(x, y):
    total = 0.0

    def add(v):
        nonlocal total
        total += v
        return total if v < 100 else add(v - 1)

    return sum(map(add, [x, y, x * y])) * total


def returned(x, y):
    total = x

    def grow(n):
        nonlocal total
        total *= y
        return grow(n - 1) if n > 0 else total

    return grow


def called_later(x, y):
    grow = returned(x, y)
    return grow(1) * grow(0)


def in_a_list(x, y):
    total = x

    def grow(n):
        nonlocal total
        total *= y
        return grow(n - 1) if n > 0 else total

    functions = [grow, lambda n: n * x]
    return sum(f(1) for f in functions) * total


def generator(x, y):
    total = x

    def steps(n):
        nonlocal total
        total *= y
        yield total
        if n > 0:
            yield from steps(n - 1)

    return sum(steps(3)) * total


def deleted(x, y):
    total = x

    def visit(n):
        nonlocal total
        if n == 0:
            del total
            return y
        total = total * y
        return visit(n - 1) * x

    result = visit(2)
    try:
        return total
    except NameError:
        return result


OTHERS = [
    handed_to_sorted,
    handed_to_map,
    called_later,
    in_a_list,
    generator,
    two_calls_of_one_maker,
    by_turns,
    deleted,
]


@pytest.mark.parametrize("f", OTHERS, ids=lambda f: f.__name__)
def test_right_in_any_way(f: Any) -> None:
    for x, y in ((0.7, 1.2), (1.1, 0.4)):
        for _ in range(3):
            assert pullback(f, x, y)[0] == f(x, y)
            assert gradient(f, x, y)[0] == pytest.approx(slope(f, x, y))
            assert gradient(f, x, y)[1] == pytest.approx(slope(lambda y, x: f(x, y), y, x))


def test_a_variable_that_is_not_bound_yet() -> None:
    def early(x):
        def visit(n):
            nonlocal total
            total = total + x if n else 0.0
            return visit(n - 1) if n else total

        found = visit(1)
        total = x
        return found + total

    for _ in range(3):
        with pytest.raises(NameError) as found:
            gradient(early, 0.5)
        with pytest.raises(NameError) as plain:
            early(0.5)
        assert (type(found.value), str(found.value)) == (type(plain.value), str(plain.value))


def test_an_exception_leaves_the_next_call_as_it_was() -> None:
    def failing(x):
        total = x

        def visit(n):
            nonlocal total
            total *= 2.0
            if n == 0:
                raise ValueError(n)
            visit(n - 1)

        try:
            visit(2)
        except ValueError:
            total += x
        return total * x

    for _ in range(3):
        assert gradient(failing, 0.5)[0] == pytest.approx(9.0)
