"""Write the published results that come with the package, from the tables they were collected in.

Run from the project root::

    python -m tools.build_published results.md paper_folder

`results.md` is a text with one section per source (``### 2.1`` to ``### 2.7``) and Markdown tables of
``mean / median / std`` or of means. `paper_folder` holds the tables of TER's paper as CSV files, and its LaTeX source,
from which the ranks and tests of the table on CEC'2008 are read. Numbers are copied as they are printed. The script
stops if a table does not have the rows expected, or if two places that should agree do not.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "ter" / "analysis" / "literature" / "data"

FUNCTIONS = [f"f{k}" for k in range(1, 16)]
MILESTONES = {"1.2e5": 120_000, "1.5e5": 150_000, "6e5": 600_000, "3e6": 3_000_000}
FINAL = 3_000_000
# The columns of the files: those that say what a row is about, and those that hold its numbers.
KEY = ("table", "statistic", "name", "suite", "function", "dimension", "dimension_a", "dimension_b", "evaluations")
NUMBERS = ("mean", "median", "std", "best", "worst", "similarity_percent", "value", "remark")

# How the paper calls its columns, and how we do.
PAPER = {
    "TER": "paper", "BEK": "paper-bek", "RAN": "paper-ran", "LS": "paper-ls", "CC": "paper-cc", "GS": "paper-gs",
    "MTS": "paper-mts", "MOS": "paper-mos", "CSO": "paper-cso", "CC-CMA-ES": "paper-cc-cma-es",
    "DECC-DG2": "paper-decc-dg2", "DECC-D": "paper-decc-d", "tau=1/6 w=6": "paper-w6", "tau=1/7 w=7": "paper-w7",
}  # fmt: skip
TASK_FORCE = {
    "MOS": "mos", "IHDELS 2015": "ihdels", "CC-CMA-ES": "cc-cma-es", "SACC": "sacc", "VMODE": "vmode",
    "DEEPSO": "deepso", "DECC-G": "decc-g",
}  # fmt: skip
RAW = {"mos", "mlshade-spa", "cc-cma-es", "sacc", "vmode", "decc-g"}

FAULTY_F5 = "a constant of an early faulty release of f5, not a result (inferred)"
IMPOSSIBLE_F3 = "impossible: the function stays below 22.4; an error of transcription"
# (name, function, evaluations) to a remark; any evaluations if None.
REMARKS = {
    ("cc-cma-es", 5, None): FAULTY_F5,
    ("vmode", 5, None): FAULTY_F5,
    ("vmode", 3, 120_000): IMPOSSIBLE_F3,
    ("vmode", 3, 600_000): IMPOSSIBLE_F3,
    ("deepso", 9, 600_000): "larger than at 120 000 evaluations; an error of transcription",
    ("paper-w6", 5, None): "surely 2.72E+06, as the standard deviation of 5.12E+05 says",
    ("paper-bek", 12, None): "a mean of 2.25e-4 and a standard deviation of 2.25e1 cannot both be right",
}
# (table, statistic, name) to what the printed means give instead.
ERRATA = {
    ("lso13_baselines", "friedman_rank_error", "paper-cc"): "the printed means give 4.467",
    ("lso13_baselines", "friedman_rank_similarity", "paper-ran"): "the printed percentages give 3.286",
    ("lso13_baselines", "friedman_rank_similarity", "paper-gs"): "the printed percentages give 3.500",
    ("lso13_baselines", "friedman_p_similarity", ""): "the printed percentages give 1.01e-4",
}

Row = dict[str, str]


def fail(message: str) -> None:
    """Stop the script."""
    raise SystemExit(message)


def section(text: str, number: str) -> str:
    """The part of the text under the heading ``### number``."""
    found = re.search(rf"^### {re.escape(number)} .*?(?=^### |^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise SystemExit(f"no section {number}")
    return found[0]


def tables(text: str) -> list[list[Row]]:
    """The Markdown tables of a text whose rows are the functions f1 to f15, as rows of named cells."""
    found = []
    for block in re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE):
        lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block.splitlines()]
        header, body = lines[0], lines[2:]
        if [line[0] for line in body] != FUNCTIONS or any(len(line) != len(header) for line in body):
            fail(f"a table is not complete: {header}")
        found.append([dict(zip(header, line, strict=True)) for line in body])
    return found


