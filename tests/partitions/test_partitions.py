"""Sums over partitions in one process: on threads, and by Dask's scheduler of one thread."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from partitions.programs import averaged, first_of_a_loop, in_a_loop, logistic, noted, rows, summed, times

import adjoint
import adjoint.dask
from adjoint import nn
from adjoint.errors import CotangentError, NoRuleError, NotDifferentiableError, OptionError, PartitionError, ShapeError
from adjoint.rules import non_differentiable

X, Y, W = rows(100)
VALUE, SLOPE = adjoint.value_and_grad(logistic)(W, X, Y)


@pytest.fixture(params=["threads", "dask"])
def spread(request: pytest.FixtureRequest) -> Any:
    """What makes data of arrays, nine rows a partition, and the options that say so."""
    if request.param == "threads":
        return (lambda *arrays: arrays), {"rows": 9, "threads": 2}
    dask = needed("dask")
    da = needed("dask.array")
    context = dask.config.set(scheduler="sync")
    request.addfinalizer(lambda: context.__exit__(None, None, None))
    return (lambda *arrays: tuple([da.from_array(x, chunks=(9, *x.shape[1:])) for x in arrays])), {}


def test_sums(spread: Any) -> None:
    cut, options = spread
    value, slope = adjoint.dask.value_and_grad(logistic, **options)(W, *cut(X, Y))
    np.testing.assert_allclose(value, VALUE)
    np.testing.assert_allclose(slope, SLOPE)


def test_means(spread: Any) -> None:
    cut, options = spread
    g = adjoint.dask.value_and_grad(averaged, reduction="mean", **options)
    value, slope = g(W, *cut(X, Y))
    np.testing.assert_allclose(value, VALUE / 100)
    np.testing.assert_allclose(slope, SLOPE / 100)
    np.testing.assert_allclose(g.total(W, *cut(X, Y)), VALUE / 100)


def weighted(w: Any, x: Any, y: Any) -> Any:
    weights = np.exp(0.1 * (x @ w))
    return np.sum(weights * (x @ w - y) ** 2), np.sum(weights)


def test_means_by_a_count_that_has_a_derivative(spread: Any) -> None:
    def whole(w: Any) -> Any:
        value, count = weighted(w, X, Y)
        return value / count

    cut, options = spread
    g = adjoint.dask.value_and_grad(weighted, reduction="mean", **options)
    value, slope = g(W, *cut(X, Y))
    expected = adjoint.value_and_grad(whole)(W)
    np.testing.assert_allclose(value, expected[0])
    np.testing.assert_allclose(slope, expected[1])
    np.testing.assert_allclose(adjoint.grad(lambda w: g.total(w, *cut(X, Y)))(W), expected[1])
    with pytest.raises(PartitionError, match="the count of a partition depends on the parameters"):
        adjoint.dask.hvp(weighted, (W, *cut(X, Y)), (W,), reduction="mean", **options)


def test_a_count_that_is_a_float_without_derivative(spread: Any) -> None:
    def loss(w: Any, x: Any, y: Any) -> Any:
        return logistic(w, x, y), float(len(x))

    cut, options = spread
    np.testing.assert_allclose(
        adjoint.dask.value_and_grad(loss, reduction="mean", **options)(W, *cut(X, Y))[1], SLOPE / 100
    )
    product = adjoint.dask.hvp(loss, (W, *cut(X, Y)), (W,), reduction="mean", **options)[0]
    np.testing.assert_allclose(product, adjoint.hvp(lambda w: logistic(w, X, Y) / 100, (W,), (W,))[0])


def test_a_loss_without_count_is_told_so(spread: Any) -> None:
    cut, options = spread
    with pytest.raises(PartitionError, match=r"the loss is to return a pair `\(sum, count\)`, and returns a float64"):
        adjoint.dask.value_and_grad(logistic, reduction="mean", **options)(W, *cut(X, Y))


@pytest.mark.parametrize("mean", [False, True])
def test_aux_comes_as_a_list(spread: Any, mean: bool) -> None:
    def loss(w: Any, x: Any, y: Any) -> Any:
        return (averaged if mean else logistic)(w, x, y), len(x)

    cut, options = spread
    reduction = "mean" if mean else "sum"
    g = adjoint.dask.value_and_grad(loss, has_aux=True, reduction=reduction, **options)
    (value, aux), slope = g(W, *cut(X, Y))
    assert aux == [9] * 11 + [1]
    n = 100 if mean else 1
    np.testing.assert_allclose(value, VALUE / n)
    np.testing.assert_allclose(slope, SLOPE / n)
    np.testing.assert_allclose(g.total(W, *cut(X, Y)), VALUE / n)


def test_several_arguments_and_names(spread: Any) -> None:
    def loss(w: Any, b: float, x: Any, scale: float = 1.0) -> Any:
        return scale * np.sum((x @ w["w"] + b) ** 2)

    cut, options = spread
    args = {"w": W}, 0.5
    for argnums in ((0, 1), "b", ["b", "w"]):
        got = adjoint.dask.value_and_grad(loss, argnums, **options)(*args, *cut(X), scale=2.0)
        expected = adjoint.value_and_grad(loss, argnums)(*args, X, scale=2.0)
        _same(got, expected)


def test_models_and_single_precision(spread: Any) -> None:
    def loss(model: Any, x: Any, y: Any) -> Any:
        return np.sum((model(x)[:, 0] - y) ** 2)

    cut, options = spread
    model = nn.Chain(
        nn.Dense(3, 4, np.tanh, rng=np.random.default_rng(0)), nn.Dense(4, 1, rng=np.random.default_rng(1))
    )
    _same(adjoint.dask.value_and_grad(loss, **options)(model, *cut(X, Y)), adjoint.value_and_grad(loss)(model, X, Y))
    x, y, w = rows(40, dtype=np.float32)
    value, slope = adjoint.dask.value_and_grad(averaged, reduction="mean", **options)(w, *cut(x, y))
    assert value.dtype == slope.dtype == np.float32


def _same(a: Any, b: Any) -> None:
    """Equal numbers at all places."""
    a, b = (nn.tree.tree_leaves(x) for x in (a, b))
    assert len(a) == len(b)
    for x, y in zip(a, b, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-10)


def test_products(spread: Any) -> None:
    cut, options = spread
    v = np.array([1.0, -2.0, 0.5])
    expected = adjoint.hvp(lambda w: logistic(w, X, Y), (W,), (v,))[0]
    got, *others = adjoint.dask.hvp(logistic, (W, *cut(X, Y)), (v,), **options)
    np.testing.assert_allclose(got, expected)
    assert others == [None, None]
    got = adjoint.dask.hvp(averaged, (W, *cut(X, Y)), (v,), reduction="mean", **options)[0]
    np.testing.assert_allclose(got, expected / 100)


def test_totals_are_differentiated_within_programs(spread: Any) -> None:
    cut, options = spread
    total, data = adjoint.dask.value_and_grad(logistic, **options).total, cut(X, Y)

    def far(w: Any) -> Any:
        return total(2.0 * w, *data) ** 2 + 0.5 * np.sum(w**2)

    def near(w: Any) -> Any:
        return logistic(2.0 * w, X, Y) ** 2 + 0.5 * np.sum(w**2)

    np.testing.assert_allclose(adjoint.grad(far)(W), adjoint.grad(near)(W))
    np.testing.assert_allclose(adjoint.hvp(far, (W,), (SLOPE,))[0], adjoint.hvp(near, (W,), (SLOPE,))[0])
    np.testing.assert_allclose(adjoint.hessian(far, W), adjoint.hessian(near, W))


def test_optimizers(spread: Any) -> None:
    optimize = needed("scipy.optimize")
    cut, options = spread
    g, data = adjoint.dask.value_and_grad(logistic, **options), cut(X, Y)
    objective = adjoint.optimize.Objective(lambda p: g.total(p["w"], *data) + np.sum(p["w"] ** 2), like={"w": W})
    found = optimize.minimize(
        objective.fun, objective.x0, jac=objective.jac, hessp=objective.hessp, method="trust-ncg", tol=1e-9
    )
    best = objective.unravel(found.x)["w"]
    np.testing.assert_allclose(adjoint.grad(logistic)(best, X, Y) + 2 * best, 0.0, atol=1e-6)
    found = optimize.minimize(g, W, args=data, jac=True)
    np.testing.assert_allclose(adjoint.grad(logistic)(found.x, X, Y), 0.0, atol=1e-2)


def test_fit(spread: Any) -> None:
    cut, options = spread
    total, data = adjoint.dask.value_and_grad(logistic, **options).total, cut(X, Y)
    done = nn.fit(W, total, [data], nn.optimizers.adam(0.1), epochs=10, progress=False)
    near = nn.fit(W, logistic, [(X, Y)], nn.optimizers.adam(0.1), epochs=10, progress=False)
    np.testing.assert_allclose(done.model, near.model)


def test_maps(spread: Any) -> None:
    cut, options = spread
    m = adjoint.dask.map_partitions(lambda w, x: x @ w, **options)
    np.testing.assert_allclose(np.concatenate(m(W, *cut(X))), X @ W)
    assert [len(part) for part in m(W, *cut(X))] == [9] * 11 + [1]


def test_empty_blocks(spread: Any) -> None:
    cut, options = spread
    value, slope = adjoint.dask.value_and_grad(logistic, **options)(W, *cut(X[:0], Y[:0]))
    assert value == 0.0 and not slope.any()
    with pytest.raises(OptionError, match="counts of all partitions add up to 0"):
        adjoint.dask.value_and_grad(averaged, reduction="mean", **options)(W, *cut(X[:0], Y[:0]))


def test_a_partition_that_raises(spread: Any) -> None:
    def loss(w: Any, x: Any) -> Any:
        return w[0] * (1 // int(x[0, 0]))

    cut, options = spread
    x = np.ones((100, 2))
    x[20] = x[18] = 0.0
    with pytest.raises(PartitionError, match="partition 2 raises ZeroDivisionError") as caught:
        adjoint.dask.value_and_grad(loss, **options)(W, *cut(x))
    assert caught.value.index == 2 and "in loss" in caught.value.why


@pytest.mark.parametrize("scheduler", ["sync", "threads", "processes"])
@pytest.mark.parametrize("shared", [False, True])
def test_a_partition_that_cannot_be_made_is_not_made_again(scheduler: str, shared: bool, tmp_path: Any) -> None:
    """The first one that needs what failed is named."""
    dask = needed("dask")
    x = [dask.delayed(noted)(block, i, str(tmp_path)) for i, block in enumerate(np.split(X, 10))]
    behind = [dask.delayed(np.add)(block, x[3]) if shared and i > 1 else block for i, block in enumerate(x)]
    with dask.config.set(scheduler=scheduler), pytest.raises(PartitionError, match="making partition") as caught:
        adjoint.dask.value_and_grad(lambda w, x: np.sum(x @ w))(W, behind)
    assert caught.value.index == (2 if shared else 3) and "OSError: there is no such file" in caught.value.what
    assert "there is no such file" in caught.value.why and isinstance(caught.value.__cause__, OSError)
    assert times(tmp_path) == 1


def test_parameters_are_one_node_of_the_graph() -> None:
    """All tasks of partitions need it, and nothing else holds what is in it; Dask's own passes leave it so."""
    dask = needed("dask")
    cloudpickle = needed("cloudpickle")
    da = needed("dask.array")
    HighLevelGraph = needed("dask.highlevelgraph").HighLevelGraph
    w, n = np.random.default_rng(0).normal(size=10_000), 12
    x = da.ones((n, len(w)), chunks=(1, -1))
    of = adjoint.dask.value_and_grad(summed)
    for lazy in (of.delayed(w, x), dask.optimize(of.delayed(w, x))[0], of.delayed(dask.delayed(w), x)):
        graph = dict(lazy.__dask_graph__())
        holders = [key for key in graph if w.tobytes() in cloudpickle.dumps(graph[key])]
        needs = HighLevelGraph({"all": graph}, {"all": set()}).get_all_dependencies()
        tasks = [key for key in graph if str(key).startswith("adjoint-partition")]
        nodes = {key for task in tasks for key in needs[task] if str(key).startswith("adjoint-parameters")}
        assert len(tasks) == n and len(nodes) == len(holders) == 1
        assert all(nodes <= set(needs[task]) for task in tasks)
        assert {*holders} <= nodes | needs[min(nodes)]


