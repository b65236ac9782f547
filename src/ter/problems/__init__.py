"""Problems to try things on. Nothing is compiled or read before a problem is made."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ter.problems.catalogue import GALLERY, PROBLEMS, Entry, problem

_HOMES = {
    "atom_cluster": "ter.problems.lennard_jones",
    "digit_network": "ter.problems.digits",
    "image_deblurring": "ter.problems.deblurring",
    "obstacle_course": "ter.problems.trajectory",
    "power_dispatch": "ter.problems.economic_dispatch",
}

__all__ = [
    "GALLERY",
    "PROBLEMS",
    "Entry",
    "atom_cluster",
    "digit_network",
    "image_deblurring",
    "obstacle_course",
    "power_dispatch",
    "problem",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ter.problems' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


if TYPE_CHECKING:
    from ter.problems.deblurring import image_deblurring
    from ter.problems.digits import digit_network
    from ter.problems.economic_dispatch import power_dispatch
    from ter.problems.lennard_jones import atom_cluster
    from ter.problems.trajectory import obstacle_course
