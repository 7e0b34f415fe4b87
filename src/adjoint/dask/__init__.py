"""Derivatives of sums over data that no machine holds: on Dask, or in chunks on threads where the data are NumPy's.

Dask is not imported before data of Dask's are given, and need not be installed for arrays and `np.memmap`.
"""

from .gradients import Distributed, value_and_grad
from .maps import Mapped, map_partitions
from .products import hvp
from .totals import Total

__all__ = ["Distributed", "Mapped", "Total", "hvp", "map_partitions", "value_and_grad"]
