"""`companion bench pairing`: how long the pairing of an event takes, and whether a repeat could have been avoided."""

from __future__ import annotations

import json
import sys

import click


@click.command(epilog="Example: companion bench pairing --players 200 --rounds 10 --json")
@click.option("--players", default=200, show_default=True, type=click.IntRange(2, 1000), help="At the event.")
@click.option("--rounds", default=10, show_default=True, type=click.IntRange(1, 30), help="Rounds of the event.")
@click.option("--sizes", default="4,3", show_default=True, help="Sizes of tables, the best liked first.")
@click.option("--seed", default=1, show_default=True, help="Of strengths, luck and lots.")
@click.option("--leaving", default=0.0, show_default=True, type=click.FloatRange(0, 0.5),
              help="The part of the players who leave before each later round; as many come new.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def pairing(players: int, rounds: int, sizes: str, seed: int, leaving: float, as_json: bool) -> None:
    """A simulated event with results by strength and luck, paired round by round.

    Times are process time of one thread. Exit codes: 0 done, and in every round no repeat could be avoided (proved);
    1 in some round that is not proved.
    """
    from companion.lab.trials.pairing_trial import pairing_bench

    try:
        wanted = tuple(int(size) for size in sizes.split(","))
    except ValueError as error:
        raise click.BadParameter("expected sizes such as 4,3", param_hint="--sizes") from error
    with click.progressbar(length=rounds, label="rounds", file=sys.stderr, hidden=as_json) as bar:
        found = pairing_bench(players, rounds, wanted, seed, leaving, lambda: bar.update(1))
    if as_json:
        click.echo(json.dumps(found))
    else:
        for row in found.pop("of_each_round"):
            click.echo("  ".join(f"{name} {value}" for name, value in row.items()))
        for name, value in found.items():
            click.echo(f"{name:15} {value}")
    if not found["all_proved"]:
        raise SystemExit(1)


BENCH = pairing
