"""One program or call for every refusal that a user can meet, by name."""

import asyncio
import copy
import ctypes
import dataclasses
import functools
import math
import optparse
import random
import re
import struct
import threading
from array import array
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

import adjoint
from adjoint import Tangent, grad, gradient, jacobian, pullback, rrule, rule
from adjoint.calculus import derivative, frule, numeric, pushforward, seeds
from adjoint.rules import scalar_rule

CASES: dict[str, Callable[[], Any]] = {}


def case(call: Callable[[], Any]) -> Callable[[], Any]:
    """Declare a call that is refused."""
    CASES[call.__name__] = call
    return call


# ---- what is asked for


@case
def argnums_of_another_kind() -> Any:
    return adjoint.grad(math.sin, 1.5)  # type: ignore[call-overload]


@case
def argument_not_given() -> Any:
    return adjoint.grad(lambda x: x, "y")(1.0)


@case
def argument_without_derivative() -> Any:
    return adjoint.grad(lambda x, s: x, "s")(1.0, "text")


@case
def result_not_a_number() -> Any:
    return gradient(lambda x: [x], 1.0)


@case
def aux_without_pair() -> Any:
    return adjoint.value_and_grad(lambda x: x, has_aux=True)(1.0)


@case
def jacobian_of_text() -> Any:
    return jacobian(lambda x: "text", 1.0)


@case
def jacobian_of_a_number_and_text() -> Any:
    return jacobian(lambda x, s: x, 1.0, "text")


@case
def jacobian_in_another_mode() -> Any:
    return jacobian(lambda x: x, 1.0, mode="backward")  # type: ignore[call-overload]


@case
def jacobian_that_is_too_large() -> Any:
    return jacobian(lambda x: 2.0 * x, np.ones(100_000))


@case
def pattern_of_another_kind() -> Any:
    return jacobian(lambda x: 2.0 * x, np.ones(3), sparsity="dense")


@case
def pattern_of_another_shape() -> Any:
    return jacobian(lambda x: 2.0 * x, np.ones(3), sparsity=np.eye(2))


@case
def pattern_that_misses_an_entry() -> Any:
    return jacobian(lambda x: x * x[::-1], np.ones(3), sparsity=np.eye(3))


@case
def tangents_of_another_number() -> Any:
    return adjoint.jvp(lambda x, y: x, (1.0, 2.0), (1.0,))


@case
def derivative_at_an_array() -> Any:
    return adjoint.calculus.derivative(np.sin)(np.ones(2))


@case
def derivative_of_no_order() -> Any:
    return adjoint.calculus.derivative(math.sin, -1)


@case
def sum_taken_for_elementwise() -> Any:
    return adjoint.calculus.elementwise_grad(np.cumprod)(np.ones((2, 2)))


@case
def checkpoint_that_differs() -> Any:
    scale = {"now": 2.0}
    _, back = pullback(adjoint.checkpoint(lambda x: x * scale["now"]), 3.0)
    scale["now"] = 5.0
    return back(1.0)


@case
def information_that_is_singular() -> Any:
    return adjoint.stats.standard_errors(lambda p: (p[0] + p[1]) ** 2, np.zeros(2))


@case
def information_that_is_not_finite() -> Any:
    return adjoint.stats.standard_errors(lambda x: x**3 * math.inf, 1.0)


@case
def covariance_of_another_shape() -> Any:
    return adjoint.stats.propagate(lambda x: 2.0 * x, np.ones(3), np.eye(2))


@case
def rule_for_no_function() -> Any:
    return rule()


@case
def rule_that_is_no_function() -> Any:
    return rule(copy.copy)(5)  # type: ignore[type-var]


@case
def rule_linear_in_what_is_not_there() -> Any:
    return rule(copy.copy, linear="y")(lambda x: (x, lambda x_bar: (x_bar,)))


@case
def tangent_without_the_result() -> Any:
    return rule(copy.copy, forward=lambda dots, x: dots[0])(lambda x: (x, lambda x_bar: (x_bar,)))


