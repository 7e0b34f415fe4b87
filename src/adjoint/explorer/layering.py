"""Places for the nodes of a graph without circles: in layers from left to right, with few crossings.

Edges that pass over layers go through a point in each, so that they pass between the nodes there. Those from one node
share their points, and part where they leave for their nodes. Layers are put in order by the mean place of their
neighbours, to and fro; then each node moves as near to its neighbours as its layer lets it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

SWEEPS = 12
ACROSS, DOWN = 34.0, 14.0
"""The room between layers, and between nodes of one."""


@dataclass(eq=False)
class Spot:
    """A node, or a point of an edge, as wide as its layer and with no height: its size, and the middle of where it
    stands."""

    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0
    before: list[Spot] = field(default_factory=list)
    after: list[Spot] = field(default_factory=list)


@dataclass(eq=False)
class Layout:
    """Places of everything: nodes by number, edges as the spots that they go through, and the size of the whole."""

    spots: list[Spot]
    edges: list[list[Spot]]
    width: float
    height: float


def laid_out(sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]]) -> Layout:
    """Place nodes of these sizes; `edges` lead from a node to a later one.

    >>> layout = laid_out([(10.0, 10.0)] * 3, [(0, 2), (1, 2)])
    >>> layout.spots[0].x == layout.spots[1].x < layout.spots[2].x
    True
    """
    spots = [Spot(width, height) for width, height in sizes]
    layer_of = _layers_of(len(sizes), edges)
    layers: list[list[Spot]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    for spot, layer in zip(spots, layer_of, strict=True):
        layers[layer].append(spot)
    paths = _paths(spots, layers, layer_of, edges)
    for _ in range(SWEEPS):
        _put_in_order(layers, forward=True)
        _put_in_order(layers, forward=False)
    width = _across(layers)
    _down(layers)
    every = [spot for layer in layers for spot in layer]
    low = min([s.y - s.height / 2 for s in every], default=0.0)
    for spot in every:
        spot.y -= low
    return Layout(spots, paths, width, max([s.y + s.height / 2 for s in every], default=0.0))


def _layers_of(n: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """The layer of each node: after all that lead to it; what nothing leads to stands before what it leads to."""
    layer, after = [0] * n, dict[int, list[int]]()
    for a, b in sorted(edges, key=lambda edge: edge[1]):
        layer[b] = max(layer[b], layer[a] + 1)
        after.setdefault(a, []).append(b)
    led_to = {b for _, b in edges}
    return [min([layer[b] for b in after[a]]) - 1 if a not in led_to and a in after else layer[a] for a in range(n)]


def _paths(
    spots: list[Spot], layers: list[list[Spot]], layer_of: list[int], edges: Sequence[tuple[int, int]]
) -> list[list[Spot]]:
    """The spots of each edge. Those of one node have one point in each layer together, so that there are not as many
    as edges times layers."""
    paths, shared = [], [[spot] for spot in spots]
    for a, b in edges:
        trunk, n = shared[a], layer_of[b] - layer_of[a]
        for layer in range(layer_of[a] + len(trunk), layer_of[b]):
            layers[layer].append(Spot())
            _join(trunk[-1], layers[layer][-1])
            trunk.append(layers[layer][-1])
        _join(trunk[n - 1], spots[b])
        paths.append([*trunk[:n], spots[b]])
    return paths


def _join(first: Spot, second: Spot) -> None:
    first.after.append(second)
    second.before.append(first)


def _put_in_order(layers: list[list[Spot]], forward: bool) -> None:
    rank = {spot: float(i) for layer in layers for i, spot in enumerate(layer)}
    for layer in layers if forward else reversed(layers):
        mean = {}
        for spot in layer:
            near = spot.before if forward else spot.after
            mean[spot] = sum([rank[other] for other in near]) / len(near) if near else rank[spot]
        layer.sort(key=lambda spot: mean[spot])  # noqa: B023 - used at once
        rank.update({spot: float(i) for i, spot in enumerate(layer)})


def _across(layers: list[list[Spot]]) -> float:
    x = 0.0
    for layer in layers:
        width = max([spot.width for spot in layer])
        for spot in layer:
            spot.x = x + width / 2
            spot.width = spot.width if spot.height else width  # an edge goes straight through
        x += width + ACROSS
    return max(x - ACROSS, 0.0)


def _down(layers: list[list[Spot]]) -> None:
    for layer in layers:
        y = 0.0
        for spot in layer:
            spot.y = y + spot.height / 2
            y += spot.height + DOWN
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = []
            for spot in layer:
                near = _near(spot, sweep)
                wanted.append(sum([other.y for other in near]) / len(near) if near else spot.y)
            for spot, y in zip(layer, _apart(layer, wanted), strict=True):
                spot.y = y


def _near(spot: Spot, sweep: int) -> list[Spot]:
    """The neighbours that a spot is to stand beside: nodes by nodes, points by points, where there are such. What leads
    far would pull a long row of nodes down, layer by layer."""
    near = [*spot.before, *spot.after] if sweep > 2 else spot.before if sweep % 2 == 0 else spot.after
    return [other for other in near if bool(other.height) == bool(spot.height)] or near


def _apart(layer: list[Spot], wanted: list[float]) -> Iterator[float]:
    """The places nearest to those that are wanted, in their order and with room between: neighbours that would overlap
    become one block, which stands at the mean of what its parts want."""
    blocks: list[list[float]] = []  # the sum of what is wanted of its begin, how many, how high, where the next begins
    for spot, y in zip(layer, wanted, strict=True):
        block = [y - spot.height / 2, 1.0, spot.height + DOWN]
        while blocks and blocks[-1][0] / blocks[-1][1] + blocks[-1][2] > block[0] / block[1]:
            above = blocks.pop()
            block = [above[0] + block[0] - block[1] * above[2], above[1] + block[1], above[2] + block[2]]
        blocks.append(block)
    begins = iter([(block[0] / block[1], block[1]) for block in blocks])
    y, left = 0.0, 0.0
    for spot in layer:
        if not left:
            y, left = next(begins)
        yield y + spot.height / 2
        y += spot.height + DOWN
        left -= 1


__all__ = ["Layout", "Spot", "laid_out"]
