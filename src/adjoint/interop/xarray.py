"""Arrays of xarray in programs that are differentiated: their rules are there once this module is imported.

Provisional. Without it such objects are data, and a number that is differentiated is refused where it meets one. What
is stored into an array after a labelled array of the same memory was made of it is not followed: see the page "With
other libraries".
"""

from ..rules.libraries import follow

follow("adjoint.rules.xarray")

__all__: list[str] = []
