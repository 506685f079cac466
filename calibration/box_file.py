"""The portable file of an enrolled box: the catalogue and the reference pictures of its faces in one zip."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.piece_colours.colour_enrolment import shared_colours_of
from companion.core.errors import DataError
from companion.core.files import parse_json
from companion.core.messages import Message
from vision.appearance.picture_light import PieceColours
from vision.sources.pictures import decoded, size_of

U8 = NDArray[np.uint8]

SCHEMA = 1
INDEX, CATALOGUE, COLOURS = "box.json", "catalogue.toml", "colours.json"
NAME = re.compile(r"[\w][\w.\- ]*")  # names of faces are parts of file names: no separators, no leading dot
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same box gives the same bytes
LARGEST_BYTES = 64 * 2**20  # of one member when unpacked: beyond any scan of a tile
LARGEST_PX = 4096
MOST_TOTAL_PX = 100_000_000  # of all pictures: 300 MB in memory; a box of 60 tiles of 1,000 px with a scan each has 60
COPY_AGAIN = Message("Copy it once more from where it was learnt, or learn the box again.")
UPDATE = Message("Bring this companion up to date, then load the file once more.")
MOST_FACES, MOST_PICTURES = 500, 2000  # of a box: no game has more cards; each of several looks


@dataclass(frozen=True, slots=True)
class EnrolledBox:
    """A learnt box: `game`, the catalogue's TOML text, and face -> pictures (h, w, 3) uint8 BGR, upright.

    `colours`: what was learnt of its pieces' colours, as `calibration.piece_colours.colour_enrolment` writes it;
    "" when nothing was. `cut_at_edges`: whether the companion itself cut all pictures at the edges of their pieces;
    what people scanned and cut may show a rim.
    """

    game: str
    catalogue: str
    references: Mapping[str, Sequence[U8]]
    colours: str = ""
    cut_at_edges: bool = False

    @property
    def loose(self) -> bool | None:
        """Whether pieces must be looked for in the pictures, as `learn_faces` takes it; None: that is not known."""
        return False if self.cut_at_edges else None

    def piece_colours(self) -> PieceColours | None:
        """What was learnt of its pieces' colours; None when nothing was. Raises DataError."""
        return shared_colours_of(self.colours, COLOURS) if self.colours else None


def write_box(path: Path, box: EnrolledBox) -> None:
    """Write `box` to `path`. Raises as `box_bytes`."""
    path.write_bytes(box_bytes(box, str(path)))


def box_bytes(box: EnrolledBox, where: str) -> bytes:
    """The file of `box`. Raises DataError, naming `where`, for a face without a picture or a name no file can have."""
    problems = [f"{face!r}: expected letters, digits, . _ -" for face in box.references if not NAME.fullmatch(face)]
    problems += [f"{face}: no picture" for face, pictures in box.references.items() if not len(pictures)]
    if problems or not box.references:
        raise DataError("; ".join(problems) or "a box without faces", where=where)
    listing: dict[str, list[str]] = {}
    members: dict[str, bytes] = {CATALOGUE: box.catalogue.encode("utf-8")}
    if box.colours:
        members[COLOURS] = box.colours.encode("utf-8")
    for face, pictures in sorted(box.references.items()):
        for number, picture in enumerate(pictures, 1):
            name = f"reference/{face}.{number}.png"
            done, data = cv2.imencode(".png", picture)
            if not done:
                raise DataError(f"{face}: expected (h, w, 3) uint8, got {picture.shape}", where=where)
            listing.setdefault(face, []).append(name)
            members[name] = data.tobytes()
    index: dict[str, Any] = {"schema": SCHEMA, "game": box.game, "faces": listing}
    if box.cut_at_edges:
        index["cut_at_edges"] = True
    members[INDEX] = json.dumps(index, indent=1, ensure_ascii=False).encode("utf-8")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in sorted(members):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), members[name], zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def read_box(path: Path) -> EnrolledBox:
    """The box in `path`, which may come from anybody. Raises DataError that lists every missing or damaged part."""
    try:
        if not path.is_file():  # a device or a pipe never ends
            raise OSError("expected a file")
        with zipfile.ZipFile(path) as archive:
            return _read(path, archive)
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError, OverflowError) as error:
        raise _damaged(path, str(error)) from error


