"""The heuristics, one per file."""

from ter.heuristics.catalogue import HEURISTICS, portfolio
from ter.heuristics.cc import CC
from ter.heuristics.cc_cma_es import CCCMAES
from ter.heuristics.cso import CSO
from ter.heuristics.decc_d import DECCD
from ter.heuristics.decc_dg2 import DECCDG2
from ter.heuristics.decomposed_es import DecomposedES
from ter.heuristics.ga import GA
from ter.heuristics.lbfgsb import LBFGSB
from ter.heuristics.line_search import GlobalLineSearch
from ter.heuristics.ls1 import LS1
from ter.heuristics.middles import Middles
from ter.heuristics.mts_searches import LS2, LS3
from ter.heuristics.quasi_newton import QuasiNewton
from ter.heuristics.rm_es import RmES
from ter.heuristics.sep_cma_es import SepCMAES
from ter.heuristics.shade import SHADE
from ter.heuristics.solis_wets import SolisWets
from ter.heuristics.volleys import Volleys
from ter.heuristics.wide_es import WideES

__all__ = [
    "CC",
    "CCCMAES",
    "CSO",
    "DECCD",
    "DECCDG2",
    "GA",
    "HEURISTICS",
    "LBFGSB",
    "LS1",
    "LS2",
    "LS3",
    "SHADE",
    "DecomposedES",
    "GlobalLineSearch",
    "Middles",
    "QuasiNewton",
    "RmES",
    "SepCMAES",
    "SolisWets",
    "Volleys",
    "WideES",
    "portfolio",
]
