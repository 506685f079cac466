"""`companion bench hall`: a simulated hall: nothing is lost whatever fails, and how soon screens show an act."""

from __future__ import annotations

import json
import sys

import click


@click.command()
@click.option("--tables", default=50, show_default=True, type=click.IntRange(1, 500))
@click.option("--spectators", default=500, show_default=True, type=click.IntRange(1, 1400), help="Screens of the calm.")
@click.option("--faults-s", default=120.0, show_default=True, help="Seconds with faults; 0: none.")
@click.option("--calm-s", default=30.0, show_default=True, help="Seconds without, measured to the screens; 0: none.")
@click.option("--kills", default=20, show_default=True, type=click.IntRange(0), help="Kill the hub so many times.")
@click.option("--restarts", default=5, show_default=True, type=click.IntRange(0), help="Restart PostgreSQL so often.")
@click.option("--backlog", default=1000, show_default=True, type=click.IntRange(0), help="Records of the catch-up.")
@click.option("--speed", default=10.0, show_default=True, help="Times the pace of people (an act every ten seconds).")
@click.option("--seed", default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def hall(
    tables: int, spectators: int, faults_s: float, calm_s: float, kills: int, restarts: int, backlog: int, speed: float,
    seed: int, as_json: bool,
) -> None:
    """Play a hall of tables with real sessions, senders, a hub and a PostgreSQL of our own; check what is at the hub.

    First a calm time with screens, then a table that was alone for so many records, then links that are cut 10 % of the
    time, lose and break, a hub that is killed and a PostgreSQL that is restarted. Ends with 1 unless every record is at
    the hub once and in order and every result is that of a recount.

    \b
    Example:
      companion bench hall --tables 50 --json
    """
    from companion.lab.hall.evening import Plan, faults_of, run

    found = run(Plan(tables, spectators, faults_s, calm_s, kills, restarts, backlog, speed, seed))
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        for name, value in found.items():
            click.echo(f"{name:24} {value}")
    if faults_of(found):
        click.echo(f"Faults: {faults_of(found)}", err=True)
        sys.exit(1)


BENCH = hall