def _damaged(path: Path, why: str) -> DataError:
    message = Message("expected a whole box file, got a damaged or another one ({why})", why=why)
    return DataError(message, where=str(path), remedy=COPY_AGAIN)


def _read(path: Path, archive: zipfile.ZipFile) -> EnrolledBox:
    problems: list[str] = []
    index = _index(path, _member(archive, INDEX, problems))
    catalogue = _member(archive, CATALOGUE, problems)
    colours = _member(archive, COLOURS, problems) if COLOURS in archive.namelist() else b""
    references: dict[str, list[U8]] = {}
    _check_listing(path, index["faces"])
    total_px = 0
    for face, names in index["faces"].items():
        for name in names:
            data = _member(archive, name, problems)
            total_px += _pixels(data)
            if total_px > MOST_TOTAL_PX:
                raise DataError(f"its pictures have more than {MOST_TOTAL_PX // 10**6} megapixels", where=str(path),
                                remedy="Enrol the box again from smaller pictures.")
            picture = _decoded(data) if data else None
            if data and picture is None:
                problems.append(f"{name}: expected a picture of at most {LARGEST_PX} px")
            elif picture is not None:
                references.setdefault(face, []).append(picture)
    if problems:
        raise _damaged(path, "; ".join(problems))
    texts = (part.decode("utf-8", "replace") for part in (catalogue, colours))
    box = EnrolledBox(index["game"], next(texts), references, next(texts), index.get("cut_at_edges") is True)
    box.piece_colours()  # raises what is wrong with them
    return box


def _check_listing(path: Path, faces: Mapping[str, Sequence[str]]) -> None:
    """Every picture once, and no more of them than a box can have. Raises DataError."""
    names = [name for listed in faces.values() for name in listed]
    twice = sorted({name for name, count in Counter(names).items() if count > 1})
    if twice:
        raise DataError(f"{INDEX} lists {', '.join(twice[:5])} more than once", where=str(path))
    if len(faces) > MOST_FACES or len(names) > MOST_PICTURES:
        raise DataError(f"{INDEX} lists {len(faces)} faces with {len(names)} pictures; expected at most {MOST_FACES} "
                        f"with {MOST_PICTURES}", where=str(path))


def _pixels(data: bytes) -> int:
    try:
        width, height = size_of(data)
    except ValueError:
        return 0  # `_decoded` says that it is no picture
    return width * height


def _member(archive: zipfile.ZipFile, name: str, problems: list[str]) -> bytes:
    """The bytes of a member; empty, and a problem noted, when it is missing, damaged or too large."""
    try:
        if archive.getinfo(name).file_size > LARGEST_BYTES:
            problems.append(f"{name}: larger than {LARGEST_BYTES // 2**20} MB")
            return b""
        return archive.read(name)
    except (KeyError, ValueError, OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError,
            RuntimeError) as error:
        problems.append(f"{name}: {error}")
        return b""


def _index(path: Path, data: bytes) -> dict[str, Any]:
    try:
        index = parse_json(data)
        got = index["schema"]
        if isinstance(got, int) and got > SCHEMA:
            newer = Message("expected a box file of schema {want} at most, got schema {got}", want=SCHEMA, got=got)
            raise DataError(newer, where=str(path), remedy=UPDATE)
        faces = index["faces"]
        sound = isinstance(index["game"], str) and isinstance(faces, dict) and len(faces) > 0
        sound = sound and all(isinstance(n, list) and n and all(isinstance(x, str) for x in n) for n in faces.values())
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path, f"{INDEX}: expected schema, game and faces, got {error!r}") from error
    if not sound or got != SCHEMA:
        raise _damaged(path, f"{INDEX}: expected schema {SCHEMA} with game and faces")
    return dict(index)


def _decoded(data: bytes) -> U8 | None:
    try:
        width, height = size_of(data)
        return decoded(data) if max(width, height) <= LARGEST_PX else None
    except ValueError:
        return None