@case
def rule_forgotten_of_no_function() -> Any:
    return adjoint.rules.opt_out("sin")


@case
def memory_that_is_no_number() -> Any:
    return jacobian(lambda x: 2.0 * x, np.ones(3), max_bytes="1GB")  # type: ignore[call-overload]


@case
def power_reduced() -> Any:
    return gradient(lambda x: np.power.reduce(x), np.ones(3))


@case
def rrule_without_rule() -> Any:
    return rrule(lambda x: x, 1.0)


@case
def rrule_for_other_types() -> Any:
    return rrule(np.linalg.det, "text")


@case
def no_source_to_show() -> Any:
    return adjoint.inspect.code_adjoint(math.sin, 1.0)


@case
def no_source_of_a_class_to_show() -> Any:
    return adjoint.inspect.code_adjoint(Holder, 1.0)


# ---- cotangents that do not fit


def _back(y: Any) -> Any:
    return pullback(lambda x: y if x > 0.0 else x, 1.0)[1]


@case
def cotangent_for_text() -> Any:
    return _back("text")(1.0)


@case
def cotangent_not_a_number() -> Any:
    return pullback(math.sin, 1.0)[1]("text")


@case
def cotangent_not_real() -> Any:
    return pullback(math.sin, 1.0)[1](1j)


@case
def cotangent_of_another_shape() -> Any:
    return pullback(np.sin, np.ones(3))[1](np.ones(2))


@case
def cotangent_of_complex_numbers() -> Any:
    return pullback(np.sin, np.ones(2))[1](np.ones(2) * 1j)


@case
def cotangent_of_another_length() -> Any:
    return pullback(lambda x: [x, (x, x)], 1.0)[1]([1.0, (1.0,)])


@case
def cotangent_with_other_keys() -> Any:
    return pullback(lambda x: {"a": x}, 1.0)[1]({"b": 1.0})


@case
def cotangent_of_an_object() -> Any:
    return pullback(lambda x: SimpleNamespace(a=x), 1.0)[1](1.0)


@case
def cotangent_of_a_function() -> Any:
    return pullback(lambda x: lambda t: t * x, 1.0)[1](1.0)


# ---- functions without source or rule


@case
def function_without_source() -> Any:
    scope: dict[str, Any] = {}
    exec("def made(x): return x * x", scope)
    return gradient(scope["made"], 2.0)


@case
def copy_without_its_rule() -> Any:
    def doubled(x: float) -> float:
        return 2.0 * x

    rule(doubled)(lambda x: (2.0 * x, lambda d: (2.0 * d,)))
    sent = FunctionType(doubled.__code__, doubled.__globals__)
    sent.__dict__.update(doubled.__dict__)
    return gradient(sent, 2.0)


@case
def function_of_a_library_without_name() -> Any:
    return gradient(lambda x: float(x * Fraction(x)), 0.5)


@case
def array_on_the_left_of_an_object() -> Any:
    class Scale:
        def __rmul__(self, other: Any) -> Any:
            return other * 2.0

    return gradient(lambda a: (a * Scale()).sum(), np.ones(2))


@case
def function_of_c_without_rule() -> Any:
    from numpy._core.multiarray import interp_complex

    return gradient(lambda x: interp_complex(x, [0.0, 1.0], [0.0, 1j]).imag, 0.5)


@case
def class_of_c_without_rule() -> Any:
    def total(x: float) -> float:
        return sum(array("d", [x, 2 * x]))

    return gradient(total, 2.0)


@case
def vector_of_another_shape_for_a_hessian() -> Any:
    return adjoint.hvp(lambda x: (x * x).sum(), (np.ones(2),), (np.ones(3),))


@case
def no_functions_to_declare() -> Any:
    adjoint.rules.non_differentiable()


