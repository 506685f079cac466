"""Pages of a PDF: what is drawn stands where it was said, in mm from the top left corner."""

from __future__ import annotations

import numpy as np
import pytest
from pdf_raster import page_sizes_mm, pages, raster

from calibration.pdf_pages import PdfPages

PAPER_MM = (100.0, 200.0)


def test_a_rectangle_is_filled_where_it_was_said() -> None:
    pdf = PdfPages(PAPER_MM, "a test")
    pdf.add_page()
    pdf.fill(10, 20, 30, 5)
    (content,) = pages(pdf.output())
    dark = np.argwhere(raster(content, PAPER_MM, 2.0) < 128)
    assert dark.min(axis=0) == pytest.approx([40, 20], abs=1)
    assert dark.max(axis=0) == pytest.approx([49, 79], abs=1)


def test_a_page_may_lie_on_its_side() -> None:
    pdf = PdfPages(PAPER_MM, "a test")
    pdf.add_page(landscape=True)
    assert (pdf.w, pdf.h) == (200.0, 100.0)
    pdf.add_page()
    assert np.array(page_sizes_mm(pdf.output())) == pytest.approx(np.array([(200.0, 100.0), PAPER_MM]), abs=0.01)


def test_text_stands_as_it_is_and_other_letters_are_refused() -> None:
    pdf = PdfPages(PAPER_MM, "a test")
    pdf.add_page()
    pdf.fill(0, 0, 1, 1)
    pdf.text(10, 10, "at 100 % (no 'fit')")
    (content,) = pages(pdf.output())
    assert r"(at 100 % \(no 'fit'\)) Tj" in content
    with pytest.raises(UnicodeEncodeError):
        pdf.text(10, 10, "štvorec")


def test_equal_pictures_are_kept_once() -> None:
    picture = np.zeros((40, 40, 3), np.uint8)
    pdf = PdfPages(PAPER_MM, "a test")
    pdf.add_page()
    for x in (0, 50):
        pdf.picture(picture, x, 0, 40, 40)
    pdf.picture(picture + 9, 0, 50, 40, 40)
    assert pdf.output().count(b"/Subtype /Image") == 2
