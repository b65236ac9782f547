"""The user's files as they were imported."""

from __future__ import annotations

import os
import sys
from importlib import import_module, invalidate_caches, reload

import pytest

from ter.experiment.fingerprint import code_of
from ter.experiment.runner import run_plan
from ter.experiment.sources import ChangedCode, sources_of
from ter.experiment.store import Store
from tests.experiment.helpers import small_plan

PROBLEM = """
import ter
import {helper}


def sphere(x):
    return {helper}.scale() * float((x**2).sum()) + {constant}


bowl = ter.Problem(sphere, ter.box(-2, 2, dimension=4))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    monkeypatch.setattr("sys.dont_write_bytecode", True)  # the clock of the disk is too slow for what happens here
    return tmp_path


@pytest.fixture
def module(folder, request):
    """A module and its helper, whose names are new each time, since modules are imported only once."""
    number = abs(hash(request.node.nodeid))
    write(folder, f"wing_{number}", PROBLEM.format(helper=f"helper_{number}", constant=1.0))
    write(folder, f"helper_{number}", "def scale():\n    return 2.0\n")
    return f"wing_{number}"


def write(folder, name, text):
    (folder / f"{name}.py").write_text(text)
    invalidate_caches()


def edit(folder, name, old, new):
    file = folder / f"{name}.py"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def helper_of(module):
    return module.replace("wing", "helper")


def plan_of(folder, module):
    return small_plan(problems=[f"{module}:bowl"], algorithms=["ls"], dimensions=[], runs=1, folder=folder)


@pytest.mark.parametrize("name", ["{module}", "{helper}"])
def test_code_that_was_changed_between_a_plan_and_its_runs_is_refused_and_nothing_is_stored(folder, module, name):
    plan = plan_of(folder, module)
    name = name.format(module=module, helper=helper_of(module))
    edit(folder, name, ".0", ".5")
    with pytest.raises(ChangedCode, match=rf"{name}\.py, which was changed after it was imported.*start a new process"):
        run_plan(plan, folder / "s.sqlite", workers=1)
    with Store(folder / "s.sqlite") as store:
        assert len(store) == 0


@pytest.mark.parametrize("name", ["{module}", "{helper}"])
def test_code_that_was_changed_after_somebody_else_had_imported_it_is_refused(folder, module, name, monkeypatch):
    """A notebook: the module is imported, then the file is changed, then there is a plan."""
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    import_module(module)
    edit(folder, name.format(module=module, helper=helper_of(module)), ".0", ".125")  # another size tells at once
    with pytest.raises(ChangedCode, match="changed after it was imported"):
        plan_of(folder, module)


def test_what_lies_beside_a_file_that_is_older_than_the_process_does_not_matter(folder, module, monkeypatch):
    """Python could not renew its copy, as in a folder that is read only; but nobody has changed the file since."""
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    import_module(module)
    for name in (module, helper_of(module)):
        os.utime(folder / f"{name}.py", (1.0, 1.0))
    assert plan_of(folder, module)


@pytest.mark.parametrize("name", ["{module}", "{helper}"])
def test_a_second_plan_with_the_old_code_in_memory_is_refused(folder, module, name):
    plan_of(folder, module)
    edit(folder, name.format(module=module, helper=helper_of(module)), ".0", ".5")
    with pytest.raises(ChangedCode, match="changed after it was imported"):
        plan_of(folder, module)


def test_code_that_is_changed_during_a_run_is_refused(folder, module):
    edit(folder, module, "def sphere(x):", "def sphere(x):\n    edit()")
    edit(folder, module, "import ter\n", "import ter\nfrom pathlib import Path\n")
    text = "def edit():\n    file = Path(__file__)\n    file.write_text(file.read_text() + 'x = 1\\n')\n"
    edit(folder, module, "def sphere", f"{text}\n\ndef sphere")
    with pytest.raises(ChangedCode, match="changed after it was imported"):
        run_plan(plan_of(folder, module), folder / "s.sqlite", workers=1)


def test_comments_may_be_changed(folder, module):
    plan = plan_of(folder, module)
    edit(folder, module, "import ter\n", "import ter  # explained\n")
    assert run_plan(plan, folder / "s.sqlite", workers=1).done


def test_a_module_that_was_loaded_again_counts_as_it_is_now(folder, module):
    first = plan_of(folder, module).specs()[0].key.code
    edit(folder, module, "1.0", "1.5")
    reload(sys.modules[module])
    again = plan_of(folder, module)
    assert again.specs()[0].key.code != first
    assert run_plan(again, folder / "s.sqlite", workers=1).done


FORMS = {
    "import": "import {helper}",
    "from": "from {helper} import scale",
    "inside a function": "def f():\n    import {helper}",
    "of a package": "import package_{helper}.inner",
    "from a package": "from package_{helper} import inner",
    "relative": "from package_{helper} import outer",
}


@pytest.mark.parametrize("form", FORMS)
def test_what_a_module_of_the_users_imports_counts(folder, form):
    """The same files, but for one line of the helper, have other fingerprints."""
    codes = set()
    for constant in (1, 2):
        home = folder / f"home{constant}"
        package = home / "package_helper"
        package.mkdir(parents=True)
        (home / "helper.py").write_text(f"def scale():\n    return {constant}\n")
        (package / "__init__.py").write_text("")
        (package / "inner.py").write_text(f"x = {constant}\n")
        (package / "outer.py").write_text("from . import inner\n")
        (home / "wing.py").write_text(FORMS[form].format(helper="helper") + "\n")
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(home)
            import_module("wing")
            codes.add(code_of("wing:x"))
            assert code_of("wing:x") in codes
            for name in ("wing", "helper", "package_helper", "package_helper.inner", "package_helper.outer"):
                sys.modules.pop(name, None)
    assert len(codes) == 2


def test_a_fingerprint_does_not_depend_on_what_is_imported_already(folder, module):
    edit(folder, module, f"import {helper_of(module)}", "import ter")
    edit(folder, module, "def sphere(x):", f"def sphere(x):\n    import {helper_of(module)}")
    before = plan_of(folder, module).specs()[0].key.code
    import_module(helper_of(module))
    assert plan_of(folder, module).specs()[0].key.code == before


def test_installed_packages_and_the_standard_library_do_not_count(folder, module):
    edit(folder, module, "import ter\n", "import json, numpy.linalg, hypothesis, sys\nimport ter\n")
    edit(folder, module, "def sphere(x):", "def f():\n    import no_such_module, a.b.c\n\n\ndef sphere(x):")
    plan_of(folder, module)
    assert [source.name for source in sources_of(module)] == [module, helper_of(module)]