@case
def function_of_numpy_without_rule() -> Any:
    return gradient(lambda a: np.lib._function_base_impl._lerp(a, 2.0, 0.5).sum(), np.ones(4))  # type: ignore[attr-defined]


@case
def masked_arrays() -> Any:
    return gradient(np.sum, np.ma.array([1.0, 2.0], mask=[False, True]))


@case
def arrays_of_a_class_of_their_own() -> Any:
    class Doubled(np.ndarray):
        def __array_wrap__(self, y: Any, context: Any = None, return_scalar: bool = False) -> Any:
            return 2.0 * y

    return gradient(np.sum, np.array([1.0, 2.0]).view(Doubled))


@case
def matrices() -> Any:
    return gradient(np.sum, np.matrix([[1.0, 2.0]]))


@case
def a_field_that_a_library_stores() -> Any:
    def f(x: float) -> Any:
        try:
            options = optparse.Values({"rate": x})
        except* ValueError:
            pass
        return options.rate

    return gradient(f, 2.0)


@case
def changes_what_it_is_given() -> Any:
    def f(x: float, a: Any) -> float:
        struct.pack_into("d", a, 0, x)
        return x

    return gradient(f, 2.0, np.zeros(2))


@case
def store_into_memory_of_others() -> Any:
    def f(x: float, a: Any) -> Any:
        a[0] = x
        return a.sum()

    return gradient(f, 2.0, np.zeros(2, dtype=object))


@case
def overlap_of_out() -> Any:
    def f(a: Any) -> Any:
        np.concatenate([a[1:], a[:1]], out=a)
        return a.sum()

    return gradient(f, np.ones(3))


class Holder:
    def __init__(self, f: Any) -> None:
        self.f = f


def held_by(holder: Any, x: Any) -> Any:
    return holder.f(x)


@rule(held_by)
def held_by_rule(holder: Any, x: Any) -> Any:
    y, back = pullback(holder.f, x)
    return y, lambda y_bar: (None, back(y_bar)[1])


def rebound_in_a_holder(x: Any) -> Any:
    k = x
    holder = Holder(lambda v: k * v)
    k = 2.0 * k
    return held_by(holder, x) * k


@case
def object_with_a_function_of_a_rebound_variable() -> Any:
    return gradient(rebound_in_a_holder, 1.5)


# ---- arrays


@case
def arrays_of_objects() -> Any:
    return gradient(lambda x: np.array([x, 2 * x], dtype=object).sum(), 1.0)


@case
def arrays_of_records() -> Any:
    return gradient(lambda a: a["x"].sum(), np.zeros(2, [("x", float)]))


@case
def store_into_an_array_of_objects() -> Any:
    def f(x: float) -> float:
        a = np.zeros(2, dtype=object)
        a[0] = x
        return a[0] * x

    return gradient(f, 2.0)


@case
def store_into_a_buffer() -> Any:
    def f(x: float) -> Any:
        a = np.frombuffer(bytearray(16))
        a[0] = x
        return a.sum()

    return gradient(f, 2.0)


@case
def store_into_the_bits() -> Any:
    def f(a: Any) -> Any:
        a.view(np.int64)[0] = 3
        return a.sum()

    return gradient(f, np.ones(2))


@case
def store_into_an_overlap() -> Any:
    def f(x: float) -> Any:
        a = np.lib.stride_tricks.as_strided(np.zeros(4), (3, 2), (8, 8))
        a[...] = x
        return a.sum()

    return gradient(f, 2.0)


@case
def store_that_crosses() -> Any:
    def f(a: Any) -> Any:
        a[:, 2] = a[1]
        return a.sum()

    return gradient(f, np.ones((3, 3)))


@case
def shape_of_an_array() -> Any:
    def f(a: Any) -> Any:
        b = a * 2.0
        b.shape = (2, 2)
        return b.sum()

    return gradient(f, np.ones(4))


@case
def resize_of_an_array() -> Any:
    def f(a: Any) -> Any:
        b = a * 2.0
        b.resize(6)
        return b.sum()

    return gradient(f, np.ones(4))


