"""`companion bench record`: what a long record costs, and what is left of one whose player is killed."""

from __future__ import annotations

import json

import click


@click.command()
@click.option("--records", default=10_000, show_default=True, type=click.IntRange(10), help="Length of the record.")
@click.option("--kills", default=0, show_default=True, type=click.IntRange(0), help="Kill the player so many times.")
@click.option("--http-kills", default=0, show_default=True, type=click.IntRange(0),
              help="Kill a server so many times in the middle of a request.")
@click.option(
    "--store", "address", default="", help="Where (default: a temporary SQLite file): path or PostgreSQL URL."
)
@click.option("--seed", default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def record(records: int, kills: int, http_kills: int, address: str, seed: int, as_json: bool) -> None:
    """Play a record of a given length; measure memory, writing, opening, export and replay. Then kill players.

    \b
    Example:
      companion bench record --records 10000 --kills 100 --json
      companion bench record --records 10 --http-kills 1000
    """
    from companion.lab.trials.record_kills import http_kill_bench, kill_bench, long_record_bench

    result = long_record_bench(records, address, seed)
    if kills:
        result |= kill_bench(kills, address, seed)
    if http_kills:
        result |= http_kill_bench(http_kills, address, seed)
    if as_json:
        click.echo(json.dumps(result))
    else:
        for name, value in result.items():
            click.echo(f"{name:28} {value}")


BENCH = record
