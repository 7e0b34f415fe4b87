"""Training: `fit`, what it is given (batches, losses of models, callbacks), what it gives, and plain descent."""

from adjoint.nn.training.batches import minibatches
from adjoint.nn.training.callbacks import Callback, Checkpoint, EarlyStopping, LearningRate
from adjoint.nn.training.descent import gradient_descent
from adjoint.nn.training.fitting import Fitted, fit
from adjoint.nn.training.history import History
from adjoint.nn.training.running import Run
from adjoint.nn.training.supervising import supervised

__all__ = [
    "Callback",
    "Checkpoint",
    "EarlyStopping",
    "Fitted",
    "History",
    "LearningRate",
    "Run",
    "fit",
    "gradient_descent",
    "minibatches",
    "supervised",
]