def test_what_computes_within_a_partition_and_fails() -> None:
    dask = needed("dask")

    def nested(i: int) -> Any:
        parts = [dask.delayed(raises_at)(i, k) for k in range(3)]
        return np.array(dask.compute(*parts, scheduler="sync"), float)

    for scheduler in ("sync", "threads"):
        with dask.config.set(scheduler=scheduler), pytest.raises(PartitionError, match="making partition 5") as caught:
            adjoint.dask.value_and_grad(lambda w, x: np.sum(x @ w))(W, [dask.delayed(nested)(i) for i in range(8)])
        assert caught.value.index == 5


def raises_at(i: int, k: int) -> int:
    return 1 // (5 - i) if k == 1 else 1


def test_the_first_task_that_dask_blames_is_told_of_its_partition() -> None:
    """Also where it makes the data: another partition, which waited on the workers that died, is blamed after it."""
    dask = needed("dask")
    graphs = adjoint.dask.graphs
    x = [dask.delayed(np.full)((2, 3), float(i)) for i in range(5)]
    partitions = adjoint.dask.partitions.partitions_of((W, x), (0,), None)
    lazy = graphs.lazy_parts(
        adjoint.dask.parts.Call(np.dot, partitions.args, partitions.places, {}, partitions.alone), partitions
    )
    watched = graphs.Watched(lazy, partitions)
    parameters = lazy[0].key.replace("partition", "parameters").rpartition("-")[0]
    blamed = [parameters, x[3].key, lazy[4].key, lazy[3].key]

    def story(*keys: Any, on_error: str) -> Any:
        return [("scheduler", key, "processing", "erred") for key in blamed if key in keys]

    assert [*watched.indices(watched.told(story))] == [3, 4, 3]
    blamed[:0] = [x[1].key, x[2].key]  # in calls before this one
    assert [*watched.indices(watched.told(story))] == [3, 4, 3]


