"""`companion bench hands`: hands over a printed board told from shadows, on a folder of rectified photographs."""

from __future__ import annotations

import json
import statistics
import time
from collections import defaultdict
from pathlib import Path

import click

from companion.core.errors import DataError

TRUTH = "truth.json"
LABELS = {"hand": "hands seen", "shadow": "shadows not taken for a hand", "clear": "clear pictures used"}


@click.command("hands")
@click.option("--empty", default=2, show_default=True, help="Number of the frame that shows each board empty.")
@click.option("--sequence", "sequences", multiple=True, help="Only these sequences; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def bench_hands(empty: int, sequences: tuple[str, ...], as_json: bool, folder: Path) -> None:
    """Tell hands from shadows over a board in the photographs of FOLDER and compare with its truth.json.

    truth.json: a list of {"file": …, "sequence": …, "frame": number, "label": "hand", "shadow" or "clear"}. Each
    picture is judged alone against the empty board of its sequence. Seconds are one thread's own time.

    Example: companion bench hands --empty 2 photos/boards
    """
    import cv2

    from vision.count.teaching.colour_file import read_picture
    from vision.view.covered_print import PrintCover

    cv2.setNumThreads(1)
    try:
        entries = json.loads((folder / TRUTH).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read: {error}", where=str(folder / TRUTH), remedy="Expected a list.") from None
    entries = [e for e in entries if not sequences or e["sequence"] in sequences]
    boards = {e["sequence"]: PrintCover(read_picture(folder / e["file"])) for e in entries if e["frame"] == empty}
    without = sorted({e["sequence"] for e in entries} - set(boards))
    if without or not entries:
        where = ", ".join(without) or "all"
        raise DataError(f"no frame {empty} of the sequences {where}", where=str(folder / TRUTH), remedy="See --empty.")
    right: dict[str, list[bool]] = defaultdict(list)
    seconds = []
    for entry in entries:
        begun = time.thread_time()
        cover = boards[entry["sequence"]].over(read_picture(folder / entry["file"]))
        seconds.append(time.thread_time() - begun)
        right[entry["label"]].append(cover.hand == (entry["label"] == "hand"))
        if not right[entry["label"]][-1] and not as_json:
            click.echo(f"{entry['file']}: {entry['label']}, covered {cover.share:.2%}")
    figures = {LABELS[label]: [sum(right[label]), len(right[label])] for label in LABELS}
    if as_json:
        click.echo(json.dumps({**figures, "seconds a picture, median": statistics.median(seconds)}))
        return
    for name, (good, number) in figures.items():
        click.echo(f"{name:32} {good:4} of {number}")
    click.echo(f"{'seconds a picture, median':32} {statistics.median(seconds):.2f}")


BENCH = bench_hands
