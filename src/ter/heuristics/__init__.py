"""The heuristics, one per file."""

from ter.heuristics.catalogue import HEURISTICS, portfolio
from ter.heuristics.cc import CC
from ter.heuristics.ga import GA
from ter.heuristics.lbfgsb import LBFGSB
from ter.heuristics.ls1 import LS1
from ter.heuristics.mts_searches import LS2, LS3
from ter.heuristics.shade import SHADE
from ter.heuristics.solis_wets import SolisWets

__all__ = ["CC", "GA", "HEURISTICS", "LBFGSB", "LS1", "LS2", "LS3", "SHADE", "SolisWets", "portfolio"]
