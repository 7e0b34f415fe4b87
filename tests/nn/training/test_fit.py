"""`fit`: what it computes, hands on and refuses; batches, histories and callbacks."""

from __future__ import annotations

import sys
import threading
import types
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from adjoint import (
    MissingLibraryError,
    NonFiniteError,
    NotScalarError,
    OptionError,
    StructureError,
    code_adjoint,
    nn,
    withgradient,
)
from adjoint.nn import optimizers as o
from adjoint.nn.layers.base import is_different_in_training
from adjoint.nn.training.progress import Progress

X = np.random.default_rng(0).normal(size=(50, 2))
Y = np.sin(X[:, :1]) * X[:, 1:]


def model(seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return nn.Chain(nn.Dense(2, 8, nn.tanh, rng=rng), nn.Dense(8, 1, rng=rng))


def fitted(m: Any = None, epochs: int = 2, seed: int = 1, **options: Any) -> Any:
    given: dict[str, Any] = {"optimizer": o.adam(0.01), "rng": np.random.default_rng(seed), "progress": False} | options
    batches = given.pop("batches", None) or nn.minibatches(X, Y, size=16, rng=np.random.default_rng(seed))
    loss = given.pop("loss", nn.supervised(nn.mse))
    return nn.fit(m or model(), loss, batches, given.pop("optimizer"), epochs=epochs, **given)


def same(a: Any, b: Any) -> bool:
    return all(np.array_equal(p, q) for p, q in zip(nn.tree_leaves(a), nn.tree_leaves(b), strict=True))


def test_the_steps_by_hand() -> None:
    m, optimizer, losses = model(), o.adam(0.01), []
    state, batches = optimizer.init(m), nn.minibatches(X, Y, size=16, rng=np.random.default_rng(1))
    for _ in range(2):
        for x, y in batches:
            value, (g,) = withgradient(lambda m, x=x, y=y: nn.mse(m(x), y), m)
            updates, state = optimizer.update(g, state, m)
            m = o.apply_updates(m, updates)
            losses.append(float(value))
    done = fitted()
    assert same(done.model, m) and same(done.state, state)
    assert done.history.steps == losses and len(losses) == 8
    weights = np.array([16, 16, 16, 2])
    assert_allclose(done.history["loss"], np.reshape(losses, (2, 4)) @ weights / 50)


def test_it_learns_and_changes_nothing() -> None:
    start = model()
    before = nn.state_dict(start)
    done = fitted(start, epochs=60, optimizer=o.adam(0.03))
    assert done.history["loss"][-1] < 0.05 * done.history["loss"][0]
    assert all(np.array_equal(before[path], leaf) for path, leaf in nn.named_leaves(start).items())
    assert done.stopped is None and type(done.model) is nn.Chain


def test_the_same_seed_gives_the_same_training() -> None:
    assert same(fitted(seed=3).model, fitted(seed=3).model) and not same(fitted(seed=3).model, fitted(seed=4).model)


def test_it_goes_on_where_it_was() -> None:
    whole = fitted(epochs=4)
    batches, rng = nn.minibatches(X, Y, size=16, rng=np.random.default_rng(1)), np.random.default_rng(1)
    half = fitted(epochs=2, batches=batches, rng=rng)
    rest = fitted(half.model, epochs=2, batches=batches, rng=rng, state=half.state)
    assert same(rest.model, whole.model) and half.history.steps + rest.history.steps == whole.history.steps


def test_no_epochs() -> None:
    start = model()
    done = fitted(start, epochs=0, callbacks=[nn.EarlyStopping()])
    assert done.model is start and done.history.steps == [] and done.history["loss"] == []


def test_batches_of_any_form() -> None:
    def loss(m: Any, x: Any) -> Any:
        return np.sum((m["w"] - x) ** 2)

    for batches in ([np.ones(2)], [(np.ones(2),)], [[np.ones(2)]], iter([np.ones(2)])):
        assert fitted({"w": 0.0}, 1, loss=loss, batches=batches, optimizer=o.sgd(0.25)).model == {"w": 1.0}
    done = fitted({"w": 0.0}, 1, loss=lambda m, d: (m["w"] - d["x"]) ** 2, batches=[{"x": 1.0}], optimizer=o.sgd(0.5))
    assert done.model == {"w": 1.0}


def test_each_batch_counts_by_its_samples() -> None:
    def of_lists(m: Any, rows: Any) -> Any:
        return m["w"] * sum([sum(row) for row in rows]) / len(rows)

    done = fitted({"w": 1.0}, 1, loss=of_lists, batches=[[[[1.0, 2.0], [3.0]]], [[[4.0]]]], optimizer=o.sgd(0.0))
    assert_allclose(done.history["loss"], [(2 * 3.0 + 4.0) / 3])

    def of_dicts(m: Any, d: Any) -> Any:
        return m["w"] * np.mean(d["x"])

    batches = [{"n": 5, "x": np.ones(3)}, {"n": 5, "x": np.full(1, 5.0)}]
    done = fitted({"w": 1.0}, 1, loss=of_dicts, batches=batches, optimizer=o.sgd(0.0))
    assert_allclose(done.history["loss"], [2.0])


def test_validation_of_tuples_is_one_or_several() -> None:
    with pytest.raises(OptionError, match="`validation` is a tuple of tuples"):
        fitted(validation=((X, Y), (X, Y)))
    assert len(fitted(validation=[(X, Y), (X, Y)]).history["validation"]) == 2


def test_batches_that_are_used_up() -> None:
    with pytest.raises(OptionError, match="`batches` can be run through once, and there are 2 epochs"):
        fitted(batches=((X, Y) for _ in range(2)))
    with pytest.raises(OptionError, match="`validation` can be run through once"):
        fitted(validation=iter([(X, Y)]))
    with pytest.raises(StructureError, match="there are no batches in epoch 1"):
        fitted(batches=iter([]), epochs=1)
    with pytest.raises(StructureError, match="there are no batches for validation"):
        fitted(validation=[])


def test_a_wrong_loss_or_optimizer() -> None:
    with pytest.raises(NotScalarError):
        fitted(loss=lambda m, x, y: m(x))
    with pytest.raises(StructureError, match="the model has nothing to train"):
        fitted({"w": 1}, loss=lambda m, x, y: np.mean((m["w"] * x - y) ** 2))
    for epochs in (-1, 1.5):
        with pytest.raises(OptionError, match=f"epochs={epochs} is no number of epochs"):
            fitted(epochs=epochs)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="a float is no optimizer"):
        fitted(optimizer=0.1)
    with pytest.raises(StructureError, match="state of an optimizer"):
        fitted(state=o.sgd(0.1, momentum=0.9).init(model()))
    with pytest.raises(StructureError, match="predictions and targets differ in shape"):
        fitted(batches=[(X, Y[:-1])])


