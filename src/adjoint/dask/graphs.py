"""Parts of data of Dask's: one task a partition, a tree of sums above them, and what its failures mean."""

from __future__ import annotations

import traceback
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from adjoint.errors import PartitionError, PartitionLostError, calling_place

from .partitions import Partitions, is_delayed
from .parts import Call, added, failed, filled

PREFIX = "adjoint"


def lazy_parts(call: Call, partitions: Partitions) -> list[Any]:
    """For each partition the `Delayed` of what a call gives for it; parameters are a node of the graph."""
    from dask.delayed import Delayed, delayed, unpack_collections
    from dask.highlevelgraph import HighLevelGraph

    token = partitions.token
    given = [i for i, x in enumerate(call.args) if is_delayed(x)]
    before = [delayed(call.args[i]) for i in given]
    parameters = f"{PREFIX}-parameters-{token}"
    names = [f"{PREFIX}-partition-{token}-{i}" for i in range(len(partitions))]
    layer: dict[str, Any] = {parameters: call}
    if given:
        bare = call.given(given, [None] * len(given))
        layer[f"{parameters}-bare"] = bare
        layer[parameters] = (filled, f"{parameters}-bare", given, *[x.key for x in before])
    for i, blocks in enumerate(partitions.blocks):
        layer[names[i]] = (called, parameters, i, *[unpack_collections(block)[0] for block in blocks])
    needed = [*before, *[block for blocks in partitions.blocks for block in blocks]]
    graph = HighLevelGraph.from_collections(parameters, layer, dependencies=needed)
    return [Delayed(name, graph, layer=parameters) for name in names]


def called(call: Call, index: int, *blocks: Any) -> Any:
    """The task of a partition."""
    return call(index, *blocks)


def lazy_total(parts: Sequence[Any], split_every: int, finish: Callable[[Any], Any]) -> Any:
    """The `Delayed` of what is made of the sum of parts, added up by a tree that their number alone determines."""
    from dask.delayed import Delayed
    from dask.highlevelgraph import HighLevelGraph

    token, level = uuid.uuid4().hex, 0
    layer: dict[str, Any] = {}
    keys = [part.key for part in parts]
    while len(keys) > 1:
        groups = [keys[i : i + split_every] for i in range(0, len(keys), split_every)]
        keys = [f"{PREFIX}-sum-{token}-{level}-{i}" for i in range(len(groups))]
        layer |= {key: (added, group) for key, group in zip(keys, groups, strict=True)}
        level += 1
    name = f"{PREFIX}-total-{token}"
    layer[name] = (finish, keys[0])
    return Delayed(name, HighLevelGraph.from_collections(name, layer, dependencies=list(parts[:1])), length=2)


def computed(lazy: Any, partitions: Partitions) -> Any:
    """The results computed by the current client or scheduler; its failures are told by the partition."""
    import dask

    several = isinstance(lazy, list)
    watched = Watched(lazy if several else [lazy], partitions)
    try:
        found = dask.compute(*watched.lazy, scheduler=watched)
        return found if several else found[0]
    except PartitionError:
        raise
    except CancelledError as error:
        raise lost(partitions) from error
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            raise killed(error, watched.index, partitions) from error
        if watched.index is None:
            raise
        raise failed(watched.index, error, partitions.alone, MADE) from error


MADE = (
    "making partition {index} raises",
    "compute that partition alone, `{alone}` for example, and mend what it is read or made by",
)
"""The text of an error that came before the loss was called."""