def test_parts_of_another_call_as_data_count_in_their_order_here() -> None:
    dask = needed("dask")
    graphs, parts = adjoint.dask.graphs, adjoint.dask.map_partitions(summed).delayed(W, [dask.delayed(X)] * 4)
    partitions = adjoint.dask.partitions.partitions_of((W, parts[::-1]), (0,), None)
    call = adjoint.dask.parts.Call(np.dot, partitions.args, partitions.places, {}, partitions.alone)
    own = graphs.lazy_parts(call, partitions)
    assert [graphs.index_of(part.key, partitions) for part in (*parts, own[2])] == [3, 2, 1, 0, 2]


def test_what_fails_elsewhere_is_not_told_of_a_partition() -> None:
    """Parameters that cannot be made are none of a partition's."""
    dask = needed("dask")
    w = dask.delayed(noted)(W, 3, "/nowhere")
    g = adjoint.dask.value_and_grad(logistic)
    x, y = ([dask.delayed(part) for part in np.split(data, 4)] for data in (X, Y))
    with dask.config.set(scheduler="sync"), pytest.raises(FileNotFoundError):
        g(w, x, y)


def test_bits_depend_on_the_partitions_alone(spread: Any) -> None:
    """Threads and Dask give the same bits, and so do any threads."""
    cut, options = spread
    first = adjoint.dask.value_and_grad(logistic, rows=9, threads=1)(W, X, Y)
    for threads in (None, 1, 3) if "threads" in options else (None,):
        g = adjoint.dask.value_and_grad(logistic, **options | ({"threads": threads} if options else {}))
        value, slope = g(W, *cut(X, Y))
        assert value == first[0]
        np.testing.assert_array_equal(slope, first[1])


