"""Printable sheets of the sample edition, true to size: tiles, player boards, corner card, Equilibrium cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial

from calibration.drawing import Picture
from calibration.pdf_pages import PdfPages
from calibration.sample_edition.art import (
    BOARD_MM,
    BOARD_ROWS_COLS,
    CUTOUT_MM,
    cutout_centre_mm,
    draw_card,
    draw_corner_card,
    draw_tile,
)
from calibration.sample_edition.box import catalogue_tiles
from calibration.sample_edition.style import Style, sample_style
from companion.games.envyra.edition.components import Catalogue

NOTICE = "Sample edition of the tabletop companion - all values invented, not those of the published game"
TILE_MM = 55.0
CARD_MM = (44.0, 63.0)
PRINT_DPI = 300
PLAYER_BOARDS = 4
_MM_PER_INCH = 25.4
_CUT_MARK_MM = 4.0
_RULER_MM = 100.0
_NOTICE_PT = 8
_RED = (172 / 255, 30 / 255, 46 / 255)


class Paper(Enum):
    """Paper sizes as (width, height) in mm."""

    A4 = (210.0, 297.0)
    LETTER = (215.9, 279.4)


class Sheets(PdfPages):
    """Pages with the notice on top and a ruler at the bottom."""

    def __init__(self, paper: Paper) -> None:
        super().__init__(paper.value, "Sample edition")

    def add_page(self, *, landscape: bool = False) -> None:
        """Begin a page."""
        super().add_page(landscape=landscape)
        left, y = (self.w - _RULER_MM) / 2, self.h - 12
        self.text(left, 6, NOTICE, _NOTICE_PT)
        self.line((left, y), (left + _RULER_MM, y))
        for tick in range(0, int(_RULER_MM) + 1, 10):
            self.line((left + tick, y - (2.5 if tick % 50 == 0 else 1.5)), (left + tick, y))
        self.text(left, y + 1, "This line is 100 mm long when the sheet is printed at 100 %.", _NOTICE_PT)

    def grid(
        self, size_mm: tuple[float, float], rows_cols: tuple[int, int], pictures: Sequence[Callable[[], Picture]]
    ) -> None:
        """Pages of pictures side by side with cut marks, each drawn when its turn comes."""
        rows, cols = rows_cols
        left, top = (self.w - cols * size_mm[0]) / 2, (self.h - rows * size_mm[1]) / 2
        for k, draw in enumerate(pictures):
            row, col = divmod(k % (rows * cols), cols)
            if row == col == 0:
                self.add_page()
                self._cut_marks(left, top, size_mm, rows_cols)
            self.picture(draw(), left + col * size_mm[0], top + row * size_mm[1], *size_mm)

    def _cut_marks(self, left: float, top: float, size_mm: tuple[float, float], rows_cols: tuple[int, int]) -> None:
        rows, cols = rows_cols
        right, bottom = left + cols * size_mm[0], top + rows * size_mm[1]
        marks = [(x, y, 0.0, sign * _CUT_MARK_MM) for x in (left + c * size_mm[0] for c in range(cols + 1))
                 for y, sign in ((top - 1, -1), (bottom + 1, 1))]
        marks += [(x, y, sign * _CUT_MARK_MM, 0.0) for y in (top + r * size_mm[1] for r in range(rows + 1))
                  for x, sign in ((left - 1, -1), (right + 1, 1))]
        for x, y, across, down in marks:
            self.line((x, y), (x + across, y + down), 0.1)

    def board(self, left: float, top: float) -> None:
        """A player board: outline, red corner, cut-outs to be cut with a knife."""
        self.polygon([(left, top), (left + 13, top), (left, top + 13)], _RED)
        self.frame(left, top, *BOARD_MM)
        for row in range(BOARD_ROWS_COLS[0]):
            for col in range(BOARD_ROWS_COLS[1]):
                x, y = cutout_centre_mm(row, col)
                corner = (left + BOARD_MM[0] / 2 + x - CUTOUT_MM / 2, top + BOARD_MM[1] / 2 + y - CUTOUT_MM / 2)
                self.frame(*corner, CUTOUT_MM, CUTOUT_MM)


def sample_sheets(catalogue: Catalogue, paper: Paper) -> bytes:
    """The PDF of a whole box: every tile, four boards, the corner card, the Equilibrium cards of `catalogue`.

    Pieces are true to size when printed at 100 %. Raises KeyError for a theme that the style does not know.
    """
    style = sample_style()
    pdf = Sheets(paper)
    tile_px = round(TILE_MM / _MM_PER_INCH * PRINT_DPI)
    faces = [partial(draw_tile, tile, style, tile_px) for tile in catalogue_tiles(catalogue)]
    pdf.grid((TILE_MM, TILE_MM), (4, 3), [*faces, partial(draw_corner_card, tile_px)])
    pdf.grid(CARD_MM, (3, 4), _cards(catalogue, style))
    for first in range(0, PLAYER_BOARDS, 2):
        pdf.add_page()
        for k in range(min(2, PLAYER_BOARDS - first)):
            pdf.board((pdf.w - BOARD_MM[0]) / 2, 30 + k * (BOARD_MM[1] + 20))
    return pdf.output()


def _cards(catalogue: Catalogue, style: Style) -> list[Callable[[], Picture]]:
    cards: list[Callable[[], Picture]] = []
    for card in catalogue.cards:
        symbols = [(theme.value, symbol - 1) for theme, symbol in card.symbols]
        cards.append(partial(draw_card, symbols, card.points, style, CARD_MM, PRINT_DPI / _MM_PER_INCH))
    return cards
