"""Ask for points, tell values: the loop of ``ter.minimize`` for an objective that lives outside.

Heuristics are straight code that calls the objective. So the loop runs in a thread of its own, and its engine is a
desk: the loop lays a batch of points on it and sleeps until somebody has told all their values.
"""

from ter.optimizer.batch import Batch
from ter.optimizer.optimizer import Optimizer

__all__ = ["Batch", "Optimizer"]