def test_a_file_in_chunks(tmp_path: Any) -> None:
    file = np.memmap(tmp_path / "x", float, "w+", shape=X.shape)
    file[:] = X
    value, slope = adjoint.dask.value_and_grad(logistic, rows=7)(W, file, Y)
    np.testing.assert_allclose(value, VALUE)
    np.testing.assert_allclose(slope, SLOPE)


@pytest.mark.parametrize("compile", [True, "strict"])
def test_compiled_sums(compile: Any, spread: Any) -> None:
    needed("numba")
    cut, options = spread
    got = adjoint.dask.value_and_grad(first_of_a_loop, compile=compile, **options)(W, *cut(X))
    _same(got, adjoint.value_and_grad(first_of_a_loop)(W, X))


@pytest.mark.parametrize("n", [1, 2, 8, 9, 64, 65])
def test_one_task_a_partition_and_a_tree_above(n: int) -> None:
    needed("dask")
    da = needed("dask.array")
    x = da.ones((2 * n, 3), chunks=(2, 3))
    lazy = adjoint.dask.value_and_grad(lambda w, x: np.sum(x @ w))(W, x)
    assert lazy[0] == pytest.approx(2 * n * W.sum())
    lazy = adjoint.dask.value_and_grad(lambda w, x: np.sum(x @ w)).delayed(W, x)
    graph = lazy.__dask_graph__()
    of = {str(key): {str(d) for d in graph.get_all_dependencies()[key]} for key in graph.get_all_dependencies()}
    tasks = [key for key in of if key.startswith("adjoint-partition")]
    assert len(tasks) == n
    for key in tasks:
        assert len([d for d in of[key] if not d.startswith("adjoint-")]) == 1, "no more than one partition's data"

    def depth(key: str) -> int:
        sums = [depth(d) for d in of[key] if d.startswith(("adjoint-sum", "adjoint-partition"))]
        return 1 + max(sums) if key.startswith("adjoint-sum") else max(sums, default=0)

    assert depth(lazy.key) == math.ceil(round(math.log(n, 8), 9))
    assert all(len(of[key]) <= 8 for key in of if key.startswith("adjoint-sum"))


def test_delayed_composes() -> None:
    dask = needed("dask")
    g = adjoint.dask.value_and_grad(logistic, rows=30)
    x, y = ([dask.delayed(part) for part in np.split(data, 4)] for data in (X, Y))
    value, slope = g.delayed(dask.delayed(np.copy)(W), x, y)
    with dask.config.set(scheduler="sync"):
        got = dask.compute(value + 1.0, slope)
        near = g.delayed(W, X, Y).compute()
        parts = adjoint.dask.map_partitions(lambda w, x: x * w).delayed(2.0, x)
        again = g(W, parts, y)
    np.testing.assert_allclose(got[0], VALUE + 1.0)
    np.testing.assert_allclose(got[1], SLOPE)
    np.testing.assert_allclose(near[1], SLOPE)
    np.testing.assert_allclose(again[0], logistic(W, 2.0 * X, Y))


@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_delayed_products_compose(spread: Any, reduction: Any) -> None:
    dask = needed("dask")
    cut, options = spread
    x, y = cut(X, Y)
    loss, v = averaged if reduction == "mean" else logistic, np.array([1.0, -2.0, 0.5])
    options |= {"reduction": reduction, "split_every": 3}
    lazy = adjoint.dask.hvp.delayed(
        loss, (dask.delayed(W), x, y) if not options.get("rows") else (W, x, y), (v,), **options
    )
    product, *others = lazy
    expected = adjoint.dask.hvp(loss, (W, x, y), (v,), **options)[0]
    np.testing.assert_array_equal((product * 2.0).compute(scheduler="sync"), 2.0 * expected)
    assert dask.compute(*others, scheduler="sync") == (None, None)
    np.testing.assert_allclose(
        expected, adjoint.hvp(logistic, (W, X, Y), (v, None, None))[0] / (100 if reduction == "mean" else 1)
    )


