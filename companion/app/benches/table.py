"""`companion bench table`: simulated games read with stated error rates, followed without help; asks and mistakes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.app.simulated_table import Eyes, Noise
    from companion.core.game import GameSpec, Rules, State
    from companion.core.types import Event
    from companion.table.follower import Follower

DEFAULT_RATES = (0.0, 0.01, 0.02, 0.05, 0.1)


@dataclass
class Tally:
    """What happened in the games at one rate of error."""

    rate: float
    games: int = 0
    moves: int = 0
    events: int = 0
    accepted: int = 0
    wrong: int = 0
    asks: int = 0
    false_alarms: int = 0
    missed: int = 0

    def row(self) -> dict[str, float]:
        """The counts and the rates per 100 moves."""
        per_100 = 100.0 / max(1, self.moves)
        return {
            **asdict(self), "asks_per_100": round(self.asks * per_100, 3),
            "false_alarms_per_100": round(self.false_alarms * per_100, 3),
        }


def follow_game(spec: GameSpec, rules: Rules, noise: Noise, seed: int, tally: Tally) -> None:
    """Play one random game on the simulated table and count into `tally` what the follower made of it.

    Where it asks, or does not accept an event by the last picture of its scene, the person says what happened: one
    ask. An accepted event that did not happen is wrong.
    """
    from random import Random

    from companion.app.simulated_table import Eyes, play, random_state
    from companion.table.follower import Follower
    from companion.table.looks import board_look
    from companion.table.reconcile import LIVE_DEMANDS

    random = Random(seed)
    state = random_state(rules, random)
    eyes = Eyes(rules, noise, Random(seed + 1))
    assert spec.blame is not None
    follower = Follower(rules, spec.blame, state, board_look(rules, state), demands=LIVE_DEMANDS, patience=5)
    for event, before, after in play(rules, state, random):
        _follow_event(rules, follower, eyes, (event, before, after), tally)
    tally.games += 1


def _follow_event(
    rules: Rules, follower: Follower, eyes: Eyes, step: tuple[Event, State, State], tally: Tally
) -> None:
    from companion.app.simulated_table import PICTURES_PER_SCENE, scenes
    from companion.core.types import Action
    from companion.table.follower import HappeningKind

    event, before, after = step
    moments = list(scenes(rules, event, before, after))
    if not moments:
        follower.accept(after)  # confirmed at the button box, or drawn where no eye sees it
        return
    tally.events += 1
    tally.moves += isinstance(event, Action)
    wanted = [rules.format(event)]
    looks_alike = {rules.format(event)} if isinstance(event, Action) else _alike(rules, before, event)
    for moment in moments:
        follower.scene_changed()
        asked = False
        for _ in range(PICTURES_PER_SCENE):
            for happening in follower.observe(eyes.look(moment.view)):
                if happening.kind is HappeningKind.EVENT:
                    assert happening.event is not None
                    if wanted and rules.format(happening.event) in looks_alike:
                        wanted.clear()
                        tally.accepted += 1
                    else:
                        tally.wrong += 1
                elif happening.kind is HappeningKind.ILLEGAL:
                    tally.false_alarms += 1
                    asked = True
                elif happening.kind is HappeningKind.ASKED:
                    asked = True
        if wanted:
            asked = True
            tally.missed += 1
            wanted.clear()
        tally.asks += asked
        if asked or follower.view != moment.view:
            follower.put_right(after, moment.view)
    if rules.dump(follower.state) != rules.dump(after):
        follower.put_right(after, moments[-1].view)  # the same face under its other name


def _alike(rules: Rules, before: State, event: Event) -> set[str]:
    from companion.table.looks import path_look

    path = path_look(rules, before, event)
    return {rules.format(o.draw) for o in rules.chance_outcomes(before) if path_look(rules, before, o.draw) == path}


@click.command("table")
@click.option("--games", default=200, show_default=True, help="Games for each rate (10000 for the figures in docs/).")
@click.option("--players", default=3, show_default=True, type=click.IntRange(2, 5))
@click.option("--game", "game_name", default="envyra", show_default=True)
@click.option("--rate", "rates", multiple=True, type=click.FloatRange(0, 0.5), help="Error rate; may be repeated.")
@click.option("--stubborn", is_flag=True, help="Flipped readings stay the same until something changes in the slot.")
@click.option("--seed", default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def BENCH(  # noqa: N802
    games: int, players: int, game_name: str, rates: tuple[float, ...], stubborn: bool, seed: int, as_json: bool
) -> None:
    """Follow simulated games that are read with errors; print asks, alarms and mistakes per rate.

    A third of the errors each are readings flipped to something else, covered and unknown; pictures err
    independently, or with --stubborn flips come with a change of a slot and stay until the next one.
    Example: companion bench table --games 1000 --rate 0.01 --rate 0.05
    """
    from companion.app.simulated_table import even_noise, stubborn_noise
    from companion.core.types import SeatInfo, Setup
    from companion.games import find_game

    spec = find_game(game_name)
    if spec.blame is None:
        raise click.UsageError(f"{game_name} is not followed by the camera")
    catalogue = spec.load_catalogue(spec.default_catalogue)
    seats = tuple(SeatInfo(f"P{n + 1}", colour) for n, colour in enumerate(spec.colours[:players]))
    rules = spec.make_rules(Setup(spec.name, seats, spec.default_catalogue), catalogue)
    noise_of = stubborn_noise if stubborn else even_noise
    rows = []
    for rate in rates or DEFAULT_RATES:
        tally = Tally(rate)
        for number in range(games):
            follow_game(spec, rules, noise_of(rate), seed + 7919 * number, tally)
        rows.append(tally.row())
        if not as_json:
            click.echo("  ".join(f"{key} {value}" for key, value in rows[-1].items()))
    if as_json:
        about = {"game": game_name, "players": players, "catalogue": spec.default_catalogue, "stubborn": stubborn}
        click.echo(json.dumps({**about, "rows": rows}))
