"""`companion bench …`: the measurements behind the figures in docs/, one subcommand a subject."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import click

from companion.lab import benches
from companion.lab.benches import eyes


@click.group()
def bench() -> None:
    """Measure: medians and ratios of one run, printed as a table or with --json as one object."""


for _room in (benches, eyes):
    for _module in sorted(m.name for m in iter_modules(_room.__path__) if not m.ispkg):
        bench.add_command(import_module(f"{_room.__name__}.{_module}").BENCH)

COMMANDS = (bench,)
