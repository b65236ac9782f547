"""Repairs taken out again, one at a time, to see that a test notices: ``python -m tests.attack.repairs``.

A test that stays green when the line it is there for is gone says nothing. Each repair is removed from a copy of the
package, and its tests are run against the copy; they must fail. The table goes to ``bench/results/repairs.md``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "bench" / "results" / "repairs.md"
FAILED = 1  # what pytest returns if tests failed; other codes say that it could not run them


class Repair(NamedTuple):
    """A repair: what it keeps, and how to take it out."""

    kept: str
    file: str
    line: str
    without: str
    tests: str


REPAIRS = (
    # Wrong results
    Repair(
        "a worker's block goes on after a failure, so every row has its place",
        "engines/posting.py",
        "stop_at_failure=False",
        "stop_at_failure=True",
        "tests/engines/test_calls.py tests/engines/test_posting.py tests/engines/test_workers.py",
    ),
    Repair(
        "answers of workers are put in order by their number",
        "engines/posting.py",
        "answer = self._found.get(self._given)",
        "answer = (list(self._found.values())[self._given :] or [None])[0]",
        "tests/engines/test_posting.py",
    ),
    Repair(
        "doubled answers of workers are refused",
        "engines/posting.py",
        "if answer.index in self._found or not 0 <= answer.index < len(self._blocks):",
        "if False:",
        "tests/engines/test_posting.py",
    ),
    Repair(
        "points of a worker that died are evaluated again",
        "engines/processes.py",
        "deaths[block.index] < MOST_DEATHS",
        "deaths[block.index] < 1",
        "tests/engines/test_processes.py",
    ),
    Repair(
        "the neighbours of a point that kills its worker are evaluated",
        "engines/rounds.py",
        "if len(block) > 1 and not task.vectorized:",
        "if False:",
        "tests/engines/test_processes.py::test_a_block_of_quick_points_is_searched_for_the_one_that_hangs",
    ),
    Repair(
        "a worker process ends with its parent",
        "engines/worker_process.py",
        "threading.Thread(target=_follow, args=(life, parent), daemon=True).start()",
        "pass",
        "tests/engines/test_processes.py::test_workers_end_with_their_parent_however_it_ends",
    ),
    Repair(
        "values of workers are written as they come",
        "run/journalled.py",
        "self._workers.tell = tell",
        "pass",
        "tests/checkpoint/test_workers.py",
    ),
    Repair(
        "another thread cannot spend",
        "run/accounts.py",
        "if threading.get_ident() != self._thread:",
        "if False:",
        "tests/run/test_threads.py",
    ),
    Repair(
        "a module that was edited after its import is refused",
        "experiment/sources.py",
        "if noted != now:",
        "if False:",
        "tests/experiment/test_sources.py tests/experiment/test_fingerprint.py",
    ),
    Repair(
        "modules that a user's module imports count",
        "experiment/sources.py",
        "waiting += [(each, _file_of(each)) for each in _imports_of(name, file)]",
        "pass",
        "tests/experiment/test_sources.py tests/experiment/test_fingerprint.py",
    ),
    Repair(
        "blocks of vectorized objectives do not depend on time",
        "engines/workers.py",
        "if self._task.vectorized:",
        "if False:",
        "tests/engines/test_posting.py",
    ),
    Repair(
        "ter.check notices rows whose value depends on the block",
        "testing/trials.py",
        'pairs.compare(f"a row of a block of {n}", together, alone)\n'
        '    pairs.compare(f"a row of a block of {n}", together, halves)',
        "pass",
        "tests/testing/test_objective.py",
    ),
    Repair(
        "ter.check notices wrong moves",
        "testing/trials.py",
        'pairs.compare(f"a move of {name}", moved, full)',
        "full = moved",
        "tests/testing/test_objective.py",
    ),
    Repair(
        "the final point is evaluated in full, and the result says if that differs",
        "run/confirm.py",
        "if full is None or math.isclose",
        "if True or math.isclose",
        "tests/run/test_confirm.py",
    ),
    Repair(
        "a compiled kernel that ignores its limit is ended",
        "engines/loops.py",
        "if walk.ledger[COUNT] >= walk.ledger[LIMIT]:",
        "if False:",
        "tests/run/test_rude_kernels.py",
    ),
    Repair(
        "a compiled kernel cannot leave the box",
        "engines/loops.py",
        "    if v < walk.lower[i]:\n        v = walk.lower[i]\n",
        "",
        "tests/run/test_rude_kernels.py",
    ),
    Repair(
        "a compiled point that raises is not called again to see what it raised",
        "engines/compiled.py",
        "return [Failure(before + number, *exception_at(address)) for number, address in take_raised(ledger)]",
        "return [Failure(before + number, ValueError('no'), '') for number, address in take_raised(ledger)]",
        "tests/objectives/test_noted.py",
    ),
    Repair(
        "masked values are refused",
        "core/values.py",
        "return isinstance(raw, np.ma.MaskedArray) and bool(np.ma.getmaskarray(raw).any())",
        "return False",
        "tests/core/test_values.py",
    ),
    Repair(
        "complex numbers are refused",
        "core/values.py",
        'NUMBERS = "biuf"',
        'NUMBERS = "biufc"',
        "tests/core/test_values.py",
    ),
    # Lost data
    Repair(
        "whatever ends a run, the result so far comes along",
        "run/run.py",
        "except BaseException as error:",
        "except Exception as error:",
        "tests/run/test_exceptions.py",
    ),
    Repair(
        "exceptions that refuse attributes carry the result all the same",
        "run/run.py",
        'attributes_of(error)["ter_result"] = so_far',
        "error.ter_result = so_far",
        "tests/run/test_exceptions.py",
    ),
    Repair(
        "exceptions that cannot be pickled come from workers",
        "core/sending.py",
        "ways: tuple[Callable[[BaseException], Any], ...] = (_as_it_is, _Parts)",
        "ways: tuple[Callable[[BaseException], Any], ...] = (_as_it_is,)",
        "tests/core/test_failure.py tests/run/test_exceptions.py",
    ),
    Repair(
        "an exception that exits while it is pickled ends nothing",
        "core/sending.py",
        "with suppress(BaseException):  # pickling runs anybody's code",
        "with suppress(Exception):",
        "tests/core/test_failure.py",
    ),
    Repair(
        "the traceback of a worker is shown",
        "core/failure.py",
        "add_note(error, ",
        "str(",
        "tests/core/test_failure.py tests/run/test_exceptions.py",
    ),
    Repair(
        "half a surrogate pair in a traceback can be stored",
        "core/words.py",
        'return text.encode("utf-8", "backslashreplace").decode("utf-8")',
        "return text",
        "tests/experiment/test_store.py tests/experiment/test_runner.py",
    ),
    Repair(
        "a damaged record is known by its checksum",
        "experiment/seals.py",
        "if self.sealed and (seal is None or seal[1] != _checksum((sheet.name, number), name, values)):",
        "if False:",
        "tests/experiment/test_damage.py",
    ),
    Repair(
        "errors of SQLite that quote bytes which are no text are told as damage",
        "experiment/database.py",
        "except (sqlite3.Error, UnicodeDecodeError, OSError) as error:",
        "except (sqlite3.Error, OSError) as error:",
        "tests/experiment/test_damage.py",
    ),
    # Time
    Repair(
        "a compiled objective begins with one evaluation, not with a thousand",
        "engines/compiled.py",
        "self.chunk = 1  #",
        "self.chunk = 1_000  #",
        "tests/run/test_stops.py",
    ),
    Repair(
        "whole numbers beyond the floats are refused as a target",
        "run/settings.py",
        "    except OverflowError:  # a whole number beyond the floats\n        return False\n",
        "    finally:\n        pass\n",
        "tests/interface/test_minimize_arguments.py",
    ),
    Repair(
        "a limit that cannot be counted is refused",
        "run/settings.py",
        "1 <= value <= MOST",
        "1 <= value",
        "tests/interface/test_minimize_arguments.py",
    ),
    Repair(
        "start_points of a plan must be a number",
        "core/profile.py",
        "if not (whole and 1 <= self.start_points <= MOST_POINTS):",
        "if False:",
        "tests/experiment/test_parameters.py",
    ),
    # Environment
    Repair(
        "no folder for machine code: it is compiled, with one warning",
        "_jit.py",
        "except (RuntimeError, OSError) as error:",
        "except ZeroDivisionError as error:",
        "tests/test_machine_code.py",
    ),
    Repair(
        "a damaged cache is compiled again",
        "_jit.py",
        "except Exception as error:  # noqa: BLE001 - unpickling",
        "except ZeroDivisionError as error:  # unpickling",
        "tests/test_machine_code.py",
    ),
    Repair(
        "a full disk costs the cache, not the run",
        "_jit.py",
        "except Exception as error:  # noqa: BLE001 - a full disk",
        "except ZeroDivisionError as error:  # a full disk",
        "tests/test_machine_code.py",
    ),
    Repair(
        "an objective may change how its argument is read",
        "engines/copies.py",
        "and last.shape == x.shape and last.flags.carray and last.dtype is FLOAT64",
        "and last.size == x.size",
        "tests/engines/test_copies.py",
    ),
    # Security
    Repair(
        "nothing that only a file names is imported",
        "experiment/best_known/best.py",
        "require_own((best.problem, best.algorithm), own)",
        "pass",
        "tests/cli/test_hostile.py",
    ),
    Repair(
        "a file with triggers or views is refused",
        "experiment/sheets.py",
        "return missing + [",
        "return missing and [",
        "tests/experiment/test_damage.py",
    ),
    Repair(
        "a small blob does not fill the memory",
        "experiment/rows.py",
        "content = stream.decompress(packed, _most(packed) + 1)",
        "content = stream.decompress(packed)",
        "tests/experiment/test_damage.py",
    ),
    Repair(
        "a lock that is a link is refused",
        "core/lock.py",
        "if self.path.is_symlink():",
        "if False:",
        "tests/core/test_lock.py",
    ),
    Repair(
        "the file behind a link is not emptied, even if the link appears just now",
        "core/lock.py",
        "if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:",
        "if False:",
        "tests/core/test_lock.py",
    ),
    Repair(
        "cells that a spreadsheet would compute are quoted",
        "display/texts.py",
        'COMPUTED = ("=", "+", "-", "@")',
        "COMPUTED = ()",
        "tests/experiment/test_export.py tests/report/test_formats.py",
    ),
    Repair(
        "texts of a store are no commands for the page of an experiment",
        "report/page.py",
        "Environment(autoescape=True",
        "Environment(autoescape=False",
        "tests/report/test_hostile.py",
    ),
    Repair(
        "texts of a result are no commands for its page",
        "display/page.py",
        "Environment(autoescape=True",
        "Environment(autoescape=False",
        "tests/report/test_hostile.py",
    ),
    Repair(
        "texts of a store are no commands for LaTeX",
        "report/latex.py",
        '"\\\\": "\\\\textbackslash{}",',
        "",
        "tests/report/test_hostile.py",
    ),
)


def copy_without(repair: Repair, folder: Path) -> None:
    """Copy the package without a repair."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "src", folder, ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "ter" / repair.file
    text = file.read_text(encoding="utf-8")
    if repair.line not in text:
        raise LookupError(f"{repair.file} must contain the repair that is taken out, got no {repair.line!r}")
    file.write_text(text.replace(repair.line, repair.without), encoding="utf-8")


