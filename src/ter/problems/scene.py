"""The picture of the deblurring problem: a harbour at dusk, drawn with a few formulas at any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector

__all__ = ["Exhibit", "blurred", "harbour"]

Image = NDArray[np.float64]


def harbour(side: int) -> Image:
    """Draw a boat, a lighthouse and the moon in shades of grey from 0 to 1.

    Examples
    --------
    >>> harbour(64).shape
    (64, 64)
    """
    across = (np.arange(side) + 0.5) / side
    u, v = np.meshgrid(across, across)  # to the right, down
    image = np.full((side, side), 0.28)  # the sky
    image[(u - 0.20) ** 2 + (v - 0.18) ** 2 < 0.105**2] = 0.97  # the moon
    for star_u, star_v in ((0.40, 0.09), (0.52, 0.22), (0.07, 0.40), (0.67, 0.10), (0.94, 0.12)):
        image[np.abs(u - star_u) + np.abs(v - star_v) < 0.018] = 0.9
    sea = v > 0.72 + 0.008 * np.sin(40 * u)
    image[sea] = 0.12
    for depth in (0.80, 0.87, 0.94):
        image[sea & (np.abs(v - depth - 0.012 * np.sin(34 * u + 40 * depth)) < 0.011)] = 0.5
    _lighthouse(image, u, v)
    _boat(image, u, v)
    return image


def _lighthouse(image: Image, u: Image, v: Image) -> None:
    image[(u > 0.50) & (u < 0.79) & (np.abs(v - 0.295) < 0.012 + 0.20 * (0.79 - u))] = 0.48  # the beam
    half = 0.050 + 0.05 * (v - 0.33)
    tower = (np.abs(u - 0.83) < half) & (v > 0.34) & (v < 0.74)
    image[tower] = np.where(np.floor((v[tower] - 0.34) / 0.08) % 2 == 0, 0.95, 0.05)  # striped
    image[(np.abs(u - 0.83) < 0.036) & (v > 0.25) & (v <= 0.34)] = 1.0  # the lamp
    image[(np.abs(u - 0.83) < 0.075) & (np.abs(v - 0.34) < 0.012)] = 0.05  # the gallery
    image[(np.abs(u - 0.83) < 1.1 * (v - 0.19)) & (v < 0.25)] = 0.05  # the roof
    image[((u - 0.86) / 0.16) ** 2 + ((v - 0.78) / 0.07) ** 2 < 1] = 0.02  # the rock


def _boat(image: Image, u: Image, v: Image) -> None:
    image[(v > 0.36) & (v < 0.68) & (u > 0.355) & (u < 0.355 + 0.85 * (v - 0.36))] = 0.92  # the sail
    image[(v > 0.42) & (v < 0.68) & (u < 0.325) & (u > 0.325 - 0.65 * (v - 0.42))] = 0.72  # the jib
    image[(np.abs(u - 0.34) < 0.011) & (v > 0.32) & (v < 0.72)] = 0.02  # the mast
    hull = (v > 0.70) & (v < 0.80) & (u > 0.10 + 0.9 * (v - 0.70)) & (u < 0.66 - 0.7 * (v - 0.70))
    image[hull] = 0.85
    image[hull & (np.abs(v - 0.735) < 0.012)] = 0.2  # a stripe along the hull


def blurred(image: Image, taps: Vector) -> Image:
    """Blur along rows and columns; beyond the border the picture goes on as at the border."""
    reach, side = len(taps) // 2, len(image)
    wide = np.pad(image, reach, mode="edge")
    rows = sum(tap * wide[:, k : k + side] for k, tap in enumerate(taps))
    return np.asarray(sum(tap * rows[k : k + side] for k, tap in enumerate(taps)))


@dataclass(frozen=True, eq=False)
class Exhibit:
    """Shows a restored picture between the observed and the true one."""

    truth: Image
    observed: Image

    def psnr(self, x: Vector) -> float:
        """Return the peak signal-to-noise ratio of a picture in decibel: the higher, the nearer to the truth."""
        return float(-10 * np.log10(np.mean((np.asarray(x).reshape(self.truth.shape) - self.truth) ** 2)))

    def draw(self, x: Vector, axes: Any) -> None:
        """Paint observed, restored and true picture side by side."""
        restored = np.asarray(x).reshape(self.truth.shape)
        side = len(restored)
        gap = np.full((side, max(1, side // 16)), np.nan)
        axes.imshow(
            np.hstack([self.observed, gap, restored, gap, self.truth]),
            cmap="gray",
            vmin=0,
            vmax=1,
            interpolation="nearest",
        )
        titles = (
            f"observed, {self.psnr(self.observed):.1f} dB",
            f"restored, {self.psnr(restored):.1f} dB",
            "true",
        )
        for place, title in enumerate(titles):
            middle = (place + 0.5) * side + place * gap.shape[1] - 0.5
            axes.text(middle, -0.03 * side, title, ha="center", va="bottom", fontsize=11)
        axes.set_axis_off()