@case
def setfield_of_an_array() -> Any:
    def f(a: Any) -> Any:
        a.setfield(1.0, float)
        return a.sum()

    return gradient(f, np.ones(4))


@case
def byteswap_of_an_array() -> Any:
    def f(a: Any) -> Any:
        a.byteswap(True)
        return a.sum()

    return gradient(f, np.ones(4))


@case
def bits_of_an_array() -> Any:
    return gradient(lambda a: (a.view(np.int64) * a).sum(), np.ones(2))


# ---- uses of NumPy's functions without a rule

A = np.array([[2.0, 1.0], [1.0, 3.0]])
USES: dict[str, Callable[[Any], Any]] = {
    "quantile": lambda a: np.quantile(a, 0.5, overwrite_input=True),
    "qr": lambda a: np.linalg.qr(a, mode="raw")[0].sum(),
    "svd_full": lambda a: np.linalg.svd(np.concatenate((a, a * a, a + 1)))[0][0, 4],
    "eigh_of_equal_values": lambda a: np.multiply(*np.linalg.eigh(a * 0.0 + np.eye(2))).sum(),
    "eigh_with_phase": lambda a: np.linalg.eigh(a * np.eye(2) + 0j)[1].imag.sum(),
    "fromfunction": lambda a: np.fromfunction(lambda i: i * a[0, 0], (2,), like=a).sum(),
}
CASES.update({f"use_of_{name}": functools.partial(gradient, use, A) for name, use in USES.items()})


# ---- the language


@case
def asynchronous() -> Any:
    async def later(x: float) -> float:
        return x

    return gradient(lambda x: asyncio.run(later(x)), 2.0)


@case
def evaluated() -> Any:
    return gradient(lambda x: eval("x * x"), 2.0)


@case
def executed() -> Any:
    def f(x: float) -> float:
        exec("y = 1")
        return x

    return gradient(f, 2.0)


@case
def local_names() -> Any:
    return gradient(lambda x: locals()["x"], 2.0)


class Base:
    def __init_subclass__(cls, weight: float = 1.0) -> None:
        cls.weight = weight


@case
def number_for_a_class() -> Any:
    def f(x: float) -> Any:
        class C(Base, weight=x):
            pass

        return C.weight * x

    return gradient(f, 2.0)


@case
def branch_in_a_class() -> Any:
    def f(x: float) -> Any:
        class C:
            if x > 1.0:
                w = x

        return C.w * x

    return gradient(f, 2.0)


@case
def loop_in_a_class() -> Any:
    def f(x: float) -> Any:
        class C:
            for _w in (x, 2.0):
                pass

        return x

    return gradient(f, 2.0)


@case
def abandoned_generator() -> Any:
    def values(box: list[float], x: float) -> Any:
        try:
            yield box[0] * x
        finally:
            box[0] = box[0] * x

    def f(x: float) -> Any:
        box = [x]
        generator = values(box, x)
        first = next(generator)
        del generator
        return first * box[0]

    return gradient(f, 2.0)


@case
def abandoned_generator_second_derivative() -> Any:
    def values(box: list[float], x: float) -> Any:
        try:
            yield box[0] * x
        finally:
            box[0] = box[0] * x

    def f(x: float) -> Any:
        box = [x]
        total = x
        for value in values(box, x):
            total = total * value
            break
        return total * box[0]

    return gradient(grad(f), 2.0)


@case
def memory_of_an_array_in_c() -> Any:
    def f(x: np.ndarray) -> Any:
        y, z = x * x, np.zeros(2)
        ctypes.memmove(z.ctypes.data, y.ctypes.data, 16)
        return z.sum()

    return gradient(f, np.array([1.0, 2.0]))


