"""`companion calibrate …`: print the sheets, measure the lens, find the table, and check that all of it still holds."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.app.command_kit import json_option
from companion.core.errors import CompanionError, DataError, DeviceError
from companion.core.files import parse_json, read_text

if TYPE_CHECKING:
    import numpy as np

    from calibration.lens import LensBoard, LensBoardView, LensResult
    from calibration.profiles import ProfileStore
    from vision.locate.lattice import GridShape
    from vision.locate.markers import MarkerLayout
    from vision.locate.pose import NotLocated, TablePose
    from vision.sources import Frame

FIRST_PICTURE_S = 12.0  # a camera may take seconds to open
LIVE_S = 180.0  # from the first picture on
NO_PICTURE = "See that it is plugged in and that no other program uses it; `companion doctor` names the cameras here."
GOOD_LENS_PX = 0.5
GOOD_POSE_PX = 0.5


@click.group()
def calibrate() -> None:
    """Calibration: printed sheets, the lens, where the table is, and whether it still holds."""


profiles_option = click.option(
    "--profiles", type=click.Path(path_type=Path, file_okay=False), help="Folder of profiles (default: the user's)."
)
layout_option = click.option(
    "--layout",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="JSON with `markers`: dictionary, side and centres in mm (default: 40 mm, 440 x 340 mm apart).",
)


@calibrate.command("print", epilog="Example: companion calibrate print --paper letter --out sheets.pdf")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("calibration.pdf"))
@layout_option
def print_sheets(paper: str, out: Path, layout: Path | None) -> None:
    """Write the corner markers and the board for the lens as a PDF, true to size, with a ruler to check."""
    from calibration.sheets import calibration_sheets
    from companion.app.files.atomic_write import write_whole

    try:
        content = calibration_sheets(paper, marker_layout_of(layout))
    except ValueError as error:
        raise DataError(str(error), remedy="use fewer or smaller markers") from None
    write_whole(out, (content,), for_all=True)
    click.echo(f"{out}: print at 100 % and check with a ruler that the line at the foot is 100 mm long.")


@calibrate.command(epilog="\b\nExamples:\n  companion calibrate lens 0\n  companion calibrate lens pictures/")
@click.argument("source")
@click.option("--squares", nargs=2, type=int, default=(8, 6), show_default=True, help="Squares across and down.")
@click.option("--square-mm", type=float, default=30.0, show_default=True)
@click.option("--marker-mm", type=float, default=22.0, show_default=True)
@click.option("--dictionary", default="DICT_5X5_100", show_default=True)
@click.option("--camera", "identity", help="Name of the camera the pictures are from (default: the source).")
@profiles_option
@json_option
def lens(
    source: str,
    squares: tuple[int, int],
    square_mm: float,
    marker_mm: float,
    dictionary: str,
    identity: str | None,
    profiles: Path | None,
    as_json: bool,
) -> None:
    """Measure the lens from pictures of the printed board, or live: move it about until everything is covered."""
    from calibration.lens import LensBoard, calibrate_lens
    from calibration.profiles import LensProfile, camera_identity

    board = LensBoard(squares, square_mm, marker_mm, dictionary)
    views = _views(source, board, quiet=as_json)
    result = calibrate_lens(views, board)
    who = identity or camera_identity(source)
    profile = LensProfile(who, result.camera, result.held_out_px, len(result.used), int(time.time()))
    path = _store(profiles).save_lens(profile)
    _report_lens(result, path, as_json)
    if not result.held_out_px <= GOOD_LENS_PX:
        raise CompanionError(
            f"the error on held-out views is {result.held_out_px:.2f} px, good is below {GOOD_LENS_PX} px",
            remedy="glue the board flat, hold it still, light it evenly, and calibrate again",
        )


def _report_lens(result: LensResult, path: Path, as_json: bool) -> None:
    if as_json:
        camera = result.camera
        figures = {
            "matrix": camera.matrix.tolist(),
            "dist": camera.dist.tolist(),
            "size": list(camera.size_wh),
            "fitted_px": result.fitted_px,
            "held_out_px": result.held_out_px,
            "used": result.used,
            "held_out": result.held_out,
            "left_out": result.left_out,
            "profile": str(path),
        }
        click.echo(json.dumps(figures))
        return
    click.echo(
        f"{len(result.used)} views used, {len(result.left_out)} left out: {', '.join(result.left_out) or 'none'}"
    )
    click.echo(f"focal length {result.camera.focal_px:.1f} px (± {result.focal_sd_px:.1f})")
    click.echo(f"error {result.fitted_px:.3f} px, on {len(result.held_out)} views held out {result.held_out_px:.3f} px")
    click.echo(f"saved: {path}")


def _views(source: str, board: LensBoard, quiet: bool) -> list[LensBoardView]:
    """The board's views: of every picture of a directory, or of a live picture until enough is covered."""
    from calibration.lens import LensCollector, find_board

    if Path(source).exists() and not source.startswith("/dev/"):
        found = [find_board(frame.image, board, frame.name) for frame in _frames(source)]
        return [view for view in found if view is not None]
    collector = LensCollector(board)
    for frame in _frames(source, LIVE_S):
        if collector.see(frame.image) and not quiet:
            covered = collector.coverage()
            fields = " ".join("".join("#" if f else "." for f in row) for row in covered.fields)
            click.echo(f"{covered.share:4.0%}  {covered.views:2d} views  [{fields}]  {covered.advice or 'complete'}")
        if collector.coverage().complete:
            break
    return list(collector.views)


