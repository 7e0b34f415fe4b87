"""Rules for `scipy.spatial`."""

import scipy.spatial

from ..effects import declare
from . import metrics, pairs, refused, trees

__all__ = ["metrics", "pairs", "refused", "trees"]

declare(scipy.spatial, shows="*", but="convex_hull_plot_2d delaunay_plot_2d voronoi_plot_2d")
declare(scipy.spatial.distance, but="directed_hausdorff")
