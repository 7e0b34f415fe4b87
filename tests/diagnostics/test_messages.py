"""What users read where something is refused, as text; and that no refusal is without such a test.

`ADJOINT_UPDATE=1 pytest tests/diagnostics/test_messages.py` writes `messages.txt` anew; the diff is to be read.
"""

import ast
import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import adjoint
from adjoint.errors import AdjointError
from diagnostics.refused import CASES

HERE = Path(__file__).parent
GOLDEN = HERE / "messages.txt"
UPDATE = bool(os.environ.get("ADJOINT_UPDATE"))
ROOT = Path(adjoint.__file__).parent

RECORDED_INSTEAD = (
    *(
        "frontend/",
        "transforms/",
        "ir/",
        "rules/python/copies.py",
        "rules/python/functional.py",
        "runtime/construct.py",
        "runtime/meanings.py",
        "runtime/stars.py",
        "runtime/initialise.py",
    ),
    *("runtime/callables.py", "runtime/operators.py", "runtime/generation.py", "runtime/implicit_calls.py"),
    *("runtime/forward.py", "runtime/jvp.py"),
)
"""What is refused here is recorded instead: no user reads it, but in `code_adjoint` (see tests/frontend and
tests/transforms)."""

ELSEWHERE = {
    "by its `__array__`": "tests/recording/test_own_arrays.py",
    "has given it as a constant": "tests/recording/test_cuts.py",
    "has given as a constant": "tests/recording/test_cuts.py",
    "takes a program, and is given": "tests/reflection/test_slips.py",
    "as a function, and it cannot be called": "tests/reflection/test_slips.py",
    "is given the name": "tests/reflection/test_slips.py",
    "of a loop gives None": "tests/reflection/test_slips.py",
    "given to `ir.rewrite` gives": "tests/reflection/test_slips.py",
    ", and no function": "tests/reflection/test_slips.py",
    "for functions": "tests/reflection/test_slips.py",
    "says nothing of its items": "tests/reflection/test_slips.py",
    "has no form for its code": "tests/reflection/test_functions_inside.py",
    "is a text in place of a type": "tests/reflection/test_slips_of_nodes.py",
    "types are given in place of arguments": "tests/reflection/test_types_alone.py",
    "is no source of the gradient of": "tests/reflection/test_programs_of_gradients.py",
    "is .* `Delayed`": "tests/partitions/test_partitions.py",
    "the count of a partition is .*": "tests/partitions/test_partitions.py",
    "is no way to run a loss": "tests/partitions/test_partitions.py",
    "a function of partitions stores into an array": "tests/partitions/test_partitions.py",
    "a function in PyTorch returns a tensor": "tests/interop/test_torch.py",
    "which is no type of PyTensor's": "tests/interop/test_pytensor.py",
    "writes down a graph of its own operations": "tests/interop/test_messages_torch.py",
    "gives tensors that need no gradient": "tests/interop/test_from_torch.py",
    "has first derivatives alone": "tests/interop/test_messages_torch.py",
    "module of PyTorch's already": "tests/interop/test_messages_torch.py",
    "`as_module` is given the class": "tests/interop/test_messages_torch.py",
    "is an array of `Delayed`": "tests/partitions/test_messages.py",
    "is a .* of xarray's": "tests/partitions/test_messages.py",
    "which PyTorch has not": "tests/interop/test_messages_torch.py",
    "`result_shape_dtypes` is .*": "tests/interop/test_messages_jax.py",
    "`reverse_only` is .*": "tests/interop/test_messages_jax.py",
    "what is called by `from_jax` returns": "tests/interop/test_messages_jax.py",
    "a function of JAX's is given": "tests/interop/test_messages_jax.py",
    "an argument of what is explored is a": "tests/explorer/test_page.py",
    "what is explored is the gradient of": "tests/explorer/test_page.py",
    ", which each partition would be given as a whole": "tests/partitions/test_partitions.py",
    "a function in JAX is .* an array of": "tests/interop/test_jax.py",
    "a function in .* stores into an array that is read-only": "tests/interop/test_messages_torch.py",
    "is differentiated by forward mode": "tests/interop/test_messages_jax.py",
    "the loss is to return": "tests/partitions/test_partitions.py",
    "the option `lines` is": "tests/explorer/test_page.py",
    "and is not drawn as a graph": "tests/explorer/test_graph.py",
    "what is to be shown is": "tests/explorer/test_graph.py",
    " is in what is flattened": "tests/compat/test_autograd_misc.py",
    " is complex, and so is what it is differentiated by": "tests/compat/test_autograd_operators.py",
    "a running sum or a difference": "tests/interop/test_xarray.py",
    "of other labels": "tests/interop/test_pandas.py",
    "the function of `": "tests/interop/test_pytensor.py",
    " by a complex result is asked for": "tests/interop/test_pytensor.py",
    "and is loaded by": "tests/travelling/test_pickles.py",
    ", and there are no lanes": "tests/batching/test_vmap.py",
    "of `vmap(": "tests/batching/test_vmap.py",
    "which may change what its lanes share": "tests/batching/test_vmap.py",
    "have other forms in other lanes": "tests/batching/test_vmap.py",
    "has no axis ": "tests/batching/test_vmap.py",
    "there is no program of": "tests/reflection/test_reflection.py",
    "the program of": "tests/reflection/test_reflection.py",
    "is no type that a program": "tests/reflection/test_reflection.py",
    "is no axis ": "tests/batching/test_vmap.py",
    "`in_axes=.*` is a dict": "tests/batching/test_vmap.py",
    "have not the form of": "tests/batching/test_vmap.py",
    "nothing is mapped over": "tests/batching/test_vmap.py",
    "different numbers of lanes": "tests/batching/test_vmap.py",
    "no number of lanes": "tests/batching/test_vmap.py",
    "axes, and": "tests/batching/test_vmap.py",
    "cannot be run for all lanes together": "tests/batching/test_vmap.py",
    "cannot be stacked: it is a": "tests/batching/test_vmap.py",
    "of lane": "tests/batching/test_vmap.py",
    "differs between the lanes, and `out_axes`": "tests/batching/test_vmap.py",
    "differentiated through a result with `out_axes=None`": "tests/batching/test_vmap.py",
    "an update has the shape": "tests/nn/optimizers/test_own_states.py",
    "`linear_operator` needs SciPy": "tests/test_operators.py",
    "` is given an array of shape": "tests/test_operators.py",
    "has no option": "tests/test_face.py",
    "there is no `adjoint.": "tests/test_slips.py",
    "does not tell whether it is to become large": "tests/nn/training/test_callbacks.py",
    "which is never called": "tests/nn/training/test_callbacks.py",
    "a callback or a validation logs": "tests/nn/training/test_callbacks.py",
    "the model is a function": "tests/nn/test_slips_of_models.py",
    "a read-only view of a dict of numbers": "tests/tangents/test_constants.py",
    "`has_aux` is asked for with `sparsity`": "tests/test_face_aux.py",
    "is an option of": "tests/test_face.py",
    "is asked for by no argument": "tests/test_slips.py",
    "may be meant by argument": "tests/test_slips.py",
    "an object is asked for by a weak reference": "tests/regressions/test_weak_references.py",
    "a store into the builtins": "tests/regressions/test_globals_by_name.py",
    "what is read through a `memoryview`": "tests/regressions/test_memoryviews.py",
    "a comprehension that stores its items into another object": "tests/frontend/test_names_bound_twice.py",
    "a power of a negative number is complex": "tests/regressions/test_powers_that_are_complex.py",
    "`f_locals` of a frame": "tests/regressions/test_functions_rebound.py",
    "a decorator of wrapt": "tests/rules/test_wrapt.py",
    "is not written for the keyword": "tests/regressions/test_keywords_of_rules.py",
    "` is not hashable": "tests/regressions/test_odd_classes.py",
    "of its own, which says what `": "tests/regressions/test_odd_classes.py",
    "a derivative goes through a": "tests/regressions/test_iterators.py",
    "NumPy raises after it has stored": "tests/regressions/test_stores.py",
    "holds the containers in which": "tests/regressions/test_attribute_hooks.py",
    "is no function, but": "tests/asked/test_refused.py",
    "` may run `.*..*`": "tests/asked/test_refused.py",
    "stands for an object of another class": "tests/regressions/test_objects_as_numbers.py",
    "an exception that carries what is": "tests/regressions/test_given_up.py",
    "the way on from an exception": "tests/regressions/test_given_up.py",
    "of a manager that may take an exception": "tests/regressions/test_given_up.py",
    "a time of NumPy's is made of a number": "tests/regressions/test_objects_as_numbers.py",
    "makes a number of an object of": "tests/regressions/test_objects_as_numbers.py",
    "what takes all items may run": "tests/regressions/test_asked_for_size.py",
    "the tangent of an iterator": "tests/test_forward.py",
    "the compiled gradient of": "tests/compiled/test_fallbacks.py",
    "`not_implemented` says": "tests/rules/test_declarations.py",
    "a solution or a residual holds a": "tests/test_implicit.py",
    "a residual of": "tests/test_implicit.py",
    "the linearised residual cannot be solved": "tests/test_implicit.py",
    "what the solver gave is not a solution": "tests/test_implicit.py",
    "just touches the minimum": "tests/rules/scipy",
    "the constraints that hold the minimum": "tests/rules/scipy",
    "the solution of a linear program is not one corner": "tests/rules/scipy",
    "the derivative of a function by complex steps": "tests/test_implicit.py",
    "did not converge (info": "tests/rules/scipy",
    "`scipy.stats.": "tests/rules/scipy",
    "a derivative by .* is asked for": "tests/rules/scipy",
    "is not callable": "Python says so first; `rule` says it of rules",
    "`.*` is not differentiated": "a statement that is newer than Python 3.13",
    "a variable that is bound again after": "forward mode takes the rows of the Jacobian then",
    "which is checkpointed, may store": "recorded programs follow stores, and run once",
    "does more than compute": "it says that the program is to be recorded",
    "is not of classes": "tests/rules/test_selection.py",
    "`stop_gradient` of .*": "tests/runtime/test_stopping_functions.py",
    "a `.*..*` around": "tests/runtime/test_wrappers.py",
    "a sparse Jacobian is an array of SciPy's": "tests/test_sparsity.py",
    "seeds of the lengths": "tests/test_lanes.py",
    "what several seeds give differs": "tests/test_lanes.py",
    "an array of .* is a view of the bits": "`.view` is refused first",
    "a store into an array of .*, which is a view of the bits": "`.view` is refused first",
    "a derivative that was not recorded": "within recorded programs derivatives are recorded",
    "has no rule for this use": "see `use_of_...`",
    "cannot differentiate through out=": "recorded programs follow `out=`",
    "cannot differentiate through copy=": "recorded programs follow `copy=False`",
    "an iterator goes on after its end": "recorded programs follow iterators",
    "an iterator calls a function that captures": "recorded programs follow iterators",
    "remembered by `lru_cache` was first computed": "only where a rule runs through a cached function",
    "a number that was a label": "recorded programs tell labels from variables by themselves",
    "was changed between `pullback` and `back`": "tests/diagnostics/test_checking.py",
    " gives ": "tests/diagnostics/test_nans.py",
    "nested too deeply": "tests/runtime/test_length.py",
    "zeros of what holds itself": "tests/regressions/test_cycles.py",
    "was not given its first argument": "tests/test_keywords.py",
    "the cotangent that `back` was given has": "tests/diagnostics/test_nans.py",
    "a ufunc that Numba compiles": "tests/realworld/test_quantecon.py",
    "the state is not of this model": "tests/nn/test_checkpoints.py",
    "` is an array of objects": "tests/nn/test_checkpoints.py",
    "` is no file of ": "tests/nn/test_checkpoints.py",
    "asks for safetensors": "tests/nn/test_checkpoints.py",
    "this state of an optimizer is of another": "tests/nn/optimizers/test_optimizers.py",
    "has the shape .* at `.*`, and the model": "tests/nn/optimizers/test_optimizers.py",
    "a mask says nothing of": "tests/nn/optimizers/test_optimizers.py",
    "a mask has a flag at": "tests/nn/optimizers/test_optimizers.py",
    "a mask says True at": "tests/nn/optimizers/test_optimizers.py",
    "`nesterov` and `amsgrad` are both asked for": "tests/nn/optimizers/test_optimizers.py",
    ".step` does not give": "tests/nn/optimizers/test_options.py",
    "there is no folder": "tests/nn/training/test_callbacks.py",
    "decay_steps is": "tests/nn/optimizers/test_optimizers.py",
    "=.* is no .*": "tests/nn/optimizers/test_options.py",
    "=.* is no schedule": "tests/nn/optimizers/test_options.py",
    "`nesterov` is asked for, and no": "tests/nn/optimizers/test_options.py",
    "boundaries_and_scales is a": "tests/nn/optimizers/test_options.py",
    "boundaries=.* do not ascend": "tests/nn/optimizers/test_options.py",
    " schedules with .* boundaries": "tests/nn/optimizers/test_optimizers.py",
    "the scale at .* is": "tests/nn/optimizers/test_optimizers.py",
    "no leaf of the model has a path like": "tests/nn/test_parameters.py",
    "two leaves of the model have the path": "tests/nn/test_parameters.py",
    "two models differ in structure": "tests/nn/test_parameters.py",
    "a leaf has the path .*, which is no name": "tests/nn/test_checkpoints.py",
    "safetensors cannot write the model": "tests/nn/test_checkpoints.py",
    "the class `.*` .*": "tests/nn/test_static_by_name.py",
    "a .* holds numbers and .*, so that it cannot": "tests/nn/test_leaves_and_gradients.py",
    "of the model holds parameters": "tests/nn/test_leaves_and_gradients.py",
    "`like` has no parameters": "tests/test_objectives_of_models.py",
    " no array of real numbers": "tests/test_objectives_of_models.py",
    " of .* numbers, and there are": "tests/test_objectives_of_models.py",
    "` is no function: ": "tests/nn/test_slips_with_trees.py",
    "a pattern is no text": "tests/nn/test_slips_with_trees.py",
    "a field is static and a buffer": "tests/nn/test_slips_with_trees.py",
    ", and no dict of arrays by paths": "tests/nn/test_slips_with_trees.py",
    "`path` is no path of a file": "tests/nn/test_slips_with_trees.py",
    " names `.*`, which this ": "tests/nn/test_static_by_name.py",
    "of the model holds itself at": "tests/nn/test_parameters.py",
    "a vector of shape .* for a model of": "tests/nn/test_parameters.py",
    "an array of shape .*, and a kernel of": "tests/nn/test_layers_convolution.py",
    " is smaller than the kernel": "tests/nn/test_layers_convolution.py",
    "an array of shape .* for a weight of": "tests/nn/test_layers_convolution.py",
    "a bias of shape .* for a weight of": "tests/nn/test_layers_convolution.py",
    "`groups` is .*, and there are": "tests/nn/test_layers_convolution.py",
    "a weight of shape": "tests/nn/test_bad_arguments.py",
    "`.*` is .*, no .*whole number": "tests/nn/test_bad_arguments.py",
    "`.*` is .*, neither True nor False": "tests/nn/test_bad_arguments.py",
    "`.*` is .*, which cannot be called": "tests/nn/test_bad_arguments.py",
    "`.*` is .*, no number .*": "tests/nn/test_bad_arguments.py",
    "`dtype` is .*, no type of": "tests/nn/test_bad_arguments.py",
    "`rng` is .*, no generator": "tests/nn/test_bad_arguments.py",
    "the layer `.*` of a chain is": "tests/nn/test_bad_arguments.py",
    "the initializer `.*` cannot be called as one": "tests/nn/test_bad_arguments.py",
    "the initializer gives a weight of": "tests/nn/test_bad_arguments.py",
    " is no shape": "tests/nn/test_bad_arguments.py",
    "x has the shape .*.*": "tests/nn/test_bad_arguments.py",
    "`train` of `": "tests/nn/test_train_of_ones_own.py",
    "`flatten` is given a single number": "tests/nn/test_bad_arguments.py",
    "the layer gives the shape": "tests/nn/test_bad_arguments.py",
    "`kernel` is": "tests/nn/test_layers_convolution.py",
    "`padding` is": "tests/nn/test_layers_convolution.py",
    ", for .* spatial ": "tests/nn/test_layers_convolution.py",
    " for .* features": "tests/nn/test_layers_normalization.py",
    "`arrays` have the shapes": "tests/nn/test_layers_normalization.py",
    "a batch of shape .* in training": "tests/nn/test_layers_normalization.py",
    "`rate` is": "tests/nn/test_layers_normalization.py",
    "an embedding of .* words is given": "tests/nn/test_layers_normalization.py",
    "a chain has layers by position and by name": "tests/nn/test_layers_models.py",
    "a layer of the class `.*` is copied by its": "tests/nn/test_layers_normalization.py",
    "has a `__call__` of its own, and no `train`": "tests/nn/training/test_what_trains.py",
    "would not be trained": "tests/nn/training/test_what_trains.py",
    "in another container, and keeps statistics": "tests/nn/training/test_what_trains.py",
    "`gelu(x, approximate=False)` asks for SciPy": "tests/nn/test_more_activations.py",
    "bound is": "tests/nn/test_layers_models.py",
    "an orthogonal array of shape": "tests/nn/test_layers_models.py",
    "x has the shape .*, where": "tests/nn/test_sequences.py",
    "x has the dtype": "tests/nn/test_sequences.py",
    "the state has the shape": "tests/nn/test_sequences.py",
    " heads do not divide .* features": "tests/nn/test_attention.py",
    "dropout is": "tests/nn/test_attention.py",
    "query, key and value have the shapes": "tests/nn/test_attention.py",
    "the mask has the shape": "tests/nn/test_attention.py",
    "predictions and targets differ in shape": "tests/nn/losses/test_every_loss.py",
    "predictions and labels differ in shape": "tests/nn/losses/test_every_loss.py",
    "reduction=.* is not known": "tests/nn/losses/test_every_loss.py",
    "there is no mean of an empty batch": "tests/nn/losses/test_every_loss.py",
    "the targets of a margin are flags": "tests/nn/losses/test_every_loss.py",
    "targets of a margin are neither": "tests/nn/losses/test_bad_numbers.py",
    "the .* reach from .* to": "tests/nn/losses/test_bad_numbers.py",
    "no array of numbers can be made of": "tests/nn/losses/test_bad_numbers.py",
    "is not one of the classes": "tests/nn/test_labels.py",
    "labels or classes are no array": "tests/nn/test_labels.py",
    "are no classes": "tests/nn/test_labels.py",
    "scores along axis": "tests/nn/test_labels.py",
    "are no numbers of classes": "tests/nn/losses/test_every_loss.py",
    "is not one of .* classes": "tests/nn/losses/test_every_loss.py",
    "delta=.* is no positive number": "tests/nn/losses/test_every_loss.py",
    "is no size of a batch": "tests/nn/training/test_minibatches.py",
    "there are no samples to make batches of": "tests/nn/training/test_minibatches.py",
    "`batches` is a tuple of arrays": "tests/nn/training/test_slips.py",
    "whose keys would be taken for batches": "tests/nn/training/test_slips.py",
    "which cannot be run through": "tests/nn/training/test_slips.py",
    "and is given the model and": "tests/nn/training/test_slips.py",
    "the loss gives ": "tests/nn/training/test_slips.py",
    "and what is given as the loss has": "tests/nn/training/test_slips.py",
    " is no loss": "tests/nn/training/test_slips.py",
    "` is a loss of predictions and targets": "tests/nn/training/test_slips.py",
    ", which cannot be called": "tests/nn/training/test_slips.py",
    " is logged as ": "tests/nn/training/test_slips.py",
    "and not predictions and targets": "tests/nn/training/test_slips.py",
    "is not finite before the first step": "tests/nn/training/test_nonfinite.py",
    "` is nan in epoch": "tests/nn/training/test_callbacks.py",
    "is no callback": "tests/nn/training/test_slips.py",
    "monitor=.* is no name": "tests/nn/training/test_callbacks.py",
    "path=.* is no path": "tests/nn/training/test_callbacks.py",
    "samples make no batch of": "tests/nn/training/test_minibatches.py",
    "of arrays is no array of samples": "tests/nn/training/test_minibatches.py",
    "the samples of a list differ in shape": "tests/nn/training/test_minibatches.py",
    "is no number of steps": "tests/nn/test_training.py",
    "batch_size is .*, and there are": "tests/nn/test_training.py",
    "x has .* samples and y has": "tests/nn/test_training.py",
    "rng=.* is no source of random numbers": "tests/nn/training/test_slips.py",
    "samples do not belong together": "tests/nn/training/test_minibatches.py",
    "nothing is logged as": "tests/nn/training/test_callbacks.py",
    "says nothing of when to save": "tests/nn/training/test_callbacks.py",
    "is not finite after step": "tests/nn/training/test_nonfinite.py",
    "the model has nothing to train": "tests/nn/training/test_slips.py",
    "is no number of epochs": "tests/nn/training/test_slips.py",
    "`validation` is a tuple of tuples": "tests/nn/training/test_slips.py",
    "is no optimizer": "tests/nn/training/test_slips.py",
    "can be run through once": "tests/nn/training/test_slips.py",
    "nothing was logged as": "tests/nn/training/test_history.py",
    "`plot` needs matplotlib": "tests/nn/training/test_history.py",
    "a number is stored into an array that was read from": "tests/recording/test_out_of_sight.py",
    "a derivative of order .* is asked for of a function within": "tests/interop/test_torch.py",
    "a tensor lies on the device": "tests/interop/test_torch.py",
    "a tensor is .*.*, of": "tests/interop/test_torch.py",
    "`vmap` runs over no samples": "tests/interop/test_torch.py",
    "what is called by `from_torch` returns": "tests/interop/test_from_torch.py",
    " in training is called with": "tests/interop/test_as_module.py",
    "a function that `as_jax` has made is differentiated twice": "tests/interop/test_jax.py",
    "a function in .* returns": "tests/interop/test_jax.py",
    "a function in JAX returns": "tests/interop/test_jax.py",
    "a function of JAX's is given an array": "tests/interop/test_jax.py",
    "of Dask's, and is differentiated": "tests/partitions/test_partitions.py",
    "is an array of NumPy's beside data of Dask's": "tests/partitions/test_partitions.py",
    "there are no data": "tests/partitions/test_partitions.py",
    "is cut into chunks along another axis": "tests/partitions/test_partitions.py",
    "is an array of Dask's without an axis": "tests/partitions/test_partitions.py",
    ".* is a .* of xarray's": "tests/partitions/test_messages.py",
    "a generator expression that is kept, and reads": "tests/regressions/test_waiting_in_comprehensions.py",
    ", and argument .* has": "tests/partitions/test_partitions.py",
    "is no reduction": "tests/partitions/test_partitions.py",
    "is no number of .*": "tests/partitions/test_partitions.py",
    "the count of a partition depends on the parameters": "tests/partitions/test_partitions.py",
    "the loss is to return a pair": "tests/partitions/test_partitions.py",
    "the counts of all partitions add up to 0": "tests/partitions/test_partitions.py",
    " raises ": "tests/partitions/test_partitions.py",
    "the data of partition": "tests/partitions/test_cluster.py",
    "each worker that ran partition": "tests/partitions/test_cluster.py",
    "arguments, .* of them not None": "tests/partitions/test_partitions.py",
    "a list, a dict or an object is part of several arguments": "tests/regressions/test_one_thing_twice.py",
    "that is passed by position": "tests/compat/test_autograd_operators.py",
    "what was there before": "tests/regressions/test_remembered_results.py",
    "holds a result of an earlier call, and this call": "tests/regressions/test_remembered_results.py",
    "holds results of earlier calls, and a number": "tests/regressions/test_remembered_apart.py",
    "` is declared": "tests/compat/test_autograd_extend.py",
    "is given as the derivative of an argument": "tests/compat/test_autograd_extend.py",
    "`elementwise_grad` was asked for": "tests/compat/test_autograd_operators.py",
    "`convolve` is given": "tests/compat/test_autograd_misc.py",
    "`modes` is": "tests/compat/test_autograd_extend.py",
    ".* is not there": "tests/compat/test_autograd_operators.py",
    "lies in no vector space": "tests/compat/test_autograd_operators.py",
    "`argnum` is": "tests/compat/test_autograd_operators.py",
}


