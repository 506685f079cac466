"""Films a game of Rifts of N'Norya: every picture rendered by one camera, with jobs.json and truth.json.

Example: `python -m companion.lab.films.map_film OUT --seed 7 --players 3`.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.rifts_edition.art import SPACE_MM
from companion.core.layout import BoardView, TableLayout
from companion.core.types import SeatInfo, Setup, Slot
from companion.games.rifts import GAME
from companion.games.rifts.board import (
    ENEMY,
    LOCATION,
    PIECE_HEIGHT_MM,
    PIECE_WIDTH_MM,
    RIFT_OFF,
    RIFT_ON,
    TEMPLES,
)
from companion.games.rifts.edition.hexes import HEX_SIDE_MM, TILE_THICKNESS_MM, corners_mm, middle_mm
from companion.games.rifts.edition.world import AFFINITIES
from companion.games.rifts.rules import RiftsRules
from companion.lab.films.film import SEATS_DEG
from companion.lab.films.film_files import limbs, write_film, write_set
from companion.lab.films.map_breaches import KINDS
from companion.lab.films.map_script import Director, Script, Shot
from companion.lab.render.edition import CUBE_PALETTE
from companion.lab.render.layout import marker_slabs, markers_extent_mm
from companion.lab.render.lights import LIGHTS
from companion.lab.render.pieces import Limb, Slab, rectangle, regular
from companion.lab.render.pieces import turned as turned_mm
from companion.lab.render.surfaces import TABLES
from companion.lab.rough.profiles import PROFILES
from companion.lab.scenes.profile import PLAIN, Profile, take
from companion.lab.scenes.rifts import table_set
from companion.lab.scenes.rifts.pictures import REACH_MM, all_tiles, catalogue, space_art
from vision.locate.markers import MarkerLayout
from vision.scenes.layout_file import plan_json

Floats = NDArray[np.float64]

NAMES = ("Anna", "Bořek", "Ľuba", "Dan")
TOKEN_RGB = {
    ENEMY: (178, 34, 40), RIFT_ON: (206, 44, 150), RIFT_OFF: (34, 34, 38),
    TEMPLES[0]: (232, 112, 24), TEMPLES[1]: (108, 68, 40), TEMPLES[2]: (150, 190, 50),
}  # fmt: skip
"""What the tokens of the sample edition look like, beside the mages in the colours of their affinities."""

PIECE_RGB = {colour: CUBE_PALETTE[colour] for colour in AFFINITIES} | TOKEN_RGB

RING_MM = 8.6  # from the middle of a space: three discs have room on a ring of this size
STRAYS_MM = 0.5  # standard deviation of where people put a piece


def film_layout(players: int) -> TableLayout:
    """The whole table as the rules lay it."""
    seats = tuple(SeatInfo(f"player {k + 1}", colour) for k, colour in zip(range(players), AFFINITIES, strict=False))
    return GAME.make_rules(Setup(GAME.name, seats, catalogue().id), catalogue()).layout()


class MapStage:
    """The filmed map: where each tile and piece came to lie, kept until the script moves it."""

    def __init__(self, layout: TableLayout, rng: np.random.Generator, profile: Profile = PLAIN) -> None:
        self.rng, self.profile = rng, profile
        self.middles = {o.slot: np.mean(np.array(o.corners_mm), axis=0) for o in layout.slots}
        self.holds = {o.slot: o.holds for o in layout.slots}
        self.tiles: dict[Slot, tuple[str, int, Floats, float]] = {}
        self.pieces: dict[Slot, list[tuple[str, Floats]]] = {}
        self.fixed = marker_slabs(rng)

    def arrange(self, view: BoardView) -> None:
        """Lay the table as `view` says; what lies there already stays as it is."""
        tiles: dict[Slot, tuple[str, int, Floats, float]] = {}
        pieces: dict[Slot, list[tuple[str, Floats]]] = {}
        askew_by = self.profile.untidiness
        for slot, at in view.slots:
            if at.face is not None:
                old = self.tiles.get(slot)
                off, askew = self.rng.normal(0, 0.8 * askew_by, 2), float(self.rng.normal(0, askew_by))
                fresh = (at.face, at.turn or 0, off, askew)
                tiles[slot] = old if old is not None and old[:2] == fresh[:2] else fresh
            wanted = [colour for colour, n in at.pieces for _ in range(n)]
            kept: list[tuple[str, Floats]] = []
            for colour, xy in self.pieces.get(slot, []):
                if colour in wanted:
                    wanted.remove(colour)
                    kept.append((colour, xy))
            for colour in wanted:
                kept.append((colour, self._free(slot, kept)))
            if kept:
                pieces[slot] = kept
        self.tiles, self.pieces = tiles, pieces

    def _free(self, slot: Slot, lying: list[tuple[str, Floats]]) -> Floats:
        """A place for one more piece: on a corner its middle, on a space clear of what lies there."""
        middle = self.middles[slot] + self.rng.normal(0, STRAYS_MM, 2)
        if self.holds[slot] != LOCATION:
            return np.asarray(middle)
        begin = float(self.rng.uniform(0, 2 * np.pi))
        angles = begin + np.arange(36) * np.pi / 18
        ring = middle + RING_MM * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        if not lying:
            return np.asarray(ring[0])
        away = np.min([np.linalg.norm(ring - xy, axis=1) for _, xy in lying], axis=0)
        return np.asarray(ring[int(away.argmax())])

    def slabs(self) -> list[Slab]:
        """Everything on the table."""
        out = list(self.fixed)
        for slot, (name, turn, off, askew) in self.tiles.items():
            tile = next(t for t in all_tiles() if t.id == name)
            where, degrees = self.middles[slot] + off, 60.0 * turn + askew
            for number, space in enumerate(tile.spaces):
                middle = np.array(middle_mm(space.at, HEX_SIDE_MM))
                hexagon, frame = np.array(corners_mm(space.at, HEX_SIDE_MM)), rectangle(*SPACE_MM, middle)
                face = self.profile.face(f"{name}-{number}", space_art(name, number))
                out.append(
                    Slab(turned_mm(hexagon, degrees, where), 0.0, TILE_THICKNESS_MM, face, (150, 172, 184),
                         turned_mm(frame, degrees, where), layer=1)
                )  # fmt: skip
        for slot, lying in self.pieces.items():
            bottom = TILE_THICKNESS_MM if self._has_tile(slot) else 0.0
            for colour, xy in lying:
                red, green, blue = PIECE_RGB[colour]
                outline, top = regular(32, PIECE_WIDTH_MM / 2, xy), bottom + PIECE_HEIGHT_MM
                out.append(Slab(outline, bottom, top, (blue, green, red), (blue, green, red), layer=3))
        return out

    def _has_tile(self, slot: Slot) -> bool:
        middle = self.middles[slot]
        spaces = (
            self.middles[anchor] + turned_mm(np.array([middle_mm(space.at, HEX_SIDE_MM)]), 60.0 * turn, (0.0, 0.0))[0]
            for anchor, (name, turn, _, _) in self.tiles.items()
            for space in next(t for t in all_tiles() if t.id == name).spaces
        )
        return any(np.linalg.norm(space - middle) < 1.1 * HEX_SIDE_MM for space in spaces)


def write_script(
    players: int, seed: int, most_shots: int, kinds: Collection[str] = ()
) -> tuple[RiftsRules, Script]:
    """Play a game by the rules and write down what the camera will see; `kinds`: see `Director`."""
    seats = tuple(SeatInfo(name, colour) for name, colour in zip(NAMES[:players], AFFINITIES, strict=False))
    rules = RiftsRules(Setup(GAME.name, seats, catalogue().id), catalogue())
    middles = {o.slot: np.abs(np.mean(o.corners_mm, axis=0)) for o in rules.layout().slots if o.holds == LOCATION}
    inside = frozenset(slot for slot, middle in middles.items() if (middle <= REACH_MM).all())
    director = Director(rules, np.random.default_rng([seed, 70]), inside, most_shots=most_shots, kinds=kinds)
    return rules, director.play()


def film_map(
    players: int, seed: int, size: tuple[int, int], most_shots: int, out: Path, profile: Profile = PLAIN,
    kinds: Collection[str] = (),
) -> Script:
    """Render a game into `out` (NNNN.jpg) and write its jobs.json and truth.json."""
    out.mkdir(parents=True, exist_ok=True)
    _, script = write_script(players, seed, most_shots, kinds)
    rng = np.random.default_rng([seed, 71])
    room = profile.room(
        rng, size, TABLES[int(rng.integers(len(TABLES)))], LIGHTS[int(rng.integers(3))], markers_extent_mm(),
        tilt_deg=18, roll_deg=5, slack=(1.02, 1.08),
    )  # fmt: skip
    stage = MapStage(film_layout(players), rng, profile)
    half = np.array(REACH_MM) + HEX_SIDE_MM
    beside = profile.beside(rng, PIECE_RGB, room, [rectangle(2 * half[0], 2 * half[1], (0.0, 0.0))])
    for number, shot in enumerate(script.shots):
        stage.arrange(shot.view)
        arms = _limbs(shot, stage, players, rng)
        if shot.player is None:
            arms += profile.resting(rng, half, SEATS_DEG.get(players, (0,)))
        jpeg, _ = take(profile.next_picture(rng, room), [*stage.slabs(), *beside], rng, arms)
        (out / f"{number:04d}.jpg").write_bytes(jpeg)
    write_film(out, GAME.name, list(AFFINITIES)[:players], script, room, seed)
    return script


def _limbs(shot: Shot, stage: MapStage, players: int, rng: np.random.Generator) -> tuple[Limb, ...]:
    if shot.player is None or shot.reach is None:
        return ()
    seats = SEATS_DEG.get(players, (0,))
    return limbs(shot.player, stage.middles[shot.reach], float(seats[shot.player]), rng)


def film_plan() -> dict[str, Any]:
    """The set's layout.json: the whole table, the spaces of every tile, and the colours of all pieces."""
    layouts = {players: film_layout(players) for players in (1, 2, 3, 4)}
    return plan_json(GAME.name, layouts, PIECE_RGB, MarkerLayout(), table_set.pieces())


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--seed", default=7, show_default=True, help="Everything is drawn from it.")
@click.option("--players", default=3, show_default=True, type=click.IntRange(1, 4))
@click.option("--size", type=(int, int), default=(1920, 1080), show_default=True)
@click.option("--shots", default=70, show_default=True, help="The film ends after so many pictures.")
@click.option("--profile", "profile_name", type=click.Choice(list(PROFILES)), default="plain", show_default=True)
@click.option("--reference-px", default=440, show_default=True, help="Longer side of the flat scans.")
@click.option("--breach", "kinds", multiple=True, type=click.Choice(KINDS), help="Only such an illegal act, once.")
def main(
    out: Path, seed: int, players: int, size: tuple[int, int], shots: int, profile_name: str, reference_px: int,
    kinds: tuple[str, ...],
) -> None:
    """Write a set with the film of a game of Rifts in OUT/game: for `companion evaluate OUT --only game`."""
    cv2.setNumThreads(1)
    edition = "rifts sample edition, rendered"
    write_set(out, film_plan(), edition, table_set.tiles(), table_set.scans(), reference_px)
    script = film_map(players, seed, size, shots, out / "game", PROFILES[profile_name](seed), kinds)
    acts = [e for e in script.events if e["event"] == "act"]
    illegal = [e for e in script.events if e["event"] == "illegal"]
    click.echo(f"{len(script.shots)} pictures, {len(acts)} acts that are seen, {len(illegal)} against the rules")


if __name__ == "__main__":
    main()
