"""Handlers of the program's do not catch what only its derivative refuses: plain Python has no error there."""

import contextlib

import numpy as np
import pytest

from adjoint import grad, gradient, hvp, value_and_grad
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError
from adjoint.recording import refusals

# mypy: disable-error-code="no-untyped-def"


def caught(x):
    try:
        return eval("x * x")
    except Exception:
        return x


def caught_by_its_kind(x):
    try:
        return eval("x * x")
    except NotImplementedError:
        return x


def caught_bare(x):
    try:
        return eval("x * x")
    except:  # noqa: E722
        return x


def left_by_finally(x):
    try:
        eval("x * x")
    finally:
        return x  # noqa: B012


def suppressed(x):
    with contextlib.suppress(Exception):
        return eval("x * x")
    return x


class Swallowing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


def swallowed(x):
    with Swallowing():
        return eval("x * x")
    return x


def caught_in_a_group(x):
    y = x
    try:
        y = eval("x * x")
    except* Exception:
        pass
    return y


def caught_in_a_generator(x):
    def items():
        try:
            yield eval("x * x", {"x": x})
        except Exception:
            yield x

    return sum(items())


def caught_further_out(x):
    try:
        try:
            return eval("x * x")
        except KeyError:
            return x
    except Exception:
        return 5 * x


def caught_in_a_loop(x):
    found = [0.0]
    for _ in range(2):
        try:
            found[0] = eval("x * x")
        except Exception:
            continue
    return found[0] * x


def another_instead(x):
    try:
        return eval("x * x")
    except Exception:
        raise ValueError("no") from None


def caught_in_what_it_calls(x):
    def inner(t):
        return eval("t * t")

    try:
        return inner(x)
    except Exception:
        return x


MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]]).view(np.matrix)


def of_a_matrix(x):
    try:
        return np.real(np.sum(MATRIX * x))
    except Exception:
        return x**3


SWALLOWING = [
    caught, caught_by_its_kind, caught_bare, left_by_finally, suppressed, swallowed, caught_in_a_group,
    caught_in_a_generator, caught_further_out, caught_in_a_loop, another_instead, caught_in_what_it_calls, of_a_matrix,
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("f", SWALLOWING)
@pytest.mark.parametrize(
    "derivative",
    [
        lambda f: gradient(f, 2.0),
        lambda f: grad(grad(f))(2.0),
        lambda f: hvp(f, (2.0,), (1.0,)),
        lambda f: pushforward(f, (2.0,), (1.0,)),
        lambda f: value_and_grad(f, compile=True)(2.0),
    ],
    ids=["reverse", "twice", "hvp", "forward", "compiled"],
)
def test_they_are_refused(f, derivative):
    f(2.0)
    with pytest.raises(AdjointError) as refusal:
        derivative(f)
    assert refusal.value.why


def test_errors_of_the_program_are_its_own():
    def f(x):
        try:
            return x / 0
        except ZeroDivisionError:
            return x * x

    assert gradient(f, 3.0) == (6.0,)


def test_a_derivative_inside_of_the_program_is_its_own():
    def f(x):
        try:
            return gradient(lambda t: eval("t * t"), x)[0]
        except AdjointError:
            return 3 * x

    assert (f(2.0), gradient(f, 2.0)) == (6.0, (3.0,))


def test_a_refusal_that_is_not_noted_is_noticed(monkeypatch):
    """A planted error."""
    monkeypatch.setattr(refusals._Refusals, "found", property(lambda self: None, lambda self, value: None))
    assert gradient(suppressed, 2.0) == (1.0,)
