"""The heuristics, one per file."""

from ter.heuristics.catalogue import HEURISTICS, portfolio
from ter.heuristics.cc import CC
from ter.heuristics.cc_cma_es import CCCMAES
from ter.heuristics.cso import CSO
from ter.heuristics.decc_d import DECCD
from ter.heuristics.decc_dg2 import GroupedDECC
from ter.heuristics.ls1 import LS1
from ter.heuristics.shade import SHADE

__all__ = ["CC", "CCCMAES", "CSO", "DECCD", "HEURISTICS", "LS1", "SHADE", "GroupedDECC", "portfolio"]