def number(printed: str) -> str:
    """Check that a cell is a number, and return it as printed."""
    float(printed)
    return printed


def statistics(cell: str) -> Row:
    """Read ``mean / median / std`` or a mean alone."""
    parts = [number(part.strip()) for part in cell.split("/")]
    if len(parts) not in (1, 3):
        fail(f"a cell is neither a mean nor mean / median / std: {cell!r}")
    return dict(zip(("mean", "median", "std"), parts, strict=False))


def result(name: str, function: str, evaluations: int, cells: Row) -> Row:
    """One row of a file of results on CEC'2013."""
    k = int(function.removeprefix("f"))
    suite = "lso13-raw" if name in RAW or name.startswith("paper") else "lso13"
    remark = REMARKS.get((name, k, evaluations)) or REMARKS.get((name, k, None)) or ""
    return {"name": name, "suite": suite, "function": str(k), "evaluations": str(evaluations), **cells,
            "remark": remark}  # fmt: skip


def column(table: Iterable[Row], header: str, name: str, evaluations: int) -> Iterator[Row]:
    """The results in one column of a table."""
    for row in table:
        yield result(name, row["f"], evaluations, statistics(row[header]))


def write(filename: str, rows: list[Row], **facts: str) -> None:
    """Write rows, with the columns that are in use, below comments that say where they come from."""
    if len({tuple(row.get(key, "") for key in KEY) for row in rows}) < len(rows):
        fail(f"{filename} holds something twice")
    columns = [key for key in (*KEY, *NUMBERS) if any(row.get(key) for row in rows)]
    text = io.StringIO()
    text.writelines(f"# {key}: {value}\n" for key, value in facts.items())
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    TARGET.mkdir(parents=True, exist_ok=True)
    (TARGET / filename).write_text(text.getvalue(), encoding="utf-8")


def shade_ils_and_dtgsk(text: str) -> None:
    """SHADE-ILS: the paper's means and two re-runs; MOS run again by the second of them; the IRRG workbook."""
    (shade,) = tables(section(text, "2.1"))
    (grouping,) = tables(section(text, "2.2"))
    published, again = tables(section(text, "2.5"))
    write(
        "shade-ils.csv",
        list(column(shade, "paper mean 3e6", "shade-ils", FINAL)),
        source="Molina, LaTorre, Herrera, SHADE with iterative local search for large-scale global "
        "optimization, CEC 2018, Table VI, as transcribed in MostafaMassoud/DT-GSK (commit b9846e4), "
        "papers/governance/evidence_cards/molina2018shadeils.md",
        runs="51",
    )
    rows = list(column(shade, "re-run IRRG 3e6 (mean/median/std)", "shade-ils-irrg", FINAL))
    for header in ("CBCC-RDG3", "CCFR2-RDG3", "CBCC-IRRG", "CCFR2-IRRG"):
        rows += column(grouping, header, header.lower(), FINAL)
    write("irrg.csv", rows, source="kommar/IRRG, results.xlsx (budget inferred)", runs="25")
    rows = []
    for milestone in ("1.5e5", "6e5", "3e6"):
        headers = [header for header in shade[0] if header.endswith(f"DT-GSK {milestone}")]
        rows += column(shade, headers[0], "shade-ils-dtgsk", MILESTONES[milestone])
        rows += column(again, milestone, "mos-dtgsk", MILESTONES[milestone])
    write("dtgsk.csv", rows, source="MostafaMassoud/DT-GSK (commit b9846e4), results/_run_all", runs="25")
    write(
        "mos.csv",
        [result("mos", row["f"], FINAL, {key: number(row[key]) for key in ("mean", "median", "std", "best", "worst")})
         for row in published],
        source="LaTorre, Muelas, Peña, Large scale global optimization: experimental results with MOS-based "
        "hybrid algorithms, CEC 2013, Table IV",
        runs="25",
    )  # fmt: skip


