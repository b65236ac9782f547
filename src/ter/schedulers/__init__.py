"""Who chooses what to start next."""

from ter.schedulers.bounds import ExploitationBounds, Setting, exploitation_bounds, suggest
from ter.schedulers.catalogue import SCHEDULERS
from ter.schedulers.fixed import Only, RandomChoice, Replay, RoundRobin
from ter.schedulers.participation import Participation
from ter.schedulers.ter import TER

__all__ = [
    "SCHEDULERS",
    "TER",
    "ExploitationBounds",
    "Only",
    "Participation",
    "RandomChoice",
    "Replay",
    "RoundRobin",
    "Setting",
    "exploitation_bounds",
    "suggest",
]