@case
def copy_that_is_another() -> Any:
    class Doubling:
        def __init__(self, v: float) -> None:
            self.v = v

        def __getstate__(self) -> Any:
            return {"v": 2.0 * self.v}

    def f(x: float) -> Any:
        return copy.copy(Doubling(x)).v

    return gradient(f, 2.0)


@case
def copied_number_that_is_another() -> Any:
    class Twice(float):
        def __getnewargs__(self) -> Any:
            return (2.0 * self,)

    return gradient(lambda x: copy.copy(Twice(x)) * x, 2.0)


@case
def store_into_a_part_that_is_none() -> Any:
    class Apart(np.ndarray):
        def __getitem__(self, i: Any) -> Any:
            return np.array(self.view(np.ndarray)[i])

    def f(x: float) -> Any:
        a = np.zeros(3).view(Apart)
        a[0:1] = x
        return a.view(np.ndarray).sum()

    return gradient(f, 2.0)


@case
def store_in_a_class() -> Any:
    def f(x: float) -> Any:
        class C:
            a = [x]
            a[0] = 2.0

        return x

    return gradient(f, 2.0)


@case
def generator_read_from_outside() -> Any:
    def f(x: float) -> Iterator[float]:
        yield x

    return list(pullback(f, 2.0)[0])


@case
def seeds_that_are_no_numbers() -> Any:
    return seeds("a")


@case
def fields_of_a_tangent_that_are_no_dict() -> Any:
    return Tangent(list, 5)  # type: ignore[arg-type]


@case
def third_derivative_of_a_black_box() -> Any:
    return derivative(numeric(lambda x: x * x), 3)(1.0)


@case
def linear_twice() -> Any:
    return rule(copy.copy, linear="x | x")(lambda x: (x, lambda x_bar: (x_bar,)))


# ---- rules


@case
def rule_for_nothing() -> Any:
    return rule(3)(lambda x: (x, lambda d: (d,)))  # type: ignore[arg-type]


