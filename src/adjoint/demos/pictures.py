"""The parts that the examples share: their command line and their pictures."""

from __future__ import annotations

import argparse
import inspect
import os
import sys
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

OUTPUT = "examples/output"
Array = np.ndarray[Any, Any]
Folder = str | os.PathLike[str]


def run(main: Callable[..., object]) -> None:
    """Call `main` with --steps, --output and --seed from the command line, if this is that of its script.

    In a notebook it is that of the kernel, and `main` is called as it stands.
    """
    parser = argparse.ArgumentParser(description=inspect.getdoc(main))
    parser.add_argument("--steps", type=int, help="number of gradient steps")
    parser.add_argument("--output", type=Path, help=f"folder of the pictures ({OUTPUT})")
    parser.add_argument("--seed", type=int, help="of data and initial weights (0)")
    given = sys.argv[1:] if Path(sys.argv[0]).name == Path(inspect.getfile(main)).name else []
    main(**{name: value for name, value in vars(parser.parse_args(given)).items() if value is not None})


def pyplot() -> Any:
    """matplotlib's pyplot, drawing into files when there is no display."""
    import matplotlib

    if "MPLBACKEND" not in os.environ and sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def save(figure: Any, output: Folder, name: str) -> None:
    """Write the figure to output/name.png and say so."""
    path = Path(output) / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    pyplot().close(figure)
    print(f"wrote {path}")


def draw_history(
    history: list[float] | dict[str, list[float]], output: Folder, name: str, xlabel: str = "step"
) -> None:
    """The loss before each step; `history` is one list, or a dict of them."""
    figure, axes = pyplot().subplots(figsize=(6, 4))
    curves = history if isinstance(history, dict) else {"": history}
    for label, losses in curves.items():
        axes.plot(losses, label=label)
    axes.set(xlabel=xlabel, ylabel="loss", yscale="log")
    if len(curves) > 1:
        axes.legend()
    save(figure, output, f"{name}_history")


def draw_fit(x: Array, y: Array, curves: dict[str, Callable[[Array], Array]], output: Folder, name: str) -> None:
    """The data (x, y), and the curves {label: function of x} through it."""
    figure, axes = pyplot().subplots(figsize=(6, 4))
    axes.scatter(x, y, s=12, color="0.5", label="data")
    grid = np.linspace(np.min(x), np.max(x), 200)
    for label, curve in curves.items():
        axes.plot(grid, curve(grid), label=label)
    axes.set(xlabel="x", ylabel="y")
    axes.legend()
    save(figure, output, name)


def draw_densities(labels: list[str], draws: Array, least: Array, output: Folder, name: str) -> None:
    """Print mean and deviation of each column of draws; and a histogram of each, with a mark at its least squares.

    `least` has the estimates of the first columns: the others have none.
    """
    figure, axes = pyplot().subplots(1, len(labels), figsize=(3.2 * len(labels), 3))
    for label, numbers, mark, ax in zip_longest(labels, draws.T, least, axes):
        found = f"{np.mean(numbers):.3f} ± {np.std(numbers):.3f}"
        print(f"{label}: {found}" + ("" if mark is None else f", least squares {mark:.3f}"))
        ax.hist(numbers, bins=40, density=True, color="0.7")
        if mark is not None:
            ax.axvline(mark, color="k", linewidth=1)
        ax.set(xlabel=label, title=found, yticks=[])
    save(figure, output, name)


