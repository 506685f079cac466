"""What the forms of the events' pages say: rules of an event, results of a table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from companion.core.messages import Message
from companion.hub.events.model import (
    Criterion,
    EventError,
    EventRules,
    RoundTable,
    SeatResult,
    Shared,
    Source,
    TableResult,
    default_points,
)
from companion.hub.events.standings import decimal

SIZES = ("4,3", "4,3,2", "4", "3,4", "3", "3,2", "2")
"""The choices of table sizes, the best liked first."""
TIE_BREAKS = 5
"""So many tie-breaks can be chosen."""
GAME_MOST = 40


def rules_fields(rules: EventRules, titles: Mapping[str, str]) -> dict[str, str]:
    """The fields of the form that say these rules; `titles`: of the games that the companion has, by name."""
    fields = {
        "game": titles.get(rules.game, rules.game), "sizes": ",".join(map(str, rules.sizes)),
        "rounds": str(rules.rounds), "round_minutes": str(rules.round_minutes), "delay_s": str(rules.delay_s),
        "bye_points": decimal(rules.bye_points), "shared": rules.shared.value, "seed": rules.seed,
    }  # fmt: skip
    for size in (4, 3, 2):
        points = rules.points[rules.sizes.index(size)] if size in rules.sizes else default_points(size)
        fields[f"points{size}"] = " ".join(str(each) for each in points)
    order = rules.order[1:]
    fields |= {f"tie{n}": order[n].value if n < len(order) else "" for n in range(TIE_BREAKS)}
    return fields


def rules_of_form(form: Mapping[str, str], titles: Mapping[str, str]) -> EventRules:
    """The rules that a form says; a game is known by its title or its name.

    Raises EventError, saying what is expected, for what is no number.
    """
    if form.get("sizes") not in SIZES or not 1 <= len(form.get("game", "").strip()) <= GAME_MOST:
        raise EventError("choose a game and the sizes of tables")
    sizes = tuple(int(size) for size in form["sizes"].split(","))
    order = [Criterion.POINTS]
    for n in range(TIE_BREAKS):
        if form.get(f"tie{n}"):
            order.append(_criterion(form[f"tie{n}"]))
    return EventRules(
        _game(form["game"].strip(), titles), form.get("seed", "").strip()[:GAME_MOST], sizes, whole(form, "rounds"),
        whole(form, "round_minutes"), whole(form, "delay_s"), tuple(_points(form, size) for size in sizes),
        _points_number(form.get("bye_points", "")),
        Shared.BEST if form.get("shared") == Shared.BEST.value else Shared.MEAN, tuple(order),
    )  # fmt: skip


def result_of_form(table: RoundTable, form: Mapping[str, str]) -> TableResult:
    """The result on paper that a form says: everybody's place and score. Raises EventError for what is no number."""
    seats = []
    for player in table.seats:
        place, score = form.get(f"place{player}", ""), form.get(f"score{player}", "").strip()
        seats.append(SeatResult(
            player, None if place == "none" else whole(form, f"place{player}"),
            None if not score else whole(form, f"score{player}"),
        ))  # fmt: skip
    return TableResult(tuple(seats), Source.PAPER)


def _game(written: str, titles: Mapping[str, str]) -> str:
    """The name of the companion's game that is meant; else, of a game that it does not have, what was written."""
    return next((name for name, title in titles.items() if written.casefold() in (name, title.casefold())), written)


def whole(form: Mapping[str, str], field: str) -> int:
    """A whole number of the form. Raises EventError with what was given."""
    text = form.get(field, "").strip()
    try:
        if len(text) > 9:
            raise ValueError(text)
        return int(text)
    except ValueError as error:
        raise EventError(Message("expected a whole number, got “{text}”", text=text[:20])) from error


def _points(form: Mapping[str, str], size: int) -> tuple[Fraction, ...]:
    return tuple(_points_number(each) for each in form.get(f"points{size}", "").split())


def _points_number(text: str) -> Fraction:
    try:
        if len(text) > 9 or "e" in text.lower():
            raise ValueError(text)
        return Fraction(text.strip().replace(",", "."))
    except (ValueError, ZeroDivisionError) as error:
        raise EventError(Message("expected points such as 6, 2.5 or 4/3, got “{text}”", text=text[:20])) from error


def _criterion(text: str) -> Criterion:
    try:
        return Criterion(text)
    except ValueError as error:
        raise EventError("standings compare points first, then each tie-break once") from error