def _ruled(made: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    def f(*args: Any, **kwargs: Any) -> Any:
        return args[0]

    rule(f)(made)
    return gradient(lambda *xs: f(*xs, **kwargs), *args)


@case
def draw_by_rejection() -> Any:
    return grad(lambda a: np.random.default_rng(0).gamma(a))(2.5)


@case
def draw_by_several_parameters() -> Any:
    return grad(lambda df: np.random.default_rng(0).noncentral_chisquare(df, 0.5))(3)


@case
def draw_by_covariance() -> Any:
    return grad(lambda c: np.random.default_rng(0).multivariate_normal(np.zeros(2), c).sum())(np.eye(2))


@case
def draw_of_the_module_random() -> Any:
    return grad(lambda a: random.Random(0).betavariate(a, 1.5))(2.5)


@case
def rule_with_unknown_annotations() -> Any:
    def f(x: Any) -> Any:
        return x

    def f_rule(x: "Unknown") -> Any:  # type: ignore[name-defined]  # noqa: F821
        return x, lambda d: (d,)

    rule(f)(f_rule)
    return gradient(f, 1.0)


@case
def rule_without_pair() -> Any:
    return _ruled(lambda x: x, 1.0)


class Counted:
    """Its text is made by a method that stores."""

    def __init__(self, x: float) -> None:
        self.x, self.shown = x, 0.0

    def __str__(self) -> str:
        self.shown = self.shown + self.x
        return "shown"


@case
def method_that_c_code_runs() -> Any:
    def f(x: float) -> float:
        c = Counted(x)
        return len("%s" % c) * c.shown  # noqa: UP031

    return gradient(f, 2.0)


@case
def function_that_stores_handed_over() -> Any:
    def f(x: float) -> float:
        total = 0.0

        def replaced(m: Any) -> str:
            nonlocal total
            total += x * float(m.group())
            return ""

        re.sub(r"\d+", replaced, "a 1 b 22")
        return total

    return gradient(f, 2.0)


@case
def thread_started() -> Any:
    def f(x: float) -> float:
        out: list[float] = []
        thread = threading.Thread(target=lambda: out.append(x * x))
        thread.start()
        thread.join()
        return out[0]

    return gradient(f, 2.0)


@case
def class_that_stores_when_it_is_made() -> Any:
    def f(x: float) -> float:
        total = [0.0]

        class Base:
            def __init_subclass__(cls) -> None:
                total[0] += x * x

        class C(Base):
            pass

        return total[0]

    return gradient(f, 2.0)


@case
def object_that_stores_at_its_end() -> Any:
    def f(x: float) -> float:
        total = [0.0]

        class C:
            def __del__(self) -> None:
                total[0] += x * x

        C()
        return total[0]

    return gradient(f, 2.0)


class Quantity:
    """A number is made of it where it is stored into an array."""

    def __init__(self, x: float) -> None:
        self.x = x

    def __float__(self) -> float:
        return self.x


class Reversed(list[float]):
    def __iter__(self) -> Iterator[float]:
        return reversed(self)


@case
def array_of_a_list_with_items_of_its_own() -> Any:
    def f(x: float) -> Any:
        kept = []
        kept.append(np.array([Reversed([x, 2.0]), Reversed([x, 3.0])]))
        return kept[0].sum()

    return gradient(f, 2.0)


@case
def object_filled_into_an_array() -> Any:
    def f(x: float) -> Any:
        a = np.zeros(2)
        a.fill(Quantity(x))
        return a.sum()

    return gradient(f, 2.0)


@case
def rule_without_tuple() -> Any:
    return _ruled(lambda x: (x, lambda d: d), 1.0)


@case
def rule_with_too_few_cotangents() -> Any:
    return _ruled(lambda x, y: (x, lambda d: (d,)), 1.0, 2.0)


@case
def rule_with_a_cotangent_of_another_shape() -> Any:
    return _ruled(lambda x: (x.sum(), lambda d: (np.ones(3),)), np.ones(2))


@case
def rule_without_a_keyword() -> Any:
    return _ruled(lambda x: (x, lambda d: (d,)), 1.0, scale=2.0)


@case
def scalar_rule_with_too_many_partials() -> Any:
    def f(x: float) -> float:
        return x

    @scalar_rule(f)
    def f_partials(x: float, y: float) -> Any:
        return 1.0, 2.0

    return gradient(f, 1.0)


@case
def default_of_make_dataclass() -> Any:
    def f(x: float) -> float:
        made = dataclasses.make_dataclass("made", [("a", float, x)])
        return made().a * x

    return gradient(f, 2.0)


@case
def cotangent_that_is_a_number() -> Any:
    return pullback(lambda a: 2.0 * a, np.ones(3))[1](1.0)


@case
def gradient_of_a_generator() -> Any:
    def f(x: float) -> Iterator[float]:
        yield x

    return gradient(f, 1.0)


@case
def an_argument_out_of_sight() -> Any:
    return gradient(lambda a, x: a[0] * x, array("d", [2.0]), 3.0)


@case
def function_by_entries() -> Any:
    def square(t: float) -> float:
        return t * t

    return gradient(lambda x: np.frompyfunc(square, 1, 1)(x).sum(), np.ones(2))


@case
def tangents_of_too_few_arguments() -> Any:
    return pushforward(lambda x, y: x * y, (2.0, 3.0), (1.0,))


@case
def tangent_of_another_shape() -> Any:
    return pushforward(np.sum, (np.ones(3),), (np.ones(2),))


@case
def tangent_of_a_function_that_is_a_number() -> Any:
    return pushforward(lambda x: x * x, (2.0,), (1.0, 2.0))


@case
def only_a_forward_rule() -> Any:
    return frule(lambda x: x, (1.0,), (1.0,))


@case
def grid_between_numbers() -> Any:
    return gradient(lambda x: np.mgrid[0:x:3j].sum(), 2.0)


# ---- how several tangents are asked for, and of what


@case
def seeds_of_another_shape() -> Any:
    return pullback(lambda x: x * x, np.ones(2))[1](seeds(np.ones((3, 4))))


@case
def seeds_of_a_number_in_two_axes() -> Any:
    return pullback(lambda x: x * x, 2.0)[1](seeds(np.eye(2)))


@case
def seeds_that_are_none() -> Any:
    return pullback(lambda x: x * x, np.ones(2))[1](seeds([]))


@case
def seeds_of_a_tangent_without_their_axis() -> Any:
    return pushforward(lambda x: x * x, (np.ones(2),), (seeds(np.ones(2)),))


@case
def seeds_of_a_dict_in_different_numbers() -> Any:
    return pullback(lambda x: {"a": x, "b": 2 * x}, 2.0)[1](seeds({"a": np.ones(2), "b": np.ones(3)}))


@case
def arguments_without_a_tuple() -> Any:
    return pushforward(lambda x: x * x, np.ones(2), np.ones(2))  # type: ignore[arg-type]


@case
def tangents_without_a_tuple() -> Any:
    return adjoint.jvp(lambda x: x * x, (2.0,), 1.0)  # type: ignore[arg-type]


@case
def pushforward_of_a_number() -> Any:
    return pushforward(3, (1.0,), (1.0,))  # type: ignore[arg-type]


@case
def tangent_of_what_is_true() -> Any:
    return pushforward(lambda x, flag: x if flag else 2 * x, (1.0, True), (1.0, 1.0))


@case
def differences_by_another_method() -> Any:
    return adjoint.calculus.numeric(math.sin, method="forward")


@case
def differences_over_no_distance() -> Any:
    return adjoint.calculus.numeric(math.sin, step=0.0)


@case
def option_compile_that_is_odd() -> Any:
    return grad(lambda x: x * x, compile="odd")(1.0)  # type: ignore[call-overload]


@case
def result_that_is_a_fraction() -> Any:
    return gradient(lambda x: x * x, Fraction(1, 2))


@case
def hessian_of_an_array() -> Any:
    return adjoint.hessian(lambda x: x * x, np.ones(2))


@case
def jacobian_by_a_keyword() -> Any:
    return jacobian(lambda x, *, k: k * x, 2.0, argnums="k", k=3.0)


@case
def implicit_solver_without_a_parameter_between() -> Any:
    solve = adjoint.calculus.implicit(lambda x, a, b, c: x - a - b - c)(lambda a, b=0.0, c=0.0: a + b + c)
    return gradient(lambda a: solve(a, c=2.0), 1.0)


@case
def implicit_solver_with_a_keyword_only() -> Any:
    solve = adjoint.calculus.implicit(lambda x, a, *, b: x - a * b)(lambda a, b: a * b)
    return gradient(lambda b: solve(2.0, b=b), 3.0)


@case
def annotation_that_is_a_number() -> Any:
    def f(x: Any) -> Any:
        def g(v: x * x) -> Any:  # type: ignore[valid-type]
            return v

        return g.__annotations__["v"] * x

    return gradient(f, 2.0)


@case
def curried_hessian_of_an_array() -> Any:
    return adjoint.hessian(lambda x: x * x)(np.ones(2))


@case
def standard_errors_of_residuals() -> Any:
    return adjoint.stats.standard_errors(lambda p: p - 1.0, np.ones(2))


@case
def standard_errors_of_an_object_of_residuals() -> Any:
    return adjoint.stats.standard_errors(adjoint.optimize.Residuals(np.square), np.ones(2))  # type: ignore[arg-type]


@case
def standard_errors_at_a_result_of_scipy() -> Any:
    class OptimizeResult(dict[str, Any]):
        pass

    return adjoint.stats.standard_errors(np.sum, OptimizeResult(x=np.ones(2)))


@case
def covariance_that_is_a_dict() -> Any:
    return adjoint.stats.propagate(lambda p: p["rate"], {"rate": 1.0}, {"rate": 0.1})