def test_dataframes() -> None:
    dask = needed("dask")
    pandas = needed("pandas")
    frames = needed("dask.dataframe")
    frame = frames.from_pandas(pandas.DataFrame(X, columns=["a", "b", "c"]).assign(y=Y), npartitions=4)

    def loss(w: Any, block: Any) -> Any:
        return logistic(w, block[["a", "b", "c"]].to_numpy(), block["y"].to_numpy())

    with dask.config.set(scheduler="sync"):
        value, slope = adjoint.dask.value_and_grad(loss)(W, frame)
    np.testing.assert_allclose(value, VALUE)
    np.testing.assert_allclose(slope, SLOPE)


def test_wrong_options() -> None:
    make = functools.partial(adjoint.dask.value_and_grad, logistic)
    for options, said in (
        ({"reduction": "max"}, "reduction='max' is no reduction"),
        ({"split_every": 1}, "split_every=1 is no number of parts"),
        ({"split_every": None}, "split_every=None is no number"),
        ({"rows": 0}, "rows=0 is no number of rows"),
        ({"threads": 1.5}, "threads=1.5 is no number of threads"),
        ({"compile": "yes"}, "compile='yes' is no way to run a loss"),
    ):
        with pytest.raises(OptionError, match=said):
            make(**options)


def test_data_that_do_not_fit() -> None:
    g = adjoint.dask.value_and_grad(logistic)
    with pytest.raises(OptionError, match="there are no data"):
        g(W, 1.0, 2.0)
    with pytest.raises(ShapeError, match="argument 1 has 100 rows, and argument 2 has 99"):
        g(W, X, Y[1:])
    with pytest.raises(NoRuleError, match="data that are spread over partitions"):
        adjoint.grad(lambda x: g.total(W, x, Y))(X)
    with pytest.raises(CotangentError, match="0 tangents are given for 3 arguments, 0 of them not None"):
        adjoint.dask.hvp(logistic, (W, X, Y), ())
    needed("dask")
    da = needed("dask.array")
    x, y = da.from_array(X, chunks=(50, 3)), da.from_array(Y, chunks=50)
    with pytest.raises(ShapeError, match="is cut into chunks along another axis") as caught:
        g(W, da.from_array(X, chunks=(50, 1)), y)
    assert 'x.rechunk({0: "auto", 1: -1})' in str(caught.value)
    with pytest.raises(ShapeError, match="of Dask's without an axis"):
        g(W, x, y.sum())
    with pytest.raises(ShapeError, match="argument 1 has 2 partitions, and argument 2 has 4"):
        g(W, x, y.rechunk(25))
    with pytest.raises(ShapeError, match="50 rows in partition 0, and argument 2 has 40"):
        g(W, x, y.rechunk(((40, 60),)))
    with pytest.raises(OptionError, match="argument 2 is an array of NumPy's beside data of Dask's"):
        g(W, x, Y)
    with pytest.raises(NotDifferentiableError, match="of Dask's, and is differentiated"):
        adjoint.dask.map_partitions(logistic)(x, x, y)


def test_one_delayed_in_place_of_a_list_is_told() -> None:
    dask = needed("dask")
    g, one = adjoint.dask.value_and_grad(logistic), dask.delayed(X)
    blocks = [dask.delayed(part) for part in np.split(X, 4)]
    for call in (
        lambda: g(W, one, Y),
        lambda: g.total(W, blocks, dask.delayed(Y)),
        lambda: adjoint.dask.hvp(logistic, (W, one, one), (W,)),
        lambda: adjoint.dask.map_partitions(logistic)(W, blocks, y=dask.delayed(Y)),
    ):
        with pytest.raises(OptionError, match=r"(argument \d|`y`) is one `Delayed`") as caught:
            call()
        assert "write `[x]` for one partition" in caught.value.way_out
    with pytest.raises(OptionError, match="argument 2 is a list, some of it `Delayed`"):
        g(W, blocks, [dask.delayed(Y), Y])
    with dask.config.set(scheduler="sync"):
        np.testing.assert_allclose(g(W, [one], [dask.delayed(Y)])[1], SLOPE)


def test_data_of_dasks_that_are_differentiated_are_told() -> None:
    needed("dask")
    da = needed("dask.array")
    x, y = da.from_array(X, chunks=(50, 3)), da.from_array(Y, chunks=50)
    for call in (
        lambda: adjoint.dask.value_and_grad(logistic)(da.from_array(W), x, y),
        lambda: adjoint.dask.value_and_grad(logistic, 1)(W, x, y),
        lambda: adjoint.dask.value_and_grad(logistic, 1).total(W, x, y),
        lambda: adjoint.dask.hvp(logistic, (W, x, y), (None, x)),
    ):
        with pytest.raises(NotDifferentiableError, match="of Dask's, and is differentiated"):
            call()


