"""A cheapest choice of tables that seats everybody once, by the optimiser HiGHS: the one module that speaks to it.

HiGHS (MIT) was chosen among well-kept optimisers by `docs/measured/hall.md`. It is given no time limit but a limit of
nodes, so that the same question has the same answer on a slow machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NODES = 2000
"""Of one search. Nearly all are done at the first; what is not done then is said to be unproved."""
OPTIONS: dict[str, Any] = {
    "output_flag": False, "threads": 1, "random_seed": 0, "mip_max_nodes": NODES, "mip_rel_gap": 0.0,
    # The costs are whole numbers: less than one apart is equal.
    "mip_abs_gap": 0.99,
    # What takes most of the time of so small a search: 850 ms with, 50 ms without them (20 players, 4845 tables).
    "presolve": "off", "mip_detect_symmetry": False, "mip_heuristic_effort": 0.0,
    "mip_heuristic_run_root_reduced_cost": False, "mip_heuristic_run_feasibility_jump": False,
}  # fmt: skip
CHOSEN = 0.5  # a variable is 0 or 1


@dataclass(frozen=True, slots=True)
class Choice:
    """Which tables were chosen, (chosen,) int64; None when none can be, or none was found within the nodes.

    `bound`: no choice costs less; infinite when there is none at all.
    """

    tables: Ints | None
    bound: float


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A price for each row, (rows,) float64, of the cheapest mixture of tables; None when the rows cannot be met."""

    prices: Floats | None


def choose(rows: Ints, starts: Ints, wanted: Ints, costs: Floats, at_most: tuple[Ints, int] | None = None) -> Choice:
    """The cheapest whole choice of columns whose rows add up to `wanted`.

    `rows`, `starts`: each column's rows one after the other, and where each begins ((columns + 1,) int64). `at_most`:
    a weight for each column and what the chosen ones may weigh together.
    """
    solver = _solver(rows, starts, wanted, costs, whole=True)
    if at_most is not None:
        weights, limit = at_most
        heavy = np.flatnonzero(weights)
        values = weights[heavy].astype(np.float64)
        solver.addRow(-highspy.kHighsInf, float(limit), len(heavy), heavy.astype(np.int32), values)
    solver.run()
    status, info = solver.getModelStatus(), solver.getInfo()
    if status == highspy.HighsModelStatus.kInfeasible:
        return Choice(None, float("inf"))
    bound = float(info.mip_dual_bound)
    if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return Choice(None, bound)
    return Choice(np.flatnonzero(np.asarray(solver.getSolution().col_value) > CHOSEN), bound)


def relax(rows: Ints, starts: Ints, wanted: Ints, costs: Floats) -> Relaxation:
    """The same with parts of tables allowed: the prices of the rows bound from below what any choice costs."""
    solver = _solver(rows, starts, wanted, costs, whole=False)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return Relaxation(None)
    return Relaxation(np.asarray(solver.getSolution().row_dual, dtype=np.float64))


def _solver(rows: Ints, starts: Ints, wanted: Ints, costs: Floats, *, whole: bool) -> highspy.Highs:
    model, columns = highspy.HighsLp(), len(costs)
    model.num_col_, model.num_row_ = columns, len(wanted)
    model.col_cost_ = costs.astype(np.float64)
    model.col_lower_, model.col_upper_ = np.zeros(columns), np.ones(columns)
    model.row_lower_ = model.row_upper_ = wanted.astype(np.float64)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = starts.astype(np.int32), rows.astype(np.int32)
    model.a_matrix_.value_ = np.ones(len(rows))
    if whole:
        model.integrality_ = [highspy.HighsVarType.kInteger] * columns
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in OPTIONS.items():
        solver.setOptionValue(name, value)
    solver.passModel(model)
    return solver
