"""The charts of pages and notebooks, as geometry in percent: it fits any width, and the text keeps its size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ter.core.action import Action
from ter.core.result import ResultData
from ter.display.colors import NEUTRAL, colors_of
from ter.display.scale import Scale, nice_steps, time_steps
from ter.display.texts import count_text, number_text, share_text, time_text
from ter.display.trace import Block, blocks_of, curve_of, strip_of, thinned

__all__ = ["Bar", "Charts", "Tick", "charts_of"]

CELLS = 600  # a strip of more blocks than this cannot be told apart on a screen
APART = 12.0  # percent between labels of times, which follow each other in uneven steps


@dataclass(frozen=True)
class Tick:
    """A label of an axis, `at` percent from its beginning."""

    at: float
    text: str


@dataclass(frozen=True)
class Bar:
    """A block of the decision strip: from `left` percent, `width` percent wide, and what to say about it."""

    left: float
    width: float
    color: str
    text: str


@dataclass(frozen=True)
class Charts:
    """All charts of a run.

    Attributes
    ----------
    curve : str
        The best value as an SVG path in a square of 100 by 100; empty without a finite value.
    y_ticks, x_ticks : list of Tick
        Labels of the axes.
    times : list of Tick
        Round times where they fall on the axis of evaluations; empty if it is not known when actions ended.
    strip : list of Bar
        The start points and the decisions.
    areas : list of (str, str, str)
        Name, colour and SVG path of each heuristic's probability, stacked.
    merged : bool
        Whether blocks of the strip stand for several actions.
    """

    curve: str
    y_ticks: list[Tick]
    x_ticks: list[Tick]
    times: list[Tick]
    strip: list[Bar]
    areas: list[tuple[str, str, str]]
    merged: bool


def charts_of(result: ResultData, f_opt: float | None = None, *, cells: int = CELLS) -> Charts:
    """Return the charts of a run, the strip in at most so many cells and the curve with twice as many points.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> [tick.text for tick in charts_of(result).x_ticks]
    ['0', '100', '200', '300', '400']
    """
    total = max(1, result.nfev)
    rows = thinned(curve_of(result, f_opt), cells)
    scale = Scale.fit(rows[:, 1])
    points = [(100 * x / total, _height(scale, y)) for x, y in rows.tolist()]
    ticks = [Tick(_height(scale, tick), f"{tick:g}") for tick in scale.ticks()] if points else []
    blocks = strip_of(result, cells)
    return Charts(
        curve=_steps(points),
        y_ticks=ticks,
        x_ticks=[Tick(100 * x / total, count_text(x)) for x in nice_steps(0, total, 4)],
        times=_times(result, total),
        strip=_strip(blocks, result.heuristics, total),
        areas=_areas(blocks, result.heuristics, total),
        merged=len(blocks) < len(result.actions),
    )


def _height(scale: Scale, value: float) -> float:
    """Return the distance from the top in percent, with some room above and below."""
    return 97 - 94 * scale.position(value)


def _steps(points: Sequence[tuple[float, float]]) -> str:
    """Join points by horizontal and then vertical lines: a best value stands until the next one."""
    if not points:
        return ""
    (x, y), *rest = points
    return f"M{x:.3f} {y:.3f}" + "".join(f"H{x:.3f}V{y:.3f}" for x, y in rest)


def _times(result: ResultData, total: int) -> list[Tick]:
    seconds = np.maximum.accumulate([0.0, *(action.seconds for action in result.actions)])
    evaluations = [0, *(block.last for block in blocks_of(result))]
    ticks: list[Tick] = []
    for time, text in time_steps(float(seconds[-1]), 4) if seconds[-1] > 0 else []:
        at = 100 * float(np.interp(time, seconds, evaluations)) / total
        if not ticks or at - ticks[-1].at >= APART:
            ticks.append(Tick(at, text))
    return ticks


def _strip(blocks: Sequence[Block], names: Sequence[str], total: int) -> list[Bar]:
    colors = colors_of(names)
    start = blocks[0].first if blocks else 0
    begin = [Bar(0.0, 100 * start / total, NEUTRAL, f"Start points: {count_text(start)} evaluations.")] if start else []
    return begin + [
        Bar(
            left=100 * block.first / total,
            width=100 * (block.last - block.first) / total,
            color=colors[block.action.heuristic],
            text=_describe(block.action, names),
        )
        for block in blocks
    ]


def _describe(action: Action, names: Sequence[str]) -> str:
    chances = ", ".join(f"{name} {share_text(p)}" for name, p in zip(names, action.probabilities, strict=False))
    ended = f" It ended after {time_text(action.seconds)}." if action.seconds else ""
    return (
        f"Action {action.index}: {action.heuristic}, {count_text(action.nfev)} evaluations, "
        f"{number_text(action.before)} → {number_text(action.after)}. Probabilities were {chances}.{ended}"
    )


def _areas(blocks: Sequence[Block], names: Sequence[str], total: int) -> list[tuple[str, str, str]]:
    colors = colors_of(names)
    shown = [block for block in blocks if len(block.action.probabilities) == len(names)]
    areas = []
    for i, name in enumerate(names):
        path = ""
        for block in shown:
            top = 100 - 100 * sum(block.action.probabilities[: i + 1])
            height = 100 * block.action.probabilities[i]
            if height > 0:
                left, right = 100 * block.first / total, 100 * block.last / total
                path += f"M{left:.3f} {top:.2f}H{right:.3f}v{height:.2f}H{left:.3f}z"
        areas.append((name, colors[name], path))
    return areas
