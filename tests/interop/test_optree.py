"""Gradients of records as trees of optree."""

from __future__ import annotations

import importlib
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
from interop.needed import needed
from numpy.testing import assert_array_equal

import adjoint

optree = needed("optree")
importlib.import_module("adjoint.interop.optree")


def slope() -> Any:
    model = SimpleNamespace(inner=SimpleNamespace(w=np.arange(3.0)), b=2.0, name="m")
    return adjoint.grad(lambda m: (m.inner.w * m.b).sum())(model)


def test_tangents_are_nodes_in_every_namespace() -> None:
    g = slope()
    for namespace in ("", "somebodys"):
        doubled = optree.tree_map(lambda x: 2 * x, g, namespace=namespace)
        assert type(doubled) is adjoint.Tangent
        assert_array_equal(doubled.inner.w, 2 * g.inner.w)
        assert doubled.b == 6.0 and doubled.name is None


def test_leaves_go_by_the_names_of_fields_and_back() -> None:
    g = slope()
    paths, leaves, form = optree.tree_flatten_with_path(g)
    assert paths == [("inner", "w"), ("b",)]
    assert_array_equal(leaves[0], [2.0, 2.0, 2.0])
    assert optree.tree_unflatten(form, leaves).b == g.b
    assert [a.codify("g") for a in optree.tree_accessors(g)] == ["g.inner.w", "g.b"]
    assert optree.tree_accessors(g)[1](g) == 3.0


def test_none_is_a_leaf_where_that_is_asked_for() -> None:
    assert len(optree.tree_leaves(slope(), none_is_leaf=True)) == 3


def test_gradients_of_one_class_go_together_and_of_two_do_not() -> None:
    g = slope()
    added = optree.tree_map(lambda a, b: a + b, g, g)
    assert added.b == 6.0
    other = adjoint.Tangent(complex, {"inner": None, "b": 1.0, "name": None})
    try:
        optree.tree_map(lambda a, b: a + b, g, other)
    except ValueError:
        return
    raise AssertionError("trees of two classes were taken for one")


def test_without_it_a_tangent_is_a_leaf() -> None:
    text = (
        "import optree, adjoint, sys\n"
        "t = adjoint.Tangent(complex, {'real': 1.0})\n"
        "assert optree.tree_leaves(t) == [t]\n"
        "import adjoint.interop.optree\n"
        "assert optree.tree_leaves(t) == [1.0]\n"
    )
    subprocess.run([sys.executable, "-c", text], check=True)