def three_milestones(text: str) -> None:
    """The algorithms with curves of their own: MLSHADE-SPA and COSACC-LS1."""
    for filename, number_of_section, source, runs in (
        ("mlshade-spa", "2.3", "arthurmrodriguez/Advanced-Metaheuristics-LSGO, Algorithms-ELSGO/MLSHADE-SPA: Results "
         "at 3000000 evaluations; before, the last of about 100 points of the curves in Figures, so slightly too large",
         "27"),
        ("cosacc-ls1", "2.4", "VakhninAleksei/COSACC-LS1, Experiment_results, setting {1,2,4}", "25"),
    ):  # fmt: skip
        (table,) = tables(section(text, number_of_section))
        rows = [row for m in ("1.2e5", "6e5", "3e6") for row in column(table, m, filename, MILESTONES[m])]
        write(f"{filename}.csv", rows, source=source, runs=runs)


def task_force(text: str) -> None:
    """The database of the organisers; MOS at the end is left out, since Table IV of its paper is there."""
    found = tables(section(text, "2.6"))
    (mos, _) = tables(section(text, "2.5"))
    rows = []
    for evaluations, table in zip((120_000, 600_000, FINAL), found, strict=True):
        for header, name in TASK_FORCE.items():
            new = list(column(table, header, name, evaluations))
            if name == "mos" and evaluations == FINAL:
                for row, printed in zip(new, mos, strict=True):
                    if float(row["mean"]) != float(printed["mean"]):
                        fail(f"MOS differs between its paper and the database: {row}")
                continue
            rows += new
    write("task-force.csv", rows, source="dmolina/tflsgo_comp, examples/cec2013.xls and tflsgo_comp/bench_lsgo.db")


def read_paper(folder: Path, name: str) -> list[Row]:
    """One of the paper's tables."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def paper_results(folder: Path, text: str) -> None:
    """All means and standard deviations of the paper."""
    rows: dict[tuple[str, ...], Row] = {}
    for table in ("lso13_baselines", "lso13_algorithms", "lso13_hyperparameters"):
        for cells in read_paper(folder, table):
            name = f"paper-w{cells['window']}" if "window" in cells else PAPER[cells["algorithm"]]
            name = "paper" if name == "paper-w5" else name
            row = result(name, cells["function"], FINAL, {key: number(cells[key]) for key in ("mean", "std")})
            before = rows.setdefault((name, row["function"]), row)
            if any(float(before[key]) != float(row[key]) for key in ("mean", "std")):
                fail(f"{name} differs between two tables of the paper: {before} {row}")
    for cells in read_paper(folder, "lso08_algorithms"):
        name, dimension = PAPER[cells["algorithm"]], cells["dimension"]
        rows[name, cells["function"], dimension] = {
            "name": name, "suite": "lso08", "function": cells["function"], "dimension": dimension,
            "evaluations": str(5000 * int(dimension)), "mean": number(cells["mean"]), "std": number(cells["std"]),
        }  # fmt: skip
    if len(rows) != 15 * 14 + 6 * 6 * 4:
        fail(f"the paper has 354 results, not {len(rows)}")
    compare_with_notes(rows, text)
    write("paper.csv", list(rows.values()), source=PAPER_SOURCE, runs="20")


PAPER_SOURCE = (
    "Zhao, Ge, Lian, Zhang, Generalizable meta-heuristic based on temporal estimation of rewards for large "
    "scale blackbox optimization"
)


def compare_with_notes(rows: dict[tuple[str, ...], Row], text: str) -> None:
    """Stop if the paper's numbers are quoted differently in the collection."""
    (quoted,) = tables(section(text, "2.7"))
    for line in quoted:
        for header, name in (("TER", "TER"), ("BEK", "BEK"), ("RAN", "RAN"), ("LS only", "LS"), ("CC only", "CC"),
                             ("GS only", "GS")):  # fmt: skip
            printed = rows[PAPER[name], line["f"].removeprefix("f")]["mean"]
            if float(line[header].split()[0]) != float(printed):
                fail(f"{name} {line['f']} is quoted differently: {line[header]} and {printed}")


