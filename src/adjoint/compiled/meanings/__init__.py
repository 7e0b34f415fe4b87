"""What functions of Python and NumPy mean in loops."""

from . import algebra, bits, joining, library, making, names, products, reductions, scalars  # noqa: F401  (they declare it)
from .calls import meaning_of

__all__ = ["meaning_of"]
