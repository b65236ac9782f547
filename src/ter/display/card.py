"""A result as a notebook shows it: a few facts, the curve, the decisions and the heuristics. Needs no other package."""

from __future__ import annotations

from html import escape

from ter.core.result import ResultData
from ter.display.charts import Charts, charts_of
from ter.display.colors import colors_of
from ter.display.shares import shares_of
from ter.display.texts import compiling_text, count_text, number_text, share_text, time_text, workers_text

__all__ = ["card_of"]

CELLS = 150  # blocks of the strip at most: a notebook keeps every card in its file
LABELS = "position: absolute; right: .5em; transform: translateY(-50%); white-space: nowrap"
SVG = '<svg viewBox="0 0 100 100" preserveAspectRatio="none" style="display: block; width: 100%; height: {height}">'


def card_of(result: ResultData) -> str:
    """Return a result as a piece of HTML, with its styles inside; colours of text follow the notebook.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> card_of(result).count("<svg"), "400 evaluations" in card_of(result).replace("\\xa0", " ")
    (2, True)
    """
    charts = charts_of(result, cells=CELLS)
    parts = [_facts(result)]
    if charts.curve:
        parts.append(_curve(charts))
    if result.actions:
        parts += [_strip(charts), _heuristics(result)]
    return f'<div style="max-width: 44em; line-height: 1.5">{"".join(parts)}</div>'


def _facts(result: ResultData) -> str:
    compiling, busy = compiling_text(result.compile_seconds), workers_text(result.workers_busy, result.workers_idle)
    facts = [
        result.problem,
        f"{count_text(len(result.x))} variables",
        f"{count_text(result.nfev)} evaluations in {time_text(result.spent.seconds)} {compiling}".rstrip(),
        f"{number_text(result.spent.cost)} cost" if result.spent.cost else "",
        f"{count_text(result.nit)} actions",
        f"workers {busy}" if busy else "",
        f"{count_text(result.nonfinite)} evaluations failed" if result.nonfinite else "",
        f"seed {result.seed}",
    ]
    return (
        f'<div><b style="font-size: 1.4em">{number_text(result.fun)}</b>&ensp;{escape(result.message)}</div>'
        f"<div>{' · '.join(escape(fact) for fact in facts if fact)}</div>"
    )


def _curve(charts: Charts) -> str:
    labels = "".join(f'<span style="{LABELS}; top: {tick.at:.1f}%">{tick.text}</span>' for tick in charts.y_ticks)
    lines = "".join(f"M0 {tick.at:.1f}H100" for tick in charts.y_ticks)
    stroke = 'fill="none" stroke="currentColor" vector-effect="non-scaling-stroke"'
    return (
        '<div style="display: flex; margin-top: .5em">'
        f'<div style="position: relative; width: 5em; font-size: .8em">{labels}</div>'
        f'<div style="flex: 1">{SVG.format(height="8em")}'
        f'<path d="{lines}" {stroke} stroke-opacity=".15"/>'
        f'<path d="{charts.curve}" {stroke} stroke-width="1.5"/></svg></div></div>'
    )


def _strip(charts: Charts) -> str:
    blocks = "".join(
        f'<rect x="{bar.left:.3f}" width="{bar.width:.3f}" height="100" fill="{bar.color}">'
        f"<title>{escape(bar.text)}</title></rect>"
        for bar in charts.strip
    )
    return f'<div style="margin: .5em 0 .5em 4em">{SVG.format(height="1.2em")}{blocks}</svg></div>'


def _heuristics(result: ResultData) -> str:
    colors = colors_of(result.heuristics)
    titles = ("heuristic", "started", "evaluations", "of the evaluations", "of the improvement")
    head = "".join(f"<th>{title}</th>" for title in titles)
    rows = []
    for share in shares_of(result):
        square = f'<span style="color: {colors[share.heuristic]}">&#9632;</span>'
        numbers = (count_text(share.initiations), count_text(share.nfev))
        parts = (share_text(share.of_evaluations), share_text(share.of_improvement))
        cells = "".join(f"<td>{escape(text)}</td>" for text in (*numbers, *parts))
        rows.append(f'<tr><td style="text-align: left">{square} {escape(share.heuristic)}</td>{cells}</tr>')
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div style="overflow-x: auto">{table}</div>'
