"""The facts at the top and at the end of a page: how much was run, with what, and whose numbers stand beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ter import __version__
from ter.analysis import Published
from ter.display.texts import count_text, time_text
from ter.report.study import Study

__all__ = ["cards_of", "facts_of", "lacking_of", "lead_of", "sources_of"]

PACKAGES = ("ter", "python", "numpy", "scipy", "numba")
SHOWN = 5  # different machines listed at most


def lead_of(study: Study) -> str:
    """Say in one sentence what was run."""
    runs = sorted({len(group.records) + group.missing for group in study.groups.values()})
    budgets = sorted({case.limits for case in study.cases})
    algorithms, problems = _number(len(study.labels), "algorithm"), _number(len(study.cases), "problem")
    where = f" of {study.suite}" if study.suite else ""
    times = f"{_range(runs)} {'run' if runs == [1] else 'runs'} each"
    limit = f"{budgets[0]} per run" if len(budgets) == 1 else "budgets of several sizes"
    return f"{algorithms} on {problems}{where}, {times}, {limit}."


def lacking_of(study: Study) -> str:
    """Say how many runs failed and are missing; empty if none."""
    counts = [study.count(label) for label in study.labels]
    failed, missing = sum(count[1] for count in counts), sum(count[2] for count in counts)
    parts = [f"{number} {what}" for number, what in ((failed, "failed"), (missing, "missing")) if number]
    return f"{' and '.join(parts)} runs" if parts else ""


def cards_of(study: Study) -> list[tuple[str, str]]:
    """Return numbers with what they are."""
    finished = [record for record in study.records if not record.failed]
    failed = len(study.records) - len(finished)
    missing = sum(group.missing for group in study.groups.values())
    cards = [
        (str(len(study.cases)), "problems"),
        (str(len(study.labels)), "algorithms"),
        (count_text(len(finished)), "runs finished"),
        (count_text(sum(record.nfev for record in finished)), "evaluations"),
        (time_text(sum(record.cpu for record in finished)), "CPU time"),
    ]
    lacking = [(count_text(number), f"runs {what}") for number, what in ((failed, "failed"), (missing, "missing"))]
    return cards[:3] + [card for card in lacking if card[0] != "0"] + cards[3:]


def facts_of(study: Study) -> list[tuple[str, str]]:
    """Return what the runs were made with, and this report."""
    records = study.records
    versions = Counter(
        ", ".join(f"{name} {r.facts[name]}" for name in PACKAGES if name in r.facts) for r in records if r.facts
    )
    machines = Counter(
        ", ".join(r.facts[name] for name in ("processor", "system") if name in r.facts)
        + (f", {r.facts['cores']} cores" if "cores" in r.facts else "")
        + (f", {r.facts['memory']}" if "memory" in r.facts else "")
        for r in records
        if r.facts
    )
    times = sorted(record.started for record in records if record.started)
    facts = [("runs", f"{times[0][:19]} to {times[-1][:19]} UTC")] if times else []
    facts += [("versions", text) for text in _counted(versions)]
    facts += [("machine", text) for text in _counted(machines)]
    facts.append(("code", ", ".join(study.codes)))
    facts.append(("report", f"ter {__version__}"))
    return facts


def sources_of(sources: Sequence[Published]) -> list[dict[str, str]]:
    """Return the published results, with what one should know and where they are from."""
    found = []
    for source in sources:
        cited = "; ".join(dict.fromkeys(result.source for result in source.results))
        found.append({"title": source.title, "name": source.name, "note": source.note, "cited": cited})
    return found


def _counted(texts: Counter[str]) -> list[str]:
    listed = [text if len(texts) == 1 else f"{text} ({number} runs)" for text, number in texts.most_common(SHOWN)]
    return listed + ([f"and {len(texts) - SHOWN} more"] if len(texts) > SHOWN else [])


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _range(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
