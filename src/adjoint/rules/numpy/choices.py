"""Choices that a decomposition leaves open: the phases of vectors, the basis that completes others, vectors that belong
to values which coincide.

A function of the decomposition that does not depend on the choice has a derivative; where it does depend on it, it is
refused. Of vectors whose values coincide (up to rounding) only that is followed which turns their space; what depends
on how they lie within it is refused. It can not be told from the vectors
alone how a function of both the vectors and the values goes on from there: that is refused as well.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...errors import NoRuleError, calling_place
from ..registry import non_differentiable
from .lifting import refuse
from .linalg import adjoint_of

# Values that coincide


def coincide(w):
    """Masks of the pairs of values that are equal up to rounding, for each list of values.

    >>> coincide(np.array([1.0, 3.0, 3.0 + 4e-16]))
    array([[ True, False, False],
           [False,  True,  True],
           [False,  True,  True]])
    """
    largest = np.max(np.abs(w), axis=-1, initial=0.0)[..., None, None]
    return np.abs(w[..., None, :] - w[..., :, None]) <= w.shape[-1] * np.finfo(w.dtype).eps * largest


def inverse_differences(w):
    """Fᵢⱼ = 1 / (wⱼ - wᵢ), 0 where these are equal.

    >>> inverse_differences(np.array([1.0, 3.0]))
    array([[ 0. ,  0.5],
           [-0.5,  0. ]])
    """
    equal = coincide(w)
    difference = np.expand_dims(w, -2) - np.expand_dims(w, -1)
    return np.where(equal, 0.0, 1 / np.where(equal, 1, difference))


def refuse_mixed(function, w, w_bar, turn=None):
    """Raise if values coincide, and both they and vectors that belong to them are used; `turn` is Vᴴ V̄, if its being 0
    says that these vectors are not used."""
    if w_bar is not None and are_mixed(w, turn):
        why = "values coincide, and what is computed of them and of their vectors together can not be told apart"
        refuse(function, why, "use the values alone, or the vectors alone, or a matrix whose values differ")


def refuse_basis(function, w, turn, v_bar, own=False):
    """Raise if what is computed depends on the basis of a space of vectors whose values coincide; `turn` is its
    derivative by a turn of one vector towards another, with `own` along itself as well."""
    if depends_on_basis(w, turn, v_bar, own):
        what = f"{function} has no derivative here: values are equal, and a basis of their space matters"
        why = "each basis of the space that belongs to equal values is as good, and vectors jump between them"
        way_out = "use what does not depend on it: the values alone, or the space (V Vᵀ with all of its vectors)"
        raise NoRuleError(what, why, way_out, calling_place())


def depends_on_basis(w, turn, v_bar, own=False):
    """Tell whether the derivative by a turn of vectors whose values coincide is more than rounding."""
    pairs = coincide(w) & ~np.eye(w.shape[-1], dtype=bool)
    if not np.any(pairs):
        return False
    if own:
        pairs = pairs | np.any(pairs, axis=-1, keepdims=True) & np.eye(w.shape[-1], dtype=bool)
    small = 10 * np.sqrt(np.finfo(np.result_type(v_bar, np.float32)).eps) * np.max(np.abs(v_bar), initial=0.0)
    return bool(np.any(pairs & (np.abs(turn) > small)))


def basis_turn(w, turn):
    """The part of Vᴴ V̄ that has to be 0 if the basis does not matter: T - Tᴴ. Where T is diagonal and not a multiple
    of 1, these vectors may be stationary among others, as those of a diagonal matrix are for |vᵢⱼ|²; that counts as
    dependence.

    >>> basis_turn(np.ones(2), np.diag([1.0, 3.0]))
    array([[ 0., -2.],
           [ 2.,  0.]])
    """
    skew = turn - np.swapaxes(turn, -1, -2).conj()
    along = np.real(np.diagonal(turn, axis1=-2, axis2=-1))
    apart = along[..., :, None] - along[..., None, :]
    pairs = coincide(w) & ~np.eye(w.shape[-1], dtype=bool)
    small = 10 * np.sqrt(np.finfo(along.dtype).eps) * np.max(np.abs(turn), initial=0.0)
    mixed = np.any(pairs & (np.abs(turn) > small), axis=(-2, -1), keepdims=True)
    return np.where(mixed, skew, apart)


def are_mixed(w, turn):
    """Tell whether something flows from one to another of the vectors whose values coincide."""
    pairs = coincide(w) & ~np.eye(w.shape[-1], dtype=bool)
    if turn is None:
        return bool(np.any(pairs))
    size = np.abs(turn)
    return bool(np.any(pairs & (size > np.sqrt(np.finfo(size.dtype).eps) * np.max(size, initial=0.0))))


# Phases


def without_phase(function, v_bar, v, row=None, other=0.0):
    """The cotangent of vectors that are free in their phases as one that does not depend on it.

    A routine settles the phase by making one entry of each vector real: that in this row, or the largest. `other` is
    how much another matrix, whose vectors turn as well, depends on the phase.
    """
    if v.dtype.kind != "c":
        return v_bar
    dependence = np.imag(np.sum(np.conj(v_bar) * v, axis=-2, keepdims=True)) + other
    settled = settled_entries(v, row)
    if not depends(settled, dependence, v_bar):
        return v_bar
    if not np.all(np.any(settled, axis=-2)):
        refuse(
            function,
            "a complex vector is given up to its phase, on which the result depends",
            "use what does not: |v|²",
        )
    entry = np.sum(np.where(settled, np.real(v), 0.0), axis=-2, keepdims=True)
    return v_bar + 1j * np.where(settled, dependence / entry, 0.0)


def settled_entries(v, row):
    """A mask of the entry of each vector that a routine made real; none if that can not be seen.

    >>> settled_entries(np.array([[1.0 + 1j, 2.0], [3.0, 1j]]), None)
    array([[False,  True],
           [ True, False]])
    """
    if row is None:
        real = np.where(v.imag == 0, np.abs(v.real), 0.0)
        return (np.arange(v.shape[-2])[:, None] == np.argmax(real, axis=-2)[..., None, :]) & (real > 0)
    eps = np.finfo(v.dtype).eps * v.shape[-2] * 4
    chosen = np.arange(v.shape[-2])[:, None] == row % v.shape[-2]
    return chosen & np.all(
        ~chosen | (np.abs(v.imag) <= eps) & (np.abs(v.real) > eps**0.5), axis=(-2, -1), keepdims=True
    )


def depends(settled, dependence, v_bar):
    """Tell whether what is computed depends on the phases by more than rounding."""
    small = 10 * np.sqrt(np.finfo(np.result_type(v_bar, np.float32)).eps) * np.max(np.abs(v_bar), initial=0.0)
    return bool(np.any(np.abs(dependence) > small))


# The rest of a basis


def completed(function, q1, q2, q2_bar):
    """The term that the cotangent of vectors `q2`, which complete `q1` to a basis, takes from that of `q1`: Q₂ Q̄₂ᴴ Q₁.

    As Q₁ᴴ Q₂ = 0, Q̇₂ = -Q₁ Q̇₁ᴴ Q₂, up to a rotation of Q₂ itself.
    """
    if turns(q2, q2_bar):
        why = "the vectors that complete a basis are given up to a rotation, on which the result depends"
        refuse(function, why, "use the reduced form, or only what does not depend on it, such as Q₂ Q₂ᴴ")
    return np.matmul(np.matmul(q2, adjoint_of(q2_bar)), q1)


def turns(q, q_bar):
    """Tell whether what is computed depends on a rotation of the vectors among themselves by more than rounding."""
    inner = np.matmul(adjoint_of(q), q_bar)
    small = 10 * np.sqrt(np.finfo(inner.dtype).eps) * np.max(np.abs(q_bar), initial=0.0)
    return bool(np.any(np.abs(inner - adjoint_of(inner)) > small))


non_differentiable(coincide, are_mixed, depends_on_basis, basis_turn, settled_entries, depends, turns)
