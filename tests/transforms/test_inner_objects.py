"""Objects of classes made inside that a program makes: carried by loops, given by branches, in lists."""

from __future__ import annotations

import sys

import pytest
from transforms import inner_objects as programs
from ways import check_calls, check_everywhere, slopes

from adjoint.derivatives.choice import forget, is_structured_call
from adjoint.inspect import cache_clear
from adjoint.recording.entry import recorded
from adjoint.transforms import inner_objects, specialise


@pytest.mark.parametrize("f", programs.STRUCTURED)
def test_structured(f):
    check_calls(f, 0.6, 1.3)
    assert is_structured_call(f, (0.6, 1.3))


@pytest.mark.parametrize("f", programs.RECORDED)
def test_recorded(f):
    check_calls(f, 0.6, 1.3)
    assert not is_structured_call(f, (0.6, 1.3))


@pytest.mark.parametrize(
    "f", [f for f in programs.STRUCTURED + programs.RECORDED if f is not programs.gradient_of_a_method]
)
def test_other_ways(f):
    check_everywhere(lambda x: f(x, 1.3), 0.6)
    y, back, _ = recorded(f, 0.6, 1.3)
    assert y == f(0.6, 1.3)
    assert [0.0 if d is None else d for d in back(1.0)[1:]] == pytest.approx(slopes(f, 0.6, 1.3), rel=1e-5)


# ---- planted errors


def _is_caught(f):
    forget()
    cache_clear()
    try:
        check_calls(f, 0.6, 1.3)
    except Exception:  # noqa: BLE001 - whatever it is, it is noticed
        return True
    finally:
        forget()
        cache_clear()
    return False


def test_objects_that_others_see_are_caught(monkeypatch):
    monkeypatch.setattr(specialise, "check_flow", lambda sp, results: None)
    assert _is_caught(programs.gradient_of_a_method)


def test_several_classes_taken_for_one_are_caught(monkeypatch):
    class Forgetful(dict):
        def __contains__(self, key):
            return self.asked() and super().__contains__(key)

        def asked(self):
            return inner_objects.note_made.__code__ is not sys._getframe(2).f_code

    heap = specialise.Heap

    def made(real):
        new = heap(real)
        new.only = Forgetful()
        return new

    monkeypatch.setattr(specialise, "Heap", made)
    assert _is_caught(programs.loop_over_keys)
