"""Where runs are done: one engine per file."""

from __future__ import annotations

from ter.experiment.pools.choose import choose_engine

__all__ = ["choose_engine"]
