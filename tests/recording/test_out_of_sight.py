"""Calls of code that is not looked into: they run, and only what would flow through them is refused."""

import array
import contextvars
import ctypes
import inspect
import io
import json
import pickle
import struct
import weakref
from functools import partialmethod

import numpy as np
import pytest

from adjoint import explain, grad, gradient, hvp
from adjoint.errors import AdjointError, NotDifferentiableError
from adjoint.recording import lost
from adjoint.recording.operations import opaque
from adjoint.testing import check_gradient

# mypy: disable-error-code="no-untyped-def"

MASKED = np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0])
NUMBER = ctypes.c_double(2.5)
SHARED = array.array("d", [1.0, 2.0])


class Model:
    def __init__(self, w):
        self.w = w


MODEL = Model(2.0)


def of_ctypes(x):
    numbers = (ctypes.c_double * 2)(1.0, 2.0)
    return numbers[1] * x * NUMBER.value


def of_an_array_module(x):
    numbers = array.array("d", [2.0, 1.0])
    numbers.append(3.0)
    return numbers[2] * x + sum(v * x for v in numbers)


def of_masked_data(x):
    total = 0.0
    for v in MASKED:
        total = total + (x if v is np.ma.masked else x * v)
    return total + MASKED.mean() * x + (MASKED.filled(0.5) * x).sum() + np.ma.masked_invalid([1.0, np.nan]).sum() * x


def of_serialised_data(x):
    kept = pickle.loads(pickle.dumps([2.0, 3.0]))
    return kept[0] * x + json.loads(json.dumps({"a": 2.5}))["a"] * x * x


def of_objects(x):
    row = np.array([2.0, "a"], dtype=object)
    return row[0] * x * row[:1][0]


def of_a_buffer(x):
    stream = io.BytesIO()
    np.save(stream, np.array([1.0, 2.0]))
    stream.seek(0)
    return (np.load(stream) * x).sum()


def of_signatures(x):
    names = inspect.signature(of_ctypes).parameters
    return x * len(names) * inspect.getattr_static(MODEL, "w")


def of_a_weak_reference(x):
    return weakref.ref(MODEL)().w * x


CONSTANT = [
    of_ctypes, of_an_array_module, of_masked_data, of_serialised_data, of_objects, of_a_buffer, of_signatures,
    of_a_weak_reference,
]  # fmt: skip


@pytest.mark.parametrize("f", CONSTANT)
def test_data_are_constants(f):
    check_gradient(f, 1.5)
    check_gradient(lambda x: grad(f)(x) * x, 1.5)


def stored_by_index(x):
    numbers = (ctypes.c_double * 2)(1.0, 2.0)
    numbers[0] = x
    return numbers[0] * numbers[1]


def stored_by_attribute(x):
    number = ctypes.c_double(1.0)
    number.value = x
    return number.value * 2.0


def stored_in_a_global(x):
    SHARED[0] = x
    try:
        return SHARED[0] * x
    finally:
        SHARED[0] = 1.0


def appended(x):
    numbers = array.array("d", [1.0])
    numbers.append(x)
    return numbers[1]


def run_through(x):
    return sum(v for v in array.array("d", [x, 2.0]))


def packed(x):
    return struct.unpack("d", struct.pack("d", x))[0] * x


def through_a_stream(x):
    stream = io.BytesIO()
    stream.write(struct.pack("d", x))
    stream.seek(0)
    return struct.unpack("d", stream.read())[0]


def masked(x):
    return np.ma.masked_array([x, 2.0 * x], [0, 1]).sum()


def masked_item(x):
    return np.ma.masked_array([x, 2.0 * x], [0, 1])[0] * 2.0


def of_objects_made_here(x):
    return np.frompyfunc(lambda t: t * x, 1, 1)(np.arange(3.0)).sum()


def by_a_module_variable(x):
    global FACTOR
    FACTOR = x
    return contextvars.copy_context().run(lambda: FACTOR * 2.0)


FACTOR = 1.0

LOSING = [
    stored_by_index, stored_by_attribute, stored_in_a_global, appended, run_through, packed, through_a_stream, masked,
    masked_item, of_objects_made_here, by_a_module_variable,
]  # fmt: skip


@pytest.mark.parametrize("f", LOSING)
def test_what_would_flow_is_refused_where_it_goes_in(f):
    with pytest.raises(AdjointError) as caught:
        gradient(f, 1.5)
    assert caught.value.why
    assert caught.value.place is not None
    assert caught.value.place.filename == __file__


@pytest.mark.parametrize("f", LOSING)
def test_what_does_not_flow_on_is_not(f):
    def only_run(x):
        return x * 3.0 + 0.0 * (f(x) > 100.0)

    assert gradient(only_run, 1.5) == (3.0,)


def test_the_refusal_is_that_of_the_call_which_the_number_went_into():
    def f(x):
        numbers = array.array("d", [1.0])
        numbers.append(2.0)
        numbers.append(x)
        return numbers[2]

    with pytest.raises(AdjointError, match=r"array.append(.|\n)*numbers.append\(x\)"):
        gradient(f, 1.5)


