from __future__ import annotations

import pickle
import sys

import numpy as np
import pytest

from ter.core.errors import MissingExtra
from ter.core.problem import Problem
from ter.display.colors import PALETTE, colors_of
from ter.display.plot import plot_result


def colored(axes):
    from matplotlib.colors import to_hex

    return [
        (to_hex(bars.get_facecolor()[0]).upper(), len(bars.get_paths()))
        for bars in axes.collections
        if bars.get_paths()
    ]


def test_the_strip_has_one_block_per_action_in_the_heuristics_colour(make_result, actions):
    curve, strip = plot_result(make_result(actions)).axes
    assert colored(strip)[1:] == [(PALETTE[0], 2), (PALETTE[1], 1)]
    assert curve.get_xlim() == strip.get_xlim() == (0, 100)
    assert [text.get_text() for text in curve.get_legend().get_texts()] == ["ls1", "cc"]


@pytest.mark.parametrize(
    ("values", "scale"),
    [([1e5, 1e-5], "log"), ([1e5, 2.0, -60.0], "symlog"), ([1e5, 3.0, 0.0], "symlog"), ([-0.3, -0.4], "linear")],
)
def test_negative_values_and_zero_are_drawn_on_a_scale_that_holds_them(make_result, values, scale, tmp_path):
    result = make_result(curve=[(i + 1, value) for i, value in enumerate(values)])
    figure = plot_result(result, tmp_path / "run.png")
    line = figure.axes[0].lines[0]
    assert figure.axes[0].get_yscale() == scale
    assert line.get_ydata().tolist() == [*values, values[-1]]
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("curve", [[], [(100, 5.0)], [(1, 0.0)]])
def test_a_tiny_result_is_drawn(make_result, curve, tmp_path):
    result = make_result(curve=curve)
    figure = plot_result(result, tmp_path / "run.svg")
    assert len(figure.axes[0].lines) > 0 or "no evaluation gave a finite value" in figure.axes[0].texts[0].get_text()


def test_a_run_of_no_evaluations_is_drawn(make_result, tmp_path):
    figure = plot_result(make_result(curve=[], nfev=0), tmp_path / "run.png")
    assert "no evaluation gave a finite value" in figure.axes[0].texts[0].get_text()
    assert (tmp_path / "run.png").stat().st_size > 0


def test_a_known_optimum_turns_values_into_errors(make_result):
    problem = Problem(lambda x: 0.0, [(-1, 1)] * 3, f_opt=-10.0)
    axes = plot_result(make_result(), problem=problem).axes[0]
    assert axes.lines[0].get_ydata().tolist() == [110.0, 11.0, 11.0]
    assert "error" in axes.get_ylabel()


def test_a_problem_that_can_draw_gets_a_panel(make_result):
    drawn = []
    problem = Problem(lambda x: 0.0, [(-1, 1)] * 3, draw=lambda x, axes: drawn.append((x, axes)))
    figure = plot_result(make_result(), problem=problem)
    assert len(figure.axes) == 3
    assert np.array_equal(drawn[0][0], np.zeros(3))
    assert drawn[0][1] is figure.axes[2]


def test_a_wide_drawing_lies_below_the_curve_and_others_beside_it(make_result):
    def painter(width):
        return lambda x, axes: axes.imshow(np.zeros((10, width)))

    boxes = {}
    for width in (10, 40):
        figure = plot_result(make_result(), problem=Problem(lambda x: 0.0, [(-1, 1)] * 3, draw=painter(width)))
        figure.draw_without_rendering()
        boxes[width] = [axes.get_position() for axes in figure.axes]
    assert boxes[10][2].x0 > boxes[10][0].x1
    assert boxes[40][2].y1 < boxes[40][1].y0


def test_a_notebook_shows_the_picture_without_pyplot(make_result):
    figure = make_result().plot()
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_the_picture_survives_pickling(make_result, actions):
    again = pickle.loads(pickle.dumps(make_result(actions).plot()))
    assert len(again.axes) == 2 and again._repr_png_().startswith(b"\x89PNG")


def test_a_curve_is_drawn_into_the_users_axes(make_result, tmp_path):
    from matplotlib.figure import Figure

    own = Figure()
    left, right = own.subplots(1, 2)
    assert make_result().plot(tmp_path / "both.png", ax=right) is own
    assert left.lines[:] == [] and right.lines[0].get_ydata().tolist() == [100.0, 1.0, 1.0]
    assert right.lines[0].get_label() == "made, seed 7" and right.get_legend() is None
    assert (right.get_xlabel(), right.get_ylabel(), right.get_yscale()) == ("evaluations", "best value", "log")
    assert (tmp_path / "both.png").read_bytes().startswith(b"\x89PNG")


def test_several_curves_share_axes_that_hold_them_all(make_result):
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    make_result(curve=[(1, 100.0), (50, -3.0)], nfev=1000).plot(ax=ax)
    make_result(curve=[(1, 2.0), (50, 1.0)]).plot(ax=ax)
    assert ax.get_xlim() == (0, 1000) and ax.get_yscale() == "symlog"
    assert len({line.get_color() for line in ax.lines}) == 2


def test_axes_on_a_part_of_a_figure_belong_to_the_whole(make_result):
    from matplotlib.figure import Figure

    own = Figure()
    part = own.subfigures(1, 2)[1]
    assert make_result().plot(ax=part.subplots()) is own


def test_names_are_not_read_as_mathematics(make_result):
    result = make_result()
    result.problem, result.heuristics = "a$b$", ("_hidden", "$c$")
    curve = plot_result(result).axes[0]
    assert curve.get_title(loc="left").startswith("a\\$b\\$:")
    assert [text.get_text() for text in curve.get_legend().get_texts()] == [" _hidden", "\\$c\\$"]


def test_pyplot_is_left_alone(make_result):
    import matplotlib.pyplot as plt

    plot_result(make_result())
    assert plt.get_fignums() == []


def test_without_matplotlib_the_error_names_the_extra(make_result, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.delitem(sys.modules, "ter.display.figure", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'ter\[report\]'"):
        plot_result(make_result())


def test_a_ninth_heuristic_begins_the_palette_anew():
    colors = colors_of([str(i) for i in range(9)])
    assert colors["8"] == colors["0"]
    assert len(set(colors.values())) == 8
