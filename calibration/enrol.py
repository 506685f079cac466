"""Enrolment of a box: its tiles' pictures from scans or from a camera, the catalogue, and what a person confirms."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.face_print.face_view import PrintView
from calibration.proposals.read import FaceReader
from companion.core.errors import DataError
from companion.core.face_form import YES
from companion.games.envyra.edition.catalogue import parse_catalogue
from companion.games.envyra.edition.components import THEMES, Catalogue, Theme
from companion.games.envyra.edition.form import FORM
from vision.faces.book import FaceBook
from vision.faces.learning import learn_faces
from vision.locate.camera_model import Camera
from vision.locate.markers import MarkerLayout
from vision.locate.pose import NotLocated, locate_table
from vision.locate.rectify import rectify, square_mm
from vision.scenes.scene_set import SceneSet, picture
from vision.sources.pictures import read_picture

U8 = NDArray[np.uint8]

READ_OFF = "envyra"
"""The game whose values can be read off its tiles."""

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
CUT_PX = 256  # side of a picture cut from a camera's: above what any camera picture of a tile shows

@dataclass(frozen=True, slots=True)
class LaidTile:
    """Where the person who enrols says a tile lies: its id, middle (table mm) and turn (degrees clockwise)."""

    id: str
    xy_mm: tuple[float, float]
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class TileDraft:
    """A tile as it is proposed for the catalogue; a person confirms or corrects every field. `vp` None: not read."""

    id: str
    theme: Theme
    symbol: int
    vp: int | None
    cubes: int
    requires: tuple[Theme, ...]
    start: bool = False
    players_3_4: bool = False


def scanned(folder: Path) -> dict[str, list[U8]]:
    """Tile id -> its flat scans from `folder`: ID.png, or ID.2.png and so on for more views of one.

    Raises DataError naming every file that is not a picture, or when there is none.
    """
    out: dict[str, list[U8]] = {}
    problems = []
    for path in sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES):
        try:
            out.setdefault(path.stem.split(".")[0], []).append(read_picture(path))
        except ValueError as error:
            problems.append(f"{path.name}: {error}")
    if problems or not out:
        raise DataError("; ".join(problems) or "expected scans ID.png, found none", where=str(folder))
    return out


def pictures_of(folder: Path) -> dict[str, list[U8]]:
    """Tile id -> pictures, from a folder of scans or from a set with layout.json: its scans, else its camera pictures.

    Raises DataError when there are none, or when the markers are not all found in one.
    """
    if not (folder / "layout.json").is_file():
        return scanned(folder)
    scenes = SceneSet(folder)
    scans = {face: [np.asarray(p) for p in pictures] for face, pictures in scenes.references().items()}
    if scans:
        return scans
    grid = scenes.plan.grid
    laid: dict[Path, list[LaidTile]] = {}
    for tile in scenes.enrolled_tiles():
        laid.setdefault(tile.image, []).append(LaidTile(tile.tile, tile.xy_mm, tile.turn_deg))
    out: dict[str, list[U8]] = {}
    for path, tiles in laid.items():
        if grid is None:
            raise DataError("only tiles of a grid are enrolled from pictures", where=str(path), remedy="Scan them.")
        cut = cut_tiles(picture(path), tiles, scenes.plan.markers, grid.side_mm, grid.thickness_mm)
        for face, one in cut.items():
            out.setdefault(face, []).append(one)
    if not out:
        raise DataError("expected reference/ID.png or enrol/tiles-N.jpg, found neither", where=str(folder))
    return out


def cut_tiles(
    image: U8,
    tiles: Iterable[LaidTile],
    markers: MarkerLayout,
    side_mm: float,
    thickness_mm: float,
    camera: Camera | None = None,
) -> dict[str, U8]:
    """Tile id -> its upright picture (CUT_PX, CUT_PX, 3), cut from a camera's picture of tiles laid out.

    Raises DataError when the markers are not all found.
    """
    pose = locate_table(image, markers, camera)
    if isinstance(pose, NotLocated):
        raise DataError(pose.reason, remedy="Take the picture again with all four markers in view")
    return {
        tile.id: np.asarray(rectify(image, pose, square_mm(tile.xy_mm, side_mm, tile.turn_deg), -thickness_mm, CUT_PX))
        for tile in tiles
    }


def drafts(references: Mapping[str, Sequence[U8]]) -> tuple[TileDraft, ...]:
    """A draft of every tile, from what its first picture seems to show."""
    nothing: Mapping[str, str] = {}
    views = [(PrintView.of(pictures[0]), nothing) for pictures in references.values()]
    out = []
    for tile, read in zip(references, FaceReader(FORM).propose(views), strict=True):
        said = {key: proposal.value for key, proposal in read.items()}
        requires = tuple(Theme(part) for part in (said["requires"] or "").split(",") if part)
        out.append(TileDraft(
            tile, Theme(said["theme"] or Theme.BONUS.value), int(said.get("symbol") or 0),
            None if said["vp"] is None else int(said["vp"]), int(said["cubes"] or 1), requires,
            said["start"] == YES, said["players_3_4"] == YES,
        ))
    return tuple(out)


def tiles_of(catalogue: Catalogue) -> tuple[TileDraft, ...]:
    """The tiles of a catalogue as drafts that need no correction."""
    return tuple(
        TileDraft(t.id, t.theme, t.symbol, t.vp, t.cubes, t.requires, t.start, t.players_3_4) for t in catalogue.tiles
    )


def corrected(draft: TileDraft, text: str) -> TileDraft:
    """`draft` with corrections such as "vp=3 cubes=2 requires=water,fire start=yes".

    Raises DataError naming every correction that is not one.
    """
    problems = []
    for word in text.split():
        key, _, value = word.partition("=")
        try:
            change: dict[str, Any] = {key: FIELDS[key](value)}
            draft = replace(draft, **change)
        except (KeyError, ValueError):
            problems.append(f"{word}: expected one of {', '.join(FIELDS)} with a value, such as vp=3")
    if problems:
        raise DataError("; ".join(problems), where=draft.id)
    return draft


def _themes(value: str) -> tuple[Theme, ...]:
    return tuple(sorted((Theme(x) for x in value.split(",") if x and x != "-"), key=THEMES.index))


def _yes(value: str) -> bool:
    return {"yes": True, "no": False}[value]


FIELDS: Mapping[str, Callable[[str], object]] = {
    "theme": Theme,
    "symbol": int,
    "vp": int,
    "cubes": int,
    "requires": _themes,
    "start": _yes,
    "players_3_4": _yes,
}


def described(draft: TileDraft) -> str:
    """A draft on one line, in the words that `corrected` reads."""
    requires = ",".join(t.value for t in draft.requires) or "-"
    marks = f"start={'yes' if draft.start else 'no'} players_3_4={'yes' if draft.players_3_4 else 'no'}"
    vp = "?" if draft.vp is None else draft.vp
    return f"theme={draft.theme.value} symbol={draft.symbol} vp={vp} cubes={draft.cubes} requires={requires} {marks}"


def check_catalogue(text: str) -> None:
    """Raise DataError with everything that keeps a written catalogue from being played with."""
    parse_catalogue(text, "the new catalogue")


def catalogue_text(name: str, title: str, tiles: Sequence[TileDraft]) -> str:
    """The TOML of a catalogue with these tiles and no cards. Raises DataError naming tiles whose points are unknown."""
    unread = [t.id for t in tiles if t.vp is None]
    if unread:
        raise DataError(
            f"the victory points of {', '.join(unread)} were not read",
            remedy="Enrol without --yes and give them, or give a catalogue with --catalogue",
        )
    lines = ["[catalogue]", f'game = "{READ_OFF}"', f"id = {_quoted(name)}", f"title = {_quoted(title)}"]
    lines += ['provenance = "box"  # read off the tiles and confirmed']
    for t in tiles:
        requires = ", ".join(f'"{r.value}"' for r in t.requires)
        lines += ["", "[[tile]]", f"id = {_quoted(t.id)}", f'theme = "{t.theme.value}"']
        lines += [f"symbol = {t.symbol}"] if t.theme in THEMES else []
        lines += [f"vp = {t.vp}", f"cubes = {t.cubes}", f"requires = [{requires}]"]
        lines += ["start = true"] if t.start else []
        lines += ["players_3_4 = true"] if t.players_3_4 else []
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a JSON string is a TOML basic string


def learnt(references: Mapping[str, Sequence[U8]], catalogue: Catalogue) -> FaceBook:
    """The face book of a box: tiles that the catalogue says look the same are one face, called after the first.

    Raises DataError naming the tiles of the catalogue that have no picture.
    """
    missing = [t.id for t in catalogue.tiles if t.id not in references]
    if missing:
        raise DataError(f"no picture of {', '.join(missing)}", remedy="Scan them, or lay them before the camera")
    first: dict[tuple[object, ...], str] = {}
    faces: dict[str, list[U8]] = {}
    for tile in catalogue.tiles:
        faces.setdefault(first.setdefault(tile.look, tile.id), []).extend(references[tile.id])
    return learn_faces(faces)
