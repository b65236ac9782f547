"""The Lennard-Jones cluster: how do n noble gas atoms pack?

Energies of the best known clusters: D. J. Wales, J. P. K. Doye, "Global optimization by basin-hopping and the lowest
energy structures of Lennard-Jones clusters containing up to 110 atoms", J. Phys. Chem. A 101 (1997) 5111-5116.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector, box
from ter.core.errors import InvalidArgument
from ter.core.problem import Problem
from ter.objectives.compiled import CompiledObjective
from ter.problems.kernels.lennard_jones import TILE, commit, move, start, value

__all__ = ["atom_cluster"]

BEST_KNOWN = {2: -1.0, 3: -3.0, 4: -6.0, 13: -44.326801, 38: -173.928427}


def atom_cluster(atoms: int = 350) -> Problem:
    """Return the energy of a cluster in a cube that leaves it some room.

    Parameters
    ----------
    atoms : int
        Number of atoms, >= 2; the dimension is ``3 * atoms``.

    Notes
    -----
    The pair energy at distance r is ``4 (r**-12 - r**-6)``. Below r = 0.5, where it is above 16000, it goes on as a
    straight line in r**2, so coinciding atoms have a large but finite energy. No atom of a good cluster is that near.

    Examples
    --------
    >>> pair = atom_cluster(atoms=2)
    >>> round(pair([0, 0, 0, 2 ** (1 / 6), 0, 0]), 12)
    -1.0
    """
    if int(atoms) != atoms or atoms < 2:
        raise InvalidArgument(f"atoms must be a whole number >= 2, got {atoms!r}")
    blocks = -(-atoms // TILE)
    half = 5.0 * (atoms / 350) ** (1 / 3)  # the volume grows with the number of atoms
    return Problem(
        CompiledObjective(value, ints=[atoms], start=start, move=move, commit=commit, memory=blocks * blocks),
        box(-half, half, dimension=3 * atoms),
        name="lennard-jones",
        f_opt=BEST_KNOWN.get(atoms),
        about=(
            f"{atoms} atoms attract each other from afar and repel each other when near. The variables are their "
            "coordinates x, y, z in units of the distance at which a pair has no energy; the value is the energy of "
            "the cluster in units of the depth of the pair potential."
        ),
        draw=draw,
        facts={"traits": ("rugged", "huge range of values", "translation and permutation symmetric"), "cost": "medium"},
    )


def draw(x: Vector, axes: Any) -> None:
    """Paint the atoms as lit balls, coloured by their number of neighbours."""
    from matplotlib import colormaps

    atoms = np.asarray(x).reshape(-1, 3)
    gaps = np.linalg.norm(atoms[:, None] - atoms[None, :], axis=2)
    neighbours = (gaps < 1.35).sum(axis=1) - 1
    colours = colormaps["viridis"](np.clip(neighbours / 12, 0, 1))[:, :3]
    picture = _balls(_turned(atoms - atoms.mean(axis=0)), colours)
    axes.imshow(picture, interpolation="bilinear")
    axes.set_axis_off()
    axes.set_title(f"{len(atoms)} atoms; yellow: 12 neighbours, as in a crystal")


def _turned(atoms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn the cluster a little, so that rows of atoms do not hide one another."""
    c, s = np.cos(0.45), np.sin(0.45)
    about_y = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    about_x = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return np.asarray(atoms @ (about_x @ about_y).T)


def _balls(atoms: NDArray[np.float64], colours: NDArray[np.float64], size: int = 480) -> NDArray[np.float64]:
    """Render balls from far to near into an RGBA picture."""
    radius = 0.56
    reach = float(np.abs(atoms).max()) + radius
    picture = np.zeros((size, size, 4))
    axis = np.linspace(-reach, reach, size)
    light = np.array([-0.45, -0.6, 0.66])
    for k in np.argsort(atoms[:, 2]):
        columns = slice(*np.searchsorted(axis, atoms[k, 0] + np.array([-radius, radius])))
        rows = slice(*np.searchsorted(axis, atoms[k, 1] + np.array([-radius, radius])))
        u, v = np.meshgrid((axis[columns] - atoms[k, 0]) / radius, (axis[rows] - atoms[k, 1]) / radius)
        disc = u * u + v * v < 1
        w = np.sqrt(np.where(disc, 1 - u * u - v * v, 0))
        shine = np.clip(light[0] * u + light[1] * v + light[2] * w, 0, 1)
        fog = 0.6 + 0.5 * (atoms[k, 2] + reach) / (2 * reach)
        shade = (0.42 + 0.68 * shine)[..., None] * colours[k] * fog + 0.35 * (shine**30)[..., None]
        picture[rows, columns][disc] = np.clip(np.concatenate([shade, np.ones_like(shade[..., :1])], 2), 0, 1)[disc]
    return picture
