"""The functions that stand for syntax."""

import math
import types
from collections import deque

import pytest

from adjoint.ir import changes, intrinsics


def test_loads() -> None:
    assert intrinsics.load_global(test_loads, "math") is math
    assert intrinsics.load_global(test_loads, "len") is len
    with pytest.raises(NameError, match="name 'nowhere' is not defined"):
        intrinsics.load_global(test_loads, "nowhere")


def test_cells() -> None:
    cell = intrinsics.make_cell("k")
    with pytest.raises(NameError, match="cannot access free variable 'k'"):
        intrinsics.load_cell(cell, "k")
    intrinsics.store_cell(cell, 3)
    assert intrinsics.load_cell(cell, "k") == 3
    intrinsics.delete_cell(cell, "k")
    with pytest.raises(NameError):
        intrinsics.delete_cell(cell, "k")


def test_make_function_that_sees_itself() -> None:
    def owner():
        def count(n, step=1):
            return 0 if n <= 0 else 1 + count(n - step)

        return count

    made = owner()
    template = intrinsics.Template(made.__code__, made.__qualname__, None, 1, (), (False,), itself=0)
    again = intrinsics.make_function(template, owner, None, 2)
    assert isinstance(again, types.FunctionType) and again is not made
    assert again(6) == 3
    assert again.__closure__[0].cell_contents is again


def test_patterns() -> None:
    assert [intrinsics.is_sequence(s) for s in ([], (), deque(), range(1), "a", b"a", {}, {1})] == [True] * 4 + [
        False
    ] * 4
    assert intrinsics.is_mapping({}) and not intrinsics.is_mapping([])
    assert intrinsics.mapping_rest({1: 2, 3: 4}, 1) == {3: 4}
    with pytest.raises(TypeError, match="accepts 0 positional sub-patterns"):
        intrinsics.match_argument(object, 0)


def test_lists() -> None:
    items = [1]
    assert changes.list_append(items, 2) is items == [1, 2]
