"""Private attributes of classes made inside the function: the compiler writes them with the name of the class."""

from __future__ import annotations

import pytest
from ways import slopes

from adjoint.recording import expressions
from adjoint.recording.entry import recorded


def private(x, y):
    class Model:
        __rate = x
        shift: float = x * y

        class _Inner:
            __scale = x + y

            def scaled(self, v):
                return v * self.__scale

        def __init__(self, v):
            self.__v = v

        def __scaled(self):
            return self.__v * self.__rate + self.shift

        def value(self):
            return self._Inner().scaled(self.__scaled()) * y

    Model._Model__rate = Model._Model__rate * y
    return Model(y).value()


def of_underscores(x, y):
    class __:
        __rate = x

        def value(self):
            return self.__rate * y

    return __().value()


PROGRAMS = [private, of_underscores]


def _gradient(f):
    y, back, _ = recorded(f, 0.6, 1.3)
    assert y == f(0.6, 1.3)
    return [0.0 if d is None else d for d in back(1.0)[1:]]


@pytest.mark.parametrize("f", PROGRAMS)
def test_recorded(f):
    assert _gradient(f) == pytest.approx(slopes(f, 0.6, 1.3), rel=1e-6)


def test_names_as_they_are_written_are_caught(monkeypatch):
    private = expressions.Expressions.private
    monkeypatch.setattr(expressions.Expressions, "private", lambda b, name: name if b.inner else private(b, name))

    def again(x, y):
        class Model:
            __rate = x

            def value(self):
                return self.__rate * y

        return Model().value()

    assert _gradient(again) != pytest.approx(slopes(again, 0.6, 1.3), rel=1e-6)
