"""The final point of a run with moves is evaluated in full once more, where the budget allows it."""

from __future__ import annotations

import signal

import numba
import pytest

import ter
from ter.cli.main import main
from tests.spies import minimize_spied, spy_on

BOX = ter.box(-5, 5, dimension=8)


class Leaky:
    """A sum of squares whose moves forget what was there before."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return float((x * x).sum())

    def start(self, x):
        return [x, float((x * x).sum())]

    def move(self, base, coordinates, values):
        self.calls += 1
        return base[1] - float((base[0][coordinates] ** 2).sum()) - 1e-3

    def commit(self, base, coordinates, values):
        base[1] = base[1] - float((base[0][coordinates] ** 2).sum()) - 1e-3
        base[0][coordinates] = values


class Drifting(Leaky):
    """The same with a running total: right up to rounding."""

    def move(self, base, coordinates, values):
        self.calls += 1
        return base[1] - float((base[0][coordinates] ** 2).sum()) + float((values**2).sum())

    def commit(self, base, coordinates, values):
        base[1] = base[1] - float((base[0][coordinates] ** 2).sum()) + float((values**2).sum())
        base[0][coordinates] = values


@numba.njit
def value(x, floats, ints):
    ints[0] += 1
    return (x * x).sum()


@numba.njit
def start(x, memory, floats, ints):
    memory[0] = (x * x).sum()


@numba.njit
def move(x, memory, floats, ints, coordinates, values):
    ints[0] += 1
    total = memory[0]
    for k in range(coordinates.size):
        total += values[k] ** 2 - floats[0] * x[coordinates[k]] ** 2
    return total


@numba.njit
def commit(x, memory, floats, ints, coordinates, values):
    for k in range(coordinates.size):
        memory[0] += values[k] ** 2 - floats[0] * x[coordinates[k]] ** 2


def compiled(factor):
    """A running total, which is right for the factor 1."""
    return ter.CompiledObjective(value, floats=[factor], ints=[0], start=start, move=move, commit=commit, memory=1)


def squares(x):
    return float((x * x).sum())


@pytest.mark.slow
def test_a_run_with_wrong_compiled_moves_is_no_success_and_tells_the_full_value():
    wrong = compiled(1.5)
    with pytest.warns(RuntimeWarning, match="the moves of the objective are wrong"):
        result = ter.minimize(wrong, BOX, budget=500, rng=1, heuristics=["ls1"])
    assert not result.success and result.status is ter.StopReason.WRONG_MOVES
    assert result.fun == pytest.approx(squares(result.x)) and result.curve[-1, 1] < 0
    assert result.message.startswith("the budget is used up; but the moves of the objective are wrong: they gave -")
    assert f"its full value is {result.fun:g}; see ter.check" in result.message
    assert result.nfev == 500 == wrong.data[1][0]  # nobody sees the evaluation more: it is one of a copy


def test_a_run_with_wrong_moves_in_python_that_ends_early_tells_the_full_value():
    wrong = Leaky()
    with pytest.warns(RuntimeWarning, match="the moves of the objective are wrong"):
        result = ter.minimize(wrong, BOX, budget=500, rng=1, heuristics=["ls1"], target=-10.0)
    assert not result.success and result.status is ter.StopReason.WRONG_MOVES
    assert result.fun == squares(result.x) > 0 > result.curve[-1, 1]
    assert result.nfev == wrong.calls < 500 and result.curve[-1, 0] == result.nfev - 1


def test_no_evaluation_is_made_beyond_a_budget_that_is_used_up():
    wrong = Leaky()
    result = ter.minimize(wrong, BOX, budget=60, rng=1, heuristics=["ls1"])
    assert wrong.calls == result.nfev == 60
    wrong = Leaky()
    target = float(result.curve[-1, 1])  # met by the last evaluation
    length = int(result.curve[-1, 0])
    again = ter.minimize(wrong, BOX, budget=length, rng=1, heuristics=["ls1"], target=target)
    assert wrong.calls == again.nfev == length and again.status is ter.StopReason.TARGET


def test_no_evaluation_is_made_beyond_a_budget_in_cost_or_time():
    class Paid(Leaky):
        def __call__(self, x):
            return ter.Value(super().__call__(x), cost=1.0)

        def move(self, base, coordinates, values):
            return ter.Value(super().move(base, coordinates, values), cost=1.0)

    for budget in (ter.Budget(cost=60.0), "0.05s"):
        wrong = Paid()
        result = ter.minimize(wrong, BOX, budget=budget, rng=1, heuristics=["ls1"])
        assert wrong.calls == result.nfev and result.status is ter.StopReason.BUDGET
        assert result.curve[-1, 1] == result.fun < 0


@pytest.mark.parametrize("objective", [Drifting(), compiled(1.0)], ids=["python", "compiled"])
def test_rounding_is_not_told(objective):
    result = ter.minimize(objective, BOX, budget=5_000, rng=1, heuristics=["ls1"], target=1e-12)
    assert result.success and result.message == "the target was reached"


def test_the_confirming_evaluation_is_counted_and_changes_nothing_else():
    options = {"budget": 500, "rng": 1, "target": 3.0}
    spies = [spy_on(engine, BOX) for engine in ("python", "moving")]
    plain, moving = (minimize_spied(spy, BOX, **options) for spy in spies)
    assert [spy.calls for spy in spies] == [plain.nfev, moving.nfev] == [plain.nfev, plain.nfev + 1]
    assert plain.x.tobytes() == moving.x.tobytes() and plain.fun == moving.fun and plain.actions == moving.actions
    assert plain.curve.tobytes() == moving.curve.tobytes() and plain.message == moving.message


def test_a_final_point_that_fails_in_full_is_left_as_it_is():
    class Fragile(Drifting):
        def __call__(self, x):
            if self.calls > 100:
                raise RuntimeError("no licence left")
            return super().__call__(x)

    result = ter.minimize(Fragile(), BOX, budget=3_000, rng=1, heuristics=["ls1"], target=1e-4)
    assert result.success and result.nfail == 1 and result.fun <= 1e-4


def test_an_interrupted_run_evaluates_nothing_more():
    class Interrupting(Leaky):
        def move(self, base, coordinates, values):
            if self.calls == 40:
                signal.raise_signal(signal.SIGINT)
            return super().move(base, coordinates, values)

    wrong = Interrupting()
    result = ter.minimize(wrong, BOX, budget=500, rng=1, heuristics=["ls1"])
    assert result.status is ter.StopReason.INTERRUPTED and wrong.calls == result.nfev == 41


def test_the_command_line_calls_wrong_moves_an_error(tmp_path, monkeypatch, capsys):
    (tmp_path / "leaky.py").write_text(
        "import numpy as np, ter\nfrom tests.run.test_confirm import Leaky\n"
        "problem = ter.Problem(Leaky(), ter.box(-5, 5, dimension=8), name='leaky')\n"
    )
    monkeypatch.chdir(tmp_path)
    with pytest.warns(RuntimeWarning, match="the moves of the objective are wrong"):
        code = main(["run", "leaky:problem", "--budget", "500", "--target", "-10", "--seed", "1", "--quiet",
                     "--heuristics", "ls1,cc,gs"])  # fmt: skip
    assert code == 1 and "but the moves of the objective are wrong" in capsys.readouterr().out
