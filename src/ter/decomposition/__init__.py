"""Which variables interact: procedures that find out, and what may be done with the groups."""

from ter.decomposition.dg2 import DG2State
from ter.decomposition.grouping import Structure, delta_groups, packed
from ter.decomposition.rdg3 import RDG3State

__all__ = ["DG2State", "RDG3State", "Structure", "delta_groups", "packed"]