def draw_images(
    images: Any,
    titles: list[str],
    output: Folder,
    name: str,
    columns: int = 8,
    size: float = 1.0,
    colours: str = "gray_r",
) -> None:
    """Images in rows, each under its title; `size` is that of an image, in inches."""
    rows = -(-len(images) // columns)
    figure, axes = pyplot().subplots(rows, columns, figsize=(size * columns, (size + 0.3) * rows), squeeze=False)
    for ax in axes.flat:
        ax.axis("off")
    for ax, image, title in zip(axes.flat, images, titles, strict=False):
        ax.imshow(image, cmap=colours)
        ax.set_title(title, fontsize=9)
    save(figure, output, name)


def draw_readings(images: Array, read: Array, truth: Array, output: Folder, name: str) -> None:
    """Images under what was read, up to eight that were misread first, with the truth in brackets."""
    wrong = np.flatnonzero(read != truth)[:8]
    shown = [*wrong, *np.flatnonzero(read == truth)[: 16 - len(wrong)]]
    titles = [f"{read[i]}" + (f" ({truth[i]})" if read[i] != truth[i] else "") for i in shown]
    draw_images(images[shown], titles, output, name)


def draw_probabilities(rows: Array, names: list[str], text: str, output: Folder, name: str) -> None:
    """Draw the probability of each of `names` at each place of a text that was drawn; the letters drawn stand below."""
    figure, axes = pyplot().subplots(figsize=(0.16 * len(text) + 1, 0.16 * len(names) + 1))
    axes.imshow(rows.T, cmap="viridis", aspect="auto")
    shown = {" ": "␣", "\n": "⏎"}
    axes.set_xticks(range(len(text)), [shown.get(letter, letter) for letter in text], fontsize=7)
    axes.set_yticks(range(len(names)), [shown.get(letter, letter) for letter in names], fontsize=7)
    axes.tick_params(length=0)
    save(figure, output, name)


def draw_points(x: Array, classes: Array, output: Folder, name: str) -> None:
    """Points of the plane, coloured by class."""
    figure, axes = pyplot().subplots(figsize=(6, 4))
    _scatter(axes, x, classes)
    save(figure, output, name)


def draw_boundary(x: Array, classes: Array, decide: Callable[[Array], Array], output: Folder, name: str) -> None:
    """The points, over the regions in which `decide` gives each class."""
    figure, axes = pyplot().subplots(figsize=(6, 4))
    (left, bottom), (right, top) = x.min(axis=0) - 0.3, x.max(axis=0) + 0.3
    u, v = np.meshgrid(np.linspace(left, right, 300), np.linspace(bottom, top, 300))
    regions = decide(np.column_stack([u.ravel(), v.ravel()])).reshape(u.shape)
    axes.contourf(u, v, regions, levels=np.arange(classes.max() + 2) - 0.5, cmap="viridis", alpha=0.3)
    _scatter(axes, x, classes)
    save(figure, output, name)


def draw_frontier(frontier: Array, assets: Array, shares: Array, output: Folder, name: str) -> None:
    """Risk and return (n, 2) of portfolios and of single assets; beside it each asset's share of the risk."""
    figure, (left, right) = pyplot().subplots(1, 2, figsize=(9, 3.6))
    left.plot(*frontier.T, label="portfolios")
    left.plot(*assets.T, "o", color="0.4", label="single assets")
    left.set(xlabel="mean of the worst months' losses, %", ylabel="mean return a month, %")
    left.legend()
    names = [f"{mean:.2f} %" for mean in assets[:, 1]]
    colours = pyplot().cm.viridis(np.linspace(0.0, 1.0, len(names)))
    right.stackplot(frontier[:, 1], np.maximum(shares, 0.0).T, labels=names, colors=colours)
    handles, labels = right.get_legend_handles_labels()
    right.legend(handles[::-1], labels[::-1], title="asset,\nby its return", loc="center left", bbox_to_anchor=(1, 0.5))
    right.set(xlabel="mean return a month, %", ylabel="share of the risk, by asset", ylim=(0, 1))
    save(figure, output, name)


def draw_survival(
    years: Array, died: Array, treated: Array, grid: Array, curves: list[tuple[Array, Array]], output: Folder, name: str
) -> None:
    """For each group a curve (log survival, half width of its band) over `grid`, and Kaplan and Meier's estimate."""
    figure, axes = pyplot().subplots(figsize=(6, 4))
    for group, (value, width) in enumerate(curves):
        label = ("not treated", "treated")[group]
        axes.fill_between(grid, np.exp(value - width), np.exp(value + width), color=f"C{group}", alpha=0.2)
        axes.plot(grid, np.exp(value), color=f"C{group}", label=f"{label}, fit")
        order = np.argsort(years[treated == group])
        at_risk = np.arange(len(order), 0, -1)
        left = np.cumprod(1.0 - died[treated == group][order] / at_risk)
        axes.step(years[treated == group][order], left, where="post", color=f"C{group}", linewidth=1, linestyle=":")
    axes.plot([], [], "k:", linewidth=1, label="Kaplan and Meier")
    axes.set(xlabel="years", ylabel="share that lives", ylim=(0, 1))
    axes.legend()
    save(figure, output, name)


def draw_orbit(data: Array, truth: Array, best: Array, others: list[Array], output: Folder, name: str) -> None:
    """Places (2, n) north and east: what was seen, the true orbit, the fitted one, and some that fit as well."""
    figure, axes = pyplot().subplots(figsize=(6, 4.5))
    for north, east in others:
        axes.plot(east, north, color="C0", alpha=0.15, linewidth=1)
    axes.plot(best[1], best[0], color="C0", label="fit, and others that fit as well")
    axes.plot(truth[1], truth[0], "k--", linewidth=1, label="truth")
    axes.plot(data[1], data[0], ".", color="0.3", label="seen")
    axes.plot(0.0, 0.0, "*", color="C1", markersize=12)
    axes.set(xlabel="east, seconds of arc", ylabel="north", aspect="equal")
    axes.invert_xaxis()
    axes.legend(fontsize=8)
    save(figure, output, name)


def _scatter(axes: Any, x: Array, classes: Array) -> None:
    axes.scatter(x[:, 0], x[:, 1], c=classes, cmap="viridis", s=16, edgecolors="k", linewidths=0.4)
    axes.set(xlabel="x₁", ylabel="x₂", aspect="equal")