def original_mts(text: str) -> None:
    """MTS on CEC'2008 as its authors published it, from a sentence; f7 is not in our suite."""
    sentence = re.search(r"\*\*original MTS\*\*.*?: (f1 .*?f7 [^:]*)", section(text, "2.7"), re.DOTALL)
    found = dict(re.findall(r"f([1-6]) ([\d.e+-]+)(?=,)", sentence[1])) if sentence else {}
    if len(found) != 6:
        fail(f"MTS should have six results: {found}")
    rows = [
        {"name": "mts", "suite": "lso08", "function": k, "dimension": "1000", "evaluations": "5000000",
         "mean": number(value)} for k, value in found.items()
    ]  # fmt: skip
    source = "Tseng, Chen, Multiple trajectory search for large scale global optimization, CEC 2008"
    write("mts.csv", rows, source=source, runs="25")


def paper_similarities(folder: Path) -> None:
    """The paper's two tables of similarities."""
    rows = read_paper(folder, "lso08_similarity")
    if len(rows) != 36:
        fail(f"the paper compares 36 pairs of dimensions, not {len(rows)}")
    write("paper-similarity-dimensions.csv", rows, source=PAPER_SOURCE)
    rows = [
        {"name": PAPER[row["algorithm"]], "function": row["function"], "similarity_percent": row["similarity_percent"]}
        for row in read_paper(folder, "lso13_baselines")
        if row["similarity_percent"]
    ]
    if len(rows) != 5 * 14:
        fail(f"the paper compares 70 times with its best known sequences, not {len(rows)}")
    write("paper-similarity-best.csv", rows, source=PAPER_SOURCE)


def paper_tests(folder: Path) -> None:
    """The paper's ranks and tests; those on CEC'2008 are completed from its source."""
    rows = []
    for row in read_paper(folder, "ranks_and_tests"):
        name = PAPER[row["algorithm"]] if row["algorithm"] else ""
        if row["table"] != "lso08_algorithms":
            rows.append({**row, "algorithm": name, "remark": ERRATA.get((row["table"], row["statistic"], name), "")})
    given = {row["dimension"]: row["value"] for row in read_paper(folder, "ranks_and_tests") if row["dimension"]}
    (source,) = folder.glob("*.txt")
    for row in lso08_tests(source.read_text(encoding="utf-8")):
        if row["algorithm"] == "paper" and float(row["value"]) != float(given[row["dimension"]]):
            fail(f"the rank of TER on CEC'2008 differs: {row}")
        rows.append(row)
    rows = [{"name" if key == "algorithm" else key: value for key, value in row.items()} for row in rows]
    write("paper-tests.csv", rows, source=PAPER_SOURCE)


def lso08_tests(latex: str) -> Iterator[Row]:
    """The last eight rows of the table on CEC'2008: four of t-tests and four of ranks."""
    table = latex[: latex.index(r"\label{tab:LSO08}")]
    rows = table[table.rindex(r"\multirow{4}[0]{*}{$t$-test}") :].split(r"\\")[:8]
    names = ["paper", "paper-mts", "paper-cso", "paper-cc-cma-es", "paper-decc-dg2", "paper-decc-d"]
    for k, row in enumerate(rows):
        dimension = re.search(r"&\s*(1000|2500|5000|10000)\s*&", row)
        cells = re.findall(r"(?<![\d.])(\d/\d/\d|\d\.\d\d)(?=[}\s])", re.sub(r"\[rgb\]\{[^}]*\}", "", row))
        statistic, of = ("paired_t_less_similar_greater", names[1:]) if k < 4 else ("friedman_rank_error", names)
        if dimension is None or len(cells) != len(of):
            raise SystemExit(f"a row of the table on CEC'2008 could not be read: {row}")
        for name, value in zip(of, cells, strict=True):
            yield {"table": "lso08_algorithms", "statistic": statistic, "dimension": dimension[1], "algorithm": name,
                   "value": value}  # fmt: skip


def main() -> None:
    """Write all files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="Markdown text with the published results")
    parser.add_argument("paper", type=Path, help="folder with the tables of TER's paper")
    arguments = parser.parse_args()
    text = arguments.results.read_text(encoding="utf-8")
    shade_ils_and_dtgsk(text)
    three_milestones(text)
    task_force(text)
    paper_results(arguments.paper, text)
    original_mts(text)
    paper_similarities(arguments.paper)
    paper_tests(arguments.paper)


if __name__ == "__main__":
    main()
