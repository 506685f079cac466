"""Films a game of Spyrium: every picture rendered by one camera, with jobs.json and truth.json.

Example: `python -m companion.lab.films.market_film OUT --seed 7`.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.game import ActsUnseen, State
from companion.core.layout import BoardView, TableLayout
from companion.core.types import Event, SeatInfo, Setup, Slot
from companion.games.spyrium import GAME
from companion.games.spyrium.board import COIN_THICKNESS_MM, WORKER_WIDTH_MM
from companion.games.spyrium.edition.options import COLOURS
from companion.games.spyrium.rules import SpyriumRules
from companion.lab.films.film import SEATS_DEG
from companion.lab.films.film_files import limbs, write_film, write_set
from companion.lab.films.map_script import Script, Shot
from companion.lab.films.purses import Purses
from companion.lab.render.layout import marker_slabs, markers_extent_mm
from companion.lab.render.lights import LIGHTS
from companion.lab.render.pieces import Limb
from companion.lab.render.surfaces import TABLES
from companion.lab.rough.profiles import PROFILES
from companion.lab.scenes.profile import PLAIN, Profile, take
from companion.lab.scenes.spyrium import table_set
from companion.lab.scenes.spyrium.pictures import WORKER_RGB, Laid, catalogue, lay_card, middle_mm, slabs_of
from companion.lab.simulators.simulated_table import play, scenes
from vision.locate.zones import zones_of
from vision.tables.purses.coins import AROUND_MM
from vision.view.arms.rim import box_of

Floats = NDArray[np.float64]

PLAYERS = 2
"""The whole table of two is in the picture; of a larger one the neighbourhoods are not."""

FOOT_MM = 0.5
"""Between a worker's foot and the edge of its gap, at least."""

TRIES = 200

MOST_PUSHES = 200
"""How often those that stand too near are pushed apart before a gap is full."""

PUSHED_MM = 0.1
"""So much farther than need be."""

RESTING_MM = np.array([480.0, 345.0])
"""Half of the width and height of what a resting hand keeps clear of."""

COINS_FIRST, COINS_LAST = 0.4, 0.75
"""Share of the acts in which money is paid or taken with the first thing that is seen of them, and up to that with the
last one; in the others it is when they are over."""


def write_script(
    seed: int, most_acts: int, hands_share: float, players: int = PLAYERS, purses: bool = True, sensible: bool = False
) -> tuple[SpyriumRules, Script]:
    """Play a random game by the rules and write down what the camera will see: so many acts that it can see.

    `purses`: whether the players' money lies on the table. `sensible`: nobody does what is plainly worse than another
    act.
    """
    seats = tuple(SeatInfo(f"player {k + 1}", COLOURS[k]) for k in range(players))
    rules = SpyriumRules(Setup(GAME.name, seats, catalogue().id), catalogue())
    random, paying, script = Random(seed), Random(seed + 1), Script()

    def shoot(view: BoardView, money: State, player: int | None = None, reach: Slot | None = None) -> None:
        script.shots.append(Shot(view, player, reach, tuple(rules.purses(money).items()) if purses else ()))

    state = rules.initial()
    while outcomes := rules.chance_outcomes(state):  # the table is laid, and told, before the film begins
        draw = random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw
        script.tell(rules.format(draw))
        state = rules.apply(state, draw)
    view = rules.board(state)
    shoot(view, state)
    unseen: list[Event] = []
    for event, before, after in play(rules, state, random, sensible=sensible):
        moments = list(scenes(rules, event, before, after))
        if not moments or moments[0].event is None:
            follows = rules.unseen_before(before) if isinstance(rules, ActsUnseen) else None
            if follows is not None and follows.action == event and not unseen:
                unseen.append(event)
            else:
                for one in (*unseen, event):
                    script.tell(rules.format(one))
                unseen = []
        when = paying.random()
        for number, moment in enumerate(moments):
            seat = getattr(event, "seat", 0)
            paid = when < COINS_FIRST or (number > 0 and when < COINS_LAST)
            if random.random() < hands_share:
                shoot(view, after if paid and number > 0 else before, int(seat), moment.view.differs(view)[0])
            view = moment.view
            paid = paid or (number == len(moments) - 1 and when < COINS_LAST)
            shoot(view, after if paid else before)
            if moment.event is not None or event in unseen:  # hands that tidy up show an act that nobody saw
                acts = unseen if event in unseen else [*unseen, event]
                for one in acts:
                    script.note(event="act", text=rules.format(one), in_one_go=len(acts) > 1)
                unseen = []
        if moments and when >= COINS_LAST and purses and rules.purses(before) != rules.purses(after):
            shoot(view, after)
        if len(script.events) >= most_acts:
            break
    return rules, script