@calibrate.command(epilog="\b\nExamples:\n  companion calibrate table 0\n  companion calibrate table 0 --grid 3 4")
@click.argument("source")
@click.option("--grid", nargs=2, type=int, help="Rows and columns: find the tiles' own grid where no markers lie.")
@click.option(
    "--corners", nargs=8, type=float, help="Four corners x y …, px, clockwise from top left: the markers' places."
)
@click.option("--picture", type=click.Path(path_type=Path, dir_okay=False), help="Write what was found as a picture.")
@layout_option
@profiles_option
@json_option
def table(
    source: str,
    grid: tuple[int, int] | None,
    corners: tuple[float, ...] | None,
    picture: Path | None,
    layout: Path | None,
    profiles: Path | None,
    as_json: bool,
) -> None:
    """Find the table before the camera and remember it: from then on any two markers are enough."""
    import cv2

    from calibration.profiles import TableProfile, camera_identity
    from vision.locate.lattice import GridShape
    from vision.locate.pose import TablePose

    frame = next(_frames(source))
    markers, store, who = marker_layout_of(layout), _store(profiles), camera_identity(source)
    lens_profile = store.lens(who, frame.image.shape[1::-1])
    camera = None if isinstance(lens_profile, str) else lens_profile.camera
    shape = GridShape(*grid) if grid else None
    found = _locate(frame.image, markers, camera, shape, corners)
    if not isinstance(found, TablePose):
        raise CompanionError(found.reason, where=source, remedy="docs/guide/camera.md says how to lay the markers")
    path = store.save_table(TableProfile(who, found, markers, int(time.time())))
    if picture is not None and not cv2.imwrite(str(picture), _overlay(frame.image, found, markers)):
        raise DataError("the picture cannot be written", where=str(picture))
    _report_table(found, path, "" if camera is not None else str(lens_profile), as_json)


def _locate(
    image: np.ndarray,
    markers: MarkerLayout,
    camera: Any,
    shape: GridShape | None,
    corners: tuple[float, ...] | None,
) -> TablePose | NotLocated:
    import numpy as np

    from vision.locate.lattice import locate_grid
    from vision.locate.pose import NotLocated, locate_corners, locate_table

    if corners:
        places = np.array([markers.centres_mm[i] for i in sorted(markers.centres_mm)])
        if len(places) != 4:
            raise DataError(f"four clicked corners need a layout of four markers, got {len(places)}")
        return locate_corners(np.array(corners).reshape(4, 2), places, image.shape[1::-1], camera)
    found = locate_table(image, markers, camera)
    if isinstance(found, NotLocated) and shape is not None:
        by_grid = locate_grid(image, shape, camera)
        return found if isinstance(by_grid, NotLocated) and found.markers else by_grid
    return found


def _report_table(found: TablePose, path: Path, note: str, as_json: bool) -> None:
    figures = {
        "by": found.by,
        "markers": found.markers,
        "strays": found.strays,
        "error_px": round(found.error_px, 3),
        "mm_per_px": round(found.mm_per_px, 4),
        "height_mm": round(float(-found.eye_mm[2]), 1),
        "focal_px": round(found.camera.focal_px, 1),
        "lens_measured": found.camera.measured,
        "profile": str(path),
    }
    if as_json:
        click.echo(json.dumps(figures))
        return
    click.echo(f"found by {found.by}, markers {', '.join(map(str, found.markers)) or 'none'}; {path}")
    if found.strays:
        click.echo(f"marker {', '.join(map(str, found.strays))} does not lie where the layout says and was left out")
    click.echo(
        f"error {figures['error_px']} px, {figures['mm_per_px']} mm a pixel, camera {figures['height_mm']} mm high"
    )
    if note:
        click.echo(note)


