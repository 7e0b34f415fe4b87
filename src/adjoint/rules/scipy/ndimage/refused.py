"""The rest of `scipy.ndimage`: without derivatives, or refused by name."""
# mypy: disable-error-code="import-untyped"

from scipy import ndimage

from ...registry import non_differentiable, not_implemented

non_differentiable(
    ndimage.binary_closing, ndimage.binary_dilation, ndimage.binary_erosion, ndimage.binary_fill_holes,
    ndimage.binary_hit_or_miss, ndimage.binary_opening, ndimage.binary_propagation, ndimage.find_objects,
    ndimage.generate_binary_structure, ndimage.histogram, ndimage.iterate_structure, ndimage.label,
    ndimage.maximum_position, ndimage.minimum_position, ndimage.watershed_ift,
)  # fmt: skip
if hasattr(ndimage, "value_indices"):
    non_differentiable(ndimage.value_indices)

non_differentiable(ndimage.distance_transform_cdt)


for _name in (
    "generic_filter", "generic_filter1d", "generic_gradient_magnitude", "generic_laplace", "vectorized_filter",
    "labeled_comprehension",
):  # fmt: skip
    if hasattr(ndimage, _name):
        not_implemented(
            getattr(ndimage, _name),
            why="it calls a function for each window, which is not followed",
            way_out="use `np.lib.stride_tricks.sliding_window_view`, or a filter that has a rule",
        )