class MarketStage:
    """The filmed table: where each card and worker came to lie, kept until the script moves it."""

    def __init__(self, layout: TableLayout, rng: np.random.Generator, profile: Profile = PLAIN) -> None:
        self.profile = profile
        self.rng, self.outlines = rng, {o.slot: o for o in layout.slots}
        self.laid = Laid()
        self.purses = Purses(layout.purses, layout.coins, COIN_THICKNESS_MM, rng.spawn(1)[0])
        self._shown: dict[Slot, tuple[str, int | None]] = {}

    def arrange(self, shot: Shot) -> None:
        """Lay the table as the shot shows it; what lies there already stays as it is."""
        view = shot.view
        self.purses.arrange(dict(shot.money))
        shown = {slot: (at.face, at.turn) for slot, at in view.slots if at.face is not None}
        for slot in set(self._shown) - set(shown):
            del self.laid.cards[slot]
        for slot, (face, turn) in shown.items():
            if self._shown.get(slot) != (face, turn):
                lay_card(self.laid, self.outlines[slot], face, 90.0 * (turn or 0), self.rng, self.profile.untidiness)
        self._shown = shown
        pieces = {slot: at.pieces for slot, at in view.slots if at.pieces}
        self.laid.workers = {slot: self._workers(slot, here) for slot, here in pieces.items()}

    def _workers(self, gap: Slot, pieces: tuple[tuple[str, int], ...]) -> list[tuple[str, Floats]]:
        """The workers of a gap: those that stand there stay, others find room."""
        wanted = [colour for colour, count in pieces for _ in range(count)]
        here: list[tuple[str, Floats]] = []
        for colour, xy in self.laid.workers.get(gap, []):
            if colour in wanted:
                wanted.remove(colour)
                here.append((colour, xy))
        low, high = np.array(self.outlines[gap].corners_mm)[[0, 2]]
        inset = WORKER_WIDTH_MM / 2 + FOOT_MM
        for colour in wanted:
            spots = self.rng.uniform(low + inset, high - inset, (TRIES, 2))
            away = [min((float(np.linalg.norm(spot - xy)) for _, xy in here), default=np.inf) for spot in spots]
            free = [spot for spot, clear in zip(spots, away, strict=True) if clear >= WORKER_WIDTH_MM]
            here.append((colour, free[0] if free else spots[int(np.argmax(away))]))
            if not free:
                stand = make_room(np.array([xy for _, xy in here]), low + inset, high - inset)
                here = [(name, xy) for (name, _), xy in zip(here, stand, strict=True)]
        return here


def make_room(stand_mm: Floats, low_mm: Floats, high_mm: Floats) -> Floats:
    """Where workers (N, 2) come to stand between two corners (2,) mm if hands push aside what is in the way: none
    within another, as far as there is room."""
    out = stand_mm.copy()
    for _ in range(MOST_PUSHES):
        between = out[:, None] - out[None]
        apart = np.linalg.norm(between, axis=-1) + WORKER_WIDTH_MM * np.eye(len(out))
        if apart.min() >= WORKER_WIDTH_MM:
            break
        too_near = np.maximum(WORKER_WIDTH_MM + PUSHED_MM - apart, 0.0) * (apart < WORKER_WIDTH_MM)
        out += (between / np.maximum(apart, PUSHED_MM)[..., None] * too_near[..., None] / 2).sum(1)
        out = np.clip(out, low_mm, high_mm)
    return out


