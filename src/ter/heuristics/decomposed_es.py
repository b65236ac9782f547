"""Decompose and adapt: find the groups of variables that interact, and keep an evolution strategy for each of them.

RDG3 [1]_ tells which variables interact. It is carried out in pieces, and what it has found by then is searched in
between. Each group has a matrix adaptation evolution strategy [2]_ of its own, kept for the whole run; groups are
visited in turn, and every other time the group is taken that has gained most per evaluation lately, as in
contribution-based cooperative coevolution [3]_. When the value has become much smaller, light groups get a second look.

A few groups are visited side by side, on a *tour*: each of their strategies goes on by one generation, around the same
base point, then each by the next one. At the end of a tour what they have found is tried together, which gains what
they have gained one by one, since groups do not interact. If it gains less, only the best of them are taken, and fewer
groups are visited together.

References
----------
.. [1] Y. Sun, X. Li, A. Ernst, M. Omidvar, "Decomposition for large-scale optimization problems with overlapping
   components", CEC 2019.
.. [2] H.-G. Beyer, B. Sendhoff, "Simplify your covariance matrix adaptation evolution strategy", IEEE Transactions on
   Evolutionary Computation 21, 2017.
.. [3] M. Omidvar, X. Li, X. Yao, "Smart use of computational resources based on contribution for cooperative
   co-evolutionary algorithms", GECCO 2011.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ter.core.allowance import Allowance, Branch, KeptBranch
from ter.core.box import Box, Vector
from ter.core.ledger import Integers
from ter.decomposition.rdg3 import RDG3State, closed_groups
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.first_look import FirstLook, PairLook
from ter.heuristics.group_search import GroupSearch
from ter.heuristics.group_tours import bring_best, go_round, join
from ter.heuristics.kinds import FewPairsLook
from ter.heuristics.ma_es import MAES
from ter.heuristics.second_look import FALLEN, SecondLook, joined
from ter.heuristics.unions import bring_along

__all__ = ["DecomposedES", "DecomposedESState"]

SHORTEST = 200  # evaluations of a visit
WORK = 50  # evaluations of visits per variable before a second look, which costs up to ten
UNVISITED = math.inf  # the rate of a group that was never visited
COMPARABLE = 0.5  # of the best rate: a group that gains so much may go on a tour beside the best one
AHEAD = 64  # variables that look at the rest at once, in the decomposition


@dataclass
class DecomposedESState:
    """What it keeps between its initiations. Its random numbers are its own.

    Attributes
    ----------
    analysis : RDG3State or None
        How far the decomposition is; None when it is done.
    placed : array of bool
        For each variable, whether it is in a group that is searched.
    owed : int
        Evaluations that the decomposition may take before the next visit of a group.
    searches : list of GroupSearch
        One for each group.
    rates : array
        What each gained per evaluation lately.
    tour : list of int
        The groups that are being visited side by side.
    place : int
        Where in the tour the next evaluation is.
    width : int
        How many groups the next tour has.
    base : Branch, KeptBranch or None
        The point they are searched around.
    unions : list of float
        Values of unions at the end of a tour, as far as they are known.
    stale : bool
        Whether others have moved the incumbent, and what was found before is to be tried there.
    turn : int
        The group whose turn was last.
    greedy : list of bool
        For each group of the tour, whether it was chosen by its rate.
    shares : array of two integers
        Evaluations of groups that were chosen by their rates, and in turn; the first visits do not count.
    seen : float
        The incumbent's value when this heuristic was last at work.
    look : SecondLook or None
        A second look that is under way.
    level : float
        The size of the value when it was last analysed which variables interact.
    worked : int
        Evaluations of visits since then.
    first : FirstLook
        Whether it has looked first, and fits.
    """

    rng: np.random.Generator
    analysis: RDG3State | None
    placed: NDArray[np.bool_]
    owed: int = 0
    searches: list[GroupSearch] = field(default_factory=list)
    rates: Vector = field(default_factory=lambda: np.empty(0))
    tour: list[int] = field(default_factory=list)
    place: int = 0
    width: int = 1
    base: Branch | KeptBranch | None = None
    unions: list[float] = field(default_factory=list)
    stale: bool = False
    turn: int = -1
    greedy: list[bool] = field(default_factory=list)
    shares: Integers = field(default_factory=lambda: np.zeros(2, dtype=np.int64))
    seen: float = math.nan
    look: SecondLook | None = None
    level: float = 0.0
    worked: int = 0
    first: FirstLook = field(default_factory=FirstLook)

    @property
    def on_tour(self) -> list[GroupSearch]:
        """The searches that are visited side by side."""
        return [self.searches[number] for number in self.tour]

    @property
    def all_done(self) -> bool:
        """Whether all visits of the tour are at their ends."""
        return all(search.done for search in self.on_tour)

    @property
    def investing(self) -> bool:
        """Whether it is too early to judge it: it is decomposing, or a strategy is still adapting."""
        if self.first.waiting:
            return False
        if self.analysis is not None or UNVISITED in self.rates:
            return True
        return any(search.investing for search in self.searches)

    @property
    def remark(self) -> str:
        """Say what it is at."""
        if self.first.waiting:
            return self.first.reason
        if not self.searches:
            return "decomposing"
        if self.look is not None:
            return "a second look"
        number = (self.tour[0] if self.tour else self.turn) % len(self.searches)
        restarts = self.searches[number].restarts
        where = f"group {number + 1} of {len(self.searches)}"
        return f"{where}, restart {restarts}" if restarts else where


@dataclass(frozen=True)
class DecomposedES:
    """Groups of variables that interact, and an evolution strategy for each, kept for the whole run.

    Parameters
    ----------
    largest : int
        A group of this size is closed by the decomposition.
    block : int
        Separable variables are put into blocks of this size, neighbours together.
    full : int
        Larger groups get a diagonal in place of a matrix.
    spread : float
        First step size, as a fraction of the box's scale.
    greed : float
        Share of the evaluations for the group that gained most per evaluation lately; the others take turns.
    depth : float
        Evaluations per visit and variable of the group; 200 at least.
    evaluations : float
        Evaluations per initiation and variable. Where initiations end does not matter.
    together : int
        Groups that are visited side by side at most.
    looks_first : bool
        Look first whether nearly all pairs of variables interact, which takes 49 evaluations. If so, the first
        initiation ends with that, so that others can go first; later ones decompose all the same.
    few_only : bool
        Wait also if many variables interact, with others or with few: a decomposition takes long then.

    Examples
    --------
    >>> import ter
    >>> def pairs(x):
    ...     return float((100 * (x[1::2] - x[::2] ** 2) ** 2 + (1 - x[::2]) ** 2).sum())
    >>> result = ter.minimize(pairs, ter.box(-5, 4, dimension=8), budget=8_000, rng=1, heuristics=["groups"])
    >>> result.fun < 1e-8
    True
    """

    largest: int = 50
    block: int = 50
    full: int = 150
    spread: float = 0.3
    greed: float = 0.5
    depth: float = 5.0
    evaluations: float = 25.0
    name: str = "groups"
    together: int = 4
    looks_first: bool = False
    few_only: bool = False

    def __post_init__(self) -> None:
        require_whole("largest", self.largest, low=2)
        require_whole("block", self.block, low=1)
        require_whole("full", self.full, low=1)
        require_in("spread", self.spread, low=0.0, high=10.0, open_low=True)
        require_in("greed", self.greed, low=0.0, high=1.0)
        require_in("depth", self.depth, low=0.0, high=np.inf)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)
        require_whole("together", self.together, low=1)

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the strategy's kernels."""
        MAES().compile(compiled=False)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation."""
        return max(200, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> DecomposedESState:
        """Begin with the decomposition."""
        analysis = RDG3State.begin(box, largest=self.largest, ahead=AHEAD)
        return DecomposedESState(rng, analysis, np.zeros(box.dimension, dtype=np.bool_), width=self.together)

    def act(self, state: DecomposedESState, allowance: Allowance, rng: np.random.Generator) -> DecomposedESState:
        """Go on with the decomposition, or with the tour under way, and then with the next ones."""
        if self.looks_first and state.first.ends(FewPairsLook if self.few_only else PairLook, allowance):
            return state
        if state.base is None:
            state.base = allowance.branch(allowance.x, allowance.y, follow=False)
        base = state.base = allowance.branch(state.base)
        if state.tour and allowance.y != state.seen and allowance.remaining:
            state.stale = True
            state.unions.clear()
        while allowance.remaining:
            if not state.tour and state.analysis is not None and (state.owed > 0 or not state.searches):
                self._decompose(state, state.analysis, allowance)
            elif state.look is not None or self._is_due(state, allowance):
                self._look_again(state, allowance)
            elif not state.tour:
                self._set_out(state, base, allowance)
            elif state.stale:
                self._come_back(state, base, allowance)
            else:
                if not state.all_done:
                    state.place = go_round(state.on_tour, state.place, base)
                if state.all_done:
                    self._return(state, base)
        bring_best(state.on_tour, base, allowance)
        state.seen = allowance.y
        return state

    def _set_out(self, state: DecomposedESState, base: Branch, allowance: Allowance) -> None:
        """Begin a tour around the incumbent."""
        bring_along(allowance, base.x, base.y)
        if base.y != allowance.y:
            base.jump(allowance.x, allowance.y)
        state.tour, state.greedy = self._next(state)
        state.place = 0
        for search in state.on_tour:
            search.begin(base, state.rng)

    @staticmethod
    def _come_back(state: DecomposedESState, base: Branch, allowance: Allowance) -> None:
        """Try what was found so far at the incumbent, which others have moved, and go on around it."""
        if base.y != allowance.y:
            base.jump(allowance.x, allowance.y)
            state.unions.clear()
        if join(state.on_tour, state.unions, base, least=1) is None:
            return
        state.stale = False
        for search in state.on_tour:
            search.enter(base)

    def _return(self, state: DecomposedESState, base: Branch) -> None:
        """End a tour: go to the best union, and note what the visits have brought, per evaluation."""
        kept = join(state.on_tour, state.unions, base, least=2)
        if kept is None:
            return
        for number, greedy in zip(state.tour, state.greedy, strict=True):
            search = state.searches[number]
            used, gain = search.visit, search.entered - search.lowest + search.catch_up()
            rate = gain / used if math.isfinite(gain) else 0.0
            if state.rates[number] == UNVISITED:
                state.rates[number] = rate
            else:
                state.rates[number] = 0.5 * (state.rates[number] + rate)
                state.shares[0 if greedy else 1] += used
            state.owed += used
            state.worked += used
            search.leave(base, state.rng)
        if kept < 0 or len(state.tour) == 1:
            state.width = max(1, state.width // 2) if kept < 0 else min(state.width + 1, self.together)
        elif kept > 0:
            state.width = min(2 * state.width, self.together)
        state.tour = []

    def _decompose(self, state: DecomposedESState, analysis: RDG3State, allowance: Allowance) -> None:
        """Go on with the analysis as far as its share goes, and take over the groups that it has closed."""
        if state.owed <= 0:
            state.owed = allowance.dimension
        analysis.together = allowance.batched
        count = allowance.count
        with allowance.part(state.owed):
            done = analysis.go_on(allowance)
        state.owed -= allowance.count - count
        if not done and state.owed > 0:
            return  # the allowance is at its end
        for group in closed_groups(analysis, state.placed, self.block):
            state.searches.append(self._search(group.members, separable=group.separable))
        state.rates = np.append(state.rates, np.full(len(state.searches) - state.rates.size, UNVISITED))
        if done:
            state.level, state.analysis = abs(analysis.base), None

    @staticmethod
    def _is_due(state: DecomposedESState, allowance: Allowance) -> bool:
        """Tell whether the value is so small that interactions may show which were drowned before."""
        if state.tour or state.analysis is not None or state.rates.size < 2 or UNVISITED in state.rates:
            return False
        if state.worked < WORK * allowance.dimension:
            return False
        return abs(allowance.y) < FALLEN * state.level < math.inf

    def _look_again(self, state: DecomposedESState, allowance: Allowance) -> None:
        """Go on with a second look, and put together what it finds to interact."""
        groups = [search.members for search in state.searches]
        look = state.look
        if look is None:
            among = np.array([search.among for search in state.searches])
            look = state.look = SecondLook(np.array(allowance.x), allowance.y, self.largest, among)
        if not look.go_on(allowance, groups):
            return
        state.look, state.level, state.worked = None, abs(look.y), 0
        for search, among in zip(state.searches, look.among, strict=True):
            search.among = float(among)
        if look.analysis is not None:
            self._regroup(state, look, list(look.analysis.structure().groups))

    def _regroup(self, state: DecomposedESState, look: SecondLook, found: list[Integers]) -> None:
        """Replace the searches of groups and blocks that have changed."""
        light = [search for search, is_light in zip(state.searches, look.light, strict=True) if is_light]
        groups = joined([search.members for search in light if not search.separable], found, self.full)
        grouped = np.concatenate([np.empty(0, dtype=np.int64), *groups])
        known = {search.members.tobytes(): search for search in light}
        searches = [search for search, is_light in zip(state.searches, look.light, strict=True) if not is_light]
        searches += [known.get(group.tobytes()) or self._search(group, separable=False) for group in groups]
        for search in light:
            left = np.setdiff1d(search.members, grouped) if search.separable else search.members[:0]
            if left.size:
                searches.append(search if left.size == search.members.size else self._search(left, separable=True))
        before = {id(search): rate for search, rate in zip(state.searches, state.rates, strict=True)}
        for search in searches:
            if id(search) not in before:
                search.among = float(look.effects[look.light].max())
        state.searches = searches
        state.rates = np.array([before.get(id(search), UNVISITED) for search in searches])

    def _search(self, members: Integers, *, separable: bool) -> GroupSearch:
        """Return a search of a group that begins with its first visit."""
        diagonal = separable or members.size > self.full
        return GroupSearch(members, diagonal, self.spread, max(SHORTEST, int(self.depth * members.size)), separable)

    def _next(self, state: DecomposedESState) -> tuple[list[int], list[bool]]:
        """Choose groups: those never visited, those that gain most, and the next in turn, by their shares."""
        shares, chosen, by_rate = state.shares.copy(), list[int](), list[bool]()
        while len(chosen) < min(state.width, len(state.searches)):
            rates = state.rates.copy()
            rates[chosen] = -math.inf
            number = int(np.argmax(rates))
            greedy = bool(shares[1] * self.greed > shares[0] * (1.0 - self.greed) or self.greed == 1.0)
            if greedy and any(by_rate) and rates[number] < COMPARABLE * state.rates.max():
                break  # it would take what the best one is to have
            if rates[number] != UNVISITED and not greedy:
                number = state.turn = (state.turn + 1) % len(state.searches)
                while number in chosen:
                    number = state.turn = (state.turn + 1) % len(state.searches)
            if rates[number] != UNVISITED:
                shares[0 if greedy else 1] += state.searches[number].visit
            chosen.append(number)
            by_rate.append(greedy)
        return chosen, by_rate
