"""All heuristics, by name. To add one: write its file, add a line here, and a test that runs the contract."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ter.core.aliases import ALIASES, name_among
from ter.core.errors import InvalidArgument, UnknownName
from ter.core.heuristic import Heuristic
from ter.heuristics.cc import CC
from ter.heuristics.cc_cma_es import CCCMAES
from ter.heuristics.cso import CSO
from ter.heuristics.decc_d import DECCD
from ter.heuristics.decomposed_es import DecomposedES
from ter.heuristics.lbfgsb import LBFGSB
from ter.heuristics.line_search import GlobalLineSearch
from ter.heuristics.ls1 import LS1
from ter.heuristics.middles import Middles
from ter.heuristics.quasi_newton import QuasiNewton
from ter.heuristics.rm_es import RmES
from ter.heuristics.sep_cma_es import SepCMAES
from ter.heuristics.shade import SHADE
from ter.heuristics.solis_wets import SolisWets
from ter.heuristics.volleys import Volleys
from ter.heuristics.wide_es import WideES

__all__ = ["HEURISTICS", "portfolio"]

HEURISTICS: dict[str, Callable[[], Heuristic]] = {
    "ls1": LS1,
    "cc": CC,
    "gs": SHADE,
    "lbfgsb": LBFGSB,
    "quasi-newton": QuasiNewton,
    "solis-wets": SolisWets,
    "cso": CSO,
    "cc-cma-es": CCCMAES,
    "decc-d": DECCD,
    "groups": DecomposedES,
    "lines": GlobalLineSearch,
    "middles": Middles,
    "sep-cma-es": SepCMAES,
    "rm-es": RmES,
    "volleys": Volleys,
    "wide-es": WideES,
}


def portfolio(heuristics: Sequence[str | Heuristic]) -> tuple[Heuristic, ...]:
    """Read a portfolio: names or heuristics, each name once.

    Examples
    --------
    >>> [heuristic.name for heuristic in portfolio(["ls1", CC(group=20)])]
    ['ls1', 'cc']
    """
    if isinstance(heuristics, str) or not isinstance(heuristics, Sequence):
        raise InvalidArgument(f"heuristics must be a list, got {heuristics!r}; write for example ['ls1', 'cc']")
    if len(heuristics) == 0:
        raise InvalidArgument("heuristics must hold at least one, got an empty list; leave it out for the default")
    members = tuple(_read(heuristic) for heuristic in heuristics)
    names = [member.name for member in members]
    for name in names:
        if names.count(name) > 1:
            raise InvalidArgument(
                f"names in a portfolio must be unique, got {name!r} twice; pass name=... to one of them"
            )
    return members


def _read(heuristic: str | Heuristic) -> Heuristic:
    if isinstance(heuristic, str):
        name = name_among(heuristic, HEURISTICS)
        if name not in HEURISTICS:
            raise UnknownName.among("heuristic", heuristic, [*HEURISTICS, *ALIASES])
        return HEURISTICS[name]()
    if isinstance(heuristic, Heuristic) and not isinstance(heuristic, type):
        return heuristic
    raise InvalidArgument(
        f"a heuristic must have name, cost, start and act, got {heuristic!r}; see ter.testing.HeuristicContract, "
        "or wrap a solver with ter.wrap"
    )
