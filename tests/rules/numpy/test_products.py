"""Rules of the products that sum over axes, and of `np.einsum`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import call, check, rng

from adjoint.errors import MutationError
from adjoint.rules.numpy.einsum import indices_of
from adjoint.rules.registry import find_rules

M, N = rng(3, 4), rng(4, 2)
V, W = rng(4), rng(4, seed=1)
T, U = rng(2, 3, 4), rng(2, 4, 5)
Z, Y = rng(3, 4, dtype=np.complex128), rng(4, 2, dtype=np.complex128)
F = M.astype(np.float32)
PAIRS = [
    (M, N), (M, V), (V, N), (V, W), (Z, Y), (Z, N), (M, Y), (F, N.astype(np.float32)), (F, N), (M[:, ::2], N[:2]),
    (M.T.copy().T, N), (np.zeros((0, 4)), N), (M[:, :0], N[:0]), (Z[0], Y), (Z, Y[:, 0]),
    (np.array([[1, 2], [3, 4]]), rng(2, 2)),
]  # fmt: skip
STACKS = [(T, U), (M, U), (T, N), (T, V), (V, U), (T[:1], U), (rng(5, 1, 3, 4), U[:, :, :2])]


@pytest.mark.parametrize(("a", "b"), [*PAIRS, *STACKS])
@pytest.mark.parametrize("f", [operator.matmul, np.matmul])
def test_matmul(f: Any, a: Any, b: Any) -> None:
    check(f, (a, b), {}, constant=())


@pytest.mark.parametrize(
    ("a", "b"),
    [*PAIRS, (M, U), (T, N), (T, V), (2.5, M), (M, 2.5), (2.5, 1.5), ([1.5, 2.5], [0.5, 3.5]), (np.array(2.5), M)],
)
def test_dot(a: Any, b: Any) -> None:
    check(np.dot, (a, b), {}, constant=())


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        call(np.ndarray.dot, M, N),
        call(np.inner, V, W),
        call(np.inner, M, V),
        call(np.inner, T, M),
        call(np.inner, 2.5, M),
        call(np.vdot, V, W),
        call(np.vdot, Z, Z + 1),
        call(np.vdot, M, [float(i) for i in range(12)]),
        call(np.outer, V, W),
        call(np.outer, M, V),
        call(np.outer, Z, Y),
        call(np.outer, [1.5, 2.5], V),
        call(np.linalg.outer, V, W),
        call(np.tensordot, T, U, ([0, 2], [0, 1])),
        call(np.tensordot, T, U, axes=([2, 0], [1, 0])),
        call(np.tensordot, M, N, 1),
        call(np.tensordot, M, N, 0),
        call(np.tensordot, M, rng(3, 4, seed=2)),
        call(np.tensordot, T, rng(4, 3, 5), ((-1, 1), (0, 1))),
        call(np.tensordot, Z, Y, (1, 0)),
        call(np.kron, V, W),
        call(np.kron, M, N),
        call(np.kron, M, V),
        call(np.kron, Z, Y),
        call(np.kron, 2.5, M),
        call(np.cross, rng(3), rng(3, seed=1)),
        call(np.cross, rng(4, 3), rng(3)),
        call(np.cross, rng(3, 4), rng(3, 4, seed=1), axis=0),
        call(np.cross, rng(3, 4), rng(4, 3, seed=1), axisa=0, axisc=0),
        call(np.cross, rng(4, 3, dtype=np.complex128), rng(3)),
        *([call(np.vecdot, Z, Z + 1), call(np.vecdot, T, V)] if hasattr(np, "vecdot") else []),
        call(np.linalg.multi_dot, [M, N, rng(2, 5)]),
        call(np.linalg.multi_dot, (V, N, rng(2, 5), rng(5))),
        call(np.linalg.multi_dot, [M, N]),
        *(call(f, a, b, mode) for f in (np.convolve, np.correlate) for mode in ("full", "same", "valid")
          for a, b in ((rng(6), rng(3)), (rng(6), rng(2)), (rng(7), rng(4)), (rng(3), rng(6)), (rng(2), rng(7)),
                       (rng(4), rng(4)), (rng(6, dtype=np.complex128), rng(3, dtype=np.complex128)))),
        call(np.convolve, [1.5, 2.5], rng(3)),
        call(np.multiply.outer, M, V),
        call(np.add.outer, M, V),
        call(np.subtract.outer, V, M),
    ],
)  # fmt: skip
def test_products(f: Any, args: Any, kwargs: Any) -> None:
    check(f, args, kwargs)


@pytest.mark.parametrize(
    ("subscripts", "operands"),
    [
        ("ij,jk->ik", (M, N)),
        ("ij,jk", (M, N)),
        ("ij,jk->ki", (Z, Y)),
        ("ij->ji", (M,)),
        ("ij", (M,)),
        ("ba", (M,)),
        ("ij->", (M,)),
        ("ij->j", (M,)),
        ("ii->i", (rng(3, 3),)),
        ("ii", (rng(3, 3),)),
        ("iij,jk->ik", (rng(3, 3, 4), N)),
        ("iji->j", (rng(3, 4, 3),)),
        ("i,i", (V, W)),
        ("i,j->ij", (V, W)),
        ("i,i,i->i", (V, W, V + 1)),
        ("ij,jk,kl->il", (M, N, rng(2, 3))),
        ("ij,ik->i", (M, rng(3, 2))),
        ("bij,bjk->bik", (T, U)),
        ("...ij,...jk->...ik", (T, U)),
        ("...ij,jk", (T, N)),
        ("...,...", (T, M)),
        ("i...->...", (T,)),
        ("i...,i...->i...", (T, rng(2, 1, 4))),
        ("ij,ij->i", (M, M[:, :1])),
        ("...j,j", (T, V)),
        ("i,->i", (V, 2.5)),
        (" i j , j k -> i k ", (M, N)),
        ("ij,j->i", (F, V.astype(np.float32))),
        ("ij,j->i", ([[1.5, 2.5]], [0.5, 3.5])),
    ],
)
@pytest.mark.parametrize("optimize", [False, True])
def test_einsum(subscripts: str, operands: Any, optimize: bool) -> None:
    check(np.einsum, (subscripts, *operands), {"optimize": optimize})


def test_einsum_with_lists_of_indices() -> None:
    check(np.einsum, (M, [0, 1], N, [1, 2], [0, 2]), {}, constant=(1, 3, 4))
    check(np.einsum, (T, [..., 0], V, [0]), {}, constant=(1, 3))


def test_indices() -> None:
    assert indices_of("ij,jk", [2, 2]) == (["ij", "jk"], "ik")
    assert indices_of("ba", [2]) == (["ba"], "ab")
    inputs, output = indices_of("...i,...", [3, 1])
    assert len(inputs[0]) == 3 and inputs[0][1:2] == inputs[1] and output == inputs[0]


def test_what_is_not_needed_is_not_computed() -> None:
    for f in (np.matmul, np.dot, np.inner, np.outer, np.tensordot):
        a, b = (V, W) if f in (np.inner, np.outer) else (M, N)
        kwargs = {"axes": 1} if f is np.tensordot else {}
        call_ = find_rules(f).select((np.ndarray, np.ndarray)).call  # type: ignore[union-attr]
        y, back = call_(a, b, **kwargs)
        y_bar = np.ones(np.shape(y)) if np.ndim(y) else 1.0
        both = back(y_bar)
        for needs in ((True, False), (False, True)):
            _, back = call_(a, b, **kwargs, needs=needs)
            bars = back(y_bar)
            assert [bar is not None for bar in bars] == list(needs)
            assert np.array_equal(bars[needs.index(True)], both[needs.index(True)])
    _, back = (
        find_rules(np.einsum)
        .select((str, np.ndarray, np.ndarray))
        .call(  # type: ignore[union-attr]
            "ij,jk->ik", M, N, needs=(False, True, False)
        )
    )
    bars = back(np.ones((3, 2)))
    assert bars[0] is None and bars[2] is None and np.allclose(bars[1], np.ones((3, 2)) @ N.T)


def test_out_is_refused() -> None:
    for f in (np.matmul, np.dot):
        with pytest.raises(MutationError):
            run_rule(f, M, N, out=np.zeros((3, 2)))
