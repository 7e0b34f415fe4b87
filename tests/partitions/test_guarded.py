"""What tasks share, and none of them may store into: blocks of other libraries, and lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from interop.needed import needed

import adjoint.dask
from adjoint.errors import PartitionError
from adjoint.trees import structure_of


def of_xarray(kind: str) -> tuple[Any, Any]:
    xarray = needed("xarray")
    array = xarray.DataArray(np.ones(3), dims="a", coords={"a": [1, 2, 3], "c": ("a", np.ones(3))})
    return (array if kind == "array" else xarray.Dataset({"u": array})), array


@pytest.mark.parametrize("kind", ["array", "dataset"])
@pytest.mark.parametrize("way", ["item", "values", "coordinate", "label"])
def test_stores_into_labelled_arrays_are_refused(kind: str, way: str) -> None:
    dask = needed("dask")
    block, array = of_xarray(kind)

    def store(w: Any, block: Any) -> Any:
        array = block["u"] if kind == "dataset" else block
        if way == "item":
            array[0] = 7.0
        elif way == "label":
            array.loc[{"a": 1}] = 7.0
        else:
            (array.values if way == "values" else array.coords["c"].values)[0] = 7.0
        return float(array.sum())

    def total(w: Any, block: Any) -> Any:
        return float((block["u"] if kind == "dataset" else block).sum())

    data = [dask.delayed(block, traverse=False)]
    with dask.config.set(scheduler="sync"):
        with pytest.raises(PartitionError, match="stores into an array that is read-only"):
            adjoint.dask.map_partitions(store)(2.0, data)
        assert adjoint.dask.map_partitions(total)(2.0, data) == [3.0]
    assert array.values.tolist() == array.coords["c"].values.tolist() == [1.0] * 3 and array.values.flags.writeable


def test_labelled_arrays_that_are_in_a_file_yet_are_not_read(tmp_path: Any) -> None:
    """What a task does not look at is not read for it."""
    dask, indexing = needed("dask"), needed("xarray.core.indexing")
    xarray, reads = needed("xarray"), list[Any]()

    class InFile(needed("xarray.backends").BackendArray):  # type: ignore[misc]
        shape, dtype = (3,), np.dtype(float)

        def __getitem__(self, key: Any) -> Any:
            reads.append(key)
            return np.ones(3)

    variable = xarray.Variable("a", indexing.LazilyIndexedArray(InFile()))
    data = [dask.delayed(xarray.Dataset({"u": variable, "v": ("a", np.ones(3))}), traverse=False)]
    with dask.config.set(scheduler="sync"):
        assert adjoint.dask.map_partitions(lambda w, block: float(block["v"].sum()))(1.0, data) == [3.0]
    assert reads == []


def test_tables_belong_to_each_task() -> None:
    """They share what is read, and copy what is stored."""
    dask, pandas = needed("dask"), needed("pandas")
    table = pandas.DataFrame({"a": np.ones(3)})

    def store(w: Any, table: Any) -> Any:
        table.loc[0, "a"] = 7.0
        return float(table["a"].sum())

    with dask.config.set(scheduler="sync"):
        for _ in range(2):
            assert adjoint.dask.map_partitions(store)(1.0, [dask.delayed(table)]) == [9.0]
    assert table["a"].sum() == 3.0
    if int(pandas.__version__.partition(".")[0]) >= 3:
        own = adjoint.dask.guarded.guarded(table)
        assert own is not table and np.shares_memory(own["a"].to_numpy(), table["a"].to_numpy())


def test_stores_into_sparse_arrays_are_refused() -> None:
    dask, sparse = needed("dask"), needed("scipy.sparse")
    matrix = sparse.csr_matrix(np.eye(3))

    def store(w: Any, matrix: Any) -> Any:
        matrix.data[0] = 7.0
        return float(matrix.sum())

    with dask.config.set(scheduler="sync"), pytest.raises(PartitionError, match="stores into an array that is read-"):
        adjoint.dask.map_partitions(store)(1.0, [dask.delayed(matrix)])
    assert matrix.sum() == 3.0


def test_long_lists_of_numbers_are_not_looked_through() -> None:
    """Each is a list of its task's own, and one object where it was one; what may be shared is looked for in others."""
    guarded = adjoint.dask.guarded.guarded
    numbers, rows = [1.0, 2.0], [(1.0, "a"), (2.0, "b")]
    mixed = [1.0, np.ones(2), [numbers], (rows,)]
    own = guarded({"mixed": mixed, "again": numbers})
    assert own["again"] == numbers and own["again"] is not numbers and own["mixed"][2][0] is own["again"]
    assert own["mixed"][3][0] == rows and own["mixed"][3][0] is not rows
    assert not own["mixed"][1].flags.writeable and own["mixed"] is not mixed
    nested = [([1.0],), (np.ones(2),)]
    own = guarded(nested)
    assert own[0][0] is not nested[0][0] and not own[1][0].flags.writeable  # type: ignore[attr-defined]
    assert len(structure_of([float(i) for i in range(1000)], adjoint.dask.guarded._is_plain).ends) == 1