def tests_that_fail(repair: Repair, folder: Path) -> tuple[int, str]:
    """Run the tests of a repair against a copy of the package; return pytest's code and its last line."""
    copy_without(repair, folder / "src")
    if "kernel" in repair.kept:  # machine code of callers in other files would still have the repair
        shutil.rmtree(folder / "cache", ignore_errors=True)
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "NUMBA_CACHE_DIR": str(folder / "cache")}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "--no-header",
        *repair.tests.split(),
    ]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    lines = ran.stdout.strip().splitlines()
    first = next((line.split(" - ")[0] for line in lines if line.startswith("FAILED")), lines[-1] if lines else "")
    return ran.returncode, first.removeprefix("FAILED ")


def main() -> int:
    """Take out the repairs whose description contains a word, or all; return 1 if no test noticed one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--folder", type=Path, default=ROOT / ".cache" / "repairs", help="where copies are made")
    args = parser.parse_args()
    lines, unnoticed = [], 0
    for repair in REPAIRS:
        if args.word in repair.kept:
            code, first = tests_that_fail(repair, args.folder)
            noticed = code == FAILED
            unnoticed += not noticed
            lines.append(
                f"| {repair.kept} | `{repair.file}` | {f'`{first}`' if noticed else f'**nobody** ({first})'} |"
            )
            sys.stdout.write(lines[-1] + "\n")
            sys.stdout.flush()
    if not args.word:
        about = "Made by `python -m tests.attack.repairs`: each repair is taken out, and a test must fail."
        head = [
            "# Repairs taken out",
            "",
            about,
            "",
            "| what is kept | taken out of | first test that fails |",
            "|---|---|---|",
        ]
        TABLE.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")
    return int(unnoticed > 0)


if __name__ == "__main__":
    sys.exit(main())
