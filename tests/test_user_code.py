from __future__ import annotations

import sys
import traceback

import pytest

import ter
from ter.core.errors import InvalidArgument, TerError, UnknownName
from ter.user_code import attribute_named, meant_by, user_traceback

SOURCE = """
def drag(x):
    return lift(x)


def lift(x):
    raise RuntimeError("the simulator crashed")


def _hidden(x):
    return 0.0


def chained(x):
    try:
        lift(x)
    except RuntimeError as error:
        raise KeyError("wing") from error


class Model:
    @staticmethod
    def drag(x):
        return 1.0
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    (tmp_path / "shape_of_a_wing.py").write_text(SOURCE)
    monkeypatch.delitem(sys.modules, "shape_of_a_wing", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (
            "shape_of_a_wind:drag",
            "no module 'shape_of_a_wind', looked for in {folder} and on Python's path; did you mean",
        ),
        ("nothing_alike:drag", "got no module 'nothing_alike', .*; found there: shape_of_a_wing$"),
        ("sub/shape_of_a_wing.py:drag", "got 'sub/shape_of_a_wing.py', looked for in {folder}; did you mean 'shape_of"),
        ("shape_of_a_wing:darg", "unknown attribute of shape_of_a_wing 'darg'; did you mean 'drag'"),
        (
            "shape_of_a_wing:Model.darg",
            "attribute of shape_of_a_wing:Model 'darg'; did you mean 'drag'. Valid names: drag$",
        ),
        ("shape_of_a_wing:", "module:function, got no function behind the colon in 'shape_of_a_wing:'"),
        (":drag", "module:function, got no module before the colon in ':drag'"),
    ],
)
def test_a_target_that_is_not_there_is_answered_with_where_it_was_looked_for_and_what_is_near(folder, target, message):
    with pytest.raises((InvalidArgument, UnknownName), match=message.format(folder=folder)):
        attribute_named(target)


@pytest.mark.parametrize(
    ("name", "content"), [("json.py", "def f(x): pass"), ("broken_wing.py", "import shape_of_nothing")]
)
def test_what_is_refused_is_nobody_elses_module_either(folder, name, content):
    (folder / name).write_text(content)
    before = list(sys.path)
    with pytest.raises(TerError, match=r"rename the file|importing .* failed"):
        attribute_named(f"{name}:f")
    assert sys.path == before


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            "shape_of_a_wing.py",
            "'shape_of_a_wing.py' is a file; name the function in it, as in shape_of_a_wing.py:drag; ",
        ),
        (
            "shape_of_a_wing",
            "'shape_of_a_wing' is a module; name the function in it, as in shape_of_a_wing:drag; found",
        ),
        ("package", "'package' is a module; name the function in it, as in package:function"),
        ("package.inner", "'package.inner' is a module; name the function in it, as in package.inner:function"),
        (
            ".",
            "'.' is a folder; name a function in one of its files, as in file.py:function; found there: broken.py, sha",
        ),
        ("notes.txt", "'notes.txt' is a file, but none of Python's, which end in .py"),
        ("broken.py", "'broken.py' is a file; name the function in it, as in broken.py:function"),
    ],
)
def test_what_stands_without_a_function_is_told_what_it_is(folder, text, meant):
    (folder / "package").mkdir()
    for name in ("package/__init__.py", "package/inner.py", "notes.txt"):
        (folder / name).touch()
    (folder / "broken.py").write_text("def (")
    assert meant_by(text).startswith(meant)


def test_hidden_functions_are_not_proposed(folder):
    assert meant_by("shape_of_a_wing").endswith("found there: drag, lift, chained")


def test_many_names_are_cut_short(folder):
    (folder / "many.py").write_text("".join(f"def f{i}(x): pass\n" for i in range(20)))
    assert meant_by("many").endswith("f8, f9, ...")


def test_nothing_is_said_about_what_is_not_there(folder):
    assert meant_by("lso13/f99") == ""


def frames(text):
    return [line.split('"')[1] for line in text.splitlines() if line.startswith("  File ")]


@pytest.mark.parametrize(("function", "n"), [("drag", 2), ("chained", 3)])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_traceback_begins_in_the_users_code(folder, workers, function, n):
    module = f"module_of_{folder.name}"  # a new name, since workers live on and import a module once
    (folder / f"{module}.py").write_text(SOURCE)
    with pytest.raises((RuntimeError, KeyError)) as caught:
        ter.minimize(
            attribute_named(f"{module}:{function}"), ter.box(0, 1, dimension=3), budget=200, rng=1, workers=workers
        )
    below_this_test = caught.value.__traceback__.tb_next
    text = user_traceback(caught.value.with_traceback(below_this_test))
    assert frames(text) == [str(folder / f"{module}.py")] * n
    assert text.splitlines()[-1] in ("RuntimeError: the simulator crashed", "KeyError: 'wing'")
    assert ("In a worker:\n" in text) == (workers == 2)


def test_an_error_of_ours_is_one_line():
    try:
        ter.box(1, 0, dimension=3)
    except InvalidArgument as error:
        text = user_traceback(error)
        assert "Traceback" in "".join(traceback.format_exception(error))
    assert text.startswith("ter.core.errors.InvalidArgument: lower <= upper") and text.count("\n") == 1
