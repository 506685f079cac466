"""Compares what was read of a folder of photographs with its truth, letter by letter and move by move.

    python -m examples.crossword.measure FOLDER --learn LABELLED
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from .catalogue import load_catalogue
from .photographs import learn_folder, read_folder

MOVE_KEYS = ("image", "kind", "player", "laid", "removed", "bonus", "move_score", "totals")


def compare(found: dict[str, Any], truth: dict[str, Any]) -> dict[str, Any]:
    """Counts: letters right and wrong (flagged, silent), pictures refused, moves in order and final scores right."""
    frames = truth.get("frames")
    named = {f["image"]: f for f in frames} if frames else truth
    wanted = {name: one["letters"] for name, one in named.items()}
    right, flagged, silent, refused = 0, 0, [], 0
    for name, letters in wanted.items():
        seen = found["pictures"].get(name, {"letters": {}, "unsure": {}, "refused": "missing"})
        if seen.get("refused"):
            refused += 1
            continue
        for cell in sorted({*letters, *seen["letters"]}):
            if letters.get(cell) == seen["letters"].get(cell):
                right += 1
            elif cell in seen["unsure"]:
                flagged += 1
            else:
                silent.append((name, cell, letters.get(cell), seen["letters"].get(cell)))
    out: dict[str, Any] = {"right": right, "wrong_flagged": flagged, "wrong_silent": silent, "refused": refused}
    if frames:
        moves, true_moves = ([_move(one) for one in every] for every in (found["moves"], frames))
        out["moves_right"] = sum(a == b for a, b in zip(moves, true_moves, strict=False))
        out["moves"] = len(true_moves)
        out["final"] = [found["totals"], truth["final_scores"]]
    return out


def _move(one: dict[str, Any]) -> dict[str, Any]:
    """The parts of a move that are compared; what is left out is nothing laid, nothing removed, no bonus."""
    nothing: dict[str, Any] = {"laid": {}, "removed": {}, "bonus": 0}
    return {key: one.get(key, nothing.get(key)) for key in MOVE_KEYS}


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--learn", "labelled", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--catalogue", default="german", show_default=True)
def main(folder: Path, labelled: Path, catalogue: str) -> None:
    """Read FOLDER with what LABELLED teaches and print how much of its truth.json was right, as JSON."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    tiles = load_catalogue(catalogue)
    found = read_folder(folder, learn_folder(labelled, tiles), tiles, game="frames" in truth)
    click.echo(json.dumps(compare(found, truth), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
