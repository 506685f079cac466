"""The colours of a box's pieces learnt from pictures, which of them this light confuses, and the file of both."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.piece_colours.colours import ColourPair, StandingPiece, check_colours, enrol_colours, top_colours
from companion.core.errors import DataError
from companion.core.files import parse_json, read_text
from vision.appearance.picture_light import PieceColours
from vision.count.teaching.colour_file import read_colours, shared_colours
from vision.count.teaching.colours import PieceColour, as_document
from vision.locate.markers import MarkerLayout
from vision.locate.pose import TablePose
from vision.srgb import from_linear, to_linear

USUAL_RGB = {
    "purple": (92, 55, 138),
    "gray": (128, 128, 128),
    "pink": (236, 130, 168),
    "white": (240, 238, 230),
    "black": (38, 38, 40),
    "red": (186, 40, 40),
    "blue": (40, 84, 160),
    "green": (44, 124, 66),
    "yellow": (240, 200, 50),
    "orange": (232, 130, 40),
    "brown": (110, 76, 48),
}
"""Painted wood of that name, about: what is taken until the pieces themselves were looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class ColourPicture:
    """A picture (H, W, 3) uint8 BGR of pieces that stand on the bare table, where it is, and what stands where."""

    image: NDArray[np.uint8]
    pose: TablePose
    pieces: tuple[StandingPiece, ...]


@dataclass(frozen=True, slots=True)
class ColourReport:
    """What was learnt: the colours, those cut off by the camera, and every pair as it looks here, the nearest first.
    `game`: whose pieces they are, as pieces of several games are called the same; "" where that is not known."""

    colours: PieceColours
    overexposed: tuple[str, ...]
    pairs: tuple[ColourPair, ...]
    game: str = ""

    def may_be_of(self, game: str) -> bool:
        """Whether these are not known to be another game's pieces."""
        return self.game in ("", game)

    @property
    def too_close(self) -> tuple[ColourPair, ...]:
        """The pairs that cannot be told apart in this light."""
        return tuple(pair for pair in self.pairs if pair.verdict == "too close")


def learn_from_pictures(
    pictures: Sequence[ColourPicture], markers: MarkerLayout, side_mm: float = 10.0
) -> ColourReport:
    """The colours in one or more pictures; a pair counts as near as it is in the worst of them.

    Raises DataError when the markers' paper is in none of a picture, or a piece is outside.
    """
    values: dict[str, list[tuple[float, float, float]]] = {}
    over: list[str] = []
    nearest: dict[tuple[str, str], ColourPair] = {}
    for one in pictures:
        learnt = enrol_colours(one.image, one.pose, one.pieces, markers, side_mm)
        over += learnt.overexposed
        for name, bgr in zip(learnt.colours.names, learnt.colours.bgr, strict=True):
            values.setdefault(name, []).append(bgr)
        for pair in check_colours(top_colours(one.image, one.pose, one.pieces, side_mm)):
            known = nearest.get((pair.first, pair.second))
            if known is None or pair.distance < known.distance:
                nearest[pair.first, pair.second] = pair
    middles = {name: np.median(np.array(seen), axis=0) for name, seen in values.items()}
    colours = PieceColours(tuple(middles), tuple((float(b), float(g), float(r)) for b, g, r in middles.values()))
    pairs = tuple(sorted(nearest.values(), key=lambda pair: pair.distance))
    return ColourReport(colours, tuple(dict.fromkeys(over)), pairs)


def with_earlier(report: ColourReport, earlier: ColourReport | None, names: Sequence[str]) -> ColourReport:
    """What was learnt now, and of the other pieces `names` what was learnt `earlier`; how near colours of the two are
    to each other is not known."""
    if earlier is None:
        return report
    kept = [name for name in earlier.colours.names if name in names and name not in report.colours.names]
    old = earlier.colours.only(tuple(kept))
    pairs = [pair for pair in earlier.pairs if pair.first in kept and pair.second in kept]
    return ColourReport(
        PieceColours((*report.colours.names, *old.names), (*report.colours.bgr, *old.bgr)),
        (*report.overexposed, *(name for name in earlier.overexposed if name in kept)),
        tuple(sorted([*report.pairs, *pairs], key=lambda pair: pair.distance)),
        report.game,
    )


def report_text(report: ColourReport) -> str:
    """The colours in the form of docs/guide/count.md, by numbers alone, and what was found out about them."""
    linear = [to_linear(np.round(bgr).astype(np.uint8)) for bgr in report.colours.bgr]
    learnt = [
        PieceColour(name, (float(value[0]), float(value[1]), float(value[2])), (0.0, 0.0, 0.0))
        for name, value in zip(report.colours.names, linear, strict=True)
    ]
    document = {
        "colours": as_document(learnt),
        "overexposed": list(report.overexposed),
        **({"game": report.game} if report.game else {}),
        "pairs": [[pair.first, pair.second, round(pair.distance, 1), pair.verdict] for pair in report.pairs],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def write_report(path: Path, report: ColourReport, write: Callable[[Path, Iterable[bytes]], None]) -> None:
    """Write `report_text` to a file by `write`, which writes it as a whole or not at all. Raises DataError, and what
    `write` raises."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, [report_text(report).encode()])
    except OSError as error:
        raise DataError(f"cannot write the colours: {error.strerror}", where=str(path)) from error


def shared_colours_of(text: str, where: str) -> PieceColours:
    """The colours in the text of a box file, which may come from anybody. Raises DataError."""
    return _as_pieces(shared_colours(text, where))


def read_report(path: Path) -> ColourReport:
    """What `write_report` wrote, or any colour file of docs/guide/count.md (then without pairs). Raises DataError."""
    learnt = read_colours(path)
    colours = _as_pieces(learnt)
    document = parse_json(read_text(path)) if path.suffix == ".json" else {}
    try:
        pairs = tuple(ColourPair(str(a), str(b), float(d), str(v)) for a, b, d, v in document.get("pairs", ()))
        return ColourReport(
            colours, tuple(map(str, document.get("overexposed", ()))), pairs, str(document.get("game", ""))
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise DataError(f"is no colour file: {error!r}", where=str(path), remedy="Enrol the colours again.") from error


def piece_colours(names: Sequence[str], *learnt: PieceColours | None) -> PieceColours:
    """The colours `names`, each as the first of `learnt` has it that knows it; where nothing was learnt at all, as
    paint of that name usually is.

    Raises DataError naming those that nobody knows.
    """
    known: dict[str, tuple[float, float, float]] = {}
    for colours in learnt:
        if colours is not None:
            known = {**dict(zip(colours.names, colours.bgr, strict=True)), **known}
    if not known:
        known = {name: (float(b), float(g), float(r)) for name, (r, g, b) in USUAL_RGB.items()}
    missing = [name for name in names if name not in known]
    if missing:
        raise DataError(
            f"the colour of {', '.join(missing)} pieces is not known; known are {', '.join(known) or 'none'}",
            remedy="Learn it: `companion calibrate colours`.",
        )
    return PieceColours(tuple(names), tuple(known[name] for name in names))


def _as_pieces(learnt: Sequence[PieceColour]) -> PieceColours:
    return PieceColours(tuple(colour.name for colour in learnt), tuple(_bgr(colour) for colour in learnt))


def _bgr(colour: PieceColour) -> tuple[float, float, float]:
    """Linear light back to 8-bit sRGB values."""
    shown = 255 * from_linear(np.array(colour.linear_bgr))
    return float(shown[0]), float(shown[1]), float(shown[2])
