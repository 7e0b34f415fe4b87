"""Functionals and matrices of scikit-fem, whose fields are arrays with fields and items of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import skfem
from realworld.programs import check
from skfem.helpers import dot
from skfem.helpers import grad as slope

# mypy: disable-error-code="import-untyped, no-untyped-call"

BASIS = skfem.Basis(skfem.MeshTri().refined(1), skfem.ElementTriP1())
P = np.linspace(0.0, 1.0, BASIS.N)


@skfem.Functional
def energy(w: Any) -> Any:
    return w["u"] ** 2 + dot(w["u"].grad, w["u"].grad)


@skfem.BilinearForm
def stiffness(u: Any, v: Any, w: Any) -> Any:
    return dot(slope(u), slope(v))


def test_functionals() -> None:
    check(lambda p: energy.assemble(BASIS, u=BASIS.interpolate(p)), *P)


def test_matrices_are_data() -> None:
    matrix = stiffness.assemble(BASIS)
    check(lambda p: p @ (matrix @ p), *P)