def test_frozen_leaves_stay() -> None:
    start = model()
    mask = nn.freeze(start, "layers.0", "*.bias")
    done = fitted(start, frozen=mask)
    assert np.array_equal(done.model.layers[0].weight, start.layers[0].weight)
    assert np.array_equal(done.model.layers[1].bias, start.layers[1].bias)
    assert not np.array_equal(done.model.layers[1].weight, start.layers[1].weight)
    selective = fitted(start, optimizer=o.selective_transform(o.adam(0.01), freeze_mask=mask))
    assert same(selective.model, done.model) and same(selective.state, done.state)
    rest = fitted(done.model, frozen=mask, state=done.state)
    assert np.array_equal(rest.model.layers[0].weight, start.layers[0].weight)


def test_frozen_statistics_stay() -> None:
    start = nn.Chain(nn.Dense(2, 3, rng=np.random.default_rng(0)), nn.BatchNorm(3), nn.Dropout(0.1), nn.Dense(3, 1))
    free, held = fitted(start).model, fitted(start, frozen=nn.freeze(start, "layers.1")).model
    assert not np.array_equal(free.layers[1].mean, start.layers[1].mean)
    for path in ("mean", "var", "scale", "bias"):
        assert np.array_equal(getattr(held.layers[1], path), getattr(start.layers[1], path))
    assert not np.array_equal(held.layers[0].weight, start.layers[0].weight)


def test_statistics_are_trained_and_saved(tmp_path: Any) -> None:
    start = nn.Chain(nn.Dense(2, 3, rng=np.random.default_rng(0)), nn.BatchNorm(3), nn.Dense(3, 1))
    done = fitted(start, validation=(X, Y), callbacks=[nn.Checkpoint(tmp_path / "a.npz")])
    loaded = nn.load(tmp_path / "a.npz", {"model": start, "state": o.adam(0.01).init(start)})
    assert same(loaded["model"], done.model) and not np.array_equal(done.model.layers[1].var, start.layers[1].var)
    assert_allclose(done.history["validation"][-1], nn.mse(loaded["model"](X), Y))


