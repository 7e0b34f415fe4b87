"""The base of optimizers: a transformation of gradients with a state, as optax has it.

    state = optimizer.init(model)
    updates, state = optimizer.update(gradient, state, model)
    model = apply_updates(model, updates)

Updates are added. Nothing is changed: each step gives a new state and a new model. Between these three a transformation
sees the parameters as a dict by their paths, in which what is one object at several places of the model is one.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from adjoint import Tangent
from adjoint.errors import OptionError, StructureError, calling_place
from adjoint.nn.tree import like_leaf, paths_of, tree_map, zero_like
from adjoint.rules import non_differentiable
from adjoint.trees import Structure, are_parameters, build, gather, structure_of, values_of

M = TypeVar("M")

Parameters = dict[str, Any]
"""Numbers and arrays by the paths of the parameters."""


class EmptyState(NamedTuple):
    """The state of a transformation that remembers nothing."""


class GradientTransformation:
    """A transformation of gradients: what `adam(...)` and its like give, and what `chain` puts together.

    One of your own is a class with two methods on dicts by paths, such as `{"layers.0.bias": ...}`:
    `start(parameters)` gives the first state, and `step(updates, state, parameters)` new updates and the next state.
    States are tuples (best named ones) of numbers and of dicts by paths, a number or such a dict. `state_class` names
    their class, if `update` shall refuse the states of others.

    Examples
    --------
    >>> from adjoint.nn.optimizers import apply_updates, chain, scale
    >>> class Sign(GradientTransformation):
    ...     def step(self, updates, state, parameters):
    ...         return {path: np.sign(u) for path, u in updates.items()}, state
    >>> optimizer = chain(Sign(), scale(-0.5))
    >>> model = {"w": 2.0, "b": 1.0}
    >>> updates, state = optimizer.update({"w": 7.0, "b": -3.0}, optimizer.init(model), model)
    >>> apply_updates(model, updates)
    {'w': 1.5, 'b': 1.5}
    """

    state_class: ClassVar[type | None] = None
    """The class of the states; without one, any that `start` gives."""

    def init(self, model: Any) -> Any:
        """The state before the first step.

        Parameters
        ----------
        model : any nesting of records, lists, tuples and dicts; its parameters are the floating-point and complex
            leaves. Optimizers move these alone.
        """
        form = structure_of(model)
        self.check_masks(form)
        return self.start(_by_path(_names(form), values_of(form, model)))

    def update(self, gradient: Tangent[M] | M, state: Any, model: M) -> tuple[M, Any]:
        """Compute what is to be added to a model, and the next state.

        Parameters
        ----------
        gradient : of a loss by the model, as `adjoint.gradient` gives it, or a record of the model's class (updates of
            another transformation); `None` in it counts as zeros. Where the model is tied and this is not, it is
            added up.
        state : what `init` or the last `update` gave.
        model : the model at which the gradient was taken.

        Returns
        -------
        updates : a record of the model's class with arrays of the parameters' shapes, and zeros for integers.
        state : for the next step.

        Raises
        ------
        StructureError
            If the gradient or the state is of another model; it says where they differ.
        """
        form = structure_of(model)
        names, values = _names(form), values_of(form, model)
        updates, state = self._updates_of(form, names, values, gradient, state)
        return build(form, _in_place(form, names, values, updates)), state

    def _updates_of(
        self, form: Structure, names: list[str | None], values: list[Any], gradient: Any, state: Any
    ) -> tuple[Parameters, Any]:
        """The updates of the parameters, and the next state."""
        bars = gather(form, gradient, True)
        parameters = _by_path(names, values)
        updates = {
            name: zero_like(value) if bar is None else bar
            for name, value, bar in zip(names, values, bars, strict=True)
            if name is not None
        }
        _check_shapes("the gradient", updates, parameters)
        self.check(state, parameters)
        updates, state = stepped(self, updates, state, parameters)
        return updates, _state_like(state, parameters)

    def start(self, parameters: Parameters) -> Any:
        """The first state, for parameters by their paths."""
        return EmptyState()

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        """The updates transformed, and the next state; what is given is not changed."""
        raise NotImplementedError(f"{type(self).__name__} has no `step`")

    def check(self, state: Any, parameters: Parameters) -> None:
        """Raise `StructureError` unless a state is of this transformation and these parameters."""
        check_state(self, state, parameters)

    def check_masks(self, form: Structure) -> None:
        """Raise `OptionError` for a mask of it that does not fit a model of this structure."""


def apply_updates(model: M, updates: M) -> M:
    """The model moved by updates: p + u for each parameter, in its type and precision.

    Parameters
    ----------
    model : any model.
    updates : what `update` gave, or any model or gradient of the same structure; `None` in it moves nothing. Of a tied
        model in plain dicts or lists a gradient goes through `nn.as_model` first, which adds it up.

    Returns
    -------
    A new model; what is one object at several places stays one.

    Raises
    ------
    StructureError
        If the updates are of another model.

    Examples
    --------
    >>> apply_updates({"w": np.ones(2, np.float32), "steps": 3}, {"w": np.array([0.5, 1.0]), "steps": 0})
    {'w': array([1.5, 2. ], dtype=float32), 'steps': 3}
    """
    return tree_map(_moved, model, updates)


def advanced(optimizer: GradientTransformation, gradient: Any, state: Any, model: M, trained: M) -> tuple[M, Any]:
    """The model after a step, and the next state: `update` and `apply_updates` in one.

    `trained` is the model with new statistics. Where there are none it is the model itself, which is then read once.

    >>> from adjoint.nn.optimizers import sgd
    >>> advanced(sgd(0.5), [2.0], sgd(0.5).init([1.0]), [1.0], [1.0])[0]
    [0.0]
    """
    if trained is not model:
        updates, state = optimizer.update(gradient, state, model)
        return apply_updates(trained, updates), state
    form = structure_of(model)
    names, values = _names(form), values_of(form, model)
    steps, state = optimizer._updates_of(form, names, values, gradient, state)
    moved = [
        value if name is None else _moved(value, _typed(steps[name], value))
        for name, value in zip(names, values, strict=True)
    ]
    return build(form, moved), state


def _moved(parameter: Any, update: Any) -> Any:
    if update is None or type(parameter) is int:
        return parameter
    _check_update(parameter, update)
    return _typed(parameter + update, parameter)


def _check_update(parameter: Any, update: Any) -> None:
    """Raise `StructureError` for an update of another shape than the parameter, but for one number."""
    if np.shape(update) not in ((), np.shape(parameter)):
        raise StructureError(
            f"an update has the shape {np.shape(update)}, and its parameter {np.shape(parameter)}",
            "a parameter keeps its shape: a number is added to each of its own",
            "give updates of the shapes of the model, as `optimizer.update` does",
            calling_place(),
        )


def _typed(x: Any, parameter: Any) -> Any:
    """A number or an array in the type and the precision of a parameter."""
    if isinstance(parameter, np.ndarray):
        if not isinstance(x, np.ndarray | np.generic):
            return np.asarray(x, dtype=parameter.dtype)
        return like_leaf(x if x.dtype == parameter.dtype else x.astype(parameter.dtype), parameter)
    return type(parameter)(x)


def stepped(
    transformation: GradientTransformation, updates: Parameters, state: Any, parameters: Parameters
) -> tuple[Parameters, Any]:
    """The result of a step of a transformation; that of a user's class is checked."""
    given = transformation.step(updates, state, parameters)
    if not _is_ours(transformation):
        _check_step(transformation, given, parameters)
    return given


