"""Measurements that come in parts: all of them, or those named; the results of the others stay as they are."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.report import RESULTS, save

__all__ = ["NUMBERS", "Effort", "Part", "measure_parts"]

NUMBERS = range(1, 16)  # of the functions of LSO13


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    rounds: int = 15
    evaluations: int = 3_000_000
    starts: int = 5
    repeats: int = 3
    short: float = 1.0  # factor of evaluations that are fixed otherwise
    numbers: Sequence[int] = NUMBERS


QUICK = Effort(rounds=3, evaluations=300_000, starts=2, repeats=1, short=0.1)


@dataclass(frozen=True)
class Part:
    """What one part of the measurements found."""

    title: str
    text: str
    figures: Any


def measure_parts(
    name: str, title: str, how: str, parts: Mapping[str, Callable[[Effort], Part]], arguments: Sequence[str]
) -> None:
    """Measure the parts that the arguments name, or all; print and save them."""
    parser = argparse.ArgumentParser(prog=f"python -m bench {name}")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(parts)}; all if none is named")
    parser.add_argument("--quick", action="store_true", help="measure briefly, save nothing")
    options = parser.parse_args(arguments)
    unknown = set(options.parts) - set(parts)
    if unknown:
        parser.error(f"unknown part {', '.join(sorted(unknown))}; parts: {', '.join(parts)}")
    found = {}
    for part in options.parts or parts:
        before = os.getloadavg()[0]
        measured = parts[part](QUICK if options.quick else Effort())
        load = f"Load of the machine (1 minute): {before:.1f} before, {os.getloadavg()[0]:.1f} after."
        found[part] = Part(measured.title, f"{measured.text}\n\n{load}", measured.figures)
        print(f"\n{measured.title}\n\n{found[part].text}\n", flush=True)
    if not options.quick:
        _keep(name, title, how, [*parts], found)


def _keep(name: str, title: str, how: str, order: Sequence[str], found: Mapping[str, Part]) -> None:
    """Save what was found; parts that were not measured now keep their last results."""
    path = RESULTS / f"{name}.json"
    kept = json.loads(path.read_text())["figures"] if path.exists() else {}
    kept |= {part: vars(measured) for part, measured in found.items()}
    ordered = {part: kept[part] for part in order if part in kept}
    text = "\n\n".join(f"## {part['title']}\n\n{part['text']}" for part in ordered.values())
    save(name, title, f"{how}\n\n{text}", ordered)
