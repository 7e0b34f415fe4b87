"""`fit`: a model is trained on batches by an optimizer."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from adjoint import value_and_grad
from adjoint.errors import NonFiniteError, NotScalarError, calling_place
from adjoint.nn.arguments import check_flags
from adjoint.nn.given import generator
from adjoint.nn.layers.base import is_different_in_training
from adjoint.nn.optimizers import GradientTransformation, selective_transform
from adjoint.nn.optimizers.base import advanced
from adjoint.nn.optimizers.flags import flagged
from adjoint.nn.training.callbacks import Callback, Callbacks, observers_of
from adjoint.nn.training.checked import check_given, check_taken, of_no_number
from adjoint.nn.training.history import OF_LOSS, History
from adjoint.nn.training.nonfinite import NonFiniteGradient, OfFinite, check_start, failure, nonfinite_in
from adjoint.nn.training.reach import check_reach
from adjoint.nn.training.running import Run
from adjoint.nn.training.supervising import Supervised
from adjoint.nn.training.untrained import warn_of_inference
from adjoint.nn.training.validating import Batch, Mean, as_batch, no_batches, validated
from adjoint.nn.tree import tree_map_with_path
from adjoint.progress import Progress
from adjoint.trees import structure_of

M = TypeVar("M")


@dataclass(frozen=True)
class Fitted(Generic[M]):
    """The result of `fit`: the trained model, and the course of training.

    Parameters
    ----------
    model : the trained model, of the class and the structure of the one that was given.
    history : the losses, and what else was logged.
    state : of the optimizer; `fit(..., state=state)` goes on with it.
    stopped : why it ended before its last step, or `None`: by a callback, or "interrupted by the keyboard ...".

    Examples
    --------
    >>> from adjoint.nn import optimizers
    >>> done = fit({"w": 0.0}, lambda m, y: (m["w"] - y) ** 2, [1.0], optimizers.sgd(0.5), progress=False)
    >>> done.model, done.stopped
    ({'w': 1.0}, None)
    """

    model: M
    history: History
    state: Any
    stopped: str | None = None


def fit(
    model: M,
    loss: Callable[..., Any],
    batches: Iterable[Any],
    optimizer: GradientTransformation,
    *,
    epochs: int = 1,
    rng: np.random.Generator | int | None = None,
    validation: Any = None,
    callbacks: Callbacks = (),
    frozen: Any = None,
    state: Any = None,
    progress: bool = True,
) -> Fitted[M]:
    """A model trained on batches: for each one the gradient of loss(model, *batch), and an update by the optimizer.

    Ctrl-C ends it as a callback does that stops it: `on_end` is called, and what there is so far is given back.

    Parameters
    ----------
    model : any nesting of records, lists, tuples and dicts. It is not changed.
    loss : of a model and a batch, a number; `supervised(mse)` makes one of predictions and targets. If it has a method
        `train(model, *batch, rng) -> (loss, model)`, that is called in training: it may draw, and what it gives is
        the model with its new statistics. The loss itself is what validation takes. A plain function that calls the
        model runs `Dropout` and `BatchNorm` as in inference: of those there is a warning.
    batches : an iterable that is run through once an epoch: `minibatches(x, y, size=32, rng=rng)`, a list, what loads
        from a disk. A batch that is a tuple or a list gives the loss several arguments, any other gives one.
    optimizer : of `nn.optimizers`.
    epochs : how often the batches are run through.
    rng : for what draws in training (a generator, or a seed); a new one if not given. With the same state it gives the
        same training.
    validation : a tuple `(x, y)`, which is one batch; a list or another iterable of batches; or a function of
        the model which gives a number, or a dict of numbers by name. It is logged after each epoch as "validation".
    callbacks : one or several: objects of `Callback`, and functions of the run, called after each epoch.
    frozen : the mask of what is to stay, statistics too, as `nn.freeze(model, *patterns)` gives it; a function that
        makes one is given the numbers of both by path. The state is then that of
        `optimizers.selective_transform(optimizer, freeze_mask=frozen)`.
    state : of the optimizer, to go on with: that of an earlier `fit`, or of a file.
    progress : whether to show how far it is, on standard error.

    Returns
    -------
    A record with `model`, `history`, `state` and `stopped`.

    Raises
    ------
    NonFiniteError
        If the loss, a gradient or a parameter is nan or infinite. The error has the step, and the path of the first
        parameter or layer where it is. Also if the loss of batches for validation is; the error has the epoch.
    StructureError
        If there are no batches or no parameters, or the state is of another model.
    OptionError
        If one of these is wrong:

        - `batches`: they cannot be run through, or only once for several epochs, or are a tuple of arrays;
        - the loss: it does not take the model and the items of a batch, as `mse` itself does not;
        - the optimizer, the mask, a callback (a class in place of an object), a flag, the number of epochs, the source
          of random numbers;
        - the validation: a tuple of tuples, or what gives no numbers;
        - with `supervised`, the model: it cannot be called, or a layer with statistics stands in several containers;
        - with `supervised`, a layer that differs in training: training does not reach it, since it stands in a record
          without a `train` of its own.
    NotScalarError
        If the loss is not one number; an array of one, (1,) or (1, 1), is.

    Examples
    --------
    >>> from adjoint.nn import Dense, minibatches, mse, optimizers, supervised
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(64, 2))
    >>> y = x @ np.array([[1.0], [-2.0]]) + 0.5
    >>> batches = minibatches(x, y, size=16, rng=rng)
    >>> done = fit(Dense(2, 1, rng=rng), supervised(mse), batches, optimizers.adam(0.1), epochs=50, progress=False)
    >>> done.model.weight.round(2).ravel(), done.model.bias.round(2), done.history["loss"][-1] < 1e-3
    (array([ 1., -2.]), array([0.5]), True)
    """
    check_flags(progress=progress)
    check_given(model, loss, batches, optimizer, epochs, validation)
    optimizer = OfFinite(optimizer if frozen is None else selective_transform(optimizer, freeze_mask=frozen))
    run = Run(model, optimizer.init(model) if state is None else state, epochs)
    held = frozenset[str]() if frozen is None else flagged(frozen, structure_of(model))
    observers = observers_of(callbacks)
    steps = _Steps(run, loss, optimizer, generator(rng), held)
    for observer in observers:
        observer.on_start(run)
    per_epoch = len(batches) if isinstance(batches, Sized) else 0
    with Progress(epochs * (per_epoch or 1), enabled=progress, unit="step" if per_epoch else "epoch") as bar:
        try:
            while run.epoch < epochs and run.stopped is None:
                run.epoch += 1
                mean = _epoch(steps, run, batches, observers, bar if per_epoch else None)
                _end_epoch(run, steps, mean, loss, validation)
                for observer in observers:
                    observer.on_epoch(run)
                if not per_epoch:
                    bar.advance(f"loss {mean.value:.4g}")
        except KeyboardInterrupt:
            run.stop(f"interrupted by the keyboard in epoch {run.epoch}, after step {run.step}")
    for observer in observers:
        observer.on_end(run)
    return Fitted(run.model, run.history, run.state, run.stopped)


def _epoch(steps: _Steps, run: Run, batches: Iterable[Any], observers: list[Callback], bar: Progress | None) -> Mean:
    """Take the steps of an epoch, up to where a callback stops the training, and give the mean of their losses."""
    mean = Mean()
    for batch in map(as_batch, batches):
        value = steps.take(batch)
        mean.add(value, batch)
        for observer in observers:
            observer.on_step(run)
        if bar is not None:
            bar.advance(f"loss {value:.4g}")
        if run.stopped is not None:
            break
    return mean


class _Steps:
    """Takes steps of a run: the loss and its gradient, an update, the next model."""

    def __init__(
        self,
        run: Run,
        loss: Callable[..., Any],
        optimizer: GradientTransformation,
        rng: np.random.Generator,
        frozen: frozenset[str],
    ) -> None:
        self._run, self._loss, self._optimizer, self._rng, self._frozen = run, loss, optimizer, rng, frozen
        self._trained, self._differentiated = None, value_and_grad(loss)
        self._name = getattr(loss, "__name__", type(loss).__name__)
        if isinstance(loss, Supervised):
            check_reach(run.model)
            of_call, of_training = loss.functions()
            self._differentiated, self._name = value_and_grad(of_call), of_call.__name__
            if is_different_in_training(run.model):
                self._trained = value_and_grad(of_training, has_aux=True)
        elif hasattr(loss, "train"):
            self._trained = value_and_grad(loss.train, has_aux=True)
        else:
            warn_of_inference(run.model, loss)
        self._before: Any = None
        self.infinite = nonfinite_in(run.model)

    def take(self, batch: Batch) -> float:
        """Take one step, and give the loss before it."""
        run = self._run
        if run.step == 0:
            check_taken(self._loss, run.model, batch, *([] if self._trained is None else [self._rng]))
        try:
            value, gradient, model = self._derivative(batch)
        except NotScalarError as error:
            raise of_no_number(error, self._name) from None
        loss = float(np.asarray(value).item())
        if not np.isfinite(loss):
            raise self._failure(f"the loss is {loss}", batch)
        if run.step == 0 and self.infinite:
            check_start(run.model)
        try:
            run.model, run.state = advanced(self._optimizer, gradient, run.state, run.model, model)
        except NonFiniteGradient as found:
            path = str(found)
            raise self._failure(f"the gradient by `{path}` is not finite", batch, path) from None
        run.step += 1
        run.history.steps.append(loss)
        return loss

    def _derivative(self, batch: Batch) -> tuple[Any, Any, Any]:
        """The loss and its gradient, and the model with new statistics."""
        model = self._run.model
        if self._trained is None:
            value, gradient = self._differentiated(model, *batch)
            return value, gradient, model
        self._before = self._rng.bit_generator.state
        (value, model), gradient = self._trained(model, *batch, self._rng)
        return value, gradient, self._with_frozen(model)

    def _with_frozen(self, model: Any) -> Any:
        """A model with new statistics, but for those that are frozen."""
        if not self._frozen:
            return model
        return tree_map_with_path(lambda path, new, old: old if path in self._frozen else new, model, self._run.model)

    def _failure(self, what: str, batch: Batch, path: str | None = None) -> NonFiniteError:
        run = self._run
        return failure(
            f"{what} at step {run.step + 1}, in epoch {run.epoch}",
            run.model,
            batch,
            lambda m: self._again(m, batch),
            path,
            self.infinite,
        )

    def _again(self, model: Any, batch: Batch) -> Any:
        """The loss of a model with what was drawn before."""
        if self._trained is None:
            return self._loss(model, *batch)
        rng = copy.deepcopy(self._rng)
        rng.bit_generator.state = self._before
        return self._loss.train(model, *batch, rng)  # type: ignore[attr-defined]


def _end_epoch(run: Run, steps: _Steps, mean: Mean, loss: Callable[..., Any], validation: Any) -> None:
    """Log what an epoch has given."""
    if mean.is_empty:
        raise no_batches(f"there are no batches in epoch {run.epoch}")
    if found := nonfinite_in(run.model, but=steps.infinite):
        raise NonFiniteError(
            f"the parameter `{found[0]}` is not finite after step {run.step}, the last of epoch {run.epoch}",
            "the gradient was, and the update is not",
            "a smaller learning rate, or `optimizers.clip_by_global_norm`",
            calling_place(),
        )
    run.history.log(run.epoch, OF_LOSS, mean.value)
    for name, value in validated(run.model, loss, validation, f"after epoch {run.epoch}").items():
        run.log(name, value)
