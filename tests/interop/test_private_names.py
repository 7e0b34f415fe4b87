"""Names of other libraries that are used here and are not public, with the version in which each was last checked."""

from __future__ import annotations

import functools
import importlib
import inspect

import pytest
from interop.needed import needed

PRIVATE = {
    "torch": (
        "2.13",
        "_C._functorch.is_legacy_batchedtensor _C._vmapmode_increment_nesting _C._vmapmode_decrement_nesting "
        "_remove_batch_dim _add_batch_dim fx.experimental.proxy_tensor:get_innermost_proxy_mode",
    ),
    "optree": ("0.20", "registry:__GLOBAL_NAMESPACE"),
    "dask": ("2026.8", "base:get_scheduler delayed:unpack_collections local:get_async local:execute_task"),
    "xarray": ("2026.9", "core.variable:Variable._data"),
    "distributed": ("2026.8", "client:Client.story client:Future"),
}


@pytest.mark.parametrize("library", PRIVATE)
def test_private_names_are_there(library: str) -> None:
    """A name that is gone is told with the version that had it."""
    version = needed(library).__version__
    checked, names = PRIVATE[library]
    for name in names.split():
        module, _, path = name.rpartition(":")  # `dask.delayed` is a module and a function
        try:
            functools.reduce(getattr, path.split("."), importlib.import_module(f"{library}.{module}".rstrip(".")))
        except AttributeError:
            pytest.fail(f"{library} {version} has no `{name}`, which {checked} had")


def test_tasks_of_dasks_name_what_they_need() -> None:
    """By `dependencies` of a node, by which lost data behind an array of Dask's are found."""
    dask, da = needed("dask"), needed("dask.array")
    x = da.from_delayed(dask.delayed(list)([1.0]), (1,), dtype=float)
    tasks = dict((x * 2.0).__dask_graph__())
    nodes = [task for key, task in tasks.items() if isinstance(key, tuple)]
    assert nodes, "no blocks of an array"
    for task in nodes:
        if not hasattr(task, "dependencies"):
            pytest.fail(f"dask {dask.__version__} has no `dependencies` of a {type(task).__name__}, which 2026.8 had")
    assert any(task.dependencies & tasks.keys() for task in nodes)


def test_frames_of_dasks_schedulers_have_the_key() -> None:
    """By which the partition of an error is found."""
    local = needed("dask.local")
    assert "key" in inspect.signature(local.execute_task).parameters
    assert "key" in local.get_async.__code__.co_varnames