def _is_ours(transformation: GradientTransformation) -> bool:
    return type(transformation).__module__.startswith("adjoint.")


def _check_step(transformation: GradientTransformation, given: Any, parameters: Parameters) -> None:
    """Raise `StructureError` unless it is a dict with an update for each parameter, and a state."""
    name = type(transformation).__name__
    is_pair = isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], dict)
    if not is_pair or given[0].keys() != parameters.keys():
        raise _of_step(name, "an update for each parameter, by its path, and a state", "`return updates, state`")
    for path, update in given[0].items():
        shape = getattr(parameters[path], "shape", ())
        if np.shape(update) != shape or shape and not isinstance(update, np.ndarray):
            raise _of_step(name, f"an update of shape {shape} at `{path}`", "an array of the parameter's shape")
        if not np.can_cast(np.asarray(update).dtype, np.asarray(parameters[path]).dtype, "same_kind"):
            raise _of_step(name, f"numbers at `{path}` that can be added to the parameter", "numbers of its kind")


def _of_step(name: str, wanted: str, way_out: str) -> StructureError:
    return StructureError(
        f"`{name}.step` does not give {wanted}",
        "updates are added to the parameters, and the state is for the next step",
        f"give {way_out}",
        calling_place(),
    )


@dataclass(frozen=True)
class Chain(GradientTransformation):
    """The transformation that `chain` gives."""

    transformations: tuple[GradientTransformation, ...]

    def start(self, parameters: Parameters) -> Any:
        return tuple([inner.start(parameters) for inner in self.transformations])

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        states = []
        for inner, own in zip(self.transformations, state, strict=True):
            updates, new = stepped(inner, updates, own, parameters)
            states.append(new)
        return updates, tuple(states)

    def check(self, state: Any, parameters: Parameters) -> None:
        check_length(self, state, len(self.transformations))
        for inner, own in zip(self.transformations, state, strict=True):
            inner.check(own, parameters)

    def check_masks(self, form: Structure) -> None:
        for inner in self.transformations:
            inner.check_masks(form)


