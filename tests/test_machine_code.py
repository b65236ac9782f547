"""Machine code is kept on disk where that works. Where it does not, kernels are compiled, and one warning says why."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ter
from ter.core.ledger import end_of_cell

pytestmark = pytest.mark.slow

SOURCE, ROOT = Path(ter.__file__).parent, Path(__file__).parents[1]
KERNEL = "from ter.core.ledger import end_of_cell; print(end_of_cell(120_001))"
RUN = """import ter
from tests.test_machine_code import bowl
print(ter.minimize(bowl, ter.box(-5, 5, dimension=3), budget=200, rng=1, heuristics=["ls1"]).fun)
"""
NO_ROOM = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)); "  # as on a full disk


def bowl(x: np.ndarray) -> float:
    return float((x * x).sum())


def run(code: str, *, cache: Path, source: Path = SOURCE.parent, **environment: str) -> subprocess.CompletedProcess:
    words = {
        "PYTHONPATH": f"{source}{os.pathsep}{ROOT}",
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONDONTWRITEBYTECODE": "1",
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | words, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done


def warnings_in(done: subprocess.CompletedProcess) -> list[str]:
    return [line for line in done.stderr.splitlines() if "Warning: " in line]


def files_of_kernel(cache: Path, ending: str) -> list[Path]:
    return sorted(cache.rglob(f"ledger.end_of_cell-*{ending}"))


@pytest.fixture(scope="module")
def unwritable(tmp_path_factory) -> Path:
    """The package where no folder takes a cache: permissions do not bind everybody, a file in its place does."""
    root = tmp_path_factory.mktemp("unwritable")
    shutil.copytree(SOURCE, root / "ter", ignore=shutil.ignore_patterns("__pycache__", "data", "static"))
    for folder in [root / "ter", *(path for path in (root / "ter").rglob("*") if path.is_dir())]:
        (folder / "__pycache__").write_text("no folder")
    (root / "file").write_text("no folder")
    return root


def test_without_a_folder_to_write_to_a_run_compiles_and_says_so_once(unwritable):
    file = unwritable / "file"
    done = run(RUN, cache=file, source=unwritable, HOME=str(file), XDG_CACHE_HOME=str(file))
    here = ter.minimize(bowl, ter.box(-5, 5, dimension=3), budget=200, rng=1, heuristics=["ls1"])
    assert done.stdout == f"{here.fun}\n"
    (told,) = warnings_in(done)
    assert "machine code cannot be kept" in told and "no locator available" in told
    assert "name a folder that can be written to in NUMBA_CACHE_DIR" in told


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> Path:
    """A folder with the machine code of one kernel."""
    folder = tmp_path_factory.mktemp("compiled")
    assert run(KERNEL, cache=folder).stdout == "121000\n"
    return folder


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize(
    "content", [None, b"", b"garbage", b"\x80\x05\x95\xff"], ids=["half", "none", "text", "pickle"]
)
def test_a_damaged_file_is_compiled_again_and_written_anew(compiled, tmp_path, ending, content):
    shutil.copytree(compiled, tmp_path, dirs_exist_ok=True)
    (file,) = files_of_kernel(tmp_path, ending)
    sound = file.read_bytes()
    file.write_bytes(sound[: len(sound) // 2] if content is None else content)
    done = run(KERNEL, cache=tmp_path)
    assert done.stdout == "121000\n"
    (told,) = warnings_in(done)
    assert f"machine code in {file.parent} cannot be read" in told and "NUMBA_CACHE_DIR" in told
    assert len(file.read_bytes()) == len(sound)
    if content is None:  # once per file is enough: processes are slow to start
        assert not warnings_in(run(KERNEL, cache=tmp_path))


def test_on_a_full_disk_kernels_are_compiled_and_not_kept(tmp_path):
    done = run(NO_ROOM + RUN, cache=tmp_path)
    (told,) = warnings_in(done)
    assert "machine code cannot be kept in" in told and "File too large" in told and "NUMBA_CACHE_DIR" in told
    assert not list(tmp_path.rglob("*.nbc")) and not list(tmp_path.rglob("*.tmp.*"))


def test_workers_leave_the_warning_to_the_process_that_started_them(unwritable):
    file = unwritable / "file"
    code = "import loky; loky.ProcessPoolExecutor(1).submit(exec, 'import ter.core.ledger').result()"
    assert not warnings_in(run(code, cache=file, source=unwritable, HOME=str(file), XDG_CACHE_HOME=str(file)))


def test_processes_that_start_together_share_one_folder(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", KERNEL], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    assert [process.communicate()[0] for process in started] == ["121000\n"] * 4
    assert len(files_of_kernel(tmp_path, ".nbc")) == 1
    assert run(f"{KERNEL}; assert not end_of_cell.stats.cache_misses", cache=tmp_path).stdout == "121000\n"


def test_kernels_are_kept_where_numba_keeps_its_own(tmp_path):
    done = run(f"{KERNEL}; print(end_of_cell.stats.cache_path)", cache=tmp_path)
    assert done.stdout.splitlines()[1].startswith(str(tmp_path))
    assert end_of_cell(np.int64(7)) == 7
