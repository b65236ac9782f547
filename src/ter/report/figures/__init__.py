"""The figures of a report, for papers: one kind per module, with Matplotlib and without its global state."""

from __future__ import annotations

from ter.report.figures.all import figures_of, write_figures

__all__ = ["figures_of", "write_figures"]
