from __future__ import annotations

import sys

import matplotlib
import numpy as np
import pytest

from ter.core.errors import MissingExtra
from ter.display.colors import LINES, colors_of, lines_of
from ter.report import Board, Study
from ter.report.figures import figures_of, write_figures
from ter.report.figures.style import grid_size
from tests.report.made import made_record, small_study

ALL = [
    "convergence",
    "decisions",
    "probabilities",
    "shares",
    "similarity",
    "critical-difference",
    "critical-difference-published",
    "running-times",
]


@pytest.fixture(scope="module")
def figures():
    return dict(figures_of(Board.of(Study.of(small_study()), ["mos"])))


def colors(collection):
    return {matplotlib.colors.to_hex(color).upper() for color in collection.get_facecolor()}


def test_every_kind_of_figure_is_there(figures):
    assert list(figures) == ALL


def test_the_convergence_shows_medians_in_the_colours_of_the_algorithms(figures):
    first, second = figures["convergence"].axes
    assert (first.get_title(loc="left"), second.get_title(loc="left")) == ("f1", "f2")
    lines = {line.get_color().upper(): line for line in first.get_lines() if len(line.get_xdata()) > 2}
    assert list(lines) == [LINES[0].upper(), LINES[1].upper(), LINES[2].upper()]
    assert lines[LINES[0].upper()].get_ydata()[-1] == 2.0 and lines[LINES[1].upper()].get_ydata()[-1] == 21.0
    assert first.get_yscale() == "symlog"  # ls ends at 0
    assert second.get_yscale() == "log" and first.get_xscale() == "log"


def test_published_means_are_points(figures):
    markers = [line for line in figures["convergence"].axes[0].get_lines() if len(line.get_xdata()) <= 2]
    assert len(markers) == 1 and markers[0].get_xdata().tolist() == [120_000, 600_000]
    assert markers[0].get_ydata().tolist() == [2.71e7, 3.48]


def test_strips_have_a_row_for_each_run_and_the_colours_of_the_heuristics(figures):
    strips = figures["decisions"].axes
    assert len(strips) == 4 and strips[0].get_title() == "ter" and strips[1].get_title() == "ran"
    shown = set().union(*(colors(collection) for collection in strips[0].collections))
    assert {color.upper() for color in colors_of(["ls1", "cc", "gs"]).values()} <= shown
    assert strips[0].get_ylim() == (3, 0)


def test_many_decisions_become_pictures_with_the_same_colours(records, monkeypatch):
    monkeypatch.setattr("ter.report.figures.decisions.BLOCKS", 10)
    axes = dict(figures_of(Board.of(Study.of(records))))["decisions"].axes[0]
    picture = np.asarray(axes.images[0].get_array())
    assert axes.images[0].get_extent() == [0, 600_000, 3, 0] and not axes.collections
    ls1, cc, gs = (matplotlib.colors.to_rgb(color) for color in colors_of(["ls1", "cc", "gs"]).values())
    middles = (np.arange(4) + 0.5) / 4 * picture.shape[1]
    assert np.allclose(picture[0, middles.astype(int)], [ls1, cc, gs, gs])  # LCGG
    assert np.allclose(picture[6, middles.astype(int)], [ls1, cc, gs, ls1])  # LCGL
    assert np.allclose(picture[2], 1)


def test_shares_fill_their_bars(figures):
    for axes in figures["shares"].axes:
        ends = {}
        for patch in axes.patches:
            ends.setdefault(round(patch.get_y(), 3), []).append(patch.get_width())
        assert len(ends) == 2 and all(sum(widths) == pytest.approx(1) for widths in ends.values())
        assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first problem on top


def test_the_diagram_tells_ranks_and_what_cannot_be_told_apart(figures):
    axes = figures["critical-difference"].axes[0]
    texts = [text.get_text() for text in axes.texts]
    assert {"ter  1.50", "ls  2.00", "2.50  ran"} <= set(texts)
    assert any(text.startswith("critical distance 2.34") for text in texts)
    bars = [line for line in axes.get_lines() if line.get_linewidth() > 3]
    assert len(bars) == 1 and np.ptp(bars[0].get_xdata()) > 0


@pytest.mark.slow
def test_the_same_input_gives_the_same_bytes(tmp_path):
    board = Board.of(Study.of([made_record(label=label) for label in ("a", "b")]))
    first, second = write_figures(board, tmp_path / "a"), write_figures(board, tmp_path / "b")
    assert {path.suffix for path in first} == {".svg", ".pdf"} and len(first) == 6
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(first, second, strict=True))


def test_drawing_changes_no_setting_of_matplotlib(records):
    before = dict(matplotlib.rcParams)
    list(figures_of(Board.of(Study.of(records))))
    assert dict(matplotlib.rcParams) == before


@pytest.mark.slow
def test_odd_experiments_can_be_drawn(partial):
    for _, figure in figures_of(Board.of(Study.of(partial), ["paper"])):
        figure.draw_without_rendering()


def test_algorithms_that_do_not_decide_have_no_figures_of_decisions():
    found = dict(figures_of(Board.of(Study.of([made_record(label=label) for label in ("a", "b")]))))
    assert list(found) == ["convergence", "critical-difference", "running-times"]


def test_many_algorithms_have_different_lines():
    names = [str(i) for i in range(35)]
    assert len(set(lines_of(names).values())) == 35


@pytest.mark.parametrize(("panels", "size"), [(1, (1, 1)), (3, (1, 3)), (4, (2, 2)), (7, (3, 3)), (15, (5, 3))])
def test_panels_are_arranged(panels, size):
    assert grid_size(panels) == size


def test_without_matplotlib_the_error_names_the_extra(records, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ter\[report\]'"):
        list(figures_of(Board.of(Study.of(records))))
