"""`companion hall`: this table joins a hall, says how it stands there, and leaves it."""

from __future__ import annotations

import click

from companion.app.command_kit import json_option


@click.group()
def hall() -> None:
    """Belong to a hall of tables: what is played here is delivered to its hub."""


@hall.command()
@click.argument("url")
@click.argument("code")
def join(url: str, code: str) -> None:
    """Join the hall at URL with the CODE from the organiser's page.

    From the next start of `companion serve` on, what is played here is delivered; games of before are not, unless they
    are gone on with. A certificate of the hub's own is kept, and no other one is taken from then on.

    \b
    Example:
      companion hall join https://192.168.1.5:8480 K7QM-3FWX-9A2B
    """
    import platform

    from companion.app.files.paths import config_file
    from companion.app.files.settings import load_settings
    from companion.app.hall.hub_link import JOIN, HubLink, certificate_to_trust
    from companion.app.hall.join_file import Joined, JoinFile
    from companion.table.ledger import now_ms

    settings = load_settings(config=config_file())
    certificate = certificate_to_trust(url)
    link = HubLink(url, certificate)
    try:
        answer = link.post(JOIN, {"code": code, "machine": platform.node()})
    finally:
        link.close()
    joined = Joined(url.rstrip("/"), int(answer["table"]), str(answer["name"]), str(answer["key"]), certificate,
                    now_ms())
    JoinFile(settings).write(joined)
    click.echo(f"This is table “{joined.name}” of the hall at {joined.url}.")
    if certificate:
        click.echo(f"The hub's certificate begins with {certificate[:16]}; it is the only one that is taken now.")
    click.echo("Start `companion serve`, or start it again if it is running.")


@hall.command()
@json_option
def status(as_json: bool) -> None:
    """Say whether this table belongs to a hall, and what waits to be delivered since when."""
    import json
    from dataclasses import asdict

    from companion.app.files.paths import config_file
    from companion.app.files.settings import load_settings
    from companion.app.hall.around import StandingFile, delivery_text
    from companion.app.hall.join_file import JoinFile

    settings = load_settings(config=config_file())
    joins = JoinFile(settings)
    joined = joins.read()
    standing = StandingFile(joins.path.parent).read()
    if as_json:
        found = None if joined is None else {"url": joined.url, "table": joined.name}
        click.echo(json.dumps({"hall": found, "standing": standing and asdict(standing)}, ensure_ascii=False))
        return
    if joined is None:
        click.echo("This table belongs to no hall.")
        return
    click.echo(f"Table “{joined.name}” of the hall at {joined.url}.")
    click.echo(delivery_text(settings) or "Nothing was delivered yet: start `companion serve`.")


@hall.command()
def leave() -> None:
    """Belong to no hall any more: the key is forgotten here. What was delivered stays at the hub."""
    from companion.app.files.paths import config_file
    from companion.app.files.settings import load_settings
    from companion.app.hall.join_file import JoinFile

    left = JoinFile(load_settings(config=config_file())).remove()
    click.echo("This table belongs to no hall any more." if left else "This table belonged to no hall.")
    if left:
        click.echo("A `companion serve` that is running delivers until it is started again.")


COMMANDS = (hall,)
