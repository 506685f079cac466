"""`companion hall`: this table joins a hall, says how it stands there, and leaves it."""

from __future__ import annotations

import click

from companion.app.command_kit import json_option, speaker

JOINED = "This is table “{name}” of the hall at {url}."
CERTIFICATE = "The hub's certificate begins with {begins}; it is the only one that is taken now."
START = "Start `companion serve`, or start it again if it is running."
NO_HALL = "This table belongs to no hall."
TABLE_OF = "Table “{name}” of the hall at {url}."
NOTHING_YET = "Nothing was delivered yet: start `companion serve`."
LEFT = "This table belongs to no hall any more."
NEVER_JOINED = "This table belonged to no hall."
DELIVERS_ON = "A `companion serve` that is running delivers until it is started again."


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
    say = speaker(settings.language)
    click.echo(say(JOINED, name=joined.name, url=joined.url))
    if certificate:
        click.echo(say(CERTIFICATE, begins=certificate[:16]))
    click.echo(say(START))


@hall.command()
@json_option
def status(as_json: bool) -> None:
    """Say whether this table belongs to a hall, and what waits to be delivered since when.

    Example: companion hall status
    """
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
    say = speaker(settings.language)
    if joined is None:
        click.echo(say(NO_HALL))
        return
    click.echo(say(TABLE_OF, name=joined.name, url=joined.url))
    click.echo(delivery_text(settings) or say(NOTHING_YET))


@hall.command()
def leave() -> None:
    """Belong to no hall any more: the key is forgotten here. What was delivered stays at the hub.

    Example: companion hall leave
    """
    from companion.app.files.paths import config_file
    from companion.app.files.settings import load_settings
    from companion.app.hall.join_file import JoinFile

    settings = load_settings(config=config_file())
    say = speaker(settings.language)
    left = JoinFile(settings).remove()
    click.echo(say(LEFT if left else NEVER_JOINED))
    if left:
        click.echo(say(DELIVERS_ON))


COMMANDS = (hall,)