@calibrate.command(epilog="Example: companion calibrate check 0")
@click.argument("source")
@layout_option
@profiles_option
@json_option
def check(source: str, layout: Path | None, profiles: Path | None, as_json: bool) -> None:
    """Check that lens and table still hold; exit code 1 and what to do when they do not."""
    from calibration.health import check_table
    from calibration.profiles import camera_identity

    frame = next(_frames(source))
    store, who = _store(profiles), camera_identity(source)
    size_wh = frame.image.shape[1::-1]
    findings = check_table(frame.image, marker_layout_of(layout), store.lens(who, size_wh), store.table(who, size_wh))
    if as_json:
        rows = [{"what": f.what, "good": f.good, "figure": f.figure, "advice": f.advice} for f in findings]
        click.echo(json.dumps({"source": source, "good": all(f.good for f in findings), "findings": rows}))
    else:
        for finding in findings:
            click.echo(
                f"{'good' if finding.good else 'BAD '}  {finding.what}: {finding.figure}. {finding.advice}".rstrip()
            )
    if not all(f.good for f in findings):
        raise CompanionError("the calibration does not hold", where=source, remedy="see what is marked BAD")


def _overlay(image: np.ndarray, pose: TablePose, markers: MarkerLayout) -> np.ndarray:
    """The picture with the markers' expected outlines and the table's axes drawn in."""
    import cv2
    import numpy as np

    out = image.copy()
    for marker in markers.centres_mm:
        outline = np.round(pose.project(markers.corners_mm(marker))).astype(np.int32)
        colour = (0, 200, 0) if marker in pose.markers else (0, 0, 220)
        cv2.polylines(out, [outline], True, colour, 2, cv2.LINE_AA)
    origin, x, y = np.round(pose.project(np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0]]))).astype(int)
    cv2.arrowedLine(out, tuple(map(int, origin)), tuple(map(int, x)), (0, 0, 255), 2, cv2.LINE_AA)
    cv2.arrowedLine(out, tuple(map(int, origin)), tuple(map(int, y)), (0, 255, 0), 2, cv2.LINE_AA)
    return out


def _frames(source: str, live_s: float = FIRST_PICTURE_S) -> Iterator[Frame]:
    """The frames of a source, for cameras during `live_s` seconds from the first on. Raises DeviceError when none comes
    within FIRST_PICTURE_S."""
    from vision.sources import Health, open_source

    opened = open_source(source)
    opened.start()
    after, until = 0, time.monotonic() + FIRST_PICTURE_S
    try:
        while True:
            frame = opened.newest(after, timeout_s=0.2)
            if frame is not None:
                if after == 0:
                    until = time.monotonic() + live_s
                after = frame.number
                yield frame
                continue
            status = opened.status()
            if status.health is Health.ENDED or time.monotonic() > until:
                break
        if after == 0:
            reason = opened.status().reason
            raise DeviceError(reason or f"no picture came in {FIRST_PICTURE_S:.0f} s", where=source,
                              remedy="" if reason else NO_PICTURE)
    finally:
        opened.stop()


def marker_layout_of(path: Path | None) -> MarkerLayout:
    """The markers that a file describes; None: the printed ones. Raises DataError."""
    from calibration.profiles import marker_layout
    from vision.locate.markers import MarkerLayout

    if path is None:
        return MarkerLayout()
    try:
        data = parse_json(read_text(path))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read: {error}", where=str(path)) from error
    return marker_layout(data.get("markers", data) if isinstance(data, dict) else {})


def profiles_folder(folder: Path | None) -> Path:
    """The folder that was named, or the user's own."""
    from companion.app.files.paths import calibration_dir, config_file
    from companion.app.files.settings import load_settings

    return folder or calibration_dir(load_settings(config=config_file()))


def _store(folder: Path | None) -> ProfileStore:
    from calibration.profiles import ProfileStore

    return ProfileStore(profiles_folder(folder))


COMMANDS = (calibrate,)