def test_gradients_and_maps_over_partitions_are_not_differentiated(spread: Any) -> None:
    cut, options = spread
    g, data = adjoint.dask.value_and_grad(logistic, **options), cut(X, Y)
    with pytest.raises(NoRuleError, match="a gradient over partitions") as caught:
        adjoint.grad(lambda w: g(w, *data)[0])(W)
    assert "`g.total(params, *data)`" in caught.value.way_out
    m = adjoint.dask.map_partitions(logistic, **options)
    with pytest.raises(NoRuleError, match="what `map_partitions` gives") as caught:
        adjoint.grad(lambda w: sum(m(w, *data)))(W)
    assert ".total(params, *data)" in caught.value.way_out
    value = adjoint.grad(lambda w: np.sum(w) * adjoint.stop_gradient(g)(W, *data)[0])(W)
    np.testing.assert_allclose(value, VALUE)


@pytest.mark.parametrize("of", ["gradient", "total", "product"])
def test_a_loss_with_something_beside_its_sum_is_told_of_the_options(of: str, spread: Any) -> None:
    cut, options = spread
    g, data = adjoint.dask.value_and_grad(averaged, **options), cut(X, Y)
    with pytest.raises(PartitionError, match="of `averaged` was asked for, but it returns a tuple of 2") as caught:
        if of == "product":
            adjoint.dask.hvp(averaged, (W, *data), (W,), **options)
        else:
            (g if of == "gradient" else g.total)(W, *data)
    assert 'reduction="mean"' in caught.value.why and "has_aux=True" in caught.value.why


@pytest.mark.parametrize("count", [None, "6", np.ones(2), 1j])
def test_a_count_that_is_no_number_is_told(count: Any, spread: Any) -> None:
    cut, options = spread

    def loss(w: Any, x: Any, y: Any) -> Any:
        return logistic(w, x, y), count

    g = adjoint.dask.value_and_grad(loss, reduction="mean", **options)
    for call in (g, g.total):
        with pytest.raises(PartitionError, match="the count of a partition is "):
            call(W, *cut(X, Y))


@pytest.mark.parametrize("kind", ["keyword", "list", "series"])
def test_what_may_be_data_is_not_given_whole_to_each_partition(kind: str) -> None:
    class Series:  # as pandas' is
        ndim = 1

        def __array__(self, dtype=None, copy=None):
            return np.arange(6.0)

    g = adjoint.dask.value_and_grad(lambda w, x, y: np.sum((x @ w - y) ** 2), rows=1)
    w, x = np.ones(2), np.ones((6, 2))
    given: dict[str, Any] = {"keyword": np.arange(6.0), "list": [*np.arange(6.0)], "series": Series()}
    with pytest.raises(OptionError, match="as a whole"):
        g(w, x, y=given[kind]) if kind == "keyword" else g(w, x, given[kind])


COUNTS: dict[str, Any] = {
    "depends on the parameters": lambda w, x: np.sum(np.exp(0.1 * (x @ w))),
    "a float": lambda w, x: float(len(x)),
    "in an array": lambda w, x: np.array(len(x)),
    "one weight in an array": lambda w, x: len(x) * np.ones(1) * w[0],
    "a number": lambda w, x: len(x),
}


@pytest.mark.parametrize("has_aux", [False, True])
@pytest.mark.parametrize("count", COUNTS)
def test_a_loss_runs_once_for_its_sum_and_its_count(spread: Any, count: str, has_aux: bool) -> None:
    def loss(w: Any, x: Any, y: Any) -> Any:
        ran()
        pair = logistic(w, x, y), COUNTS[count](w, x)
        return (pair, len(x)) if has_aux else pair

    def ran() -> None:
        runs.append(1)

    non_differentiable(ran)
    runs: list[int] = []
    cut, options = spread
    g = adjoint.dask.value_and_grad(loss, has_aux=has_aux, reduction="mean", **options)
    value, slope = g(W, *cut(X, Y))
    assert len(runs) == 12
    if has_aux:
        value, aux = value
        assert aux == [9] * 11 + [1]

    def near(w: Any) -> Any:
        return logistic(w, X, Y) / np.sum(COUNTS[count](w, X))

    expected = adjoint.value_and_grad(near)(W)
    np.testing.assert_allclose(value, expected[0])
    np.testing.assert_allclose(slope, expected[1])
    h = 1e-6
    along = np.array([0.3, -1.0, 0.5])
    difference = (near(W + h * along) - near(W - h * along)) / (2 * h)
    np.testing.assert_allclose(slope @ along, difference, rtol=1e-6)


def test_means_by_several_arguments_and_names(spread: Any) -> None:
    def loss(w: Any, b: float, x: Any, scale: float = 1.5) -> Any:
        z = x @ w["w"] + b
        return scale * np.sum(z**2), np.sum(np.exp(0.1 * scale * z))

    def near(w: Any, b: float, scale: float = 1.5) -> Any:
        value, count = loss(w, b, X, scale)
        return value / count

    cut, options = spread
    args = {"w": W}, 0.5
    for argnums in ((0, 1), "b", ["b", "w"], "scale", [0, "scale"]):
        g = adjoint.dask.value_and_grad(loss, argnums, reduction="mean", **options)
        _same(g(*args, *cut(X), scale=2.0), adjoint.value_and_grad(near, argnums)(*args, scale=2.0))


