"""`companion bench engine`: how fast the rules of a game are, and that random games keep every invariant."""

from __future__ import annotations

import json
import sys

import click


@click.command(epilog="Example: companion bench engine --game spyrium --games 2000 --json")
@click.option("--game", default="envyra", show_default=True, help="Which game.")
@click.option("--games", default=2000, show_default=True, type=click.IntRange(2), help="Random games to play.")
@click.option("--players", default=3, show_default=True, type=click.IntRange(1), help="Players of the timed games.")
@click.option("--seed", default=1, show_default=True, help="Of all chance.")
@click.option("--invariants/--no-invariants", default=True, show_default=True, help="Check every state of every game.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def engine(game: str, games: int, players: int, seed: int, invariants: bool, as_json: bool) -> None:
    """Random games, half of them timed (standard rules), half with any number of players and any options.

    Times are process time of one thread. In every state the game's invariants are checked, outside the timing (Envyra:
    each player has five cubes, no tile is lost or doubled, none holds its full number of cubes; Spyrium: workers,
    cards, tokens, money and Spyrium are conserved; Rifts: tiles, cards, tokens and relics are each in one place), and
    that every game ends. Random chess with the `chess` package is played between, on the same processor. Exit codes:
    0 done; 1 an invariant is broken; 3 no such game or set-up.
    """
    from companion.lab.trials.engine_trial import engine_bench

    with click.progressbar(length=games, label="random games", file=sys.stderr, hidden=as_json) as bar:
        result = engine_bench(
            games,
            seed,
            players,
            invariants=invariants,
            progress=bar.update,
            game=game,
        )
    if as_json:
        click.echo(json.dumps(result))
        return
    for name, value in result.items():
        click.echo(f"{name:20} {value}")


BENCH = engine
