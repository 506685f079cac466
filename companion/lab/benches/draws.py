"""`companion bench draws`: games drawn from the digital bag through power cuts, each verified and timed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from time import perf_counter
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.core.game import Rules
    from companion.table.record.records import SessionHeader

CREATED_MS = 1_700_000_000_000
"""A fixed date, so that a run with the same seed writes the same records."""


@click.command("draws")
@click.option("--games", default=100, show_default=True, help="How many games are played.")
@click.option("--cuts", default=0.02, show_default=True, help="Chance of a power cut at every place where one matters.")
@click.option("--undo", default=0.02, show_default=True, help="Chance that an act is an undo.")
@click.option("--physical", default=0.0, show_default=True, help="Chance that a draw comes from the physical bag.")
@click.option("--seed", default=1, show_default=True, help="Seed of the play, the power cuts and the secrets.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_draws(games: int, cuts: float, undo: float, physical: float, seed: int, as_json: bool) -> None:
    """Play games with the digital bag, cut the power at random, resume, and verify every record.

    Ends with an error at the first draw that differs from what was shown, repeats or cannot be verified.

    Example: companion bench draws --games 10000 --json
    """
    from random import Random
    from statistics import median

    from companion.lab.simulators.draw_rehearsal import Journal, Power, Rehearsal

    totals: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    verify_s: list[float] = []
    offered = tables()
    with click.progressbar(range(games), label="games", hidden=as_json) as numbers:
        for number in numbers:
            header, rules = next(offered)
            rng = Random(f"{seed} {number}")
            power = Power(Random(f"{seed} {number} power"), cuts)
            played = Rehearsal(Journal(header, rules, power), rng, power, undo, physical).run()
            start = perf_counter()
            report = played.verify(rules)
            verify_s.append(perf_counter() - start)
            if not report.complete:
                raise click.ClickException(f"game {number} is not proved: {report.missing}")
            totals.update(
                draws=report.draws,
                proved=report.proved,
                shown=len(played.shown),
                power_cuts=played.cuts,
                taken_back=len(report.taken_back),
                physical=report.physical,
                records=report.records,
            )
            kinds.update(text.split()[0] for text in played.shown.values())
    result = {
        "games": games,
        **totals,
        "kinds": dict(sorted(kinds.items())),
        "verify_s_median": round(median(verify_s), 4),
        "verify_s_max": round(max(verify_s), 4),
    }
    click.echo(json.dumps(result) if as_json else "\n".join(f"{key:16} {value}" for key, value in result.items()))


def tables() -> Iterator[tuple[SessionHeader, Rules]]:
    """Tables of 2, 3 and 4 players, with every kind of Equilibrium cards and both ways of removing tiles, for ever."""
    from companion.app.files.sessions import catalogue_text, rules_of
    from companion.core.types import SeatInfo, Setup
    from companion.games import find_game
    from companion.table.record.records import SessionHeader

    spec = find_game("envyra")
    text = catalogue_text(spec, spec.default_catalogue)
    made = []
    for players, cards, removed in product((2, 3, 4), ("none", "a", "b", "c"), ("drawn", "unknown")):
        seats = tuple(SeatInfo(f"P{i + 1}", spec.colours[i]) for i in range(players))
        setup = Setup("envyra", seats, spec.default_catalogue, (("equilibrium", cards), ("removed_tiles", removed)))
        header = SessionHeader("rehearsal", CREATED_MS, setup, text)
        made.append((header, rules_of(header)[1]))
    while True:
        yield from made


BENCH = bench_draws
