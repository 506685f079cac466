"""What the set-up says of each calibration: its health and the next thing to do, judged from one picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from calibration.health import CLIPPED_SHARE, DARK_LEVEL, GOOD_POSE_PX, MOVED_MM
from calibration.piece_colours.colour_enrolment import ColourReport
from calibration.profiles import LensProfile, TableProfile
from companion.core.messages import with_decimals
from vision.locate.markers import MarkerLayout, SeenMarker, find_markers
from vision.locate.pose import NotLocated, TablePose, locate_table
from web.ports.setup_step import SetupStep

TILE_MM = 55.0
LEAST_TILE_PX = 50.0
"""The least at which faces can be recognised (docs/guide/camera.md)."""

MARKERS_SEEN = "{seen} of {all} markers are seen"
MARKERS_STRAY = "marker {markers} does not lie where the sheet shows"
MARKERS_WRONG = "the markers do not lie as the sheet shows"
MARKERS_LAY = (
    "Print the sheets, lay the markers round the grid and point the camera so that all are in view."
)
PLACE_FOUND = "the table is found to {error} px; a tile is {tile} px wide"
PLACE_NONE = "the table is not found in this picture"
PLACE_FLAT = "Lay the markers flat, where the sheet shows."
PLACE_NEARER = "Bring the camera nearer, or choose a higher resolution: a tile shall be 50 px wide."
LENS_KNOWN = "measured to {error} px from {views} pictures"
LENS_GUESSED = "estimated from the markers"
LENS_MEASURE = "Measure it if pieces near the edge are misread."
TABLE_HELD = "{moved} mm from where it was"
TABLE_MOVED = "the camera or a marker was moved by {moved} mm"
TABLE_NEW = "its place is not remembered yet"
TABLE_KEEP = "Remember it: two markers in view are then enough."
LIGHT_GOOD = "{clipped} % of the picture is overexposed, white paper is at {paper} of 255"
LIGHT_UNTOLD = "{clipped} % of the picture is overexposed"
LIGHT_DIM = "Dim the lamp, or lower the camera's exposure."
LIGHT_MORE = "More light, or a longer exposure."
COLOURS_NEW = "not learnt yet: taken for paint of their names"
COLOURS_MISSING = "not learnt: {colours}"
COLOURS_CLOSE = "this light does not tell {pairs} apart"
COLOURS_OVER = "overexposed when they were learnt: {colours}"
COLOURS_GOOD = "learnt; the nearest two, {first} and {second}, are {distance} apart"
COLOURS_LEARNT = "learnt"
COLOURS_STAND = (
    "Clear the grid, stand 1 to 5 cubes of each colour in a column, columns 60 mm apart, in this order from the left: "
    "{order}. Then learn them."
)
COLOURS_LIGHT = "Use whiter or stronger light, then learn them again."
NO_PICTURE = "no picture has come yet"


def picture_steps(
    image: np.ndarray | None, markers: MarkerLayout, lens: LensProfile | str, table: TableProfile | str
) -> tuple[SetupStep, ...]:
    """Markers, place, lens, remembered table and light, from a picture (H, W, 3) uint8 BGR (None: none came yet).

    `lens`, `table`: the camera's profiles for this size of picture, or a text: why there is none.
    """
    if image is None:
        return tuple(SetupStep(key, "wait", NO_PICTURE) for key in ("markers", "place", "lens", "table", "light"))
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    seen = find_markers(gray, markers)
    camera = None if isinstance(lens, str) else lens.camera
    found = locate_table(image, markers, camera, None if isinstance(table, str) else table.pose)
    return (
        _markers(seen, found, markers), _place(found), _lens(lens), _table(found, table), _light(image, gray, seen),
    )


def _markers(seen: Sequence[SeenMarker], found: TablePose | NotLocated, layout: MarkerLayout) -> SetupStep:
    facts: dict[str, Any] = {"seen": len({one.marker for one in seen}), "all": len(layout.centres_mm)}
    if isinstance(found, NotLocated):
        wrong = facts["seen"] == facts["all"]
        told = MARKERS_WRONG if wrong else MARKERS_SEEN
        return SetupStep("markers", "bad", told, MARKERS_LAY, facts, detail=found.reason)
    if found.strays:
        facts["markers"] = ", ".join(map(str, found.strays))
        return SetupStep("markers", "wait", MARKERS_STRAY, PLACE_FLAT, facts)
    complete = facts["seen"] == facts["all"]
    return SetupStep("markers", "ok" if complete else "wait", MARKERS_SEEN, "" if complete else MARKERS_LAY, facts)


def _place(found: TablePose | NotLocated) -> SetupStep:
    if isinstance(found, NotLocated):
        return SetupStep("place", "bad", PLACE_NONE)
    tile_px = TILE_MM / found.mm_per_px
    facts = {"error": with_decimals(found.error_px, 2), "tile": round(tile_px)}
    if found.error_px > GOOD_POSE_PX:
        return SetupStep("place", "wait", PLACE_FOUND, PLACE_FLAT, facts)
    if tile_px < LEAST_TILE_PX:
        return SetupStep("place", "bad", PLACE_FOUND, PLACE_NEARER, facts)
    return SetupStep("place", "ok", PLACE_FOUND, "", facts)


def _lens(lens: LensProfile | str) -> SetupStep:
    if isinstance(lens, str):  # works without
        return SetupStep("lens", "ok", LENS_GUESSED, LENS_MEASURE)
    return SetupStep("lens", "ok", LENS_KNOWN, "", {"error": with_decimals(lens.held_out_px, 2), "views": lens.views})


def _table(found: TablePose | NotLocated, table: TableProfile | str) -> SetupStep:
    if isinstance(found, NotLocated):
        return SetupStep("table", "wait", PLACE_NONE)
    if isinstance(table, str):
        return SetupStep("table", "wait", TABLE_NEW, TABLE_KEEP, can="table")
    grid = np.array([[x, y] for x in (-120.0, 0.0, 120.0) for y in (-100.0, 0.0, 100.0)])
    moved_mm = float(np.linalg.norm(found.to_table(table.pose.project(grid)) - grid, axis=1).max())
    facts = {"moved": with_decimals(moved_mm)}
    if moved_mm > MOVED_MM:
        return SetupStep("table", "bad", TABLE_MOVED, TABLE_KEEP, facts, can="table")
    return SetupStep("table", "ok", TABLE_HELD, "", facts, can="table")


def _light(image: np.ndarray, gray: np.ndarray, seen: Sequence[SeenMarker]) -> SetupStep:
    """Overexposure of the whole picture, and how bright the markers' paper is: beside each of their corners."""
    clipped = float((image.min(axis=2) >= 254).mean())
    corners = [xy for marker in seen for xy in np.round(marker.corners_px).astype(int)]
    patches = [gray[max(y - 4, 0) : y + 5, max(x - 4, 0) : x + 5] for x, y in corners]
    paper = [float(np.percentile(patch, 90)) for patch in patches if patch.size]
    white = float(np.median(paper)) if paper else None
    facts: dict[str, Any] = {"clipped": with_decimals(100 * clipped)}
    told = LIGHT_UNTOLD
    if white is not None:
        told, facts["paper"] = LIGHT_GOOD, round(white)
    if clipped > CLIPPED_SHARE:
        return SetupStep("light", "wait", told, LIGHT_DIM, facts)
    if white is not None and white < DARK_LEVEL:
        return SetupStep("light", "bad", told, LIGHT_MORE, facts)
    return SetupStep("light", "ok", told, "", facts)


