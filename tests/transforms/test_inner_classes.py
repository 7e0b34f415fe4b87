"""Classes made inside a function: reversed in their structure where nobody can tell which class was made."""

from __future__ import annotations

import pytest
from transforms import inner_attributes, inner_operators
from transforms import inner_classes as programs
from transforms import inner_classes_seen as seen
from ways import check_calls, check_everywhere, slopes

from adjoint import pullback
from adjoint.derivatives.choice import forget, generated_for, is_structured_call
from adjoint.errors import UnsupportedSyntaxError
from adjoint.frontend import classes, scope
from adjoint.inspect import cache_clear, code_adjoint
from adjoint.recording.entry import recorded
from adjoint.transforms import inner_classes


def handed_to_functions(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def step(self, dt):
            self.v = self.v + dt * x

    def run(p, n):
        for _ in range(n):
            p.step(y)
        return p.v

    p = P(x)
    return run(p, 3) * run(p, 2) + helper(p)


def recursive(x, y):
    def go(n, v):
        class P:
            gain = v

            def val(self):
                return self.gain * y

        p = P()
        if n > 0:
            return p.val() + go(n - 1, v * x) * p.val()
        return p.val()

    return go(3, x)


def helper(p):
    p.extra = p.v * 2
    return p.extra * p.v


RECORDED = [*seen.PROGRAMS, *inner_attributes.RECORDED, *inner_operators.RECORDED]
STRUCTURED = [
    *programs.PROGRAMS,
    *inner_attributes.STRUCTURED,
    *inner_operators.STRUCTURED,
    *seen.FOLLOWED,
    handed_to_functions,
    recursive,
]


@pytest.mark.parametrize("f", STRUCTURED)
def test_structured(f):
    check_calls(f, 0.6, 1.3)
    assert is_structured_call(f, (0.6, 1.3))


@pytest.mark.parametrize("f", RECORDED)
def test_recorded(f):
    check_calls(f, 0.6, 1.3)
    assert not is_structured_call(f, (0.6, 1.3))


@pytest.mark.parametrize("f", STRUCTURED + RECORDED)
def test_other_ways(f):
    check_everywhere(lambda x: f(x, 1.3), 0.6)
    y, back, _ = recorded(f, 0.6, 1.3)
    assert y == f(0.6, 1.3)
    assert [0.0 if d is None else d for d in back(1.0)[1:]] == pytest.approx(slopes(f, 0.6, 1.3), rel=1e-5)


def test_the_program_has_neither_class_nor_object():
    code = code_adjoint(programs.loop_method, 0.6, 1.3)
    assert "Osc(" not in "".join(line.partition("#")[0] for line in code.splitlines())


def made(x, y):
    class P:
        def __init__(self, v):
            self.v = v * y

    return P(x)


def test_what_is_returned_is_of_a_class_of_its_own():
    first, second = (pullback(made, 0.6, 1.3)[0] for _ in range(2))
    assert vars(first) == {"v": 0.6 * 1.3}
    assert type(first) is not type(second)
    assert type(first).__qualname__ == "made.<locals>.P"


@pytest.mark.parametrize("f", [made, seen.new_attribute_of_the_class, inner_attributes.hidden_of_an_item, seen.shown])
def test_refused_where_it_is_to_be_structured(f):
    with pytest.raises(UnsupportedSyntaxError, match="the class `P` made inside a function"):
        generated_for(f, (0.6, 1.3), {}, None)


# ---- planted errors


def _is_caught(check):
    forget()
    cache_clear()
    try:
        check()
    except Exception:  # noqa: BLE001 - whatever it is, it is noticed
        return True
    finally:
        cache_clear()
    return False


def test_a_class_taken_for_that_of_another_execution_is_caught(monkeypatch):
    monkeypatch.setattr(inner_classes, "_is_of", lambda r, s, args: True)
    assert _is_caught(lambda: check_calls(programs.asked_for_its_class, 0.6, 1.3))


def test_names_of_the_function_for_those_of_the_body_are_caught(monkeypatch):
    monkeypatch.setattr(classes._Renamed, "visit_Name", lambda self, node: node)

    def f(x, y):
        gain = x

        class P:
            gain = y
            twice = gain * 2

        return P().twice * gain

    assert _is_caught(lambda: check_calls(f, 0.6, 1.3))


@pytest.mark.parametrize("f", [inner_operators.derived_compared_first, inner_operators.derived_added_first])
def test_methods_of_the_first_one_before_those_of_a_derived_class_are_caught(monkeypatch, f):
    monkeypatch.setattr(inner_classes, "_derives", lambda layout, other: False)
    assert _is_caught(lambda: check_calls(f, 0.6, 1.3))


def test_names_read_in_the_body_are_caught(monkeypatch):
    monkeypatch.setattr(scope, "_read_in_body", lambda body: [])

    def f(x, y):
        k = x

        def g():
            class P:
                gain = k

                def value(self):
                    return self.gain * y

            return P().value()

        a = g()
        k = 2 * y
        return a + g() * 10

    assert _is_caught(lambda: check_calls(f, 0.6, 1.3))
