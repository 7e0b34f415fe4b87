"""What is stored into: differentiated rightly, whoever else holds it; some functions that store are refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from regressions import differences
from transforms.stores import ALIASED, FOLLOWED, HEAD, INDIRECT, REFUSED

from adjoint import gradient
from adjoint.errors import AdjointError, MutationError, NoRuleError, NotDifferentiableError

Program = Callable[[Any], Any]


def rows_in_a_list(x: Any) -> Any:
    rows: list[list[Any]] = [[] for _ in range(2)]
    for row in rows:
        row.append(x[0])
    return rows[0][0] * x[1]


def list_changes_while_it_is_walked(x: Any) -> Any:
    items = [x[0], x[0]]
    total = 0.0
    for v in items:
        items[1] = 3 * x[0]
        total = total + v
    return total


def list_grows_while_it_is_walked(x: Any) -> Any:
    items = [x[0]]
    for v in items:
        if len(items) < 4:
            items.append(v * x[0])
    return sum(items)


def list_changes_while_it_is_numbered(x: Any) -> Any:
    items = [x[0], 2 * x[0], 3 * x[0]]
    for i, v in enumerate(items):
        items[(i + 1) % 3] = v * x[0]
    return sum(items)


def array_changes_while_it_is_walked(x: Any) -> Any:
    a = 2 * x
    for i, v in enumerate(a):
        a[(i + 1) % 3] = v * x[0]
    return np.sum(a)


def array_is_held_in_the_next_round(x: Any) -> Any:
    a = 2 * x
    held = x
    for i in range(2):
        held = a
        a[i] = x[1] ** 2
    return (held * x).sum()


def every_state_is_the_same_array(x: Any) -> Any:
    a = x * 1.0
    states = []
    for i in range(3):
        a[i] = a[i] * x[0]
        states.append(a)
    return (states[0] * states[1]).sum()


def old_and_new_state(x: Any) -> Any:
    new = x * 1.0
    old = new
    for i in range(3):
        old = new
        new = old.copy()
        new[i] = x[0] * 2
    return (old * new).sum()


def the_same_row_again_and_again(x: Any) -> Any:
    rows, row = [], []
    for v in x:
        row.append(v)
        rows.append(row)
    return rows[0][2] * rows[1][0]


def an_inner_function_appends(x: Any) -> Any:
    found: list[Any] = []

    def walk(n: int) -> None:
        if n:
            found.append(x[n - 1])
            walk(n - 1)

    walk(3)
    return found[0] + found[1] * 2


def an_inner_function_remembers(x: Any) -> Any:
    memo: dict[int, Any] = {}

    def fibonacci(n: int) -> Any:
        if n < 2:
            return x[n]
        if n not in memo:
            memo[n] = fibonacci(n - 1) * fibonacci(n - 2)
        return memo[n]

    return fibonacci(4)


def items_from_the_items_before(x: Any) -> Any:
    a = np.zeros(3)
    for i in range(3):
        a[i] = x[i] * (i + 1) + (a[i - 1] if i else 0.0)
    return np.sum(a * a)


def items_of_a_list(x: Any) -> Any:
    items = [0.0] * 3
    for i in range(3):
        items[i] = x[i] * 2
    return items[0] * items[2]


def items_multiplied_in_place(x: Any) -> Any:
    a = 2 * x
    for i in range(3):
        a[i] = a[i - 1] * x[i]
    total = 0.0
    for v in a:
        total = total + v
    return total


def backwards(x: Any) -> Any:
    items = [x[0], x[1], x[2]]
    for i in range(len(items) - 1, -1, -1):
        items[i] = items[i] * items[i - 1]
    return sum(items)


def weights_that_double(x: Any) -> Any:
    w = np.ones(3)
    total = 0.0
    for _ in range(3):
        total = total + np.sum(w * x * x)
        w *= 2
    return total


def sums_by_key(x: Any) -> Any:
    sums: dict[int, Any] = {}
    for i, v in enumerate(x):
        sums[i % 2] = sums.get(i % 2, 0.0) + v * v
    return sums[0] * sums[1]


FOLLOWED_LOOPS = [
    backwards,
    items_from_the_items_before,
    items_multiplied_in_place,
    items_of_a_list,
    sums_by_key,
    weights_that_double,
]
ALIASED_LOOPS = [
    an_inner_function_appends,
    an_inner_function_remembers,
    array_changes_while_it_is_walked,
    array_is_held_in_the_next_round,
    every_state_is_the_same_array,
    list_changes_while_it_is_numbered,
    list_changes_while_it_is_walked,
    list_grows_while_it_is_walked,
    old_and_new_state,
    rows_in_a_list,
    the_same_row_again_and_again,
]


def program(body: str, folder: Path) -> Program:
    """The function of `x` with this body, in a file of its own."""
    path = folder / "program.py"
    path.write_text(text := f"{HEAD}\ndef program(x): {body}\n")
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, str(path), "exec"), namespace)
    return namespace["program"]  # type: ignore[no-any-return]


def check(f: Program) -> None:
    for _ in range(2):
        differences.check(f, np.array([1.3, 2.0, 0.7]))


@pytest.mark.parametrize("body", FOLLOWED)
def test_what_nobody_else_holds_may_change(body: str, tmp_path: Path) -> None:
    check(program(body, tmp_path))


@pytest.mark.parametrize("f", FOLLOWED_LOOPS)
def test_what_nobody_else_holds_may_change_in_loops(f: Program) -> None:
    check(f)


@pytest.mark.parametrize("body", ALIASED)
def test_what_others_hold(body: str, tmp_path: Path) -> None:
    check(program(body, tmp_path))


@pytest.mark.parametrize("f", ALIASED_LOOPS)
def test_what_others_hold_in_loops(f: Program) -> None:
    check(f)


@pytest.mark.parametrize("body", INDIRECT)
def test_what_others_store(body: str, tmp_path: Path) -> None:
    f = program(body, tmp_path)
    if body not in REFUSED:
        check(f)
        return
    x = np.array([1.3, 2.0, 0.7])
    with pytest.raises((MutationError, NoRuleError)) as e:
        gradient(f, x)
    assert e.value.place is not None and e.value.place.filename == f.__code__.co_filename
    assert e.value.why and e.value.way_out
    assert x.tolist() == [1.3, 2.0, 0.7]


def appends_by_another_name(x: float, given: list[float]) -> float:
    b = given
    b.append(x)
    return sum(b)


def appends_along_the_way(x: float, given: list[float]) -> float:
    given.append(x)
    return x * x


def appends_to_rows(x: float, given: list[list[float]]) -> float:
    for row in given:
        row.append(x)
    return given[0][0] * x


def doubles_in_a_loop(x: float, given: Any) -> Any:
    total = 0.0
    for _ in range(3):
        total = total + np.sum(given * x)
        given *= 2
    return total


@pytest.mark.parametrize(
    ("f", "given"),
    [
        (appends_by_another_name, [1.0, 2.0]),
        (appends_along_the_way, []),
        (appends_to_rows, [[1.0], [2.0]]),
        (doubles_in_a_loop, np.ones(3)),
    ],
)
def test_what_is_given_changes(f: Any, given: Any) -> None:
    for _ in range(2):
        differences.check(f, 2.0, given)


def second(f: Program) -> Program:
    return lambda x: np.sum(gradient(f, x)[0] * np.array([1.0, 2.0, 3.0]))


@pytest.mark.parametrize("body", FOLLOWED)
def test_stores_differentiated_twice(body: str, tmp_path: Path) -> None:
    f = program(body, tmp_path)
    x = np.array([1.3, 2.0, 0.7])
    try:
        d = gradient(second(f), x)[0]
    except AdjointError as e:
        assert e.why and e.way_out
    else:
        g = second(f)
        slopes = [(g(x + 1e-6 * e) - g(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
        np.testing.assert_allclose(d, slopes, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("f", FOLLOWED_LOOPS)
def test_stores_in_loops_differentiated_twice(f: Program) -> None:
    check(second(f))


def test_an_array_of_objects() -> None:
    with pytest.raises(NotDifferentiableError, match="array of objects"):
        gradient(lambda x: x.sum(), np.array([1.0, 2.0], dtype=object))


def filled_again(x: Any) -> Any:
    b = np.zeros(())
    b += x
    c = b
    b *= 2
    return c * x


def filled_under_another_name(x: Any) -> Any:
    b = np.zeros(())
    c = b
    b[()] = x
    return c * x


def made_or_given(x: Any) -> Any:
    b = np.array(x) if x > 0 else x
    c = b
    b += x
    return c * x


def filled(x: Any) -> Any:
    b = np.zeros(())
    b += x
    b[()] = b * x
    return b * x


def given(x: Any) -> Any:
    a = np.array(x)
    return changed(a) * a


def changed(a: Any) -> Any:
    a += 1.0
    return a * 1.0


@pytest.mark.parametrize("f", [filled_again, filled_under_another_name, made_or_given, filled, given])
def test_arrays_without_axes_change_too(f: Any) -> None:
    differences.check(f, 1.3)


def test_an_array_without_axes_that_is_given_changes() -> None:
    differences.check(changed, np.array(2.0))
