"""`companion licences`: under which licences everything that the companion runs on may be used."""

from __future__ import annotations

import json
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution

import click

from companion.app.command_kit import json_option

OWN = "tabletop-companion"
NAME = re.compile(r"[A-Za-z0-9._-]+")


def licence_of(found: Distribution) -> str:
    """What a distribution says of its licence: the expression, else the classifiers, else its first line of text."""
    about = found.metadata
    for expression in about.get_all("License-Expression") or ():
        return str(expression)
    named = [str(line).rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if "License ::" in str(line)]
    texts = [str(text).strip().split("\n")[0][:60] for text in about.get_all("License") or ()]
    return ", ".join(named) or ", ".join(texts) or "not stated"


def installed(*, extras: bool = False) -> list[tuple[str, str, str]]:
    """(name, version, licence) of the companion and all that it needs and is installed, by name; with `extras` also
    what its tests and PostgreSQL need."""
    todo, rows = [OWN], {}
    while todo:
        name = re.sub(r"[-_.]+", "-", todo.pop()).lower()
        if name in rows:
            continue
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # of an extra that was not asked for, or of another system
        rows[name] = (name, found.version, licence_of(found))
        needs = [line for line in found.requires or () if (extras and name == OWN) or "extra ==" not in line]
        todo += [match.group() for line in needs if (match := NAME.match(line))]
    return sorted(rows.values())


@click.command()
@click.option("--extras", is_flag=True, help="Also what the tests and PostgreSQL need, where it is installed.")
@json_option
def licences(extras: bool, as_json: bool) -> None:
    """List the licences of what is installed: the companion and every package that it needs.

    \b
    Example:
      companion licences --json
    """
    rows = installed(extras=extras)
    if as_json:
        keys = ("name", "version", "licence")
        click.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], ensure_ascii=False))
        return
    for name, version, licence in rows:
        click.echo(f"{name:32} {version:14} {licence}")


COMMANDS: tuple[click.Command, ...] = (licences,)
