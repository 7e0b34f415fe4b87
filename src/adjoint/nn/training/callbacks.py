"""Callbacks, which look on at a training: stop it early, save it, log what it does."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from typing import Any

from adjoint.errors import NonFiniteError, OptionError, calling_place
from adjoint.nn.arguments import check_flags, is_whole
from adjoint.nn.checkpoints import save
from adjoint.nn.given import takes
from adjoint.nn.optimizers.ranges import FROM_0, RATE, check_number, number_or_schedule
from adjoint.nn.optimizers.schedules import Schedule, constant_schedule
from adjoint.nn.training.running import Run


class Callback:
    """Looks on at a training: one of your own has some of these methods. A function of the run is called each epoch.

    Examples
    --------
    >>> class Norm(Callback):
    ...     def on_epoch(self, run):
    ...         run.log("norm", optimizers.global_norm(run.model))
    >>> from adjoint.nn import fit, optimizers
    >>> done = fit({"w": 1.0}, lambda m, x: (m["w"] - x) ** 2, [2.0], optimizers.sgd(0.5), callbacks=[Norm()])
    >>> done.history["norm"]
    [2.0]
    """

    def on_start(self, run: Run) -> None:
        """Before the first epoch."""

    def on_step(self, run: Run) -> None:
        """After each update."""

    def on_epoch(self, run: Run) -> None:
        """After each epoch and its validation."""

    def on_end(self, run: Run) -> None:
        """After the last epoch, also one that was stopped or interrupted; not if an error ended it."""


class OfFunction(Callback):
    """A function that is called after each epoch."""

    def __init__(self, f: Callable[[Run], Any]) -> None:
        self._f = f

    def on_epoch(self, run: Run) -> None:
        self._f(run)


Callbacks = Callback | Callable[[Run], Any] | Iterable[Callback | Callable[[Run], Any]] | None
"""One callback, several, or none."""


def observers_of(callbacks: Any) -> list[Callback]:
    """The functions that are called, of one callback or of several.

    Raises
    ------
    OptionError
        If one is not a callback.

    >>> observers_of(EarlyStopping)
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: the class `EarlyStopping` is no callback ...
    """
    if callbacks is None:
        return []
    is_one = callable(callbacks) or isinstance(callbacks, Callback | str) or not hasattr(callbacks, "__iter__")
    return [_observer(callback) for callback in ([callbacks] if is_one else callbacks)]


def _observer(callback: Any) -> Callback:
    if isinstance(callback, Callback):
        _check_methods(type(callback))
        return callback
    if callable(callback) and not isinstance(callback, type) and takes(callback, None):
        return OfFunction(callback)
    name = getattr(callback, "__name__", type(callback).__name__)
    raise OptionError(
        f"the class `{name}` is no callback" if isinstance(callback, type) else f"`{name}` is no callback",
        "a callback is an object of `nn.Callback`, or of a class that inherits it, or a function of the run",
        f"give an object of it: `{name}()`" if isinstance(callback, type) else "give one, or a list of them",
        calling_place(),
    )


def _check_methods(cls: type) -> None:
    """Raise `OptionError` for a method that looks like one of a callback, and is called by nobody."""
    known = [name for name in vars(Callback) if name.startswith("on_")]
    for name in dir(cls):
        if name.startswith("on_") and name not in known and callable(getattr(cls, name)):
            raise OptionError(
                f"`{cls.__name__}` has a method `{name}`, which is never called",
                "a callback is called by " + ", ".join(f"`{one}`" for one in known),
                "give it one of these names, or one that does not begin with `on_`",
                calling_place(),
            )


_LARGE = frozenset(["accuracy", "acc", "auc", "auroc", "f1", "precision", "recall", "r2", "iou", "dice", "bleu"])
_SMALL = frozenset(["validation", "loss", "error", "mse", "rmse", "mae", "nll", "perplexity", "norm", "divergence"])
"""Words in names of numbers of which the largest or the smallest is the best."""


def _is_to_be_large(name: str, maximize: bool | None) -> bool:
    """Tell whether the best of what is logged under a name is the largest.

    >>> _is_to_be_large("val_acc", None), _is_to_be_large("validation", None)
    (True, False)
    """
    if maximize is not None:
        return maximize
    words = frozenset(name.lower().replace("-", "_").replace(" ", "_").split("_"))
    if words.isdisjoint(_LARGE) == words.isdisjoint(_SMALL):
        raise OptionError(
            f"monitor={name!r} does not tell whether it is to become large or small",
            "of a loss the smallest is the best, of an accuracy the largest",
            "give `maximize=True` or `maximize=False`",
            calling_place(),
        )
    return not words.isdisjoint(_LARGE)


class Monitor:
    """Follows a number of the epochs: whether the last one is the best so far."""

    def __init__(self, name: str, min_delta: float = 0.0, maximize: bool = False) -> None:
        self.name, self._min_delta, self._sign = name, min_delta, -1.0 if maximize else 1.0
        self.best: float | None = None

    def is_best(self, run: Run) -> bool:
        """Tell whether the number of this epoch is better than all before, by more than `min_delta`."""
        values = run.history.epochs.get(self.name, [])
        if len(values) < run.epoch:
            raise OptionError(
                f"nothing is logged as `{self.name}`, which is to be followed",
                "there is " + ", ".join(f"`{name}`" for name in run.history.epochs),
                "give `fit` a `validation=`, or name another with `monitor=`",
                calling_place(),
            )
        value = self._sign * values[-1]
        if self.best is None and math.isnan(value):
            raise NonFiniteError(
                f"`{self.name}` is nan in epoch {run.epoch}, and is to be followed",
                "no epoch before it had a number, and none is better than nan",
                "look at what gives it: `validation=` of `fit`, or the callback that logs it",
                calling_place(),
            )
        better = self.best is None or value < self.best - self._min_delta
        if better:
            self.best = value
        return better


class EarlyStopping(Callback):
    """Ends a training that no longer gets better, and gives back its best model, of an interrupted training as well.

    Parameters
    ----------
    patience : after how many epochs that are not better than the best one it ends.
    monitor : what is to become small: "validation", "loss", or another number that is logged.
    min_delta : by how much it has to be better.
    maximize : whether it is to become large, as an accuracy is; where nothing is said the name tells: "validation",
        "loss", "error" and the like are to be small, "accuracy", "auc", "f1" and the like large.

    Raises
    ------
    OptionError
        For another patience than 1, 2, ..., a negative `min_delta`, a name that is not a text, or a flag that is not
        one. Also if `maximize` is not given, and the name does not tell. By `fit`, if nothing has that name in its log.
    NonFiniteError
        By `fit`, if what is followed is nan in the first epoch; a later nan is not better than what was before.

    References
    ----------
    L. Prechelt, "Early Stopping - But When?", 1998.

    Examples
    --------
    >>> from adjoint.nn import fit, optimizers
    >>> stop = EarlyStopping(patience=2)
    >>> worse = iter([1.0, 0.5, 0.7, 0.6, 0.1])
    >>> done = fit(
    ...     {"w": 1.0}, lambda m, x: (m["w"] - x) ** 2, [2.0], optimizers.sgd(0.1), epochs=5,
    ...     validation=lambda model: next(worse), callbacks=[stop],
    ... )
    >>> done.history["validation"], stop.best_epoch, round(done.model["w"], 2)
    ([1.0, 0.5, 0.7, 0.6], 2, 1.36)
    """

    def __init__(
        self, patience: int = 10, *, monitor: str = "validation", min_delta: float = 0.0, maximize: bool | None = None
    ) -> None:
        if not is_whole(patience) or patience < 1:
            raise OptionError(
                f"patience={patience!r} is no number of epochs",
                "it counts epochs that are not better than the best one",
                "give 1 or more",
                calling_place(),
            )
        check_number("min_delta", min_delta, FROM_0)
        if maximize is not None:
            check_flags(maximize=maximize)
        _check_name(monitor)
        self.patience = patience
        self._options = monitor, min_delta, _is_to_be_large(monitor, maximize)

    def on_start(self, run: Run) -> None:
        self._monitor = Monitor(*self._options)
        self._best = run.model, run.state
        self.best_epoch = 0

    def on_epoch(self, run: Run) -> None:
        if self._monitor.is_best(run):
            self._best, self.best_epoch = (run.model, run.state), run.epoch
        elif run.epoch - self.best_epoch >= self.patience:
            run.stop(f"`{self._monitor.name}` was best in epoch {self.best_epoch}")

    def on_end(self, run: Run) -> None:
        if self.best_epoch:
            run.model, run.state = self._best


class Checkpoint(Callback):
    """Saves the model and the state of the optimizer after epochs, as `nn.save` does: `{"model": ..., "state": ...}`.

    Parameters
    ----------
    path : of the file; `{epoch}` in it is the number of the epoch, else each takes the place of the one before.
    every : after how many epochs.
    monitor : saves only when this number is the best so far; then `every` is 1.
    maximize : whether it is to become large; where nothing is said the name tells, as for `EarlyStopping`.

    Raises
    ------
    OptionError
        If the path is no path, or the flag no flag; if `every` is not 1, 2, ..., or is given with a number to follow.
        By `fit`, if there is no such folder, or nothing is logged under that name.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from adjoint.nn import fit, load, optimizers
    >>> model, optimizer = {"w": 1.0}, optimizers.adam(0.1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "training.npz")
    ...     done = fit(model, lambda m, x: (m["w"] - x) ** 2, [2.0], optimizer, callbacks=[Checkpoint(file)])
    ...     loaded = load(file, {"model": model, "state": optimizer.init(model)})
    >>> loaded["model"] == done.model
    True
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        every: int = 1,
        monitor: str | None = None,
        maximize: bool | None = None,
    ) -> None:
        if not isinstance(path, str | os.PathLike):
            raise OptionError(
                f"path={path!r} is no path",
                "the checkpoints are files",
                'give a text or a `pathlib.Path`: "training.npz"',
                calling_place(),
            )
        if monitor is not None:
            _check_name(monitor)
        if not is_whole(every) or every < 1 or (monitor is not None and every != 1):
            raise OptionError(
                f"every={every!r} says nothing of when to save",
                "it counts epochs from one file to the next; what follows a number saves at each best one",
                "give 1 or more, and no `monitor` with it",
                calling_place(),
            )
        if maximize is not None:
            check_flags(maximize=maximize)
        self.path, self.every = os.fspath(path), every
        self._options = monitor, monitor is not None and _is_to_be_large(monitor, maximize)

    def on_start(self, run: Run) -> None:
        name, maximize = self._options
        _check_folder(os.path.dirname(self.path))
        self._monitor = None if name is None else Monitor(name, maximize=maximize)

    def on_epoch(self, run: Run) -> None:
        due = run.epoch % self.every == 0 if self._monitor is None else self._monitor.is_best(run)
        if due:
            save(self.path.replace("{epoch}", str(run.epoch)), {"model": run.model, "state": run.state})


