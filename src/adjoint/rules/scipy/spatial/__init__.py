"""Rules for `scipy.spatial`."""

from . import metrics, pairs, refused, trees

__all__ = ["metrics", "pairs", "refused", "trees"]
