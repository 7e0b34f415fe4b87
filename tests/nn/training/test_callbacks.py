"""Callbacks: when they are called, and what they do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from nn.training.small import X, Y, fitted, model, same
from numpy.testing import assert_allclose

from adjoint import nn
from adjoint.errors import NonFiniteError, OptionError
from adjoint.nn import optimizers as o


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

    def test_early_stopping_at_what_is_never_a_number(self) -> None:
        with pytest.raises(NonFiniteError, match="`validation` is nan in epoch 1, and is to be followed"):
            fitted(validation=lambda m: np.nan, callbacks=nn.EarlyStopping())
        stop = nn.EarlyStopping()
        assert fitted(validation=lambda m: np.inf, callbacks=stop).model is not None and stop.best_epoch == 1

    def test_the_best_may_be_infinite_at_first(self) -> None:
        stop, numbers = nn.EarlyStopping(), iter([np.inf, np.inf, 2.0, 3.0])
        fitted(epochs=4, validation=lambda m: next(numbers), callbacks=stop)
        assert stop.best_epoch == 3

    def test_the_state_is_that_of_the_best(self) -> None:
        states: list[Any] = []
        numbers = iter([3.0, 1.0, 2.0])
        done = fitted(
            epochs=3,
            validation=lambda m: next(numbers),
            callbacks=[nn.EarlyStopping(), lambda run: states.append(run.state)],
        )
        assert done.state is states[1] and not same(states[1], states[2])

    @pytest.mark.parametrize("at", [1, 3, 5])
    def test_a_stop_in_a_step_ends_after_it(self, at: int) -> None:
        class Stops(nn.Callback):
            def on_step(self, run: nn.Run) -> None:
                if run.step == at:
                    run.stop("enough")

        epochs: list[int] = []
        done = fitted(epochs=4, callbacks=[Stops(), lambda run: epochs.append(run.epoch)], validation=(X, Y))
        assert len(done.history.steps) == at and done.stopped == "enough"
        assert epochs == [1, 2][: 1 + (at > 4)] and len(done.history["validation"]) == len(epochs)

    def test_a_stop_before_the_first_step(self) -> None:
        class Stops(nn.Callback):
            def on_start(self, run: nn.Run) -> None:
                run.stop("enough")

        done = fitted(callbacks=Stops())
        assert done.history.steps == [] and done.stopped == "enough"

    def test_none_are_none(self) -> None:
        assert same(fitted(callbacks=None).model, fitted().model)

    @pytest.mark.parametrize(("at", "best"), [(2, 0), (7, 1), (11, 1)])
    def test_an_interrupt_gives_what_there_is(self, at: int, best: int) -> None:
        """The best model, if an epoch has ended, else that of the last step."""
        models: list[Any] = []
        ended: list[int] = []

        class Interrupts(nn.Callback):
            def on_step(self, run: nn.Run) -> None:
                models.append(run.model)
                if run.step == at:
                    raise KeyboardInterrupt

            def on_end(self, run: nn.Run) -> None:
                ended.append(run.step)

        numbers = iter([1.0, 2.0, 3.0])
        done = fitted(epochs=4, callbacks=[Interrupts(), nn.EarlyStopping()], validation=lambda m: next(numbers))
        assert ended == [at] and len(done.history.steps) == at
        assert done.model is models[3 if best else at - 1]
        assert done.stopped == f"interrupted by the keyboard in epoch {1 + (at - 1) // 4}, after step {at}"

    def test_an_interrupt_within_a_step(self) -> None:
        calls = iter(range(10))

        def batches() -> Any:
            for _ in calls:
                yield X, Y
            raise KeyboardInterrupt

        done = fitted(batches=batches(), epochs=1)
        assert len(done.history.steps) == 10 and "interrupted by the keyboard" in done.stopped
        rest = fitted(done.model, state=done.state)
        assert rest.stopped is None

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

    def test_one_callback_needs_no_list(self) -> None:
        stop, seen = nn.EarlyStopping(patience=1), []
        done = fitted(epochs=3, callbacks=stop, validation=lambda m: 1.0)
        assert done.stopped == "`validation` was best in epoch 1" and stop.best_epoch == 1
        fitted(callbacks=lambda run: seen.append(run.epoch))
        fitted(callbacks=(callback for callback in [lambda run: seen.append(run.epoch)]))
        assert seen == [1, 2, 1, 2]

    def test_a_rate_that_is_a_number(self) -> None:
        assert fitted(callbacks=nn.LearningRate(0.5)).history["learning_rate"] == [0.5, 0.5]

    def test_what_is_logged_may_be_an_array_of_one_number(self) -> None:
        done = fitted(callbacks=lambda run: run.log("a", np.ones((1, 1))), validation=lambda m: np.float32(0.5))
        assert done.history["a"] == [1.0, 1.0] and done.history["validation"] == [0.5, 0.5]
        assert {type(x) for x in done.history["a"] + done.history["validation"]} == {float}

    @pytest.mark.parametrize(
        ("make", "said"),
        [
            (lambda: nn.EarlyStopping("validation"), "patience='validation' is no number of epochs"),  # type: ignore[arg-type]
            (lambda: nn.EarlyStopping(1.5), "patience=1.5 is no number of epochs"),  # type: ignore[arg-type]
            (lambda: nn.EarlyStopping(monitor=3), "monitor=3 is no name"),  # type: ignore[arg-type]
            (lambda: nn.EarlyStopping(min_delta=-1), "min_delta=-1 is no number from 0 on"),
            (lambda: nn.EarlyStopping(min_delta="a"), "min_delta='a' is no number from 0 on"),  # type: ignore[arg-type]
            (lambda: nn.EarlyStopping(maximize="no"), "`maximize` is 'no'"),  # type: ignore[arg-type]
            (lambda: nn.Checkpoint("a", monitor="loss", maximize="no"), "`maximize` is 'no'"),  # type: ignore[arg-type]
            (lambda: nn.Checkpoint(3), "path=3 is no path"),  # type: ignore[arg-type]
            (lambda: nn.Checkpoint("a", every="b"), "every='b' says nothing"),  # type: ignore[arg-type]
            (lambda: nn.Checkpoint("a", every=1.5), "every=1.5 says nothing"),  # type: ignore[arg-type]
            (lambda: nn.Checkpoint("a", monitor=1), "monitor=1 is no name"),  # type: ignore[arg-type]
            (lambda: nn.LearningRate("a"), "schedule='a' is no learning rate"),  # type: ignore[arg-type]
            (lambda: nn.LearningRate(o.adam(0.1)), "schedule=Chain"),  # type: ignore[arg-type]
            (lambda: nn.LearningRate(lambda: 0.1), "schedule=<lambda> is no schedule"),  # type: ignore[arg-type, misc]
        ],
    )
    def test_bad_options(self, make: Any, said: str) -> None:
        with pytest.raises(OptionError) as caught:
            make()
        assert caught.value.what.startswith(said)

    def test_the_name_tells_whether_it_is_to_be_large(self) -> None:
        def best(monitor: str, **options: Any) -> int:
            stop = nn.EarlyStopping(patience=9, monitor=monitor, **options)
            values = iter([0.5, 0.9, 0.7])
            fitted(epochs=3, validation=lambda m: {monitor: next(values)}, callbacks=stop)
            return stop.best_epoch

        assert best("accuracy") == best("val_acc") == best("top-1 accuracy") == 2
        assert best("validation") == best("error") == 1
        assert best("acc", maximize=False) == 1 and best("quality", maximize=True) == 2
        for make in (nn.EarlyStopping, lambda monitor: nn.Checkpoint("a", monitor=monitor)):
            with pytest.raises(OptionError, match="monitor='quality' does not tell whether"):
                make(monitor="quality")

    def test_a_method_that_nobody_calls_is_refused(self) -> None:
        class Late(nn.Callback):
            def on_epoch_end(self, run: nn.Run) -> None: ...

        with pytest.raises(OptionError, match="`Late` has a method `on_epoch_end`, which is never called"):
            fitted(callbacks=Late())

    def test_the_loss_is_logged_by_the_training_alone(self) -> None:
        for options in ({"callbacks": lambda run: run.log("loss", 9.0)}, {"validation": lambda m: {"loss": 9.0}}):
            with pytest.raises(OptionError, match="logs 'loss'"):
                fitted(**options)

    def test_a_folder_that_is_not_there_is_noticed_before_the_training(self, tmp_path: Any) -> None:
        steps: list[Any] = []
        save = nn.Checkpoint(tmp_path / "models" / "a.npz")
        with pytest.raises(OptionError, match="there is no folder '.*models' for checkpoints"):
            fitted(callbacks=[save, lambda run: steps.append(run.step)])
        assert steps == []
        (tmp_path / "models").mkdir()
        fitted(callbacks=save)
        assert [path.name for path in (tmp_path / "models").iterdir()] == ["a.npz"]