def test_means_leave_their_arguments_and_come_apart(spread: Any) -> None:
    """A sum and a count that share what they have no derivative of their own of, and a gradient for nobody else."""

    def loss(w: Any, x: Any) -> Any:
        return np.sum(w), np.sum(w)

    cut, options = spread
    w, x = W.copy(), X.copy()
    g = adjoint.dask.value_and_grad(loss, reduction="mean", **options)
    value, slope = g(w, *cut(x))
    np.testing.assert_allclose(value, 1.0)
    np.testing.assert_allclose(slope, 0.0, atol=1e-15)
    slope += 1.0
    np.testing.assert_array_equal(w, W)
    np.testing.assert_array_equal(x, X)
    np.testing.assert_allclose(g(w, *cut(x))[1], 0.0, atol=1e-15)


def mean_in_a_loop(w: Any, x: Any) -> Any:
    total, count = in_a_loop(w, x)
    return total / count


def test_compiled_means(spread: Any) -> None:
    needed("numba")
    cut, options = spread
    got = adjoint.dask.value_and_grad(in_a_loop, reduction="mean", compile="strict", **options)(W, *cut(X))
    _same(got, adjoint.value_and_grad(mean_in_a_loop)(W, X))


def test_means_of_what_numba_has_compiled(spread: Any) -> None:
    """It has no signature of its own."""
    numba = needed("numba")
    cut, options = spread
    compiled, expected = numba.njit(in_a_loop), adjoint.value_and_grad(mean_in_a_loop)(W, X)
    for loss in (compiled, functools.partial(compiled)):
        _same(adjoint.dask.value_and_grad(loss, reduction="mean", **options)(W, *cut(X)), expected)


def test_a_loss_with_something_else_than_pairs_is_told_so(spread: Any) -> None:
    cut, options = spread
    for has_aux, f, said in (
        (True, averaged, r"the loss is to return `\(\(sum, count\), aux\)`, and returns a tuple of 2"),
        (True, logistic, r"the loss is to return `\(\(sum, count\), aux\)`, and returns a float64"),
        (False, lambda w, x, y: (logistic(w, x, y), w), r"the count of a partition is an array of shape \(3,\)"),
    ):
        g = adjoint.dask.value_and_grad(f, has_aux=has_aux, reduction="mean", **options)
        for call in (g, g.total):
            if has_aux or call is g:
                with pytest.raises(PartitionError, match=said):
                    call(W, *cut(X, Y))


def stores_into_parameters(w: Any, x: Any) -> Any:
    w /= 2.0
    return np.sum(x @ w)


def stores_into_data(w: Any, x: Any) -> Any:
    x *= 2.0
    return np.sum(x @ w)


def stores_into_a_dict(p: Any, x: Any) -> Any:
    p["scale"] = p["scale"] * 2.0
    return np.sum(x @ p["w"]) * p["scale"]


@pytest.mark.parametrize("loss", [stores_into_parameters, stores_into_data])
def test_stores_into_what_tasks_share_are_refused(loss: Any, spread: Any) -> None:
    cut, options = spread
    w, (x,) = W.copy(), cut(X.copy())
    with pytest.raises(PartitionError, match=r"stores into an array that is read-only") as caught:
        adjoint.dask.value_and_grad(loss, **options)(w, x)
    assert "x = x.copy()" in str(caught.value)
    np.testing.assert_array_equal(w, W)
    np.testing.assert_array_equal(np.asarray(x), X)


def test_containers_of_parameters_belong_to_each_task(spread: Any) -> None:
    cut, options = spread
    p = {"w": W.copy(), "scale": 1.5}
    value, slope = adjoint.dask.value_and_grad(stores_into_a_dict, **options)(p, *cut(X))
    expected, bars = adjoint.value_and_grad(stores_into_a_dict)({"w": W.copy(), "scale": 1.5}, X)
    np.testing.assert_allclose(value, expected)
    np.testing.assert_allclose(slope["w"], bars["w"])
    np.testing.assert_allclose(slope["scale"], bars["scale"])
    assert p["scale"] == 1.5


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint8, np.bool_])
def test_whole_counts_do_not_wrap_around(dtype: Any, spread: Any) -> None:
    cut, options = spread

    def mean(w: Any, x: Any) -> Any:
        return 2.0 * len(x) * np.sum(w * w), dtype(1) if dtype is np.bool_ else np.asarray(len(x)).astype(dtype)

    data = np.ones((400, 3))
    options = {"rows": 100, "threads": 2} if "rows" in options else options
    value, _ = adjoint.dask.value_and_grad(mean, reduction="mean", **options)(np.ones(3), *cut(data))
    n = sum([1 for _ in range(0, 400, 9)]) if not options else 4
    assert value == pytest.approx(2400.0 / (n if dtype is np.bool_ else 400))


