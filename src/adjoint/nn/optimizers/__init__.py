"""Optimizers, after optax: `init`, `update`, `apply_updates`; what they are made of, and schedules of learning rates.

optimizer = adam(1e-3)
state = optimizer.init(model)
for x, y in batches:
    (gradient,) = adjoint.gradient(loss, model, ...)
    updates, state = optimizer.update(gradient, state, model)
    model = apply_updates(model, updates)
"""

from adjoint.nn.optimizers.base import (
    GradientTransformation,
    apply_updates,
    chain,
)
from adjoint.nn.optimizers.moments import (
    scale_by_adam,
    scale_by_amsgrad,
    scale_by_lion,
    scale_by_rms,
    scale_by_rss,
    scale_by_stddev,
    trace,
)
from adjoint.nn.optimizers.recipes import (
    adagrad,
    adam,
    adamw,
    lion,
    rmsprop,
    sgd,
)
from adjoint.nn.optimizers.schedules import (
    constant_schedule,
    cosine_decay_schedule,
    exponential_decay,
    join_schedules,
    linear_schedule,
    piecewise_constant_schedule,
    polynomial_schedule,
)
from adjoint.nn.optimizers.transformations import (
    add_decayed_weights,
    clip,
    clip_by_block_rms,
    clip_by_global_norm,
    global_norm,
    identity,
    masked,
    scale,
    scale_by_learning_rate,
    scale_by_schedule,
    selective_transform,
    set_to_zero,
)
from adjoint.nn.optimizers.warmup import (
    warmup_constant_schedule,
    warmup_cosine_decay_schedule,
    warmup_exponential_decay_schedule,
)

__all__ = [
    "GradientTransformation",
    "adagrad",
    "adam",
    "adamw",
    "add_decayed_weights",
    "apply_updates",
    "chain",
    "clip",
    "clip_by_block_rms",
    "clip_by_global_norm",
    "constant_schedule",
    "cosine_decay_schedule",
    "exponential_decay",
    "global_norm",
    "identity",
    "join_schedules",
    "linear_schedule",
    "lion",
    "masked",
    "piecewise_constant_schedule",
    "polynomial_schedule",
    "rmsprop",
    "scale",
    "scale_by_adam",
    "scale_by_amsgrad",
    "scale_by_learning_rate",
    "scale_by_lion",
    "scale_by_rms",
    "scale_by_rss",
    "scale_by_schedule",
    "scale_by_stddev",
    "selective_transform",
    "set_to_zero",
    "sgd",
    "trace",
    "warmup_constant_schedule",
    "warmup_cosine_decay_schedule",
    "warmup_exponential_decay_schedule",
]
