"""Printable sheets of a Spyrium edition's cards, true to size: every copy of every card, and the events."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from calibration.drawing import Picture
from calibration.sample_edition.sheets import PRINT_DPI, Paper, Sheets
from calibration.spyrium_edition.art import draw_card, draw_event
from companion.games.spyrium.edition.catalogue import Catalogue
from companion.games.spyrium.edition.designs import EVENTS
from companion.games.spyrium.edition.form import CARD_MM

_MM_PER_INCH = 25.4


def spyrium_sheets(catalogue: Catalogue, paper: Paper) -> bytes:
    """The PDF of an edition's cards, as many copies of each as the catalogue says; true to size at 100 %."""
    px_per_mm = PRINT_DPI / _MM_PER_INCH
    faces: list[Callable[[], Picture]] = []
    for card in catalogue.cards:
        faces += [partial(draw_card, card, px_per_mm)] * card.copies
    faces += [partial(draw_event, event, px_per_mm) for event in EVENTS]
    pdf = Sheets(paper)
    pdf.grid(CARD_MM, (3, 4), faces)
    return pdf.output()