def test_parameters_may_be_given_by_keyword(spread: Any) -> None:
    cut, options = spread

    def loss(x: Any, *, w: Any) -> Any:
        return np.sum((x @ w) ** 2)

    _, slope = adjoint.dask.value_and_grad(loss, "w", **options)(*cut(X), w=W)
    np.testing.assert_allclose(slope, adjoint.grad(lambda w: loss(X, w=w))(W))


def scaled_loss(w: Any, x: Any, y: Any, *, scale: Any, power: int = 1) -> Any:
    """A loss with keywords, by one of which it may be differentiated."""
    return scale**2 * logistic(w, x, y) ** power


def test_totals_and_products_take_the_keywords_of_the_loss(spread: Any) -> None:
    cut, options = spread
    data = cut(X[:9], Y[:9])  # one partition, of which a power is that of the sum

    def near(w: Any, scale: float = 2.0) -> Any:
        return scaled_loss(w, X[:9], Y[:9], scale=scale, power=2)

    total = adjoint.dask.value_and_grad(scaled_loss, **options).total
    np.testing.assert_allclose(total(W, *data, scale=2.0, power=2), near(W))
    far = functools.partial(total, scale=2.0, power=2)
    np.testing.assert_allclose(adjoint.grad(lambda w: far(w, *data))(W), adjoint.grad(near)(W))
    np.testing.assert_allclose(adjoint.hessian(lambda w: far(w, *data), W), adjoint.hessian(near, W))
    v = np.array([1.0, -2.0, 0.5])
    found = adjoint.dask.hvp(scaled_loss, (W, *data), (v,), scale=2.0, power=2, **options)
    np.testing.assert_allclose(found[0], adjoint.hvp(near, (W,), (v,))[0])
    both = adjoint.dask.value_and_grad(scaled_loss, ["scale", "w"], **options).total  # one by keyword, and moving

    def of_both(p: Any) -> Any:
        return both(p["w"], *data, scale=p["scale"], power=2)

    _same(
        adjoint.hvp(of_both, ({"w": W, "scale": 2.0},), ({"w": v, "scale": 0.3},)),
        adjoint.hvp(lambda p: near(p["w"], p["scale"]), ({"w": W, "scale": 2.0},), ({"w": v, "scale": 0.3},)),
    )


def test_keywords_that_are_data_or_move_without_being_named(spread: Any) -> None:
    cut, options = spread
    total, data = adjoint.dask.value_and_grad(scaled_loss, **options).total, cut(X, Y)
    with pytest.raises(NoRuleError, match=r'(?s)the keyword `scale`, a constant.*argnums=\(0, "scale"\)'):
        adjoint.grad(lambda scale: total(W, *data, scale=scale))(2.0)
    with pytest.raises(OptionError, match=r"`y` is a .* which each partition would be given as a whole"):
        adjoint.dask.hvp(scaled_loss, (W, data[0]), (W,), y=data[1], scale=1.0, **options)
    with pytest.raises(OptionError, match="`hvp` has no option `argnums` here"):
        adjoint.dask.hvp(scaled_loss, (W, *data), (W,), argnums=0, scale=1.0, **options)


@pytest.mark.parametrize("v", [np.ones(2), 1.0, [1.0, 2.0], np.ones((3, 3)), (np.ones(3),)])
def test_tangents_of_a_wrong_shape_are_told_before_anything_runs(v: Any, spread: Any) -> None:
    cut, options = spread
    with pytest.raises(CotangentError, match="argument 0 of `logistic`"):
        adjoint.dask.hvp(logistic, (W, *cut(X, Y)), (v,), **options)


def test_tangents_and_products_of_the_total(spread: Any) -> None:
    """Also where tasks run in the thread that asks for them, within a run of its own."""
    cut, options = spread
    g = adjoint.dask.value_and_grad(logistic, **options)
    data, v = cut(X, Y), np.ones_like(W)
    y, y_dot = adjoint.jvp(lambda w: g.total(w, *data), (W,), (v,))
    np.testing.assert_allclose((y, y_dot), (VALUE, SLOPE @ v))
    found = adjoint.hessian(lambda w: g.total(w, *data))(W)
    np.testing.assert_allclose(found, adjoint.hessian(lambda w: logistic(w, X, Y))(W), rtol=1e-10, atol=1e-12)


def test_workers_keep_the_latest_functions_while_they_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    cloudpickle = needed("cloudpickle")
    parts = adjoint.dask.parts
    monkeypatch.setattr(parts, "_RECEIVED", {})
    small = cloudpickle.dumps(logistic)
    assert parts.received(small) is parts.received(small)
    large = [cloudpickle.dumps(functools.partial(logistic, np.full(3 << 20, float(i)))) for i in range(5)]
    for pickled in large:  # 25 MB each
        parts.received(pickled)
    assert [*parts._RECEIVED] == large[-2:]
    huge = cloudpickle.dumps(functools.partial(logistic, np.zeros(10 << 20)))
    parts.received(huge)
    assert [*parts._RECEIVED] == [huge]
