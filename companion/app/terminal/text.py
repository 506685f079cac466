"""Tables, scores and results as plain text, for the terminal and for a game that is finished by hand."""

from __future__ import annotations

from collections.abc import Sequence

from tabulate import tabulate

from companion.core.game import Rules, State
from companion.core.layout import EMPTY_SLOT, SlotOutline, SlotView
from companion.core.types import Result, SeatScore
from companion.table.prompts import Prompter

MOST_OF_A_LINE = 80
"""Characters of what a line of a score says: with a name before and points behind, an ordinary terminal's width."""

MOST_IN_GRID = 6
"""Slots side by side that fit a grid of that width."""

ROW_MM = 10.0
"""Slots whose middles differ by less than this in y are printed on one line."""


def board_text(rules: Rules, state: State, prompter: Prompter) -> str:
    """What lies on the table, row by row as the slots lie, and what the game shows beside it.

    A table too wide for a grid, or whose rows differ in length, is told in lines that name the filled slots only.
    """
    board = rules.board(state)
    rows: list[list[SlotOutline]] = []
    for outline in sorted(rules.layout().slots, key=lambda o: _middle(o)[::-1]):
        if rows and abs(_middle(rows[-1][0])[1] - _middle(outline)[1]) < ROW_MM:
            rows[-1].append(outline)
        else:
            rows.append([outline])
    for row in rows:
        row.sort(key=lambda o: _middle(o)[0])
    if max(map(len, rows), default=0) > MOST_IN_GRID or len({len(row) for row in rows}) > 1:
        filled = [[o.slot for o in row if board.at(o.slot) != EMPTY_SLOT] for row in rows]
        lines = ["   ".join(f"{slot}: {_cell(board.at(slot), ' ')}" for slot in row) for row in filled if row]
    else:
        cells = [[f"{outline.slot}\n{_cell(board.at(outline.slot))}" for outline in row] for row in rows]
        lines = [tabulate(cells, tablefmt="simple_grid", disable_numparse=True)]
    return "\n".join((*lines, *prompter.beside_board(rules, state)))


def score_text(scores: Sequence[SeatScore], prompter: Prompter) -> str:
    """The score of every seat, line by line with its clauses."""
    rows: list[tuple[str, str, str]] = []
    for score in scores:
        rows.append((prompter.name(score.seat), prompter.text("total"), str(score.total)))
        for line in score.lines:
            faces = f" [{', '.join(line.faces)}]" if line.faces else ""
            rows.append(("", f"{prompter.score_line(line)}{faces}", str(line.points)))
    return str(tabulate(
        rows, tablefmt="plain", disable_numparse=True, colalign=("left", "left", "right"),
        maxcolwidths=[None, MOST_OF_A_LINE, None],
    ))  # fmt: skip


def result_text(result: Result, prompter: Prompter) -> str:
    """How the game ended, the scores, who won and what decided it."""
    lines = [prompter.text("The game is over ({clause}).", clause=prompter.clause(result.clause))]
    lines.append(score_text(result.scores, prompter))
    if len(result.winners) == 1:
        won = prompter.text("{player} wins ({clause}).", player=result.winners[0], clause=result.decided_by)
    elif result.winners:
        won = prompter.text("A shared win: {players} ({clause}).", players=result.winners, clause=result.decided_by)
    else:
        won = prompter.text("Everyone has lost ({clause}).", clause=result.decided_by)
    return "\n".join((*lines, won))


def _middle(outline: SlotOutline) -> tuple[float, float]:
    xs, ys = zip(*outline.corners_mm, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _cell(view: SlotView, between: str = "\n") -> str:
    pieces = " ".join(f"{colour}×{count}" for colour, count in view.pieces)
    face = view.face or ("" if between == " " else "–")
    turned = f"↻{view.turn}" if view.turn else ""  # quarter turns clockwise
    return between.join(part for part in (face, turned, pieces) if part)
