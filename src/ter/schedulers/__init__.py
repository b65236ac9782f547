"""Who chooses what to start next."""

from ter.schedulers.bandits import EXP3S, DiscountedThompson, SlidingWindowUCB
from ter.schedulers.bounds import ExploitationBounds, Setting, exploitation_bounds, suggest
from ter.schedulers.catalogue import SCHEDULERS
from ter.schedulers.duels import Duels
from ter.schedulers.elimination import Elimination
from ter.schedulers.fading_rates import FadingRates
from ter.schedulers.fixed import Only, RandomChoice, Replay, RoundRobin
from ter.schedulers.halving import Halving
from ter.schedulers.metered import Metered
from ter.schedulers.opening import Opening
from ter.schedulers.participation import Participation
from ter.schedulers.plunge import Plunge
from ter.schedulers.stretches import Stretches
from ter.schedulers.ter import TER

__all__ = [
    "EXP3S",
    "SCHEDULERS",
    "TER",
    "DiscountedThompson",
    "Duels",
    "Elimination",
    "ExploitationBounds",
    "FadingRates",
    "Halving",
    "Metered",
    "Only",
    "Opening",
    "Participation",
    "Plunge",
    "RandomChoice",
    "Replay",
    "RoundRobin",
    "Setting",
    "SlidingWindowUCB",
    "Stretches",
    "exploitation_bounds",
    "suggest",
]