def test_an_argument_out_of_sight_is_refused_only_where_it_is_asked_for():
    def f(x, kept):
        return x * kept[0]

    assert grad(f)(3.0, SHARED) == 1.0
    with pytest.raises(NotDifferentiableError, match="holds a `array.array`"):
        gradient(f, 3.0, SHARED)
    with pytest.raises(NotDifferentiableError):
        gradient(lambda x, model: model.w[0] * x, 3.0, Model(SHARED))


def test_second_derivatives_beside_data():
    assert hvp(lambda x: of_ctypes(x) * x, (1.5,), (1.0,)) == (10.0,)


def test_explain_lists_what_is_refused_and_nothing_else():
    assert explain(of_masked_data, 1.5).refused == ()
    (refused,) = explain(stored_by_index, 1.5).refused
    assert "setitem" in refused.what


def test_a_loss_that_is_not_followed_is_noticed(monkeypatch):
    """A planted error: without joining what meets in a call, what was appended is a constant."""
    monkeypatch.setattr(lost.Loss, "join", lambda self, other: None)
    assert gradient(appended, 1.5) == (0.0,)


class Initialised:
    def _set(self, w, scale=1.0):
        self.w = w * scale

    __init__ = partialmethod(_set, scale=3.0)


def test_an_init_that_is_a_descriptor_runs():
    def f(x):
        try:
            return Initialised(x).w * x
        except KeyError:
            return x

    check_gradient(f, 2.0)
    check_gradient(lambda x: Initialised(x).w * x, 2.0)


class Scaled(np.ndarray):
    """An array with a unit, whose items are plain arrays."""

    def __new__(cls, values, unit):
        made = np.asarray(values).view(cls)
        made.unit = unit
        return made

    def __array_finalize__(self, other):
        self.unit = getattr(other, "unit", None)

    def __getitem__(self, key):
        return np.array(self)[key]


def test_arrays_of_a_class_with_items_of_its_own():
    def f(x):
        scaled = Scaled(x * np.arange(3.0), x)
        return np.sum(scaled * 2.0) * (scaled + 1.0).unit + scaled[1]

    check_gradient(f, 2.0)
    check_gradient(lambda x: np.sum(Scaled(np.arange(3.0), 2.0) ** 2) * x, 2.0)


class Point(ctypes.Structure):
    _fields_ = [("at", ctypes.c_double * 2)]


class Numbers(array.array):
    """Items as C code keeps them, and a field besides."""

    def __init__(self, *args):
        self.scale = 2.0


def stored_into_a_part(x):
    point = Point()
    point.at[0] = x
    return point.at[0] * 1.0


def stored_through_a_pointer(x):
    number = ctypes.c_double(1.0)
    ctypes.pointer(number).contents.value = x
    return number.value * 1.0


def stored_through_a_cast(x):
    numbers = (ctypes.c_double * 2)(1.0, 2.0)
    ctypes.cast(numbers, ctypes.POINTER(ctypes.c_double))[0] = x
    return numbers[0] * 1.0


def stored_through_a_view(x):
    numbers = np.zeros(2)
    memoryview(numbers)[0] = x
    return numbers[0] * 1.0


def stored_through_an_address(x):
    numbers = np.zeros(2)
    numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_double))[0] = x
    return numbers[0] * 1.0


def stored_into_masked_memory(x):
    numbers = np.ma.masked_array([1.0, 2.0], [0, 1])
    numbers.data[0] = x
    return numbers.sum()


def stored_beside_a_field(x):
    numbers = Numbers("d", [1.0, 2.0])
    [numbers][0][0] = x
    return numbers[0] * numbers.scale


SHARING = [
    stored_into_a_part, stored_through_a_pointer, stored_through_a_cast, stored_through_a_view,
    stored_through_an_address, stored_into_masked_memory, stored_beside_a_field,
]  # fmt: skip


@pytest.mark.parametrize("f", SHARING)
def test_what_is_stored_into_one_may_be_read_from_another(f):
    assert f(1.5) == pytest.approx(f(1.5))
    with pytest.raises(AdjointError) as caught:
        gradient(f, 1.5)
    assert caught.value.place is not None
    assert caught.value.place.filename == __file__


def test_objects_that_are_not_bound_together_are_noticed(monkeypatch):
    """A planted error: without noting what is read from what, a store into a part is passed over."""
    monkeypatch.setattr(opaque, "_bind", lambda y, values: None)
    assert gradient(stored_into_a_part, 1.5) == (0.0,)


def test_an_array_that_was_read_is_changed_by_itself():
    def f(x):
        numbers = np.frombuffer(array.array("d", [1.0, 2.0])).copy()
        numbers[0] = x
        return numbers[0] * numbers[1] * SHARED[0]

    check_gradient(f, 1.5)
