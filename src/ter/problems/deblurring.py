"""Sharpening a blurred, noisy picture: every pixel is a variable.

The value is that of total-variation restoration: L. I. Rudin, S. Osher, E. Fatemi, "Nonlinear total variation based
noise removal algorithms", Physica D 60 (1992) 259-268, here with a known blur. The problem is convex.
"""

from __future__ import annotations

import numpy as np

from ter.core.box import box
from ter.core.errors import InvalidArgument
from ter.core.problem import Problem
from ter.core.streams import stream
from ter.objectives.compiled import CompiledObjective
from ter.problems.kernels.deblurring import REACH, STRIP, commit, move, start, value
from ter.problems.scene import Exhibit, blurred, harbour

__all__ = ["image_deblurring"]

SIGMA = 1.4  # of the Gaussian blur, in pixels
NOISE = 0.003
OPTIMUM = {64: 0.1941162719}  # by side; found by L-BFGS-B with the exact gradient


def image_deblurring(side: int = 64) -> Problem:
    """Return the restoration of a blurred picture of `side` x `side` pixels.

    Parameters
    ----------
    side : int
        Pixels along each side, >= 8; the dimension is ``side**2``.

    Examples
    --------
    >>> picture = image_deblurring(side=32)
    >>> truth, observed = picture.facts["truth"], picture.facts["observed"]
    >>> picture.dimension, picture(truth.ravel()) < picture(observed.clip(0, 1).ravel())
    (1024, True)
    """
    if int(side) != side or side < 8:
        raise InvalidArgument(f"side must be a whole number >= 8, got {side!r}")
    taps = np.exp(-0.5 * (np.arange(-REACH, REACH + 1) / SIGMA) ** 2)
    taps /= taps.sum()
    truth = harbour(side)
    noise = NOISE * np.sqrt(12) * (stream(0, "deblurring").random((side, side)) - 0.5)
    observed = blurred(truth, taps) + noise
    strips = -(-side // STRIP)
    objective = CompiledObjective(
        value,
        floats=np.concatenate([taps, observed.ravel()]),
        ints=[side],
        start=start,
        move=move,
        commit=commit,
        memory=2 * side * side + side * strips + side,
    )
    exhibit = Exhibit(truth, observed)
    return Problem(
        objective,
        box(0.0, 1.0, dimension=side * side),
        name="deblurring",
        f_opt=OPTIMUM.get(side),
        about=(
            f"A picture of {side} x {side} pixels was blurred by a known lens, and noise was added. The variables are "
            "the pixels of the restored picture, row by row, from 0 (black) to 1 (white). The value is half the "
            "squared difference between the restored picture, blurred again, and the observed one, plus a multiple of "
            "its total variation, which keeps it free of noise."
        ),
        draw=exhibit.draw,
        facts={
            "traits": ("convex", "ill-conditioned", "local coupling"),
            "cost": "cheap",
            "truth": truth,
            "observed": observed,
            "psnr": exhibit.psnr,
        },
    )