class LearningRate(Callback):
    """Logs a schedule as "learning_rate": the rate of the last update of each epoch.

    Parameters
    ----------
    schedule : of the learning rates, a function of the updates before, or a number, as optimizers take it.

    Raises
    ------
    OptionError
        If it is neither.

    Examples
    --------
    >>> from adjoint.nn import fit, optimizers
    >>> rate = optimizers.exponential_decay(0.5, transition_steps=1, decay_rate=0.5)
    >>> done = fit(
    ...     {"w": 1.0}, lambda m, x: (m["w"] - x) ** 2, [2.0], optimizers.sgd(rate), epochs=3,
    ...     callbacks=[LearningRate(rate)],
    ... )
    >>> done.history["learning_rate"]
    [0.5, 0.25, 0.125]
    """

    def __init__(self, schedule: float | Schedule) -> None:
        rate = number_or_schedule("schedule", schedule, RATE)
        self.schedule = rate if callable(rate) else constant_schedule(rate)

    def on_epoch(self, run: Run) -> None:
        run.log("learning_rate", self.schedule(_count(run.state, run.step) - 1))


def _check_folder(folder: str) -> None:
    """Notice before the training that there is no folder for its checkpoints."""
    if folder and "{epoch}" not in folder and not os.path.isdir(folder):
        raise OptionError(
            f"there is no folder {folder!r} for checkpoints",
            "they would be written after the first epoch",
            f"make it before: `os.makedirs({folder!r})`",
            calling_place(),
        )


def _check_name(monitor: Any) -> None:
    if not isinstance(monitor, str):
        raise OptionError(
            f"monitor={monitor!r} is no name",
            "what is followed is logged by a name",
            'give "validation", "loss", or the name of what a callback logs',
            calling_place(),
        )


def _count(state: Any, steps: int) -> int:
    """The updates that a state of an optimizer knows of; the steps of this training if it knows of none."""
    if isinstance(state, tuple):
        if (count := getattr(state, "count", None)) is not None and not callable(count):
            return int(count)
        found = [_count(part, -1) for part in state]
        return next((count for count in found if count >= 0), steps)
    return steps
