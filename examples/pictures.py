"""What the examples share: their command line and their pictures."""

from __future__ import annotations

import argparse
import inspect
import os
import sys
from pathlib import Path

import numpy as np

OUTPUT = "examples/output"


def run(main) -> None:
    """Call `main` with --steps, --output and --seed from the command line."""
    parser = argparse.ArgumentParser(description=inspect.getdoc(main))
    parser.add_argument("--steps", type=int, help="number of gradient steps")
    parser.add_argument("--output", type=Path, help=f"folder of the pictures ({OUTPUT})")
    parser.add_argument("--seed", type=int, help="of data and initial weights (0)")
    main(**{name: value for name, value in vars(parser.parse_args()).items() if value is not None})


def pyplot():
    """matplotlib's pyplot, drawing into files when there is no display."""
    import matplotlib

    if "MPLBACKEND" not in os.environ and sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def save(figure, output, name: str) -> None:
    """Write the figure to output/name.png and say so."""
    path = Path(output) / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    pyplot().close(figure)
    print(f"wrote {path}")


def draw_history(history, output, name: str, xlabel: str = "step") -> None:
    """The loss before each step; `history` is one list, or a dict of them."""
    figure, axes = pyplot().subplots(figsize=(6, 4))
    curves = history if isinstance(history, dict) else {"": history}
    for label, losses in curves.items():
        axes.plot(losses, label=label)
    axes.set(xlabel=xlabel, ylabel="loss", yscale="log")
    if len(curves) > 1:
        axes.legend()
    save(figure, output, f"{name}_history")


def draw_fit(x, y, curves: dict, output, name: str) -> None:
    """The data (x, y), and the curves {label: function of x} through it."""
    figure, axes = pyplot().subplots(figsize=(6, 4))
    axes.scatter(x, y, s=12, color="0.5", label="data")
    grid = np.linspace(np.min(x), np.max(x), 200)
    for label, curve in curves.items():
        axes.plot(grid, curve(grid), label=label)
    axes.set(xlabel="x", ylabel="y")
    axes.legend()
    save(figure, output, name)


def draw_densities(numbers: dict, marks: dict, output, name: str) -> None:
    """A histogram of the draws {label: numbers} of each quantity, with a mark {label: number} where one is known."""
    figure, axes = pyplot().subplots(1, len(numbers), figsize=(3.2 * len(numbers), 3))
    for (label, draws), ax in zip(numbers.items(), axes, strict=True):
        ax.hist(draws, bins=40, density=True, color="0.7")
        if label in marks:
            ax.axvline(marks[label], color="k", linewidth=1)
        ax.set(xlabel=label, yticks=[])
    save(figure, output, name)


def draw_images(images, titles: list, output, name: str, columns: int = 8) -> None:
    """Images in rows, each under its title."""
    rows = -(-len(images) // columns)
    figure, axes = pyplot().subplots(rows, columns, figsize=(columns, 1.3 * rows), squeeze=False)
    for ax in axes.flat:
        ax.axis("off")
    for ax, image, title in zip(axes.flat, images, titles, strict=False):
        ax.imshow(image, cmap="gray_r")
        ax.set_title(title, fontsize=9)
    save(figure, output, name)


def draw_probabilities(rows, names: list, text, output, name: str) -> None:
    """How likely each of `names` was at each place of a text that was drawn; the letters drawn stand below."""
    figure, axes = pyplot().subplots(figsize=(0.16 * len(text) + 1, 0.16 * len(names) + 1))
    axes.imshow(rows.T, cmap="viridis", aspect="auto")
    shown = {" ": "␣", "\n": "⏎"}
    axes.set_xticks(range(len(text)), [shown.get(letter, letter) for letter in text], fontsize=7)
    axes.set_yticks(range(len(names)), [shown.get(letter, letter) for letter in names], fontsize=7)
    axes.tick_params(length=0)
    save(figure, output, name)


def draw_points(x, classes, output, name: str) -> None:
    """Points of the plane, coloured by class."""
    figure, axes = pyplot().subplots(figsize=(6, 4))
    _scatter(axes, x, classes)
    save(figure, output, name)


def draw_boundary(x, classes, decide, output, name: str) -> None:
    """The points, over the regions in which `decide` gives each class."""
    figure, axes = pyplot().subplots(figsize=(6, 4))
    (left, bottom), (right, top) = x.min(axis=0) - 0.3, x.max(axis=0) + 0.3
    u, v = np.meshgrid(np.linspace(left, right, 300), np.linspace(bottom, top, 300))
    regions = decide(np.column_stack([u.ravel(), v.ravel()])).reshape(u.shape)
    axes.contourf(u, v, regions, levels=np.arange(classes.max() + 2) - 0.5, cmap="viridis", alpha=0.3)
    _scatter(axes, x, classes)
    save(figure, output, name)


def _scatter(axes, x, classes) -> None:
    axes.scatter(x[:, 0], x[:, 1], c=classes, cmap="viridis", s=16, edgecolors="k", linewidths=0.4)
    axes.set(xlabel="x₁", ylabel="x₂", aspect="equal")