class Watched:
    """The current scheduler for some `Delayed`; where it fails, `index` is the partition that did, if it tells."""

    index: int | None = None

    def __init__(self, lazy: list[Any], partitions: Partitions) -> None:
        from dask.base import get_scheduler

        self.lazy, self.partitions = lazy, partitions
        self.get = get_scheduler(collections=lazy)

    def __call__(self, graph: Any, keys: Any, **options: Any) -> Any:
        """The values that the scheduler gives for the keys of a graph."""
        try:
            return self.get(graph, keys, **options)
        except Exception as error:
            story = getattr(getattr(self.get, "__self__", None), "story", None)
            self.index = next(self.indices([key_within(error)] if story is None else self.told(story)), None)
            raise

    def indices(self, keys: Iterable[Any]) -> Iterator[int]:
        """The partitions that tasks belong to, of those that do."""
        for key in keys:
            index = None if key is None else index_of(str(key), self.partitions)
            if index is not None:
                yield index

    def told(self, story: Callable[..., Any]) -> Iterator[Any]:
        """The tasks that erred, by what a client's scheduler has noted, the first one first.

        A partition's data are among them: of all tasks that a dead worker held, Dask blames the oldest one first. These
        may have failed in calls before: what was noted before a task of this call's own does not count.
        """
        of = set(self.lazy[0].__dask_graph__())
        noted = [entry for entry in story(*of, on_error="ignore") if entry[0] == "scheduler" and entry[1] in of]
        begin = next((i for i, entry in enumerate(noted) if self.partitions.token in str(entry[1])), 0)
        for entry in noted[begin:]:
            if entry[3] == "erred":
                yield entry[1]


def key_within(error: BaseException) -> str | None:
    """The task that raised an error, from the frames of a scheduler in this process.

    They are private: `tests/interop/test_private_names.py` has checked them with Dask 2026.8. Without them the error
    stays as Dask gives it.
    """
    for name in ("execute_task", "get_async"):  # another process has no frames of the first kind here
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_name == name and "key" in frame.f_locals:
                return str(frame.f_locals["key"])
    return None


def lost(partitions: Partitions) -> PartitionLostError:
    """The error where data are no longer on any worker: blocks name futures, which the data themselves hold."""
    from distributed import futures_of

    gone = {future.key for future in futures_of(partitions.data) if future.status in ("cancelled", "lost")}
    index = next((i for i, blocks in enumerate(partitions.blocks) if any([gone & keys_of(b) for b in blocks])), None)
    found = PartitionLostError(
        f"the data of partition {'?' if index is None else index} are lost",
        "they were on a worker alone that has died, or were cancelled, and nothing says how to make them again",
        "persist from a source that can be read again (`dask.array.from_zarr(...).persist()`), and not by `scatter`",
        calling_place(),
    )
    found.index = index
    return found


def keys_of(block: Any) -> set[Any]:
    """The keys that a block needs: of its own tasks, of what they name, and of futures that stand in them."""
    from distributed import futures_of

    alone = culled(block)
    tasks = dict(alone.__dask_graph__())
    named = [key for task in tasks.values() for key in getattr(task, "dependencies", ())]
    return {block.key, *tasks, *named, *[future.key for future in futures_of(alone)]}


def culled(block: Any) -> Any:
    """A block with what it needs alone."""
    from dask.delayed import Delayed

    graph = block.__dask_graph__()
    return Delayed(block.key, dict(graph.cull({block.key}) if hasattr(graph, "cull") else graph))


def killed(error: Exception, first: int | None, partitions: Partitions) -> PartitionError:
    """The error where each worker died that has run a task; of the `first` partition that failed, if it is known, and
    not of one that waited on the same workers."""
    index = index_of(str(getattr(error, "task", error.args[0])), partitions) if first is None else first
    found = PartitionError(
        f"each worker that ran partition {'?' if index is None else index} has died",
        f"Dask says: {error}",
        "make partitions smaller, if memory ran out (`rechunk`, `repartition`); what was in a worker's log says more",
        calling_place(),
    )
    found.index = index
    return found


def index_of(key: str, partitions: Partitions) -> int | None:
    """The partition that a task belongs to: its own, or one that makes its data."""
    if key.startswith(f"{PREFIX}-partition-{partitions.token}-"):
        return int(key.rpartition("-")[2])
    for i, blocks in enumerate(partitions.blocks):
        if any([key in map(str, dict(culled(block).__dask_graph__())) for block in blocks]):
            return i
    return None
