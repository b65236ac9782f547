"""Damaged files: stores, files of best known sequences and saved results with wrong bits, cut off, overwritten.

Each file must be read right, with what is damaged named, or be refused with an error of ours. Anything else is *wrong*:
another exception, a value that was never written, or a loss that nobody is told of.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import ter
from ter.core.action import Action
from ter.core.errors import DamageWarning, TerError
from ter.experiment.best_known.proposals import next_candidates
from ter.experiment.best_known.search import Search
from ter.experiment.best_known.store import BestStore
from ter.experiment.database import Database
from ter.experiment.record import Record, RunKey
from ter.experiment.store import Store

__all__ = ["KINDS", "WAYS", "campaign"]

PAGE = 4096
SWAPPED = ("fun", "curve", "detail", "traceback")
OUTCOMES = ("unharmed", "named", "refused", "wrong")
Way = Callable[[Path, np.random.Generator], None]
Row = dict[str, Any]


def campaign(tries: int, seed: int) -> list[Row]:
    """Damage files in all ways in turn, and see what comes of it.

    Parameters
    ----------
    tries : int
        Files to damage.
    seed : int
        What is damaged where.

    Returns
    -------
    list of dict
        A row for each kind of file and way of damage: `file`, `damage`, `tries`, how many were read `unharmed`, read
        with the damage `named`, `refused`, or `wrong`, and `examples` of the last.

    Examples
    --------
    >>> [(row["file"], row["damage"], row["wrong"]) for row in campaign(2, seed=1)]
    [('store', 'bits', 0), ('best known', 'bits', 0)]
    """
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", DamageWarning)
        return _campaign(Path(folder), tries, seed)


def _campaign(folder: Path, tries: int, seed: int) -> list[Row]:
    whole = {kind: make(folder / f"{kind}.whole") for kind, (make, _) in KINDS.items()}
    pairs = [(kind, way) for way in WAYS for kind in KINDS if way != "swapped blobs" or kind != "result"]
    rows = {pair: Counter[str]() for pair in pairs}
    examples: dict[tuple[str, str], list[str]] = {pair: [] for pair in pairs}
    for number in range(tries):
        kind, way = pairs[(seed - 1 + number) % len(pairs)]  # slices of a campaign go on where the last one ended
        path = Path(shutil.copy(whole[kind], folder / f"{kind}.damaged"))
        WAYS[way](path, np.random.default_rng([seed, number]))
        try:
            outcome = KINDS[kind][1](path, whole[kind])
        except TerError:
            outcome = "refused"
        except Exception as error:
            outcome = f"wrong: try {number}: {type(error).__name__}: {error}"
        rows[kind, way][outcome.partition(":")[0]] += 1
        if outcome.startswith("wrong"):
            examples[kind, way].append(outcome)
        for left in folder.glob(f"{kind}.damaged*"):
            left.unlink()
    return [
        {"file": kind, "damage": way, "tries": found.total(), **{name: found[name] for name in OUTCOMES},
         "examples": examples[kind, way][:3]}
        for (kind, way), found in rows.items() if found
    ]  # fmt: skip


def _make_store(path: Path) -> Path:
    rng = np.random.default_rng(1)
    with Store(path, write=True) as store:
        for seed in range(1, 31):
            store.add(_record(seed, rng))
    return path


def _record(seed: int, rng: np.random.Generator) -> Record:
    key = RunKey("lso13/f1", 1000, "ter", "{}", "3000", seed, "abc")
    values = np.sort(rng.random(40))[::-1]
    actions = tuple(
        Action(i, "ls1", 25.0, 25, float(y) + 1, float(y), float(y), (0.5, 0.5)) for i, y in enumerate(values)
    )
    curve = np.column_stack([np.arange(1.0, 41.0), values])
    fun = float(values[-1])
    told = None if seed % 10 else "Traceback: it failed\n" * 200  # longer than a page
    return Record(
        key, "ter", seed, fun, 0.0, 3000, {3000: fun}, curve, ("ls1", "cc"), actions, 0.5, 0.4, "now", {"a": "b"}, told
    )  # fmt: skip


def _make_best(path: Path) -> Path:
    search = Search("lso08/f1", 4, 3_150, runs=2, first=20)
    rng = np.random.default_rng(1)
    with BestStore(path, write=True) as store:
        number = store.begin(search)
        candidates = next_candidates(search, [], [])
        store.plan(number, candidates)
        for candidate in candidates:
            for run in (1, 2):
                store.add(number, candidate.number, replace(_record(run, rng), run=run))
    return path


def _make_result(path: Path) -> Path:
    ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=50), budget=5_000, rng=1).save(path)
    return path


def _read_store(path: Path, whole: Path) -> str:
    outcome = _read_rows(Store, path, whole)
    with Store(path) as store:
        list(store.records(newest=True))
        there = len(store.lines())
    with Store(path.with_name(f"{path.name}.new"), write=True) as store:
        store.merge(path)  # the way to go on
        if len(store) > there or store.check().damaged:
            return "wrong: a merge brings what was not read"
    return outcome


def _read_best(path: Path, whole: Path) -> str:
    outcome = _read_rows(BestStore, path, whole)
    with BestStore(path) as store:
        known = store.known()
    with BestStore(whole) as store:
        if outcome == "unharmed" and known != store.known():
            return "wrong: another sequence is the best"
    return outcome


def _read_rows(kind: type[Database], path: Path, whole: Path) -> str:
    """Compare all rows with those that were written."""
    with kind(whole) as store:
        written = [dict(store.rows(sheet)) for sheet in kind.form.sheets]
    with kind(path) as store:
        found = [dict(store.rows(sheet)) for sheet in kind.form.sheets]
        damaged = {each.name for each in store.check().damaged}
    lost = False
    for sheet, before, now in zip(kind.form.sheets, written, found, strict=True):
        for number, values in now.items():
            if repr(values) != repr(before.get(number)):
                return f"wrong: {sheet.title_of(values)} was never written so"
        for number in before.keys() - now.keys():
            title, lost = sheet.title_of(before[number]), True
            names = (title, f"row {number} of {sheet.name}", f"the seals of {sheet.name}")
            if not any(each.startswith(names) for each in damaged):
                return f"wrong: nobody is told that {title} is lost"
    return "named" if lost else "unharmed"


def _read_result(path: Path, whole: Path) -> str:
    ter.load_result(path).save(path)
    return "unharmed" if path.read_bytes() == whole.read_bytes() else "wrong: another result"


KINDS: dict[str, tuple[Callable[[Path], Path], Callable[[Path, Path], str]]] = {
    "store": (_make_store, _read_store),
    "best known": (_make_best, _read_best),
    "result": (_make_result, _read_result),
}


def _bits(path: Path, rng: np.random.Generator) -> None:
    content = bytearray(path.read_bytes())
    for at in rng.integers(len(content), size=rng.integers(1, 9)):
        content[at] ^= 1 << int(rng.integers(8))
    path.write_bytes(content)


def _cut(path: Path, rng: np.random.Generator) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(rng.integers(len(content)))])


def _cut_last_page(path: Path, rng: np.random.Generator) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: -int(rng.integers(1, PAGE))])


def _overwritten(path: Path, rng: np.random.Generator) -> None:
    """Zeros, ones or noise over a block of the disk."""
    content = bytearray(path.read_bytes())
    size = int(rng.choice([16, 512, PAGE]))
    at = size * int(rng.integers(max(1, len(content) // size)))
    size = min(size, len(content) - at)
    content[at : at + size] = [bytes(size), b"\xff" * size, rng.bytes(size)][int(rng.integers(3))]
    path.write_bytes(content)


def _swapped_pages(path: Path, rng: np.random.Generator) -> None:
    content = path.read_bytes()
    pages = [content[at : at + PAGE] for at in range(0, len(content), PAGE)]
    i, j = rng.integers(len(pages), size=2)
    pages[i], pages[j] = pages[j], pages[i]
    path.write_bytes(b"".join(pages))


def _shifted(path: Path, rng: np.random.Generator) -> None:
    content = path.read_bytes()
    at = int(rng.integers(len(content)))
    path.write_bytes(content[:at] + rng.bytes(int(rng.integers(1, 9))) + content[at + int(rng.integers(9)) :])


def _swapped_blobs(path: Path, rng: np.random.Generator) -> None:
    """A value of one row in another and the other way round, which no database notices."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        ids = [int(number) for number in rng.choice(np.arange(1, 31), size=2, replace=False)]
        first, second = (connection.execute("SELECT * FROM runs WHERE rowid = ?", (row,)).fetchone() for row in ids)
        differing = [name for name in SWAPPED if name in set(first.keys()) and first[name] != second[name]]
        column = differing[int(rng.integers(len(differing)))]
        for row, other in zip(ids, (second, first), strict=True):
            connection.execute(f"UPDATE runs SET {column} = ? WHERE rowid = ?", (other[column], row))


WAYS: dict[str, Way] = {
    "bits": _bits,
    "cut": _cut,
    "last page": _cut_last_page,
    "overwritten": _overwritten,
    "swapped pages": _swapped_pages,
    "shifted": _shifted,
    "swapped blobs": _swapped_blobs,
}
