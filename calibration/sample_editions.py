"""Which games have a sample edition of our own to print, and which of them also faces for the camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.rifts_edition.art import tile_faces
from calibration.rifts_edition.sheets import rifts_sheets
from calibration.sample_edition.sheets import Paper, sample_sheets
from calibration.spyrium_edition.art import edition_faces
from calibration.spyrium_edition.sheets import spyrium_sheets


@dataclass(frozen=True, slots=True)
class SampleEdition:
    """The printable `sheets` (catalogue, paper) of a game as a PDF.

    `faces` (catalogue, px per mm): face -> its picture (H, W, 3) uint8 BGR, for a game whose faces are drawn one by one
    without anything of a box of your own.
    """

    sheets: Callable[[Any, Paper], bytes]
    faces: Callable[[Any, float], Mapping[str, np.ndarray]] | None = None


EDITIONS: Mapping[str, SampleEdition] = {
    "envyra": SampleEdition(sample_sheets),
    "spyrium": SampleEdition(spyrium_sheets, edition_faces),
    "rifts": SampleEdition(rifts_sheets, tile_faces),
}
