"""Printable calibration sheets, true to size: the corner markers and the ChArUco board, drawn as vectors."""

from __future__ import annotations

from types import MappingProxyType

import cv2
import numpy as np

from calibration.lens import LensBoard
from calibration.pdf_pages import PdfPages, Rgb
from vision.locate.markers import CELLS, MarkerLayout

PAPERS_MM = MappingProxyType({"a4": (210.0, 297.0), "letter": (215.9, 279.4)})
RULER_MM = 100.0
QUIET_CELLS = 1.5  # white around a marker, in its cells: the detector needs one, the scissors the rest
FOOT_MM = 22.0
TEXT_PT = 9
CUT_LINE_MM = 0.1
GRAY: Rgb = (2 / 3, 2 / 3, 2 / 3)
WHITE: Rgb = (1, 1, 1)
ARROW_MM = (((0, 1.5), (0, 6)), ((-1.5, 3), (0, 1.5)), ((1.5, 3), (0, 1.5)))
"""Lines of the arrow above a marker, from the middle of the cut-out's upper edge."""
HOW_TO_PRINT = "Print at 100 % (no 'fit to page'). This line must be 100 mm long:"


def calibration_sheets(paper: str = "a4", markers: MarkerLayout | None = None, board: LensBoard | None = None) -> bytes:
    """The PDF: a page of corner markers with a plan of the table, and a page with the board for the lens.

    `paper`: a key of PAPERS_MM. Raises ValueError when something does not fit on the paper.
    """
    layout, board = markers or MarkerLayout(), board or LensBoard()
    pdf = PdfPages(PAPERS_MM[paper], "Calibration sheets of the tabletop companion")
    _marker_page(pdf, layout)
    _board_page(pdf, board)
    return pdf.output()


def _marker_page(pdf: PdfPages, layout: MarkerLayout) -> None:
    pdf.add_page()
    cell = layout.side_mm / CELLS
    quiet = QUIET_CELLS * cell
    outer = layout.side_mm + 2 * quiet
    columns = int((pdf.w - 20) // outer)
    ids = sorted(layout.centres_mm)
    rows = -(-len(ids) // max(columns, 1))
    top = 24.0
    if columns < 1 or top + rows * (outer + 6) > pdf.h - FOOT_MM - 60:
        raise ValueError(f"{len(ids)} markers of {layout.side_mm:g} mm do not fit on {pdf.w:g} x {pdf.h:g} mm")
    _text(
        pdf, 10, 8, "Corner markers. Cut along the gray lines and lay or glue them flat, the arrow towards the table's"
    )
    _text(pdf, 10, 13, "top, their middles where the plan shows. They must not move during the game.")
    left = (pdf.w - columns * outer) / 2
    for n, marker in enumerate(ids):
        x, y = left + n % columns * outer, top + n // columns * (outer + 6)
        pdf.frame(x, y, outer, outer, CUT_LINE_MM, GRAY)
        _marker(pdf, layout.dictionary, marker, x + quiet, y + quiet, layout.side_mm)
        _text(pdf, x + quiet, y + outer - 5.5, f"{marker}")
        middle = x + outer / 2
        for start, end in ARROW_MM:
            pdf.line((middle + start[0], y + start[1]), (middle + end[0], y + end[1]), 0.3)
    _plan(pdf, layout, top + rows * (outer + 6) + 6)
    _ruler(pdf)


def _plan(pdf: PdfPages, layout: MarkerLayout, top: float) -> None:
    """A plan of the table, reduced, with the distances between the markers' middles."""
    ids = sorted(layout.centres_mm)
    centres = np.array([layout.centres_mm[i] for i in ids])
    low, high = centres.min(axis=0), centres.max(axis=0)
    room = (pdf.w - 90, pdf.h - FOOT_MM - top - 14)
    scale = min(room[0] / (high[0] - low[0]), room[1] / (high[1] - low[1]))
    left = (pdf.w - scale * (high[0] - low[0])) / 2
    side = scale * layout.side_mm
    for marker, centre in zip(ids, centres, strict=True):
        x, y = left + scale * (centre[0] - low[0]), top + scale * (centre[1] - low[1])
        pdf.frame(x - side / 2, y - side / 2, side, side)
        _text(pdf, x - 1.2, y - 2, f"{marker}")
    _text(pdf, pdf.w / 2 - 24, top - 2, f"{high[0] - low[0]:g} mm from middle to middle")
    _text(
        pdf, left + scale * (high[0] - low[0]) + side, top + scale * (high[1] - low[1]) / 2, f"{high[1] - low[1]:g} mm"
    )


def _board_page(pdf: PdfPages, board: LensBoard) -> None:
    pdf.add_page(landscape=True)
    width, height = (n * board.square_mm for n in board.squares)
    left, top = (pdf.w - width) / 2, 6.0
    if left < 5 or top + height > pdf.h - 14:
        raise ValueError(f"the board of {width:g} x {height:g} mm does not fit on {pdf.w:g} x {pdf.h:g} mm")
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.dictionary))
    charuco = cv2.aruco.CharucoBoard(board.squares, board.square_mm, board.marker_mm, known)
    corners = {int(i): np.asarray(c) for i, c in zip(np.ravel(charuco.getIds()), charuco.getObjPoints(), strict=True)}
    holding = {tuple(int(v) for v in c[:, :2].mean(axis=0) // board.square_mm) for c in corners.values()}
    for column in range(board.squares[0]):
        for row in range(board.squares[1]):
            if (column, row) not in holding:
                size = board.square_mm
                pdf.fill(left + column * size, top + row * size, size, size)
    for marker, places in corners.items():
        x, y = places[:, :2].min(axis=0)
        _marker(pdf, board.dictionary, marker, left + float(x), top + float(y), board.marker_mm)
    _text(pdf, left, top + height + 1, "Glue this sheet flat on a board. " + _sizes(board))
    _ruler(pdf)


def _sizes(board: LensBoard) -> str:
    across, down = board.squares
    return (
        f"ChArUco {across} x {down}, squares {board.square_mm:g} mm, markers {board.marker_mm:g} mm, {board.dictionary}"
    )


def _marker(pdf: PdfPages, dictionary: str, marker: int, x: float, y: float, side: float) -> None:
    """A marker with its top left corner at x, y: a black square with white cells in it."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    cells = known.markerSize + 2
    white = cv2.aruco.generateImageMarker(known, marker, cells, borderBits=1) > 127
    pdf.fill(x, y, side, side)
    cell = side / cells
    for row in range(cells):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], white[row], [False]]).astype(np.int8)))
        for first, last in zip(edges[::2], edges[1::2], strict=True):  # runs: no seam between neighbours
            pdf.fill(x + first * cell, y + row * cell, (last - first) * cell, cell, WHITE)


def _ruler(pdf: PdfPages) -> None:
    left, y = (pdf.w - RULER_MM) / 2, pdf.h - 5
    pdf.line((left, y), (left + RULER_MM, y))
    for tick in range(0, int(RULER_MM) + 1, 10):
        pdf.line((left + tick, y), (left + tick, y - (2.5 if tick % 50 == 0 else 1.5)))
    _text(pdf, left, y - 7, HOW_TO_PRINT)


def _text(pdf: PdfPages, x: float, y: float, text: str) -> None:
    pdf.text(x, y, text, TEXT_PT)
