"""Training a small network to read handwritten digits, by its weights alone and without gradients.

The data are the 1797 pictures of 8 x 8 pixels that come with scikit-learn (`load_digits`; E. Alpaydin, C. Kaynak,
"Optical recognition of handwritten digits", UCI, 1998). Samples 2, 5, 8, ... test; all others train.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector, box
from ter.core.errors import InvalidArgument, MissingExtra
from ter.core.ledger import Integers
from ter.core.problem import Problem
from ter.objectives.compiled import CompiledObjective
from ter.problems.kernels.digits import CLASSES, PIXELS, UNITS, commit, move, start, value

__all__ = ["digit_network"]

BOUND = 3.0


def digit_network(hidden: int = 32) -> Problem:
    """Return the training of a 64-`hidden`-10 network: mean cross-entropy plus weight decay.

    Parameters
    ----------
    hidden : int
        Number of hidden units, >= 1; the dimension is ``75 * hidden + 10``.

    Examples
    --------
    >>> network = digit_network(hidden=14)
    >>> network.dimension, round(network(np.zeros(1060)), 6)  # all classes equally probable: log 10
    (1060, 2.302585)
    """
    if int(hidden) != hidden or hidden < 1:
        raise InvalidArgument(f"hidden must be a whole number >= 1, got {hidden!r}")
    pixels, labels = _load()
    tests = np.arange(len(labels)) % 3 == 2
    train, train_labels = np.ascontiguousarray(pixels[~tests].T), labels[~tests]  # pixel by pixel, for the inner loop
    n, blocks = train_labels.size, -(-hidden // UNITS)
    objective = CompiledObjective(
        value,
        floats=train,
        ints=[hidden, n, *train_labels],
        start=start,
        move=move,
        commit=commit,
        memory=n * (hidden + blocks * CLASSES),
    )
    reader = Reader(pixels[tests], labels[tests])
    return Problem(
        objective,
        box(-BOUND, BOUND, dimension=75 * hidden + 10),
        name="digits",
        about=(
            f"A network with {hidden} tanh units between 64 pixels and 10 classes reads handwritten digits. The "
            "variables are its weights and biases; the value is the mean cross-entropy on the training samples, in "
            "nats (log(10) = 2.3 means guessing, 0 means certain and right), plus a small price for large weights."
        ),
        draw=reader.draw,
        facts={
            "traits": ("dense coupling", "smooth", "permutation symmetric"),
            "cost": "medium",
            "accuracy": reader.accuracy,
        },
    )


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads the test samples with given weights."""

    pixels: NDArray[np.float64]
    labels: Integers

    def classes(self, x: Vector) -> Integers:
        """Return the class that the network with weights `x` finds most probable, for each test sample."""
        hidden = (len(x) - CLASSES) // (PIXELS + 1 + CLASSES)
        inner, bias, outer, offset = np.split(np.asarray(x), np.cumsum([PIXELS * hidden, hidden, hidden * CLASSES]))
        units = np.tanh(self.pixels @ inner.reshape(PIXELS, hidden) + bias)
        return np.asarray(np.argmax(units @ outer.reshape(hidden, CLASSES) + offset, axis=1))

    def accuracy(self, x: Vector) -> float:
        """Return the share of the test samples that are read right."""
        return float(np.mean(self.classes(x) == self.labels))

    def draw(self, x: Vector, axes: Any) -> None:
        """Paint test samples with the class read: green if right, red and framed if wrong."""
        from matplotlib.patches import Rectangle

        rows, columns, cell = 6, 12, 10
        found = self.classes(x)
        sheet = np.zeros((rows * cell, columns * cell))
        for place in range(rows * columns):
            top, left = cell * (place // columns), cell * (place % columns)
            sheet[top + 1 : top + 9, left + 1 : left + 9] = self.pixels[place].reshape(8, 8)
            right = found[place] == self.labels[place]
            colour = "#39d98a" if right else "#ff5c5c"
            axes.text(left + 8.9, top + 2.3, str(found[place]), color=colour, fontsize=7, weight="bold", ha="right")
            if not right:
                frame = Rectangle((left - 0.3, top - 0.3), cell - 0.6, cell - 0.6, fill=False, ec=colour, lw=1.5)
                axes.add_patch(frame)
        axes.imshow(sheet, cmap="gray", vmin=0, vmax=1.15, interpolation="nearest")
        axes.set_axis_off()
        axes.set_title(f"read by the network: {100 * self.accuracy(x):.1f} % of the test digits right")


def _load() -> tuple[NDArray[np.float64], Integers]:
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise MissingExtra.named("scikit-learn", "problems", "the problem 'digits'") from error
    pixels, labels = load_digits(return_X_y=True)
    return pixels / 16.0, labels.astype(np.int64)
