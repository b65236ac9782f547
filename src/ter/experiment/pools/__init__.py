"""Where runs are done: one pool per file."""

from __future__ import annotations

from ter.experiment.pools.choose import choose_pool

__all__ = ["choose_pool"]
