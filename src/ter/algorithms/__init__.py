"""Named algorithms: a profile one can run on a problem."""

from ter.algorithms.catalogue import ALGORITHMS, Algorithm, algorithm

__all__ = ["ALGORITHMS", "Algorithm", "algorithm"]
