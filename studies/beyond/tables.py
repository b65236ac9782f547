"""Write the tables of limited-memory.md from the files of this folder: ``python studies/beyond/tables.py``."""

from __future__ import annotations

import csv
import math
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE / "limited-memory.md"
BEGIN, END = "<!-- tables: made by studies/beyond/tables.py -->", "<!-- end of tables -->"


def load(name: str) -> dict[str, dict[str, list[float]]]:
    """Return the values after 100 D evaluations: by algorithm and function, one per seed."""
    values: dict[str, dict[str, list[float]]] = {}
    with (HERE / name).open(encoding="utf-8") as file:
        for function, who, _, *kept in csv.reader(file):
            values.setdefault(who, {}).setdefault(function, []).append(float(kept[1]))
    return values


def table(values: dict[str, dict[str, list[float]]]) -> str:
    """Return medians over the seeds, and the geometric mean of those that have all functions; 1e-20 at least."""
    functions = list(dict.fromkeys(f for row in values.values() for f in row))
    lines = ["| | " + " | ".join(functions) + " | geometric mean |", "|---" * (len(functions) + 2) + "|"]
    for who, row in values.items():
        medians = {f: sorted(v)[len(v) // 2] for f, v in row.items()}
        logs = [math.log(max(y, 1e-20)) for y in medians.values()]
        mean = f"{math.exp(sum(logs) / len(logs)):.3g}" if len(logs) == len(functions) else ""
        cells = [f"{medians[f]:.2g}" if f in medians else "–" for f in functions]
        lines.append(f"| {who} | " + " | ".join(cells) + f" | {mean} |")
    return "\n".join(lines)


def main() -> None:
    """Put the tables into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]
    parts = [("Candidates", "candidates.csv"), ("Heuristics of ter", "arms.csv"), ("Peers", "peers.csv")]
    made = "\n\n".join(f"## {title}\n\n{table(load(name))}" for title, name in parts)
    PAGE.write_text(f"{before}\n\n{made}\n\n{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
