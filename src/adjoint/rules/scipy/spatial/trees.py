"""Neighbours: which they are carries no derivative, how far away they are does."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, index, operator, import-untyped"

import numpy as np
from scipy.spatial import KDTree

from ....tangents.fields import carry
from ...fields import assembled, field_of
from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable
from .metrics import minkowski

FIELDS = ("data",)


carry(KDTree, ("data",))


@composed(KDTree)
def tree_of(data, leafsize=10, compact_nodes=True, copy_data=False, balanced_tree=True, boxsize=None):
    """The points as they are."""
    if boxsize is not None:
        refuse("scipy.spatial.KDTree(boxsize=)", "distances round the torus have no rule", "repeat the points")
    return assembled(KDTree, FIELDS, np.asarray(data) * 1.0)


def found(tree, x, k, eps, p, bound):
    """The places of the nearest points; which of these are missing; whether the tree lies on a torus."""
    _, places = tree.query(x, k, eps, p, bound)
    return np.where(places < tree.n, places, 0), np.asarray(places) >= tree.n, tree.boxsize is not None, places


non_differentiable(found)


def nearest(self, x, k=1, eps=0.0, p=2.0, distance_upper_bound=np.inf, workers=1):
    """The distances to the nearest points, and which these are."""
    safe, missing, torus, places = found(self, x, k, eps, p, distance_upper_bound)
    if torus:
        refuse("scipy.spatial.KDTree.query", "distances round the torus have no rule", "repeat the points")
    points = np.asarray(x) * 1.0
    neighbours = field_of(self, "data")[safe]
    if np.ndim(safe) == points.ndim:
        points = np.expand_dims(points, -2)
    return np.where(missing, np.inf, minkowski(points, neighbours, p)), places


composed(KDTree.query)(nearest)
non_differentiable(KDTree.query_ball_point, KDTree.query_ball_tree, KDTree.query_pairs, KDTree.count_neighbors)