def film_market(
    seed: int, size: tuple[int, int], most_acts: int, hands_share: float, out: Path, players: int = PLAYERS,
    purses: bool = True, profile: Profile = PLAIN, sensible: bool = False,
) -> Script:
    """Render a game into `out` (NNNN.jpg) and write its jobs.json and truth.json."""
    out.mkdir(parents=True, exist_ok=True)
    rules, script = write_script(seed, most_acts, hands_share, players, purses, sensible)
    rng = np.random.default_rng([seed, 81])
    layout = rules.layout()
    must_see = np.concatenate([markers_extent_mm(), *(np.array(o.corners_mm) for o in layout.slots)])
    if purses:
        beside = np.array([o.corners_mm for o in layout.purses])
        around = AROUND_MM * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        must_see = np.concatenate([must_see, (beside + around).reshape(-1, 2)])
    room = profile.room(
        rng, size, TABLES[int(rng.integers(len(TABLES)))], LIGHTS[int(rng.integers(len(LIGHTS)))], must_see,
        tilt_deg=16.0, roll_deg=6.0, slack=(1.0, 1.08),
    )  # fmt: skip
    stage = MarketStage(layout, rng, profile)
    fixed = [*marker_slabs(rng), *profile.beside(rng, WORKER_RGB, room, _lain_on(layout))]
    for number, shot in enumerate(script.shots):
        stage.arrange(shot)
        slabs = [*slabs_of(stage.laid, profile), *stage.purses.slabs(), *fixed]
        arms = _limbs(shot, stage, players, rng)
        if shot.player is None:
            arms += profile.resting(rng, RESTING_MM, SEATS_DEG[players])
        jpeg, _ = take(profile.next_picture(rng, room), slabs, rng, arms)
        (out / f"{number:04d}.jpg").write_bytes(jpeg)
    write_film(out, GAME.name, COLOURS[:players], script, room, seed, unturned=0)
    return script


def _lain_on(layout: TableLayout) -> list[Floats]:
    """Outlines (4, 2) mm of the zones in which cards, workers and coins come to lie."""
    zones = zones_of(layout.slots)
    boxes = [box_of(np.concatenate([np.array(o.corners_mm) for o in zone])) for zone in zones]
    boxes += [box_of(np.array(o.corners_mm)) for o in layout.purses]
    return [np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) for x0, y0, x1, y1 in boxes]


def _limbs(shot: Shot, stage: MarketStage, players: int, rng: np.random.Generator) -> tuple[Limb, ...]:
    if shot.player is None or shot.reach is None:
        return ()
    seat_deg = float(SEATS_DEG[players][shot.player])
    return limbs(shot.player, middle_mm(stage.outlines[shot.reach]), seat_deg, rng)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--seed", default=7, show_default=True, help="Everything is drawn from it.")
@click.option("--size", type=(int, int), default=(1920, 1080), show_default=True)
@click.option("--acts", default=40, show_default=True, help="The film ends after so many acts that are seen.")
@click.option("--hands", default=0.4, show_default=True, help="Share of the acts in which a hand is seen.")
@click.option("--reference-px", default=440, show_default=True, help="Longer side of the flat scans.")
@click.option("--players", default=PLAYERS, show_default=True, type=click.IntRange(2, 4))
@click.option("--purses/--no-purses", default=True, show_default=True, help="Whether money lies on the table.")
@click.option("--sensible", is_flag=True, help="Nobody does what is plainly worse than another act.")
@click.option("--profile", "profile_name", type=click.Choice(list(PROFILES)), default="plain", show_default=True)
def main(
    out: Path, seed: int, size: tuple[int, int], acts: int, hands: float, reference_px: int, players: int, purses: bool,
    sensible: bool, profile_name: str,
) -> None:
    """Write a set with the film of a game of Spyrium in OUT/game: for `companion bench live OUT`."""
    cv2.setNumThreads(1)
    edition = "spyrium sample edition, rendered"
    write_set(out, table_set.plan(), edition, table_set.tiles(), table_set.scans(), reference_px)
    script = film_market(seed, size, acts, hands, out / "game", players, purses, PROFILES[profile_name](seed), sensible)
    click.echo(f"{len(script.shots)} pictures, {len(script.events)} acts that are seen")


if __name__ == "__main__":
    main()
