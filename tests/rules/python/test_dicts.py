"""Rules of dicts."""

from __future__ import annotations

from rules.checker import run_rule

from adjoint.ir import changes, intrinsics
from adjoint.testing import check_rule

D = {"a": 1.5, "b": [2.5, 3.5], "c": "text", "d": None}


def test_construction() -> None:
    check_rule(intrinsics.make_dict, "a", 1.5, "b", [2.5], "a", 3.5)
    check_rule(intrinsics.merge_dicts, D, {"a": 4.5}, {})
    check_rule(intrinsics.dict_from_items, ["a", "b", "a"], [1.5, 2.5, 3.5])
    check_rule(intrinsics.dict_from_items, ["a", "b"], (1.5, 2.5))
    check_rule(intrinsics.mapping_rest, D, "a", "d")


def test_keywords_follow() -> None:
    y, back, _ = run_rule(dict, {"a": 1.5, "b": 2.5}, b=3.5, c=4.5)
    assert y == {"a": 1.5, "b": 3.5, "c": 4.5}
    assert back({"a": 1.0, "b": 2.0, "c": 3.0}) == ({"a": 1.0}, 2.0, 3.0)
    assert run_rule(dict, a=1.5)[1]({"a": 1.0}) == ({}, 1.0)
    y, back, _ = run_rule(dict, [("a", 1.5), ("b", 2.5)], b=3.5)
    assert back({"a": 1.0, "b": 2.0}) == ([(None, 1.0), (None, None)], 2.0)


def test_a_cotangent_may_lack_keys() -> None:
    assert run_rule(intrinsics.make_dict, "a", 1.5, "b", 2.5)[1]({"b": 1.0}) == (None, None, None, 1.0)
    assert run_rule(intrinsics.merge_dicts, {"a": 1.5}, {"b": 2.5})[1]({"b": 1.0}) == ({}, {"b": 1.0})
    assert run_rule(intrinsics.dict_from_items, ["a", "b"], [1.5, 2.5])[1]({"b": 1.0}) == (None, [None, 1.0])
    assert run_rule(dict, {"a": 1.5})[1]({}) == ({},)


def test_stores() -> None:
    y, back, _ = run_rule(changes.stored, {"a": 1.5, "b": 2.5}, "a", 3.5)
    assert y == {"a": 3.5, "b": 2.5}
    assert back({"a": 1.0, "b": 2.0}) == ({"b": 2.0}, None, 1.0)
    assert back({"b": 2.0}) == ({"b": 2.0}, None, None)
    y, back, _ = run_rule(changes.deleted, {"a": 1.5, "b": 2.5}, "a")
    assert y == {"b": 2.5} and back({"b": 2.0}) == ({"b": 2.0}, None)
