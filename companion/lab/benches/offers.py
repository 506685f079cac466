"""`companion bench offers`: whether acts that can be chosen between read differently, in every language."""

from __future__ import annotations

import json
import sys

import click


@click.command(epilog="Example: companion bench offers --game spyrium --games 1000 --json")
@click.option("--game", default="envyra", show_default=True, help="Which game.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="Random games to play.")
@click.option("--seed", default=1, show_default=True, help="Of all chance.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def offers(game: str, games: int, seed: int, as_json: bool) -> None:
    """Decisions of random games (any number of players, any options) in which two acts have the same sentence.

    Every legal act of every seat that chooses among several is rendered in English, Slovak and Czech: as it is offered,
    and as the record tells it. Exit codes: 0 all differ; 1 some read alike; 3 no such game.
    """
    from companion.lab.trials.offers_trial import offers_bench

    with click.progressbar(length=games, label="random games", file=sys.stderr, hidden=as_json) as bar:
        result = offers_bench(game, games, seed, bar.update)
    if as_json:
        click.echo(json.dumps(result, ensure_ascii=False))
    else:
        for name, value in result.items():
            click.echo(f"{name:20} {value}")
    if result["alike_offered"] or result["alike_recorded"]:
        raise SystemExit(1)


BENCH = offers
