"""Checkpoints with wrong bits, cut off, overwritten: the resumed run equals the undisturbed one, or is refused."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ter.checkpoint.frames import CheckpointError
from tests.chaos.kills import child, waited
from tests.chaos.subjects import SUBJECTS, facts, go, undisturbed

__all__ = ["campaign"]

FILES = ("journal", "journal", "journal", "snapshot.0", "snapshot.1", "manifest.json", "arguments")
WAYS = ("cut", "bit", "zeros", "repeated", "garbage behind", "lost")


def hurt(file: Path, way: str, rng: np.random.Generator) -> None:
    """Damage a file."""
    data = bytearray(file.read_bytes())
    place = int(rng.integers(max(1, len(data))))
    size = int(rng.integers(1, 200))
    if way == "cut":
        del data[place:]
    elif way == "bit" and data:
        data[place] ^= 1 << int(rng.integers(8))
    elif way == "zeros":
        data[place : place + size] = bytes(len(data[place : place + size]))
    elif way == "repeated":
        data[place:place] = data[place : place + size]
    elif way == "garbage behind":
        data += rng.bytes(size)
    if way == "lost":
        file.unlink()
    else:
        file.write_bytes(data)


def unfinished(folder: Path, engine: str, algorithm: str, rng: np.random.Generator) -> None:
    """Leave a checkpoint of a run that was killed on its way."""
    answer = folder.with_suffix(".answer")
    undisturbed(engine, algorithm)
    while waited(child(engine, algorithm, folder, answer, None), float(rng.uniform(0.02, 0.5))) or not (
        (folder / "manifest.json").is_file() and (folder / "journal").stat().st_size > 500
    ):
        shutil.rmtree(folder, ignore_errors=True)


def campaign(tries: int, seed: int = 1) -> tuple[Counter[str], list[str]]:
    """Damage checkpoints in all ways, and see what comes of it."""
    tried, broken = Counter[str](), []
    with TemporaryDirectory() as place:
        left: dict[int, Path] = {}
        for number in range(tries):
            rng, which = np.random.default_rng([seed, number]), (seed + number) % len(SUBJECTS)
            engine, algorithm = SUBJECTS[which]
            if which not in left:
                left[which] = Path(place) / f"left {which}"
                unfinished(left[which], engine, algorithm, rng)
            folder = Path(place) / "damaged"
            shutil.copytree(left[which], folder)
            names = [name for name in FILES if (folder / name).is_file()]
            name, way = str(rng.choice(names)), str(rng.choice(WAYS))
            hurt(folder / name, way, rng)
            try:
                same = facts(go(engine, algorithm, folder)) == undisturbed(engine, algorithm)
                outcome = "resumed" if same else "wrong"
            except CheckpointError:
                outcome = "refused"
            except Exception as error:
                outcome = f"wrong: {type(error).__name__}: {error}"
            if outcome.startswith("wrong"):
                broken.append(f"try {number}: {engine}, {algorithm}, {name} {way}: {outcome}")
            tried[f"damaged {name.split('.')[0]}: {outcome.partition(':')[0]}"] += 1
            shutil.rmtree(folder)
    return tried, broken
