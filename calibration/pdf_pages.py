"""Pages of a PDF, true to size: lines, rectangles, text and pictures, placed in mm from the top left corner."""

from __future__ import annotations

import io
import zlib

import cv2
import pydyf

from calibration.drawing import Picture

POINTS_PER_MM = 72 / 25.4
BASELINE = 0.8
"""A line's letters stand on a line so far below its top, in sizes of the font."""
FONT = "F1"
Rgb = tuple[float, float, float]
BLACK: Rgb = (0, 0, 0)


class PdfPages:
    """A document page by page; what is drawn goes onto the last page added. `w`, `h`: its size, mm."""

    def __init__(self, paper_mm: tuple[float, float], title: str) -> None:
        """`paper_mm`: width and height of an upright sheet."""
        self._paper_mm = paper_mm
        self.w, self.h = paper_mm
        self._pdf = pydyf.PDF()
        self._pdf.info["Title"] = pydyf.String(title)
        font = pydyf.Dictionary(
            {"Type": "/Font", "Subtype": "/Type1", "BaseFont": "/Helvetica", "Encoding": "/WinAnsiEncoding"}
        )
        self._pdf.add_object(font)
        self._pictures = pydyf.Dictionary({})
        self._pdf.add_object(self._pictures)
        self._resources = pydyf.Dictionary({
            "Font": pydyf.Dictionary({FONT: font.reference}), "XObject": self._pictures.reference,
        })
        self._names: dict[bytes, str] = {}
        self._page = pydyf.Stream()

    def add_page(self, *, landscape: bool = False) -> None:
        """Begin a page."""
        self.w, self.h = reversed(self._paper_mm) if landscape else self._paper_mm
        self._page = pydyf.Stream(compress=True)
        self._pdf.add_object(self._page)
        self._pdf.add_page(pydyf.Dictionary({
            "Type": "/Page", "Parent": self._pdf.pages.reference, "Contents": self._page.reference,
            "MediaBox": pydyf.Array([0, 0, self.w * POINTS_PER_MM, self.h * POINTS_PER_MM]),
            "Resources": self._resources,
        }))

    def line(
        self, start: tuple[float, float], end: tuple[float, float], width_mm: float = 0.2, colour: Rgb = BLACK
    ) -> None:
        """A line between two points."""
        self._pen(width_mm, colour)
        self._page.move_to(*self._at(*start))
        self._page.line_to(*self._at(*end))
        self._page.stroke()

    def frame(
        self, x: float, y: float, w: float, h: float, width_mm: float = 0.2, colour: Rgb = BLACK
    ) -> None:
        """The outline of a rectangle."""
        self._pen(width_mm, colour)
        self._rectangle(x, y, w, h)
        self._page.stroke()

    def fill(self, x: float, y: float, w: float, h: float, colour: Rgb = BLACK) -> None:
        """A filled rectangle."""
        self._page.set_color_rgb(*colour)
        self._rectangle(x, y, w, h)
        self._page.fill()

    def polygon(self, corners: list[tuple[float, float]], colour: Rgb) -> None:
        """A filled polygon."""
        self._page.set_color_rgb(*colour)
        self._page.move_to(*self._at(*corners[0]))
        for corner in corners[1:]:
            self._page.line_to(*self._at(*corner))
        self._page.fill()

    def text(self, x: float, y: float, text: str, size_pt: float = 9) -> None:
        """A line of ASCII text, its top left corner at x, y. Raises UnicodeEncodeError for other letters."""
        text.encode("ascii")
        page = self._page
        page.set_color_rgb(*BLACK)
        page.begin_text()
        page.set_font_size(FONT, size_pt)
        page.set_text_matrix(1, 0, 0, 1, *self._at(x, y + BASELINE * size_pt / POINTS_PER_MM))
        page.show_text_string(text)
        page.end_text()

    def picture(self, picture: Picture, x: float, y: float, w: float, h: float) -> None:
        """A picture (BGR) of w x h mm; equal ones are kept once."""
        height, width = picture.shape[:2]
        data = cv2.cvtColor(picture, cv2.COLOR_BGR2RGB).tobytes()
        if data not in self._names:
            kept = pydyf.Stream([zlib.compress(data)], {
                "Type": "/XObject", "Subtype": "/Image", "Width": width, "Height": height,
                "ColorSpace": "/DeviceRGB", "BitsPerComponent": 8, "Filter": "/FlateDecode",
            })
            self._pdf.add_object(kept)
            self._names[data] = f"I{len(self._names) + 1}"
            self._pictures[self._names[data]] = kept.reference
        page = self._page
        page.push_state()
        page.set_matrix(w * POINTS_PER_MM, 0, 0, h * POINTS_PER_MM, *self._at(x, y + h))
        page.draw_x_object(self._names[data])
        page.pop_state()

    def output(self) -> bytes:
        """The document."""
        out = io.BytesIO()
        self._pdf.write(out)
        return out.getvalue()

    def _pen(self, width_mm: float, colour: Rgb) -> None:
        self._page.set_line_width(width_mm * POINTS_PER_MM)
        self._page.set_color_rgb(*colour, stroke=True)

    def _rectangle(self, x: float, y: float, w: float, h: float) -> None:
        self._page.rectangle(*self._at(x, y + h), w * POINTS_PER_MM, h * POINTS_PER_MM)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * POINTS_PER_MM, (self.h - y) * POINTS_PER_MM
