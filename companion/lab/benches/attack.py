"""`companion bench attack`: what strangers and curious players may try, with figures."""

from __future__ import annotations

import json
from collections.abc import Callable

import click

PARTS = ("twins", "latency", "memory", "fuzz")


@click.command()
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), help="Only this one; may be repeated.")
@click.option("--requests", default=300, show_default=True, type=click.IntRange(1), help="Of each pair of twins.")
@click.option("--seeds", default=3, show_default=True, type=click.IntRange(1), help="Pairs of twins of each scenario.")
@click.option("--pages", default=200, show_default=True, type=click.IntRange(2), help="Asked for beside each misdeed.")
@click.option("--calls", default=3, show_default=True, type=click.IntRange(1), help="Fuzzed calls of each command.")
@click.option("--seed", default=1, show_default=True, help="Of the fuzzed calls.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def attack(
    parts: tuple[str, ...], requests: int, seeds: int, pages: int, calls: int, seed: int, as_json: bool
) -> None:
    """Twin games compared, pages beside a sender who misbehaves, bombs, odd command lines. Ends at the first fault.

    Example: companion bench attack --part twins --requests 1000
    """
    from companion.lab.trials.attacks import fuzz_bench, latency_bench, memory_bench, twin_bench

    run: dict[str, Callable[[], dict[str, object]]] = {
        "twins": lambda: twin_bench(requests, seeds), "latency": lambda: latency_bench(pages), "memory": memory_bench,
        "fuzz": lambda: fuzz_bench(seed, calls),
    }
    result: dict[str, object] = {}
    for part in parts or PARTS:
        result |= run[part]()
    if as_json:
        click.echo(json.dumps(result))
        return
    for name, value in result.items():
        click.echo(f"{name:44} {value}")


BENCH = attack
