"""`companion bench table`: simulated games read with stated error rates, followed without help; asks and mistakes."""

from __future__ import annotations

import json

import click

DEFAULT_RATES = (0.0, 0.01, 0.02, 0.05, 0.1)


@click.command("table")
@click.option("--games", default=200, show_default=True, help="Games for each rate (10000 for the figures in docs/).")
@click.option("--players", default=3, show_default=True, type=click.IntRange(2, 5))
@click.option("--game", "game_name", default="envyra", show_default=True)
@click.option("--rate", "rates", multiple=True, type=click.FloatRange(0, 0.5), help="Error rate; may be repeated.")
@click.option("--stubborn", is_flag=True, help="Flipped readings stay the same until something changes in the slot.")
@click.option("--unread", is_flag=True, help="Nobody reads the boards at the reveal: choices follow from the moves.")
@click.option("--outside", multiple=True, metavar="TEXT", help="Places with TEXT in their name are in no picture.")
@click.option("--sensible", is_flag=True, help="Nobody does what is plainly worse than another act.")
@click.option("--seed", default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def BENCH(  # noqa: N802
    games: int, players: int, game_name: str, rates: tuple[float, ...], stubborn: bool, unread: bool,
    outside: tuple[str, ...], sensible: bool, seed: int, as_json: bool,
) -> None:
    """Follow simulated games that are read with errors; print asks, alarms and mistakes per rate.

    A third of the errors each are readings flipped to something else, covered and unknown; pictures err
    independently, or with --stubborn flips come with a change of a slot and stay until the next one. An ask is
    `alike` where other legal acts leave the same table, so that no picture could tell; `on_phones` where the player
    who acted, whichever choice is true, finds the right answer on their own phone.

    \b
    Examples:
      companion bench table --games 1000 --rate 0.01 --rate 0.05
      companion bench table --game spyrium --games 20 --rate 0.01 --outside=-b
      companion bench table --game rifts --games 20 --rate 0.01 --outside s --outside drawn
    """
    from companion.core.types import SeatInfo, Setup
    from companion.games import find_game
    from companion.lab.simulators.simulated_following import FollowedCounts, follow_game
    from companion.lab.simulators.simulated_table import even_noise, stubborn_noise

    spec = find_game(game_name)
    if spec.blame is None or (unread and spec.infer is None):
        raise click.UsageError(f"{game_name} is not followed by the camera" + " with unread boards" * unread)
    catalogue = spec.load_catalogue(spec.default_catalogue)
    seats = tuple(SeatInfo(f"P{n + 1}", colour) for n, colour in enumerate(spec.colours[:players]))
    rules = spec.make_rules(Setup(spec.name, seats, spec.default_catalogue), catalogue)
    slots = (outline.slot for outline in rules.layout().slots)
    unseen = frozenset(slot for slot in slots if any(text in slot for text in outside))
    noise_of = stubborn_noise if stubborn else even_noise
    rows = []
    for rate in rates or DEFAULT_RATES:
        tally = FollowedCounts(rate)
        for number in range(games):
            follow_game(
                spec, rules, noise_of(rate), seed + 7919 * number, tally, unread=unread, outside=unseen,
                sensible=sensible,
            )  # fmt: skip
        rows.append(tally.row())
        if not as_json:
            click.echo("  ".join(f"{key} {value}" for key, value in rows[-1].items()))
    if as_json:
        about = {"game": game_name, "players": players, "catalogue": spec.default_catalogue}
        about |= {"stubborn": stubborn, "unread": unread, "outside": list(outside)}
        click.echo(json.dumps({**about, "rows": rows}))
