"""
A layer in PyTorch
==================

A layer of ours within a module of PyTorch's: a decay, written as a loop in NumPy, whose rate PyTorch learns.
"""

from __future__ import annotations

import numpy as np
import torch

from adjoint.interop.torch import as_torch


def decay(rate, start):
    """What is left of some starts after each of five steps."""
    level, levels = start, []
    for _ in range(5):
        level = level - rate * level
        levels.append(level)
    return np.stack(levels, axis=1)


class Decay(torch.nn.Module):
    """Five steps of a decay; then a linear layer of PyTorch's."""

    def __init__(self):
        super().__init__()
        self.rate = torch.nn.Parameter(torch.tensor(0.1, dtype=torch.float64))
        self.scale = torch.nn.Linear(5, 5, bias=False, dtype=torch.float64)
        torch.nn.init.eye_(self.scale.weight)
        self.scale.weight.requires_grad_(False)
        self.steps = as_torch(decay)

    def forward(self, start):
        """The levels, (samples, 5)."""
        return self.scale(self.steps(self.rate, start))


def main(steps=200):
    """Learn a rate of 0.3 from what is left."""
    start = torch.linspace(1.0, 2.0, 20, dtype=torch.float64)
    seen = torch.from_numpy(decay(0.3, start.numpy()))
    module = Decay()
    optimizer = torch.optim.Adam([module.rate], lr=0.02)
    for _ in range(steps):
        optimizer.zero_grad()
        error = torch.mean((module(start) - seen) ** 2)
        error.backward()
        optimizer.step()
    print(f"rate {module.rate.item():.4f}, error {error.item():.2e}")
    return module, error.item()


if __name__ == "__main__":
    main()
