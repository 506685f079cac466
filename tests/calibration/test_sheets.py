"""The printed sheets, painted from the PDF's own drawing commands and read back by the detectors."""

from __future__ import annotations

import re

import numpy as np
import pytest
from pdf_raster import POINTS_PER_MM, page_sizes_mm, pages, raster

from calibration.lens import LensBoard, find_board
from calibration.sheets import PAPERS_MM, calibration_sheets
from vision.locate.markers import DEFAULT_CENTRES_MM, MarkerLayout, find_markers

PX_PER_MM = 8.0


@pytest.fixture(scope="module", params=sorted(PAPERS_MM))
def sheets(request):
    pdf = calibration_sheets(request.param)
    return request.param, pdf, pages(pdf)


def test_pages_have_the_size_of_the_paper(sheets):
    paper, pdf, _ = sheets
    sizes = page_sizes_mm(pdf)
    for size in sizes:
        assert sorted(size) == pytest.approx(sorted(PAPERS_MM[paper]), abs=0.1)


def test_markers_are_40_mm_on_paper_and_readable(sheets):
    paper, _, (first, _) = sheets
    picture = raster(first, PAPERS_MM[paper], PX_PER_MM)
    seen = find_markers(picture, MarkerLayout())
    assert sorted(m.marker for m in seen) == sorted(DEFAULT_CENTRES_MM)
    for marker in seen:
        sides = np.linalg.norm(np.roll(marker.corners_px, -1, axis=0) - marker.corners_px, axis=1) / PX_PER_MM
        assert sides == pytest.approx([40.0] * 4, abs=0.1)  # a tenth of a millimetre is what a printer holds


def test_the_board_has_its_sizes_on_paper_and_is_readable(sheets):
    paper, _, (_, second) = sheets
    width, height = PAPERS_MM[paper]
    board = LensBoard()
    view = find_board(raster(second, (height, width), PX_PER_MM), board)
    assert view is not None
    assert len(view.ids) == (board.squares[0] - 1) * (board.squares[1] - 1)
    expected = board.corners_mm()[view.ids][:, :2]
    printed = view.corners_px / PX_PER_MM
    assert np.abs((printed - printed[0]) - (expected - expected[0])).max() < 0.1


def test_each_page_has_a_line_of_100_mm_to_check_the_printer(sheets):
    _, _, contents = sheets
    for content in contents:
        found = re.findall(r"(\S+) (\S+) m\s(\S+) (\S+) l\sS", content)
        lines = [tuple(map(float, numbers)) for numbers in found]
        lengths = [np.hypot(x1 - x0, y1 - y0) / POINTS_PER_MM for x0, y0, x1, y1 in lines]
        assert any(length == pytest.approx(100.0, abs=0.01) for length in lengths)


def test_what_does_not_fit_on_the_paper_is_refused():
    with pytest.raises(ValueError, match="do not fit"):
        calibration_sheets("a4", MarkerLayout(side_mm=120.0))
    with pytest.raises(ValueError, match="does not fit"):
        calibration_sheets("a4", board=LensBoard(squares=(12, 8)))
