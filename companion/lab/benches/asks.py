"""`companion bench asks`: how often filmed tables ask their people, where each has a phone."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command()
@click.argument("films", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def asks(films: tuple[Path, ...], as_json: bool) -> None:
    """Watch FILMS (scene sets with a filmed game whose truth names its acts) and count what is asked of whom.

    The player who acted answers by a tap on their own phone, when the hands are done; what nobody in particular did is
    asked of the referee, and what the camera has not found is entered there. What is presumed with a note they let
    stand if it was so, and deny by one tap if not. Rates are per 100 acts that are seen.

    Example: companion bench asks OUT1 OUT2 OUT3
    """
    from companion.lab.evaluation.film_of_acts import referee_acts

    figures: dict[str, dict[str, float]] = {}
    for film in films:
        report = referee_acts(film, finishing=True)
        figures[film.name] = {
            "acts": report.acts, "alone": report.recognised, "taps": report.tapped, "taps, first": report.tapped_first,
            "presumed": report.presumed, "denied": report.denied,
            "referee": report.asked_referee + report.asked_wrong, "entered": report.entered,
            "wrong": len(report.wrong), "false alarms": len(report.false_alarms),
        }
    names = list(next(iter(figures.values())))
    total = {name: sum(one[name] for one in figures.values()) for name in names}
    hundred = max(1.0, total["acts"]) / 100.0
    told = ("taps", "denied", "referee", "entered", "wrong")
    rates = {f"{name} per 100": round(total[name] / hundred, 1) for name in told}
    if as_json:
        click.echo(json.dumps({"films": figures, "all": total, **rates}))
        return
    for title, one in (*figures.items(), ("all", total)):
        click.echo(f"{title}: " + ", ".join(f"{name} {value:g}" for name, value in one.items()))
    click.echo(", ".join(f"{name} {value:g}" for name, value in rates.items()))


BENCH = asks
