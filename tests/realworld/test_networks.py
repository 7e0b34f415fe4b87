"""Graphs of networkx, networks of scikit-rf, queues of simpy, systems of control."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import control
import networkx as nx
import numpy as np
import simpy
import skrf
from realworld.programs import check

# mypy: disable-error-code="import-untyped, no-untyped-call"


def graph(p: Any) -> Any:
    g = nx.Graph()
    for (a, b), weight in zip([(0, 1), (1, 2), (0, 2)], p, strict=True):
        g.add_edge(a, b, weight=weight)
    return g


def test_graphs() -> None:
    at = (1.0, 2.0, 4.0)
    check(lambda p: nx.dijkstra_path_length(graph(p), 0, 2), *at)
    check(lambda p: nx.minimum_spanning_tree(graph(p)).size(weight="weight") ** 2, *at)
    check(lambda p: graph(p).degree(1, weight="weight") ** 2, *at)
    check(lambda p: nx.floyd_warshall(graph(p))[0][2], *at)
    check(lambda p: np.linalg.slogdet(nx.to_numpy_array(graph(p)) + 5.0 * np.eye(3))[1], *at)


def test_microwaves() -> None:
    check(lambda p: abs(skrf.tlineFunctions.zl_2_zin(50.0, p[0] + 10j, np.array([0.3, 0.5])))[1], 30.0)
    check(lambda p: abs(skrf.network.z2s(np.full((3, 1, 1), p[0] + 0.1j)))[0, 0, 0], 30.0)
    band = skrf.Frequency(1, 2, 5, "ghz")
    check(lambda p: abs(skrf.Network(frequency=band, s=np.ones((5, 1, 1)) * p[0], z0=50).z[0, 0, 0]), 0.3)


def test_queues() -> None:
    def f(p: Any) -> Any:
        env, total = simpy.Environment(), [0.0]
        desk = simpy.Resource(env, 1)

        def customer(d: Any) -> Iterator[Any]:
            with desk.request() as turn:
                yield turn
                yield env.timeout(d)
                total[0] += env.now

        for i in range(3):
            env.process(customer(p[0] * (i + 1)))
        env.run()
        return total[0]

    check(f, 0.7)


def oscillator(k: Any) -> Any:
    return control.ss([[0, 1.0], [-k, -1.0]], [[0], [1.0]], [[1.0, 0]], 0)


def test_systems() -> None:
    check(lambda p: control.step_response(oscillator(p[0]), np.linspace(0, 2, 20))[1][-1], 1.3)
    check(lambda p: control.poles(control.ss([[0, 1.0], [-p[0], -3.0]], [[0], [1.0]], [[1.0, 0]], 0)).real.min(), 1.3)
    check(lambda p: control.lyap(np.array([[-p[0], 1.0], [0, -1.0]]), np.eye(2))[0, 0], 1.3)
