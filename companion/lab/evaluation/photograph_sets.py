"""Sets of real photographs with truth, as `companion bench photographs` reads them; pictures stay where they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.commands.eyes.identify import photographs, reference_files
from companion.core.errors import DataError

if TYPE_CHECKING:
    from companion.lab.simulators.made_up_symbols import Photograph

INNER = 0.15  # share of a sticker's box that is left out on each side: boxes are loose, and turned stickers fill less
LEAST_PX = 6  # a smaller sticker shows nothing


@dataclass(frozen=True, slots=True)
class Task:
    """Kinds to learn, `references` kind -> pictures, and `groups` of crops of one photograph each with their kinds."""

    name: str
    references: Mapping[str, list[Any]]
    groups: tuple[tuple[tuple[Any, str], ...], ...]


def read_tasks(folder: Path, groups: Path | None) -> Iterator[Task]:
    """The tasks of a folder in one of three forms; raises DataError naming what is missing.

    A `truth.json` whose pictures have `cards` (`name`, `box`) and `split`: the boxes of the pictures called "develop"
    are learnt, several a name, all others are read. `reference/` (as for `companion identify`) with `crops/` and their
    truth in `crops/truth.json` (file -> kind), or named KIND__N. Or `truth.json`, a list of pictures with `stickers`
    (`colour`, `box`), then `groups` is a JSON file that names the pictures of each object: each colour is learnt from
    the picture of a group that shows the most.
    """
    if (folder / "reference").is_dir():
        yield _crops(folder)
        return
    truth = folder / "truth.json"
    pictures = json.loads(truth.read_text()) if truth.is_file() else None
    if isinstance(pictures, list) and pictures and all("cards" in p and "split" in p for p in pictures):
        yield _boxed(folder, pictures)
        return
    if not isinstance(pictures, list) or not all(isinstance(p, dict) and "stickers" in p for p in pictures):
        raise DataError("expected reference/ and crops/, or a truth.json with stickers", where=str(folder))
    if groups is None:
        raise DataError("expected the pictures of each object", where=str(folder), remedy="Give --groups FILE")
    by_stem = {Path(p["file"]).stem: p for p in pictures}
    for name, stems in json.loads(groups.read_text()).items():
        missing = sorted(set(stems) - set(by_stem))
        if missing:
            raise DataError(f"expected pictures of the set, got {', '.join(missing)}", where=str(groups))
        yield _stickers(folder, name, [by_stem[stem] for stem in stems])


def picture(path: Path) -> Any:
    """The picture at `path`, (h, w, 3) uint8 BGR. Raises DataError."""
    import cv2

    image = cv2.imread(str(path))
    if image is None:
        raise DataError("expected a picture, got nothing that can be decoded", where=str(path))
    return image


def _crops(folder: Path) -> Task:
    truth = folder / "crops" / "truth.json"
    files = sorted(p for p in (folder / "crops").iterdir() if p.suffix != ".json")
    kinds = json.loads(truth.read_text()) if truth.is_file() else {p.name: p.stem.rsplit("__", 1)[0] for p in files}
    files = [p for p in files if p.name in kinds]
    references = {kind: [picture(p) for p in ps] for kind, ps in reference_files(folder / "reference").items()}
    groups = tuple(tuple((picture(p), str(kinds[p.name])) for p in group) for group in photographs(files, None))
    return Task(folder.name, references, groups)


def _boxed(folder: Path, pictures: list[dict[str, Any]]) -> Task:
    """Pieces in upright boxes, whichever way they lie; each crop is read by itself."""
    taught: dict[str, list[Any]] = {}
    groups = []
    for entry in pictures:
        image = picture(folder / entry["file"])
        for card in entry["cards"]:
            x0, y0, x1, y1 = (max(v, 0) for v in card["box"])
            if entry["split"] == "develop":
                taught.setdefault(card["name"], []).append(image[y0:y1, x0:x1])
            else:
                groups.append(((image[y0:y1, x0:x1], str(card["name"])),))
    return Task(folder.name, taught, tuple(groups))


def _stickers(folder: Path, name: str, pictures: list[dict[str, Any]]) -> Task:
    """One object: the picture with the most colours teaches them; a colour it lacks, the next one that shows it."""
    order = sorted(pictures, key=lambda p: -len({s["colour"] for s in p["stickers"]}))
    taught: dict[str, list[Any]] = {}
    teachers: set[str] = set()
    for entry in order:
        new = {s["colour"] for s in entry["stickers"]} - set(taught)
        if new:
            teachers.add(entry["file"])
            for crop, colour in _boxes(folder, entry):
                if colour in new:
                    taught.setdefault(colour, []).append(crop)
    groups = tuple(tuple(_boxes(folder, p)) for p in pictures if p["file"] not in teachers)
    return Task(name, taught, tuple(g for g in groups if g))


def _boxes(folder: Path, entry: dict[str, Any]) -> list[tuple[Any, str]]:
    image = picture(folder / entry["file"])
    out = []
    for sticker in entry["stickers"]:
        x0, y0, x1, y1 = sticker["box"]
        dx, dy = INNER * (x1 - x0), INNER * (y1 - y0)
        crop = image[max(round(y0 + dy), 0) : round(y1 - dy), max(round(x0 + dx), 0) : round(x1 - dx)]
        if min(crop.shape[:2]) >= LEAST_PX:
            out.append((crop, str(sticker["colour"])))
    return out


def drawn_task(seed: int, photographs_count: int, pieces: int) -> Task:
    """Drawn one-colour symbols on black: learnt in one coloured light, photographed in as many others."""
    import numpy as np

    from companion.lab.simulators.made_up_symbols import made_up_symbols, photograph, tint

    rng = np.random.default_rng([seed, 3])
    kinds = made_up_symbols(seed)
    learnt = photograph(kinds, list(kinds), tint(rng), rng, gloss=0.0)
    shots = _shots(list(kinds), photographs_count, pieces, rng, lambda names: photograph(kinds, names, tint(rng), rng))
    return _drawn(f"drawn symbols, box {seed}", learnt, shots)


def drawn_colours_task(seed: int, photographs_count: int, pieces: int) -> Task:
    """Drawn plain pieces of six colours: learnt from one photograph, in others the camera turns hues."""
    import numpy as np

    from companion.lab.simulators.made_up_colours import hue_turning_light, made_up_colours, photograph

    rng = np.random.default_rng([seed, 5])
    colours = made_up_colours(seed)

    def shoot(names: list[str]) -> Photograph:
        return photograph(colours, names, hue_turning_light(rng), rng)

    learnt = shoot(list(colours))
    return _drawn(f"drawn colours, maker {seed}", learnt, _shots(list(colours), photographs_count, pieces, rng, shoot))


def _shots(
    kinds: list[str], count: int, pieces: int, rng: Any, shoot: Callable[[list[str]], Photograph]
) -> list[Photograph]:
    """`count` photographs of `pieces` random ones each."""
    return [shoot([kinds[int(k)] for k in rng.integers(len(kinds), size=pieces)]) for _ in range(count)]


def _drawn(name: str, learnt: Photograph, shots: list[Photograph]) -> Task:
    references = {kind: [crop] for kind, crop in zip(learnt.kinds, learnt.crops, strict=True)}
    return Task(name, references, tuple(tuple(zip(shot.crops, shot.kinds, strict=True)) for shot in shots))
