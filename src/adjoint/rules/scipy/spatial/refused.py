"""The rest of `scipy.spatial`: refused by name, or without derivatives."""
# mypy: disable-error-code="import-untyped"

from scipy import spatial
from scipy.spatial import distance, transform

from ...registry import non_differentiable, not_implemented

not_implemented(
    spatial.ConvexHull, spatial.Delaunay, spatial.HalfspaceIntersection, spatial.SphericalVoronoi, spatial.Voronoi,
    why="which points are joined is found by Qhull, and what is computed from them is not followed",
    way_out="compute volumes and the like from the points, by the indices that it gives",
)  # fmt: skip
not_implemented(
    spatial.procrustes, spatial.geometric_slerp, spatial.Rectangle,
    why="it is a short program of functions that have rules, and its tests of the arguments are not followed",
    way_out="write it by `np.linalg.svd`, `np.sin` and `np.cos`",
)  # fmt: skip
not_implemented(
    spatial.KDTree.sparse_distance_matrix,
    why="its result is in the format DOK, or a dict, which have no cotangent",
    way_out="use `query`, or `scipy.spatial.distance.cdist`",
)
not_implemented(
    spatial.cKDTree,
    why="its methods are written in C, and know nothing of the points that it was made of",
    way_out="use `KDTree`, which does the same",
)
for _name in ("kulczynski1", "sokalmichener"):
    if hasattr(distance, _name):
        not_implemented(
            getattr(distance, _name),
            why="it is of flags, deprecated, and gone from later versions of SciPy",
            way_out="write it out by sums of products of the flags, or take `rogerstanimoto`",
        )
non_differentiable(spatial.tsearch, spatial.convex_hull_plot_2d, spatial.delaunay_plot_2d, spatial.voronoi_plot_2d)

for _name in ("Rotation", "RigidTransform", "RotationSpline", "Slerp"):
    if hasattr(transform, _name):
        _cls = getattr(transform, _name)
        _methods = [
            getattr(method, "__func__", method)
            for name in dir(_cls)
            if not name.startswith("_") and callable(method := getattr(_cls, name))
        ]
        not_implemented(
            _cls, *_methods,
            why="how rotations are kept is not followed",
            way_out="multiply with the matrix of the rotation, written by `np.sin` and `np.cos`",
        )  # fmt: skip
        if "__call__" in vars(_cls):
            not_implemented(
                _cls.__call__,
                why="how rotations are kept is not followed",
                way_out="interpolate the angles",
            )
