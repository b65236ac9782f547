"""What the global line search knows: names of fields, and the arrays that kernels change in place."""

from __future__ import annotations

from typing import NamedTuple

from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.heuristics.splitmix import RandomState
from ter.heuristics.subspace import Matrix

__all__ = ["Lines"]

# Fields of the cursor.
POSITION = 0  # of the variable that comes next, in the order
STAGE = 1  # see below
LINE = 2  # on which the next evaluation is
NEXT = 3  # the position on the line that is evaluated next, the minimum, or the union
COUNT = 4  # lines of the group
EVALUATED = 5  # whether any variable of the pass could be moved
POINTS = 6  # evenly spaced ones on a line of this pass
WANTED = 7  # minima on a line of this pass
WIDTH = 8  # lines of the next group
SINGLE = 9  # lines that were searched alone since two were tried
PATIENCE = 10  # lines that are searched alone before two are tried
STALE = 11  # whether others have moved the incumbent since the group began
PASS = 12  # the number of the pass under way, from 1
PHASE = 13  # see below
STEPS = 14  # by which a minimum is refined at most
STUDIED = 15  # lines on which ripples were looked for
TESTS = 16  # places where a minimum should be if ripples are regular
HITS = 17  # and how often there was one
SHAPED = 18  # lines of the first pass that are not level from end to end
LEVEL = 19  # of these, those that are level at some of their positions, and rise at the others
FIELDS = 20

ARRIVING, SCANNING, REFINING, JOINING = range(4)

# Phases, each of which is a scan and a refinement: a group of lines has EVEN, or EVEN, NEIGHBOUR and LATTICE if ripples
# are looked for, or HOP and FINE if they are known.
EVEN = 0  # ends and evenly spaced points; the minima that promise most
NEIGHBOUR = 1  # points further and further away from a minimum; the first minimum beside it
LATTICE = 2  # where other minima should be if all are as far apart as these two
HOP = 3  # points that are whole periods away; the best of all such points
FINE = 4  # points within a period; the minimum

# Columns of the brackets: three positions, their values; where the next evaluation is; of a bracket at an end of the
# line, whose middle is that end, a position behind the other end, and the value there.
LEFT, MIDDLE, RIGHT, LEFT_Y, MIDDLE_Y, RIGHT_Y, TRIAL, SPARE, SPARE_Y = range(9)
BRACKET = 9

# Columns of the sizes: positions on the line; minima that are being refined.
SIZE, MINIMA = range(2)

# Columns of the floats: the lowest value on the line, and where it is; the width of a bracket that is not refined
# further; a gain that is negligible; the bounds; where the lattice of ripples is fixed, and its period.
LOWEST, BEST_AT, NARROWEST, DIFFERENCE, LOW, HIGH, HOME, PERIOD = range(8)
COLUMNS = 8

# Fields of the known values: that of the base point when the group began, and of the allowance's when it ended; what
# was learned of ripples, as shares of a range: the period if they are regular, and how far minima are apart; or 0;
# whether most lines are level.
ORIGIN, SEEN, REGULAR, SPACING, FLAT = range(5)


class Lines(NamedTuple):
    """What the search knows; arrays that are changed in place."""

    random: RandomState
    order: Integers
    cursor: Integers
    known: Vector
    reach: Vector  # of each variable: how far away its minimum may be, in periods
    spacings: Vector  # of neighbouring minima on the lines that are studied, as shares of the range; 0 if there is one
    variables: Integers  # one for each line of the group, as all that follows
    sizes: Integers
    floats: Matrix
    positions: Matrix  # on the line, in ascending order
    values: Matrix  # there; NaN where the value is not known yet
    brackets: Matrix  # and one row for each minimum
    steps: Integers  # that a minimum may still be refined by
    unions: Vector  # values of those that are known