def colour_step(report: ColourReport | None, names: Sequence[str]) -> SetupStep:
    """Whether the pieces `names` were learnt, and which of them this light confuses."""
    order = {"order": tuple(names)}
    if report is None:
        return SetupStep("colours", "wait", COLOURS_NEW, COLOURS_STAND, order, can="colours")
    missing = tuple(name for name in names if name not in report.colours.names)
    if missing:
        return SetupStep("colours", "bad", COLOURS_MISSING, COLOURS_STAND, {**order, "colours": missing}, can="colours")
    pairs = [pair for pair in report.pairs if pair.first in names and pair.second in names]
    close = [pair for pair in pairs if pair.verdict == "too close"]
    if close:
        facts: dict[str, Any] = {"pairs": tuple(f"{pair.first}/{pair.second}" for pair in close)}
        return SetupStep("colours", "bad", COLOURS_CLOSE, COLOURS_LIGHT, facts, can="colours")
    over = tuple(name for name in report.overexposed if name in names)
    if over:
        return SetupStep("colours", "wait", COLOURS_OVER, LIGHT_DIM, {"colours": over}, can="colours")
    if not pairs:
        return SetupStep("colours", "ok", COLOURS_LEARNT, can="colours")
    near = pairs[0]
    facts = {"first": near.first, "second": near.second, "distance": round(near.distance)}
    return SetupStep("colours", "ok", COLOURS_GOOD, "", facts, can="colours")
