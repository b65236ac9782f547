"""The heuristics, one per file."""

from ter.heuristics.catalogue import HEURISTICS, portfolio
from ter.heuristics.cc import CC
from ter.heuristics.lbfgsb import LBFGSB
from ter.heuristics.ls1 import LS1
from ter.heuristics.shade import SHADE

__all__ = ["CC", "HEURISTICS", "LBFGSB", "LS1", "SHADE", "portfolio"]
