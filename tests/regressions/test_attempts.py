"""`try` with `except`: reversed in its structure where nobody sees what a body did that was left, else recorded."""

from __future__ import annotations

import ast
import math
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient, jacobian, jvp, pullback
from adjoint.derivatives.choice import forget, is_structured_call
from adjoint.errors import AdjointError
from adjoint.frontend import first_use

from .attempts import (
    GIVEN_UP,
    RECORDED,
    STEPWISE,
    STRUCTURED,
    Odd,
    by_condition,
    in_rounds,
    logarithm,
    of_helper,
    printed,
    read_after,
)
from .differences import check
from .managers import FOLLOWED, LOCK, Scale, locked


def name_of(x: Any) -> str | None:
    return getattr(x, "__name__", None)


@pytest.mark.parametrize(("f", "args"), [*STRUCTURED, *STEPWISE, *FOLLOWED, *GIVEN_UP], ids=name_of)
def test_reversed_in_its_structure(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check(f, *args)
    if (f, args) in GIVEN_UP:  # of which some calls are recorded before it is tried again
        forget()
    assert is_structured_call(f, args), "it was recorded"


@pytest.mark.parametrize(("f", "args"), RECORDED, ids=name_of)
def test_recorded(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    for _ in range(2):  # what is refused twice is recorded
        check(f, *args)
    assert not is_structured_call(f, args)


@pytest.mark.parametrize(("f", "args"), [*STRUCTURED, *STEPWISE, *FOLLOWED, *GIVEN_UP, *RECORDED], ids=name_of)
def test_along_a_tangent(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    def number(*xs: Any) -> Any:
        y = f(*xs)
        return np.sum(y[0] if isinstance(y, tuple) else y)

    dots = tuple(np.cos(np.arange(np.size(x)).reshape(np.shape(x)) + 0.3) for x in args)
    y, y_dot = jvp(number, args, dots)
    bars = gradient(number, *args)
    flow = sum(np.sum(d * (0.0 if bar is None else bar)) for d, bar in zip(dots, bars, strict=True))
    np.testing.assert_allclose(y_dot, flow, 1e-9)
    np.testing.assert_allclose(y, number(*args), 1e-15)


# ---- exceptions that leave


def unmatched(x: float) -> float:
    try:
        y = logarithm(x)
    except KeyError:
        y = x * x
    return y


def handler_raises(x: float) -> float:
    try:
        y = logarithm(x)
    except ValueError as e:
        raise Odd("odd") from e
    return y


def no_such_class(x: float) -> float:
    try:
        y = logarithm(x)
    except NoSuchClass:  # type: ignore[name-defined]  # noqa: F821
        y = x
    return y


@pytest.mark.parametrize("f", [unmatched, handler_raises, no_such_class])
def test_exceptions_leave_as_in_the_plain_program(f: Callable[[float], float]) -> None:
    def error_of(run: Callable[[float], Any]) -> Any:
        with pytest.raises(Exception) as caught:  # noqa: PT011
            run(-1.5)
        error = caught.value
        places = [(s.filename, s.lineno) for s in traceback.extract_tb(error.__traceback__) if "attempts" in s.filename]
        users = [place for place in places if "regressions" in place[0]]
        return type(error), str(error), type(error.__cause__), users[-1]

    plain = error_of(f)
    assert error_of(lambda x: gradient(f, x)) == plain
    assert error_of(lambda x: jvp(f, (x,), (1.0,))) == plain


def interrupted(x: float) -> float:
    try:
        if x > 0.0:
            raise KeyboardInterrupt
        y = x
    except Exception:
        y = x * x
    return y


def test_an_interrupt_is_no_exception() -> None:
    with pytest.raises(KeyboardInterrupt):
        gradient(interrupted, 1.5)
    assert gradient(interrupted, -1.5) == (1.0,)


# ---- what the program does not raise


def without_rule(x: float) -> float:
    return x * x


adjoint.rules.not_implemented(without_rule, why="it is so", way_out="do without")


def refused_in_body(x: float) -> float:
    try:
        y = without_rule(x)
    except Exception:
        y = 100.0 * x
    return y


def test_what_adjoint_refuses_is_not_caught() -> None:
    with pytest.raises(AdjointError):
        gradient(refused_in_body, 1.5)


def of_changing_types(fs: list[Any], x: float) -> Any:
    s: Any = 0.0
    for f in fs:
        try:
            y = f(x) * x
        except BaseException:
            y = 1000.0 * x
        s = s + y
    return s


def test_an_abandoned_run_is_not_caught() -> None:
    integer, floating, size = (lambda x: 3), (lambda x: x * 2.0), (lambda x: abs(complex(x, x)))
    for fs in ([floating] * 3, [floating] * 3, [integer] * 2, [size, integer, floating]):
        numeric = (of_changing_types(fs, 1.3 + 1e-6) - of_changing_types(fs, 1.3 - 1e-6)) / 2e-6
        np.testing.assert_allclose(gradient(lambda v, fs=fs: of_changing_types(fs, v), 1.3)[0], numeric, 1e-6)


def small_divisor(x: float) -> float:
    try:
        y = 1e-300 / x
    except ZeroDivisionError:
        y = 100.0 * x
    return y


def at_the_edge(x: float) -> float:
    try:
        y = math.sqrt(x) + abs(x) ** 0.5
    except (ValueError, ZeroDivisionError, OverflowError):
        y = 1000.0
    return y


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("f", "x"), [(small_divisor, 1e-200), (at_the_edge, 0.0)])
def test_what_a_partial_raises_is_no_exception_of_the_program(f: Callable[[float], float], x: float) -> None:
    assert pullback(f, x)[0] == jvp(f, (x,), (1.0,))[0] == f(x)


# ---- errors and warnings of NumPy


def by_errstate(a: np.ndarray) -> Any:
    s = a.sum()
    for k in (1.0, 0.0):
        try:
            y = (np.log(a) / k).sum()
        except FloatingPointError:
            y = (a * a).sum()
        s = s + y
    return s


def by_warning(a: np.ndarray) -> Any:
    try:
        y = np.sqrt(a).sum()
    except RuntimeWarning:
        y = (a * a).sum()
    return y


@pytest.mark.parametrize("x", [1.3, -1.3])
def test_errors_that_are_asked_for(x: float) -> None:
    a = np.array([x, 2.0])
    with np.errstate(all="raise"):
        check(by_errstate, a)
        assert is_structured_call(by_errstate, (a,))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(by_warning, a)


# ---- derivatives of derivatives, lanes, state


@pytest.mark.parametrize(("f", "x"), [(in_rounds, 1.5), (read_after, 2.0), (read_after, -2.0), (by_condition, 2.5)])
def test_second_derivatives(f: Callable[[float], float], x: float) -> None:
    check(f, x, order=2)
    h = 1e-5
    numeric = (grad(f)(x + h) - grad(f)(x - h)) / (2.0 * h)
    np.testing.assert_allclose(grad(grad(f))(x), numeric, 1e-6)
    np.testing.assert_allclose(jvp(grad(f), (x,), (1.0,))[1], numeric, 1e-6)


def of_entries(a: np.ndarray) -> Any:
    y = a * a
    for i in range(4):
        try:
            y = y * a[i]
        except IndexError:
            y = y + a
    return y


def test_jacobians() -> None:
    a = np.array([1.3, 2.0, 0.7])
    columns = [jvp(of_entries, (a,), (e,))[1] for e in np.eye(3)]
    np.testing.assert_allclose(jacobian(of_entries, a)[0], np.stack(columns, 1), 1e-12)
    check(of_entries, a)


def test_what_is_printed_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    for x in (2.0, -2.0):
        printed(x)
        plain = capsys.readouterr().out
        gradient(printed, x)
        assert capsys.readouterr().out == plain


def test_what_is_generated_is_a_try() -> None:
    text = adjoint.inspect.code_adjoint(in_rounds, 1.5)
    assert "        try:\n" in text and "        except ValueError:\n" in text and "if completed:" in text
    text = adjoint.inspect.code_adjoint(of_helper, 2.0)
    assert "y, twice_back = twice_rrule(x)" in text and "pullback_" not in text


def drawn(x: float, rng: np.random.Generator) -> float:
    s = 0.0
    for _ in range(5):
        try:
            s += math.sqrt(x * rng.normal())
        except ValueError:
            s += x * rng.normal()
    return s


def test_draws_are_those_of_the_plain_program() -> None:
    check(lambda x: drawn(x, np.random.default_rng(3)), 1.3)
    plain, other = np.random.default_rng(5), np.random.default_rng(5)
    drawn(1.3, plain)
    pullback(drawn, 1.3, other)
    assert plain.bit_generator.state == other.bit_generator.state


def test_it_is_not_compiled() -> None:
    pytest.importorskip("numba")
    with pytest.warns(adjoint.errors.CompileFallbackWarning, match="`try`"):
        assert grad(in_rounds, compile=True)(1.5) == grad(in_rounds)(1.5)


# ---- `finally` and `with`


def test_a_manager_is_left_when_a_run_is_given_up() -> None:
    def f(x: float) -> float:
        with LOCK:
            y = without_rule(x)
        return y

    for _ in range(2):
        with pytest.raises(AdjointError):
            gradient(f, 1.5)
        assert not LOCK.locked()
    assert gradient(locked, 1.5) == (3.0,)


def test_what_is_no_manager() -> None:
    def f(x: Any) -> Any:
        with x:
            return x

    for run in (f, grad(f)):
        with pytest.raises(TypeError, match="context manager"):
            run(1.5)


def not_entered(x: float) -> float:
    with Scale(logarithm(x)) as m:
        y = m.n
    return y


def test_an_exception_before_it_is_entered_leaves_it_alone() -> None:
    with pytest.raises(ValueError, match="no logarithm"):
        gradient(not_entered, -1.5)
    check(not_entered, 1.5)


def of_a_dict_without_value(v: list[float], k: int) -> float:
    if k > 0:
        p, ok = dict(zip("abc", v, strict=True)), True
    else:
        ok = False
    if ok:
        return p["a"] * p["b"]
    return v[0] * 3.0


def test_items_of_what_has_no_value_on_the_other_way() -> None:
    for k in (1, -1):
        check(of_a_dict_without_value, [1.0, 2.0, 3.0], k)


# ---- planted errors


def test_a_half_way_binding_that_is_let_pass_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.frontend import halfway

    monkeypatch.setattr(halfway, "changed_in", lambda body: frozenset())

    def planted(x: float) -> float:
        y = x
        try:
            y = x * x
            logarithm(-x)
        except ValueError:
            pass
        return y

    with pytest.raises(AssertionError):
        check(planted, 1.3)


def test_a_field_that_is_changed_half_way_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.transforms import attempts

    monkeypatch.setattr(attempts.Changes, "half_done", False)

    def planted(x: float) -> float:
        m = Scale(x)
        try:
            y = m.__enter__().k * logarithm(-x)
        except ValueError:
            y = m.n
        return y * x

    with pytest.raises(AssertionError):
        check(planted, 1.3)


def test_an_item_that_is_stored_half_way_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.transforms import leaving

    monkeypatch.setattr(leaving, "stores_half_done", lambda s, find: iter(()))

    def planted(x: float) -> float:
        xs = [x, x]
        try:  # noqa: SIM105
            xs.append(x * x) or xs.append(logarithm(-x))  # type: ignore[func-returns-value]
        except ValueError:
            pass
        return sum(xs)

    with pytest.raises(AssertionError):
        check(planted, 1.3)


def test_a_name_that_is_overwritten_too_early_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.codegen import coalesce

    def planted(x: float) -> float:
        s = x
        for i in range(3):
            try:
                s, t = s * 2.0, math.sqrt(x - i)
            except ValueError:
                s = s * x
                continue
            s = s + t
        return s

    monkeypatch.setattr(coalesce, "may_raise", lambda s: False)
    with pytest.raises(AssertionError):
        check(planted, 1.3)


def test_errors_of_adjoint_that_are_caught_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.codegen import attempts

    monkeypatch.setattr(attempts, "catches_ours", lambda classes: False)

    def planted(x: float) -> float:
        try:
            y = without_rule(x)
        except Exception:
            y = 100.0 * x
        return y

    assert gradient(planted, 1.5) == (100.0,), "refused where errors of `adjoint` pass"


def test_tangents_within_a_body_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.transforms import tangent_linear

    def planted(x: float) -> float:
        try:
            y = 6.0 / x
        except ZeroDivisionError:
            y = 100.0 * x
        return y

    text = adjoint.inspect.code_ir(planted)
    assert "try:" in text
    calls: list[Any] = []
    whole = tangent_linear.along_attempt
    monkeypatch.setattr(tangent_linear, "along_attempt", lambda *given: calls.append(given) or whole(*given))
    assert jvp(planted, (2.0,), (1.0,)) == (3.0, -1.5)
    assert calls


def test_uses_of_names_in_order() -> None:
    body = ast.parse("for i in xs:\n    a = i\n    b += a\nif c:\n    d = a").body
    assert [first_use.first_use(n, body) for n in "abcdi"] == ["read", "read", "read", "", ""]
    for text, names in (
        ("a = f(x)\nb = g(a)", "a"),
        ("a, b = f(x)", ""),
        ("a, (b, c) = f(x)", "abc"),
        ("a = b, c = f(x)", "abc"),
        ("a = b = (c := f(x))", "abc"),
        ("a = b = f(x)", ""),
        ("a.b = c = f(x)", "c"),
    ):
        assert first_use.half_way(ast.parse(text).body) == {*names}, text


# ---- the order in which things raise


def two_that_raise(x: float, k: int) -> float:
    try:
        s = x / (k - 3) + math.sqrt(x - 5.0)
    except ZeroDivisionError:
        s = x * 2.0
    except ValueError:
        s = x * 3.0
    return s


@pytest.mark.parametrize("k", [3, 4])
def test_what_raises_first_is_what_is_handled(k: int) -> None:
    check(two_that_raise, 1.3, k)
    check(two_that_raise, 7.3, k)
    assert is_structured_call(two_that_raise, (1.3, k))
