"""`companion bench web`: how soon an act reaches every spectator, what a page weighs, when it is first painted."""

from __future__ import annotations

import json

import click


@click.command()
@click.option("--spectators", default=50, show_default=True, type=click.IntRange(1, 58), help="Open streams.")
@click.option("--acts", default=100, show_default=True, type=click.IntRange(2), help="Random legal acts and draws.")
@click.option("--seed", default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def web(spectators: int, acts: int, seed: int, as_json: bool) -> None:
    """Serve a game on the loopback, let spectators follow it, and take the time from act to arrival.

    Example: companion bench web --spectators 50 --acts 200
    """
    from companion.lab.trials.dashboard_trial import web_bench

    result = web_bench(spectators, acts, seed)
    if as_json:
        click.echo(json.dumps(result))
        return
    for name, value in result.items():
        click.echo(f"{name:18} {value}")


BENCH = web