def messages() -> dict[str, str]:
    """Each case's message, without what depends on where the tests lie."""
    found = {}
    for name, call in CASES.items():
        with warnings.catch_warnings(), pytest.raises(AdjointError) as caught:
            warnings.simplefilter("ignore")
            call()
        error = caught.value
        assert error.why and error.way_out, name
        text = re.sub(r"\S*refused\.py:\d+:", "refused.py:", str(error))
        found[name] = f"{type(error).__name__}: {text}"
    return found


def golden() -> dict[str, str]:
    parts = GOLDEN.read_text().split("=== ")[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2].rstrip("\n") for part in parts}


if UPDATE:
    GOLDEN.write_text("".join(f"=== {name}\n{text}\n\n" for name, text in messages().items()))


@pytest.mark.parametrize("name", CASES)
def test_a_refusal_says_what_where_why_and_the_way_out(name: str) -> None:
    if name.startswith("pattern_"):
        pytest.importorskip("scipy")
    with warnings.catch_warnings(), pytest.raises(AdjointError) as caught:
        warnings.simplefilter("ignore")
        CASES[name]()
    text = re.sub(r"\S*refused\.py:\d+:", "refused.py:", str(caught.value))
    assert f"{type(caught.value).__name__}: {text}" == golden()[name]
    assert caught.value.why and caught.value.way_out
    assert caught.value.place is not None or isinstance(caught.value, adjoint.errors.SourceUnavailableError)


def templates() -> Iterator[tuple[str, str]]:
    """What the refusals in the source say, with `.*` for what is filled in, and where."""
    names = {name for name in adjoint.errors.__all__ if name.endswith("Error")}
    for file in sorted(ROOT.rglob("*.py")):
        where = str(file.relative_to(ROOT))
        if where.startswith(RECORDED_INSTEAD):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names and node.args:
                what = node.args[0]
                if isinstance(what, ast.Constant):
                    yield re.escape(str(what.value)), where
                elif isinstance(what, ast.JoinedStr):
                    parts = [re.escape(v.value) if isinstance(v, ast.Constant) else ".*" for v in what.values]
                    yield "".join(parts), where


def test_every_refusal_has_a_test() -> None:
    whats = [text.split(": ", 1)[1].split("\n")[0] for text in golden().values()]
    untested = [
        (pattern, where)
        for pattern, where in templates()
        if not any(re.fullmatch(pattern, what) for what in whats)
        and not any(known in pattern.replace("\\", "") for known in ELSEWHERE)
    ]
    assert untested == []


def test_cases_and_texts_are_the_same() -> None:
    assert list(golden()) == list(CASES)