def chain(*transformations: GradientTransformation) -> GradientTransformation:
    """One transformation after the other: each gets the updates that the one before it gives.

    Parameters
    ----------
    transformations : any number of them; the learning rate comes last, for it has the sign.

    Returns
    -------
    A transformation, whose state is the tuple of theirs.

    Raises
    ------
    OptionError
        If one of them is no transformation: `adam` in place of `adam(0.1)`, or a list of them.

    Examples
    --------
    >>> from adjoint.nn.optimizers import clip_by_global_norm, sgd
    >>> optimizer = chain(clip_by_global_norm(1.0), sgd(0.1))
    >>> optimizer.update([3.0, 4.0], optimizer.init([0.0, 0.0]), [0.0, 0.0])[0]
    [-0.06..., -0.08...]
    """
    for transformation in transformations:
        check_optimizer(transformation)
    return Chain(transformations)


def check_optimizer(x: Any) -> None:
    """Raise `OptionError` unless it is an optimizer.

    >>> check_optimizer(0.1)
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: a float is no optimizer ...
    """
    if isinstance(x, GradientTransformation):
        return
    name = getattr(x, "__name__", None) if callable(x) else None
    raise OptionError(
        f"a {type(x).__name__} is no optimizer" if name is None else f"`{name}` itself is no optimizer",
        "one is what `nn.optimizers` makes, or an object of a class of `GradientTransformation`",
        "give `optimizers.adam(1e-3)`" if name is None else f"call it, and give what it makes: `{name}(...)`",
        calling_place(),
    )


def _names(form: Structure) -> list[str | None]:
    """For each end its path if it is a parameter."""
    flags = are_parameters(form)
    return [path if is_one else None for path, is_one in zip(paths_of(form), flags, strict=True)]


def _by_path(names: list[str | None], values: list[Any]) -> Parameters:
    return {name: value for name, value in zip(names, values, strict=True) if name is not None}


def _in_place(form: Structure, names: list[str | None], values: list[Any], updates: Parameters) -> list[Any]:
    """Updates at the ends of a model: zeros for other leaves, and what is no leaf stays."""
    return [
        _typed(updates[name], value) if name is not None else zero_like(value) if is_leaf else value
        for name, value, is_leaf in zip(names, values, form.are_leaves, strict=True)
    ]


def _state_like(state: Any, parameters: Parameters) -> Any:
    """A state in which what is of a parameter of shape () is an array too."""
    if not any([isinstance(p, np.ndarray) and p.ndim == 0 for p in parameters.values()]):
        return state
    if isinstance(state, dict):
        return {path: like_leaf(x, parameters.get(path)) for path, x in state.items()}
    if not isinstance(state, tuple):
        return state
    parts = [_state_like(part, parameters) for part in state]
    return tuple(parts) if type(state) is tuple else type(state)(*parts)


def check_length(transformation: GradientTransformation, state: Any, n: int) -> None:
    """Raise `StructureError` unless a state is a tuple of as many states."""
    if not isinstance(state, tuple) or len(state) != n:
        raise _of_another(f"a chain of {n} transformations has a tuple of {n} states, and this is {_described(state)}")


def check_state(transformation: GradientTransformation, state: Any, parameters: Parameters) -> None:
    """Raise `StructureError` unless a state is of this transformation and these parameters."""
    cls = type(transformation)
    wanted = cls.state_class or (EmptyState if cls.start is GradientTransformation.start else object)
    if not isinstance(state, wanted):
        raise _of_another(f"`{cls.__name__}` has a {wanted.__name__}, and this is {_described(state)}")
    for part in state if isinstance(state, tuple) else (state,):
        if isinstance(part, dict):
            _check_paths(part, parameters)
            _check_shapes("the state", part, parameters)


def _check_paths(state: Parameters, parameters: Parameters) -> None:
    for path in state:
        if path not in parameters:
            near = difflib.get_close_matches(path, parameters, 1)
            raise _of_another(f"it has `{path}`, and the model has not" + (f"; near is `{near[0]}`" if near else ""))
    for path in parameters:
        if path not in state:
            raise _of_another(f"it has no `{path}`, which the model has")


def _check_shapes(what: str, found: Parameters, parameters: Parameters) -> None:
    for path, value in found.items():
        if getattr(value, "shape", ()) != getattr(parameters[path], "shape", ()):
            raise StructureError(
                f"{what} has the shape {np.shape(value)} at `{path}`, and the model {np.shape(parameters[path])}",
                "each number of the model has its own",
                "take both of the same model; `optimizer.init(model)` begins anew",
                calling_place(),
            )


def _of_another(why: str) -> StructureError:
    return StructureError(
        "this state of an optimizer is of another model, or of another optimizer",
        why,
        "begin with `optimizer.init(model)`, and hand on what `update` gives",
        calling_place(),
    )


def _described(state: Any) -> str:
    name = type(state).__name__
    return f"a tuple of {len(state)}" if type(state) is tuple else f"an {name}" if name[0] in "AEIO" else f"a {name}"


non_differentiable(
    _is_ours, _names, _check_shapes, _check_step, _check_update, check_optimizer, check_state, check_length
)
