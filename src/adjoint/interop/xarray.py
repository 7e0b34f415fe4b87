"""Arrays of xarray in programs that are differentiated: their rules are there once this module is imported.

Provisional. Without it such objects are data, and a number that is differentiated is refused where it meets one. A
store into an array that lies in the memory of such an object is refused: see the page "With other libraries".
"""

from ..rules.libraries import follow

follow("xarray")

__all__: list[str] = []