def test_tied_layers_stay_tied() -> None:
    layer = nn.Dense(2, 2, nn.tanh, rng=np.random.default_rng(0))
    done = fitted(nn.Chain(layer, layer, nn.Dense(2, 1, rng=np.random.default_rng(1))))
    assert done.model.layers[0] is done.model.layers[1]


def test_validation_of_every_form() -> None:
    one = fitted(validation=(X, Y))
    assert_allclose(one.history["validation"][-1], nn.mse(one.model(X), Y))
    assert_allclose(fitted(validation=nn.minibatches(X, Y, size=7)).history["validation"], one.history["validation"])
    assert fitted(validation=lambda m: 2.0).history["validation"] == [2.0, 2.0]
    several = fitted(validation=lambda m: {"accuracy": 0.5, "validation": 1.0}).history
    assert several["accuracy"] == [0.5, 0.5] and several["validation"] == [1.0, 1.0]
    with pytest.raises(OptionError, match="nothing was logged as `accurracy`"):
        several["accurracy"]


@dataclass(frozen=True)
class Noisy:
    """A layer that draws in training, and counts."""

    scale: np.ndarray
    seen: int = nn.field(default=0, static=True)

    def __call__(self, x: Any) -> Any:
        return x * self.scale

    def train(self, x: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        return x * self.scale * rng.uniform(0.9, 1.1, x.shape), replace(self, seen=self.seen + 1)


def test_a_model_that_trains_otherwise() -> None:
    start = Noisy(np.ones(2))
    done = fitted(start, batches=[(X, 2 * X)], epochs=30, optimizer=o.sgd(0.2), validation=(X, 2 * X))
    assert done.model.seen == 30 and start.seen == 0
    assert_allclose(done.model.scale, 2, atol=0.05)
    again = fitted(start, batches=[(X, 2 * X)], epochs=30, optimizer=o.sgd(0.2))
    assert same(done.model, again.model), "the draws are those of rng"
    assert_allclose(done.history["validation"][-1], nn.mse(done.model(X), 2 * X))


class OwnLoss:
    """A loss of a dict of models."""

    def __call__(self, models: Any, x: Any) -> Any:
        return np.mean(models["a"](x) ** 2)

    def train(self, models: Any, x: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        y, a = models["a"].train(x, rng)
        return np.mean(y**2), models | {"a": a}


def test_a_loss_that_trains_in_its_own_way() -> None:
    done = fitted({"a": Noisy(np.ones(2))}, loss=OwnLoss(), batches=[X], epochs=3, optimizer=o.sgd(0.1))
    assert done.model["a"].seen == 3 and np.all(done.model["a"].scale < 1)


class TestNonFinite:
    """It stops at the first nan, and says where it is from."""

    def test_in_the_batch(self) -> None:
        bad = X.copy()
        bad[20, 1] = np.nan
        with pytest.raises(NonFiniteError, match=r"(?s)the loss is nan at step 2, in epoch 1.*item 0 of it has a nan"):
            fitted(batches=nn.minibatches(bad, Y, size=16))

    def test_in_a_parameter(self) -> None:
        start = model()
        start.layers[1].bias[0] = np.inf
        with pytest.raises(NonFiniteError, match=r"(?s)at step 1, in epoch 1.*parameter `layers.1.bias` is not finite"):
            fitted(start)

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_in_a_layer(self) -> None:
        @dataclass(frozen=True)
        class Root:
            shift: np.ndarray

            def __call__(self, x: Any) -> Any:
                return np.sqrt(x - self.shift)

        start = nn.Chain(nn.Dense(2, 3), Root(np.full(3, 1e3)), nn.Dense(3, 1))
        with pytest.raises(
            NonFiniteError, match="(?s)the loss is nan at step 1.*what the layer `layers.1` gives is the"
        ):
            fitted(start)
        start = nn.Chain(nn.Dense(2, 3), lambda x: np.log(x - 1e3), nn.Dense(3, 1))
        with pytest.raises(NonFiniteError, match="(?s)what goes into the layer `layers.2` is the first"):
            fitted(start)

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_in_the_loss(self) -> None:
        with pytest.raises(NonFiniteError, match="(?s)the loss is nan.*it comes about in the loss itself"):
            fitted(loss=lambda m, x, y: np.mean(np.log(-(m(x) ** 2))))

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_in_a_gradient(self) -> None:
        start = {"a": np.ones(2), "b": np.zeros(2)}
        with pytest.raises(
            NonFiniteError, match="(?s)the gradient by `b` is not finite at step 1.*a slope is infinite"
        ):
            fitted(start, loss=lambda m, x: np.sum(m["a"] + np.sqrt(m["b"])), batches=[X])

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_by_an_update(self) -> None:
        with pytest.raises(NonFiniteError, match="the parameter `w` is not finite after step 1, the last of epoch 1"):
            fitted({"w": 1.0}, 1, loss=lambda m, x: m["w"] * 1e200, batches=[X], optimizer=o.sgd(1e200))

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_in_what_was_drawn(self) -> None:
        @dataclass(frozen=True)
        class Sometimes:
            scale: np.ndarray

            def __call__(self, x: Any) -> Any:
                return x * self.scale

            def train(self, x: Any, rng: np.random.Generator) -> tuple[Any, Any]:
                return x * self.scale * (np.inf if rng.uniform() < 0.3 else 1.0), self

        with pytest.raises(NonFiniteError, match="what the model gives is the first that is not finite"):
            fitted(Sometimes(np.ones(2)), batches=[(X, X)] * 50, epochs=1)

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_a_model_that_cannot_be_copied(self) -> None:
        @dataclass
        class Held:
            w: float

            def __call__(self, x: Any) -> Any:
                return np.log(self.w * 0 - 1) * x

            def __deepcopy__(self, memo: Any) -> Any:
                raise TypeError("no")

        with pytest.raises(
            NonFiniteError, match=r"(?s)the loss is nan at step 1.*could not be looked at: TypeError \(no\)"
        ):
            fitted(Held(1.0), batches=[(X, X)])

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_a_gradient_of_a_model_that_cannot_be_copied(self) -> None:
        @dataclass
        class Held:
            w: float
            lock: Any = nn.field(static=True)

            def __call__(self, x: Any) -> Any:
                return np.sqrt(self.w) * x

        with pytest.raises(NonFiniteError, match=r"(?s)the gradient by `w`.*could not be looked at: TypeError"):
            fitted(Held(0.0, threading.Lock()), batches=[(X, X)])

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_of_a_descent(self) -> None:
        with pytest.raises(NonFiniteError, match="the loss is (inf|nan) at step"):
            nn.gradient_descent(nn.Dense(2, 1), nn.mse, X, Y, learning_rate=1e200, steps=10, progress=False)


class TestMinibatches:
    def test_all_are_seen_each_time(self) -> None:
        x = np.arange(7)
        batches = nn.minibatches(x, -x, 2 * x, size=3, rng=np.random.default_rng(0))
        first, second = list(batches), list(batches)
        assert len(batches) == len(first) == 3 and [len(a) for a, _, _ in first] == [3, 3, 1]
        for seen in (first, second):
            assert sorted(np.concatenate([a for a, _, _ in seen])) == [*range(7)]
            assert all(np.array_equal(b, -a) and np.array_equal(c, 2 * a) for a, b, c in seen)
        assert not np.array_equal(first[0][0], second[0][0])

    def test_in_order_without_a_generator(self) -> None:
        x = np.arange(7)
        (first,), *_ = batches = nn.minibatches(x, size=3)
        assert first.base is x and [list(b) for (b,) in batches] == [[0, 1, 2], [3, 4, 5], [6]]
        assert [len(b) for (b,) in nn.minibatches(x, size=10)] == [7]

    def test_bad_input(self) -> None:
        with pytest.raises(StructureError, match="arrays of 50, 49 samples do not belong together"):
            nn.minibatches(X, Y[1:])
        for size in (0, -1, 2.5):
            with pytest.raises(OptionError, match=f"size={size} is no size of a batch"):
                nn.minibatches(X, size=size)  # type: ignore[arg-type]
        for arrays in ((), (np.zeros((0, 2)),), (3.0,)):
            with pytest.raises(StructureError, match="there are no samples to make batches of"):
                nn.minibatches(*arrays)


class TestCallbacks:
    def test_what_is_called_when(self) -> None:
        seen = []

        class All(nn.Callback):
            def on_start(self, run: nn.Run) -> None:
                seen.append(("start", run.epoch, run.step))

            def on_step(self, run: nn.Run) -> None:
                seen.append(("step", run.epoch, run.step))

            def on_epoch(self, run: nn.Run) -> None:
                seen.append(("epoch", run.epoch, run.step))

            def on_end(self, run: nn.Run) -> None:
                seen.append(("end", run.epoch, run.step))

        fitted(batches=[(X, Y)] * 2, callbacks=[All(), lambda run: seen.append(("function", run.epoch, run.step))])
        assert seen == [
            ("start", 0, 0),
            *[("step", 1, 1), ("step", 1, 2), ("epoch", 1, 2), ("function", 1, 2)],
            *[("step", 2, 3), ("step", 2, 4), ("epoch", 2, 4), ("function", 2, 4)],
            ("end", 2, 4),
        ]

    def test_early_stopping_gives_back_the_best(self) -> None:
        models: list[Any] = []
        numbers = iter([3.0, 1.0, 2.0, 1.0, 0.5])

        def validation(m: Any) -> float:
            models.append(m)
            return next(numbers)

        stop = nn.EarlyStopping(patience=2)
        done = fitted(epochs=5, validation=validation, callbacks=[stop])
        assert stop.best_epoch == 2 and done.model is models[1] and done.stopped == "`validation` was best in epoch 2"
        assert done.history["validation"] == [3.0, 1.0, 2.0, 1.0]

    def test_early_stopping_at_a_large_number(self) -> None:
        numbers = iter([0.1, 0.5, float("nan"), 0.52, 0.4])
        stop = nn.EarlyStopping(patience=3, monitor="accuracy", maximize=True, min_delta=0.05)
        fitted(epochs=5, validation=lambda m: {"accuracy": next(numbers)}, callbacks=[stop])
        assert stop.best_epoch == 2

    def test_what_is_followed_must_be_logged(self) -> None:
        with pytest.raises(OptionError, match="nothing is logged as `validation`, which is to be followed"):
            fitted(callbacks=[nn.EarlyStopping()])
        with pytest.raises(OptionError, match="patience=0"):
            nn.EarlyStopping(0)

    def test_checkpoints(self, tmp_path: Any) -> None:
        m, optimizer = model(), o.adam(0.01)
        done = fitted(m, epochs=4, callbacks=[nn.Checkpoint(tmp_path / "at_{epoch}.npz", every=2)])
        assert sorted(path.name for path in tmp_path.iterdir()) == ["at_2.npz", "at_4.npz"]
        last = nn.load(tmp_path / "at_4.npz", {"model": m, "state": optimizer.init(m)})
        assert same(last["model"], done.model) and same(last["state"], done.state)
        numbers = iter([3.0, 1.0, 2.0])
        best = nn.Checkpoint(tmp_path / "best.npz", monitor="validation")
        stop = nn.EarlyStopping()
        done = fitted(m, epochs=3, validation=lambda m: next(numbers), callbacks=[best, stop])
        loaded = nn.load(tmp_path / "best.npz", {"model": m, "state": optimizer.init(m)})
        assert same(loaded["model"], done.model)
        with pytest.raises(OptionError, match="every=0"):
            nn.Checkpoint("a", every=0)

    def test_learning_rates_go_on(self) -> None:
        rate = o.linear_schedule(1e-2, 0.0, 16)
        optimizer = o.chain(o.clip_by_global_norm(1.0), o.adam(rate))
        first = fitted(optimizer=optimizer, callbacks=[nn.LearningRate(rate)])
        rest = fitted(first.model, state=first.state, optimizer=optimizer, callbacks=[nn.LearningRate(rate)])
        rates = first.history["learning_rate"] + rest.history["learning_rate"]
        assert_allclose(rates, [rate(3), rate(7), rate(11), rate(15)])

    @pytest.mark.parametrize("epochs", [0, 2])
    def test_a_number_that_is_logged_before_the_first_epoch(self, epochs: int) -> None:
        class Logs(nn.Callback):
            def on_start(self, run: nn.Run) -> None:
                run.log("early", 1.0)

            def on_end(self, run: nn.Run) -> None:
                run.log("last", 2.0)

        history = fitted(epochs=epochs, callbacks=[Logs()]).history
        assert history["early"] == [1.0] and history["last"][-1] == 2.0 and len(history["last"]) == max(epochs, 1)

    def test_a_number_that_is_logged_late(self) -> None:
        done = fitted(epochs=3, callbacks=[lambda run: run.log("late", 1.0) if run.epoch == 3 else None])
        assert np.isnan(done.history["late"][:2]).all() and done.history["late"][2] == 1.0


class TestHistory:
    def test_a_picture(self, tmp_path: Any) -> None:
        matplotlib = pytest.importorskip("matplotlib")
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        axes = fitted(validation=(X, Y)).history.plot()
        assert [line.get_label() for line in axes.lines] == ["loss", "validation"]
        assert axes.get_yscale() == "log" and axes.get_xlabel() == "epoch"
        axes.figure.savefig(tmp_path / "loss.png")
        one = fitted(epochs=1).history
        own = plt.subplots()[1]
        assert one.plot(axes=own) is own and own.get_xlabel() == "step" and len(own.lines[0].get_xdata()) == 4
        some = fitted(validation=lambda m: {"accuracy": 0.5, "norm": 2.0}).history
        assert [line.get_label() for line in some.plot().lines] == ["loss"]
        axes = some.plot("accuracy", "norm")
        assert [line.get_label() for line in axes.lines] == axes.get_ylabel().split(" and ") == ["accuracy", "norm"]
        with pytest.raises(OptionError, match="nothing was logged as `acuracy`"):
            some.plot("acuracy")
        plt.close("all")

    def test_without_matplotlib(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
        with pytest.raises(MissingLibraryError, match="`plot` needs matplotlib"):
            nn.History().plot()


class TestProgress:
    """Ten lines where it cannot be drawn, a bar where it can, by tqdm where that is installed."""

    def test_lines(self, capsys: Any) -> None:
        fitted(epochs=10, progress=True)
        out, err = capsys.readouterr()
        assert out == "" and len(err.splitlines()) == 10 and "40/40  loss" in err

    def test_lines_where_nobody_knows_how_many_batches(self, capsys: Any) -> None:
        class Stream:
            def __iter__(self) -> Any:
                return iter([(X, Y)])

        fitted(batches=Stream(), epochs=10, progress=True)
        assert len(capsys.readouterr().err.splitlines()) == 10

    @pytest.mark.parametrize("installed", [True, False])
    def test_a_terminal(self, installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        written: list[str] = []
        terminal = types.SimpleNamespace(isatty=lambda: True, write=written.append, flush=lambda: None)
        monkeypatch.setattr(sys, "stderr", terminal)
        bars = []

        class Bar:
            def __init__(self, total: int, unit: str) -> None:
                self.n, self.total, self.closed = 0, total, False
                bars.append(self)

            def set_postfix_str(self, text: str, refresh: bool) -> None:
                assert text.startswith("loss ")

            def update(self, n: int) -> None:
                self.n += n

            def close(self) -> None:
                self.closed = True

        module = types.SimpleNamespace(tqdm=Bar) if installed else None
        monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm") if installed else None)
        monkeypatch.setitem(sys.modules, "tqdm.auto", module)
        with Progress(20) as bar:
            for _ in range(20):
                bar.advance(0.5)
        if installed:
            assert (bars[0].n, bars[0].total, bars[0].closed) == (20, 20, True) and written == []
        else:
            assert bars == [] and "20/20" in written[-2] and written[-1] == "\n"


def test_what_trains_as_it_is_called() -> None:
    """A model of layers without state is run as it is called: nothing is handed on, which takes time."""
    called = []

    class Counted(nn.Layer):
        def __call__(self, x: Any) -> Any:
            called.append("call")
            return x

        def train(self, x: Any, rng: Any = None) -> Any:
            called.append("train")
            return x, self

    assert "recorded" not in code_adjoint(nn.train, nn.Dense(2, 1), X, np.random.default_rng(0))
    assert not is_different_in_training(nn.Chain(nn.SkipConnection(nn.Chain(a=nn.Dense(2, 2))), np.tanh))
    assert is_different_in_training(nn.SkipConnection(nn.Chain(a=nn.Dropout(0.5))))
    for start in (nn.Chain(Counted(), nn.Dense(2, 1)), nn.Chain(a=nn.Dense(2, 1), b=nn.Chain(Counted()))):
        called.clear()
        assert is_different_in_training(start)
        fitted(start, 1, batches=[(X, Y)], validation=(X, Y))
        assert set(called[:-1]) == {"train"} and called[-1] == "call"
