"""Kinds of functions that heuristics are made for, told apart by what a first look at them answers.

| variables | the function is | then go |
|---|---|---|
| can be searched one by one | rugged | searches along single variables |
| can be searched one by one | smooth | the same, sweeps, slopes |
| hardly contradict that | rugged | searches along single variables |
| hardly contradict that | smooth | sweeps, slopes; groups, if there are any |
| interact | smooth | slopes |
| interact, or there is time | rugged | wide strategies |

Whoever is made for another kind lets others go first. All ask the same questions at the same points, so that they
agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from ter.core.allowance import Allowance
from ter.heuristics.first_look import OrderLook, PairLook
from ter.heuristics.ruggedness import CurvatureLook

__all__ = ["AnyRuggedLook", "FewPairsLook", "OneByOneLook", "RuggedLook", "SweepsLook"]


@dataclass
class OrderThenCurvature:
    """How much variables interact, and whether the function is rugged, if that matters."""

    order: OrderLook
    curvature: CurvatureLook

    @classmethod
    def begin(cls, allowance: Allowance) -> Self:
        """Choose what to evaluate."""
        return cls(OrderLook.begin(allowance), CurvatureLook.begin(allowance))

    def go_on(self, allowance: Allowance) -> bool:
        """Spend an allowance, or less; return whether it is done."""
        return self.order.go_on(allowance) and (not self.undecided or self.curvature.go_on(allowance))

    @property
    def undecided(self) -> bool:
        """Whether it matters if the function is rugged."""
        raise NotImplementedError


class OneByOneLook(OrderThenCurvature):
    """For searches along single variables, which have no rivals where slopes say nothing."""

    otherwise: ClassVar[str] = OrderLook.otherwise

    @property
    def undecided(self) -> bool:
        """Whether a few variables contradict the others."""
        return not self.order.fits and not self.order.interacting

    @property
    def fits(self) -> bool:
        """Whether variables can be searched one by one, or nearly so on a rugged function."""
        return self.order.fits or (self.undecided and self.curvature.rugged)


class SweepsLook(OrderThenCurvature):
    """For sweeps over the variables, which follow a valley only along them, and go down in the nearest one."""

    otherwise: ClassVar[str] = "variables interact, or the function is rugged"

    @property
    def undecided(self) -> bool:
        """Whether variables hardly interact."""
        return not self.order.interacting

    @property
    def fits(self) -> bool:
        """Whether variables hardly interact, and the function is smooth."""
        return self.undecided and not self.curvature.rugged


class RuggedLook(OrderThenCurvature):
    """For heuristics that are better than others only where a function is rugged and variables interact."""

    otherwise: ClassVar[str] = "the function is smooth, or variables hardly interact"

    @property
    def undecided(self) -> bool:
        """Whether variables interact."""
        return self.order.interacting

    @property
    def fits(self) -> bool:
        """Whether the function is rugged, and variables interact."""
        return self.undecided and self.curvature.rugged


class AnyRuggedLook(CurvatureLook):
    """For the same heuristics in long runs: a look may miss a few groups, which are what is left."""

    otherwise: ClassVar[str] = "the function is smooth"

    @property
    def fits(self) -> bool:
        """Whether the function is rugged."""
        return self.rugged


@dataclass
class FewPairsLook:
    """For decompositions in little time: few pairs interact, and few variables interact with anything."""

    pairs: PairLook
    order: OrderLook

    otherwise: ClassVar[str] = "many variables interact"

    @classmethod
    def begin(cls, allowance: Allowance) -> FewPairsLook:
        """Choose what to evaluate."""
        return cls(PairLook.begin(allowance), OrderLook.begin(allowance))

    def go_on(self, allowance: Allowance) -> bool:
        """Spend an allowance, or less; return whether it is done."""
        return self.pairs.go_on(allowance) and (not self.pairs.fits or self.order.go_on(allowance))

    @property
    def fits(self) -> bool:
        """Whether most variables need not be put into groups."""
        return self.pairs.fits and not self.order.interacting
